import type { Locator, Page } from 'playwright-core';

/** Returns the start of a row of the frames in `states`. */
export function rowDate(row: number): Date {
  return new Date(Date.UTC(2026, 10, 14, 5 + row));
}

/** Formats the start of a row as the table does in UTC. */
export function rowTime(row: number): string {
  const start = rowDate(row);
  return `${start.getUTCDate()} Nov ${String(start.getUTCHours()).padStart(2, '0')}:00`;
}

/** Finds a combo box above the table of the open tab. */
export function findComboBox(page: Page, name: string): Locator {
  return page.locator('.tab-controls').getByRole('combobox', { name });
}

/** Waits until the sentence above the table contains the words. */
export async function waitForSentence(page: Page, words: string): Promise<void> {
  await page.locator('.tab-sentence', { hasText: words }).waitFor();
}

/** Waits until the info button explains the method in these words. */
export async function waitForMethod(page: Page, words: string): Promise<void> {
  await page.locator('.tab-head .info', { hasText: words }).waitFor({ state: 'attached' });
}

/** Reads the visible texts of a column in row order, which may differ from the DOM order because elements are reused. */
export async function readCells(page: Page, column: number): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('[role=row]:not([hidden]) > [role=gridcell][aria-colindex="${column}"]')]
    .filter(cell => cell.checkVisibility())
    .sort((a, b) => a.parentElement.ariaRowIndex - b.parentElement.ariaRowIndex)
    .map(cell => cell.innerText)`);
}

/** Finds the row of a column in the statistics. */
export function findStatisticsRow(page: Page, label: string): Locator {
  return page.locator('.statistics-summary [role=row]:not([hidden])', {
    has: page.locator('[role=gridcell][aria-colindex="1"]', { hasText: new RegExp(`^${label}$`) }),
  });
}

/** Reads the visible figures of a column in the statistics, by heading. */
export async function readFigures(page: Page, label: string): Promise<Readonly<Record<string, string>>> {
  const line = findStatisticsRow(page, label);
  await line.waitFor();
  const texts = await line.locator('[role=gridcell]').evaluateAll(readCells =>
    readCells
      .filter(cell => cell.checkVisibility())
      .map(cell => {
        const columnIndex = cell.getAttribute('aria-colindex');
        const head = document.querySelector(`.statistics-summary [role=columnheader][aria-colindex="${columnIndex}"]`);
        const [name = ''] = ((head as HTMLElement | null)?.innerText ?? '').split('\n');
        return [name, (cell as HTMLElement).innerText];
      }),
  );
  return Object.fromEntries(texts) as Record<string, string>;
}
