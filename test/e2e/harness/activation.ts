import { setTimeout } from 'node:timers/promises';
import type { Frame, Page } from 'playwright-core';
import { succeeds, until } from '../../support/until.ts';
import type { Workbench } from './workbench.ts';

/** How long to wait for Chromium when a page is closed. */
const closeTimeoutMs = 5_000;

/** A script that returns the visible state of a window as text, without budgets and progress, which change by themselves. */
const windowScript = `(() => {
  const findVisible = selector => [...document.querySelectorAll(selector)].filter(element => element.checkVisibility());
  const texts = selector => findVisible(selector).map(element => element.innerText);
  const row = element => [
    element.querySelector('.label-name')?.textContent,
    element.querySelector('.custom-view-tree-node-item-icon')?.className,
    element.querySelector('.label-description')?.textContent.replace(/\\d+\\/\\d+/g, ''),
  ].join();
  return JSON.stringify([
    findVisible('.quick-input-widget').map(element => [element.innerText, ...[...element.querySelectorAll('input')].map(input => input.placeholder)]),
    texts('.monaco-dialog-box'),
    findVisible('.editor-actions .action-label').map(element => element.ariaLabel),
    texts('.notifications-toasts .notification-list-item'),
    findVisible('.tabs-container .tab').map(element => element.className.includes('active') + element.innerText),
    findVisible('.part.sidebar .monaco-list-row').map(row),
    findVisible('.part.sidebar .pane-header').length,
    findVisible('.part.statusbar .statusbar-item').map(element => element.id).filter(id => !/progress|budget/.test(id)),
    findVisible('.part.panel').length,
  ]);
})()`;

/**
 * A script that returns the text and selection state of one of the extension's pages, and how often it has shown the progress of a run.
 * A run that finds nothing new shows only its progress, which may be over before the next snapshot.
 */
const pageScript = `(() => {
  if (globalThis.progressCount === undefined) {
    globalThis.progressCount = 0;
    const hasCancel = node => node.nodeType === 1 && (node.matches('[data-action=cancel]') || node.querySelector('[data-action=cancel]'));
    new MutationObserver(mutations => {
      if (mutations.some(({ addedNodes }) => [...addedNodes].some(hasCancel))) globalThis.progressCount++;
    }).observe(document.body, { childList: true, subtree: true });
  }
  return document.body.innerText + document.querySelectorAll('input').length + [...document.querySelectorAll('[aria-selected],[aria-checked],[aria-sort]')]
    .map(element => [element.ariaSelected, element.ariaChecked, element.ariaSort].join()).join(';') + globalThis.progressCount;
})()`;

/** Returns state that is not on screen, such as the number of requests. */
type ReadExtra = () => unknown;

/** Takes a snapshot of everything that a press could change. */
export async function takeSnapshot(workbench: Workbench, readExtra: ReadExtra = () => ''): Promise<string> {
  const { page } = workbench;
  const pages = await Promise.all(page.frames().map(async frame => readFrame(frame)));
  return JSON.stringify([
    await page.evaluate<string>(windowScript),
    pages.filter(Boolean),
    page.context().pages().length,
    await readExtra(),
  ]);
}

async function readFrame(frame: Frame): Promise<string> {
  if (!frame.url().includes('fake.html')) return '';
  return frame.evaluate<string>(pageScript).catch(() => '');
}

/** Presses something and waits for a visible effect. Throws if there is none, or if it is an error. */
export async function pressAndWait(
  workbench: Workbench,
  label: string,
  press: () => Promise<void>,
  readExtra?: ReadExtra,
): Promise<void> {
  const { quickInput } = workbench;
  let previousSnapshot = '';
  // A delayed box of the previous press could hide the effect of this one.
  await until(
    'the box of the previous press to close',
    async () => {
      if (await quickInput.isOpen()) await quickInput.escape();
      previousSnapshot = await takeSnapshot(workbench, readExtra);
      return quickInput.isOpen();
    },
    isOpen => !isOpen,
  );
  await press();
  await until(
    `a visible effect of ${label}`,
    () => takeSnapshot(workbench, readExtra),
    snapshot => snapshot !== previousSnapshot,
  );
  await assertNoError(workbench);
}

/** Throws if a visible notification or dialog is an error. */
export async function assertNoError({ page }: Workbench): Promise<void> {
  const errors = page.locator(
    '.notification-list-item:has(.codicon-error), .monaco-dialog-box:has(.dialog-icon.codicon-error)',
  );
  const messages = await errors.allInnerTexts();
  if (messages.length > 0) throw new Error(`VS Code shows an error: ${messages.join(' ')}`);
}

/**
 * Closes everything that is open: other pages, input boxes, dialogs, menus, messages (undoing deletions), all editors but the first
 * `remainingTabs`, and the panel. Clears the screen reader announcements.
 */
export async function dismissAll(workbench: Workbench, remainingTabs = 0): Promise<void> {
  const { page } = workbench;
  const toast = page.locator('.notifications-toasts .notification-list-item').first();
  const tab = page.locator('.tabs-container .tab').nth(remainingTabs);
  await until(
    'everything open to close',
    async () => {
      // A page in front of the window slows it down.
      const otherPage = page
        .context()
        .pages()
        .find(candidate => candidate !== page);
      if (otherPage) {
        await Promise.race([succeeds(closePage(otherPage)), setTimeout(closeTimeoutMs)]);
        return 'another page';
      }
      const dontSave = page.locator('.monaco-dialog-box .monaco-button', { hasText: "Don't Save" });
      if (await dontSave.isVisible()) {
        await succeeds(dontSave.click({ timeout: 2_000 }));
        return 'an editor that is not saved';
      }
      const overlay = await dismissOverlay(workbench);
      if (overlay !== undefined) return overlay;
      if (await toast.isVisible()) {
        await dismissMessage();
        return 'a message';
      }
      if (await tab.isVisible()) {
        await assertNoError(workbench);
        await succeeds(tab.click({ button: 'middle', timeout: 2_000 }));
        return 'an editor';
      }
      if (!(await page.locator('.part.panel').isVisible())) return undefined;
      await page.keyboard.press('Control+j');
      return 'the panel';
    },
    open => open === undefined,
  );
  await workbench.notifications.clearAnnouncements();

  async function dismissMessage(): Promise<void> {
    await assertNoError(workbench);
    const undo = toast.locator('.monaco-button', { hasText: 'Undo' });
    if (await undo.isVisible()) await succeeds(undo.click({ timeout: 2_000 }));
    else {
      await succeeds(toast.hover({ timeout: 2_000 }));
      await succeeds(toast.locator('.codicon-notifications-clear').click({ timeout: 2_000 }));
    }
  }
}

/** Closes an open input box, dialog or menu. Returns what it was, or undefined if none is open. */
export async function dismissOverlay({ page, quickInput }: Workbench): Promise<string | undefined> {
  if (await quickInput.isOpen()) {
    await quickInput.escape();
    return 'a box';
  }
  const overlays = page.locator('.monaco-dialog-box, .context-view.monaco-menu-container:visible');
  if (!(await overlays.first().isVisible())) return undefined;
  await page.keyboard.press('Escape');
  return 'a dialog or menu';
}

/** Asks Chromium to close a page. It ignores this while the page loads, and Playwright's `close` would not ask again. */
async function closePage(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.close');
}
