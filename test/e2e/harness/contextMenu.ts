import type { Locator, Page } from 'playwright-core';
import { succeeds, until } from './waiting.ts';

/** A window in the background draws seldom, and the mouse waits for what is drawn. */
const openMs = 15_000;

/** Chooses an entry of the menu of a line, by the mouse and Enter. */
export async function chooseAt(page: Page, line: Locator, label: string): Promise<void> {
  const menu = page.locator('.context-view .monaco-menu');
  // An entry under the mouse takes the keyboard; a tree that is being refreshed may take it back, and that closes the menu.
  const entry = menu.locator('.action-item:focus-within', { hasText: label });
  await until(
    `the menu with "${label}"`,
    async () => {
      await line.click({ button: 'right' });
      if (
        (await succeeds(entryOf(page, label).hover({ timeout: openMs }))) &&
        (await succeeds(entry.waitFor({ timeout: openMs })))
      )
        return label;
      const shown = await menu.allInnerTexts();
      if (shown.length > 0) await page.keyboard.press('Escape');
      return shown;
    },
    chosen => chosen === label,
  );
  await page.keyboard.press('Enter');
}

/** Presses a button of a line. Buttons show while the mouse is there, and a line that is drawn anew has lost it. */
export async function pressOnLine(line: Locator, label: string): Promise<void> {
  await until(
    `"${label}" on its line`,
    async () => {
      await line.hover();
      return succeeds(line.locator(labelled(label)).click({ timeout: 5_000 }));
    },
    isPressed => isPressed,
  );
}

/** A button by its whole name, behind which its keys may stand. */
export function labelled(label: string): string {
  return `.action-label[aria-label="${label}"], .action-label[aria-label^="${label} ("]`;
}

/** An entry of the open menu. */
export function entryOf(page: Page, label: string): Locator {
  return page.locator('.context-view .action-label', { hasText: label }).first();
}
