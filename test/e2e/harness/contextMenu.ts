import type { Locator, Page } from 'playwright-core';
import { succeeds, until } from '../../support/until.ts';
import { escapeRegExp } from './pageElement.ts';

/** The time limit of a mouse action, which waits for drawing; windows in the background rarely draw. */
const mouseTimeoutMs = 15_000;

/** Chooses an entry of an item's context menu by mouse and Enter. `path` has the labels of its submenus and its own. */
export async function chooseFromMenu(page: Page, item: Locator, ...path: readonly string[]): Promise<void> {
  await openContextMenu(page, item, ...path);
  await page.keyboard.press('Enter');
}

/** Opens an item's context menu and focuses an entry. */
export async function openContextMenu(page: Page, item: Locator, ...path: readonly string[]): Promise<void> {
  const label = path.at(-1) ?? '';
  const menu = page.locator('.context-view .monaco-menu');
  // Hovering focuses an entry, but a tree refresh may take the focus and close the menu.
  const entry = menu.locator('.action-item:focus-within', { hasText: label });
  await until(
    `the menu with "${label}"`,
    async () => {
      const openMenus = await menu.allInnerTexts();
      // A menu that opened late may cover the item.
      if (openMenus.length > 0) await page.keyboard.press('Escape');
      if (
        (await succeeds(item.click({ button: 'right', timeout: mouseTimeoutMs }))) &&
        (await openSubmenus(page, path.slice(0, -1))) &&
        (await succeeds(menuEntry(page, label).hover({ timeout: mouseTimeoutMs }))) &&
        (await succeeds(entry.last().waitFor({ timeout: mouseTimeoutMs })))
      )
        return label;
      return openMenus;
    },
    chosen => chosen === label,
  );
}

async function openSubmenus(page: Page, labels: readonly string[]): Promise<boolean> {
  for (const label of labels) {
    if (!(await succeeds(menuEntry(page, label).hover({ timeout: mouseTimeoutMs })))) return false;
    await page.keyboard.press('ArrowRight');
  }
  return true;
}

/** Presses an item's button, which is visible on hover. Tries again if the item was redrawn meanwhile. */
export async function pressItemButton(item: Locator, label: string): Promise<void> {
  await until(
    `the button "${label}" of the item`,
    async () => {
      await succeeds(item.hover({ timeout: mouseTimeoutMs }));
      return succeeds(item.locator(buttonSelector(label)).click({ timeout: 5_000 }));
    },
    isPressed => isPressed,
  );
}

/** Hovers over an item until its tooltip appears. Tries again if the item was redrawn meanwhile. */
export async function showTooltip(page: Page, item: Locator, tooltip: Locator): Promise<void> {
  await until(
    'the tooltip',
    async () => {
      await page.mouse.move(0, 0);
      await succeeds(item.hover({ timeout: mouseTimeoutMs }));
      return succeeds(tooltip.waitFor({ timeout: mouseTimeoutMs }));
    },
    isShown => isShown,
  );
}

/** Returns the selector of a button by its whole label, which may be followed by its keybinding. */
export function buttonSelector(label: string): string {
  return `.action-label[aria-label="${label}"], .action-label[aria-label^="${label} ("]`;
}

/** Returns an entry of the open menu. */
export function menuEntry(page: Page, label: string): Locator {
  return page.locator('.context-view .action-label', { hasText: new RegExp(`^${escapeRegExp(label)}$`) }).first();
}
