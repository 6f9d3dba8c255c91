import type { Locator, Page } from 'playwright-core';
import { succeeds, until } from '../../support/waiting.ts';
import { escaped } from './pageElement.ts';

/** A window in the background draws seldom, and the mouse waits for what is drawn. */
const openMs = 15_000;

/** Chooses an entry of the menu of a line, by the mouse and Enter. `path`: the submenus that lead to it, and its own label. */
export async function chooseAt(page: Page, line: Locator, ...path: readonly string[]): Promise<void> {
  await openMenuAt(page, line, ...path);
  await page.keyboard.press('Enter');
}

/** Opens the menu of a line, with the keyboard on an entry. */
export async function openMenuAt(page: Page, line: Locator, ...path: readonly string[]): Promise<void> {
  const label = path.at(-1) ?? '';
  const menu = page.locator('.context-view .monaco-menu');
  // An entry under the mouse takes the keyboard; a tree that is being refreshed may take it back, and that closes the menu.
  const entry = menu.locator('.action-item:focus-within', { hasText: label });
  await until(
    `the menu with "${label}"`,
    async () => {
      const shown = await menu.allInnerTexts();
      // One that came up late lies over the line.
      if (shown.length > 0) await page.keyboard.press('Escape');
      if (
        (await succeeds(line.click({ button: 'right', timeout: openMs }))) &&
        (await opensSubmenus(page, path.slice(0, -1))) &&
        (await succeeds(entryOf(page, label).hover({ timeout: openMs }))) &&
        (await succeeds(entry.last().waitFor({ timeout: openMs })))
      )
        return label;
      return shown;
    },
    chosen => chosen === label,
  );
}

async function opensSubmenus(page: Page, labels: readonly string[]): Promise<boolean> {
  for (const label of labels) {
    if (!(await succeeds(entryOf(page, label).hover({ timeout: openMs })))) return false;
    await page.keyboard.press('ArrowRight');
  }
  return true;
}

/** Presses a button of a line. Buttons show while the mouse is there, and a line that is drawn anew has lost it. */
export async function pressOnLine(line: Locator, label: string): Promise<void> {
  await until(
    `"${label}" on its line`,
    async () => {
      await succeeds(line.hover({ timeout: openMs }));
      return succeeds(line.locator(labelled(label)).click({ timeout: 5_000 }));
    },
    isPressed => isPressed,
  );
}

/** Rests the mouse on a line until its tooltip shows: a line that is drawn anew has lost the mouse. */
export async function showTooltip(page: Page, line: Locator, tooltip: Locator): Promise<void> {
  await until(
    'the tooltip',
    async () => {
      await page.mouse.move(0, 0);
      await succeeds(line.hover({ timeout: openMs }));
      return succeeds(tooltip.waitFor({ timeout: openMs }));
    },
    isShown => isShown,
  );
}

/** A button by its whole name, behind which its keys may stand. */
export function labelled(label: string): string {
  return `.action-label[aria-label="${label}"], .action-label[aria-label^="${label} ("]`;
}

/** An entry of the open menu. */
export function entryOf(page: Page, label: string): Locator {
  return page.locator('.context-view .action-label', { hasText: new RegExp(`^${escaped(label)}$`) }).first();
}
