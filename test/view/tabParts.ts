import type { Locator, Page } from 'playwright-core';

/** When a row of the frames in `states` begins. */
export function rowDate(row: number): Date {
  return new Date(Date.UTC(2026, 10, 14, 5 + row));
}

/** What it has as its time, in UTC. */
export function rowTime(row: number): string {
  const at = rowDate(row);
  return `${at.getUTCDate()} Nov ${String(at.getUTCHours()).padStart(2, '0')}:00`;
}

/** A choice above the table of the open tab. */
export function control(page: Page, name: string): Locator {
  return page.locator('.tab-controls').getByRole('combobox', { name });
}

/** Waits for the sentence above that table to contain the words. */
export async function sentence(page: Page, words: string): Promise<void> {
  await page.locator('.tab-sentence', { hasText: words }).waitFor();
}

/** Waits for the words among how the rows are made, which a button shows. */
export async function method(page: Page, words: string): Promise<void> {
  await page.locator('.tab-head .info', { hasText: words }).waitFor({ state: 'attached' });
}

/** The texts of a column on screen, by the rows' places: elements are used again for other rows. */
export async function cells(page: Page, column: number): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('[role=row]:not([hidden]) > [role=gridcell][aria-colindex="${column}"]')]
    .filter(cell => cell.checkVisibility())
    .sort((a, b) => a.parentElement.ariaRowIndex - b.parentElement.ariaRowIndex)
    .map(cell => cell.innerText)`);
}

/** The line of a column in the statistics. */
export function lineOf(page: Page, label: string): Locator {
  return page.locator('.statistics-summary [role=row]:not([hidden])', {
    has: page.locator('[role=gridcell][aria-colindex="1"]', { hasText: new RegExp(`^${label}$`) }),
  });
}

/** The figures in the line of a column in the statistics, by heading, as far as they are on screen. */
export async function figuresOf(page: Page, label: string): Promise<Readonly<Record<string, string>>> {
  const line = lineOf(page, label);
  await line.waitFor();
  const texts = await line.locator('[role=gridcell]').evaluateAll(cells =>
    cells
      .filter(cell => cell.checkVisibility())
      .map(cell => {
        const at = cell.getAttribute('aria-colindex');
        const head = document.querySelector(`.statistics-summary [role=columnheader][aria-colindex="${at}"]`);
        const [name = ''] = ((head as HTMLElement | null)?.innerText ?? '').split('\n');
        return [name, (cell as HTMLElement).innerText];
      }),
  );
  return Object.fromEntries(texts) as Record<string, string>;
}
