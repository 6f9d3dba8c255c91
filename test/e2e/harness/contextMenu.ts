import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { succeeds, until } from './waiting.ts';

/** A tree that has just been refreshed takes the keyboard back, and that closes a menu: so long it is left alone before. */
const restMs = 400;
/** A window in the background draws seldom, and the mouse waits for what is drawn. */
const openMs = 15_000;

/** Opens the menu of a line by the right mouse button and puts the entry under the mouse, for Enter or a look. */
export async function openMenuAt(page: Page, line: Locator, label: string): Promise<void> {
  await line.waitFor();
  await sleep(restMs);
  await until(
    `the menu with "${label}"`,
    async () => {
      await line.click({ button: 'right' });
      return succeeds(entry(page, label).hover({ timeout: openMs }));
    },
    isOpen => isOpen,
  );
}

/** Chooses an entry of the menu of a line. */
export async function chooseAt(page: Page, line: Locator, label: string): Promise<void> {
  await openMenuAt(page, line, label);
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

function entry(page: Page, label: string): Locator {
  return page.locator('.context-view .action-label', { hasText: label }).first();
}
