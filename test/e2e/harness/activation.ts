import { setTimeout } from 'node:timers/promises';
import type { Frame } from 'playwright-core';
import { succeeds, until } from '../../support/waiting.ts';
import type { Workbench } from './workbench.ts';

/** How long a page may take to close. */
const closeLimitMs = 5_000;

/** What a person sees of a window, as texts that differ where anything of note does. Budgets and progress come and go by themselves. */
const seen = `(() => {
  const shown = selector => [...document.querySelectorAll(selector)].filter(one => one.checkVisibility());
  const texts = selector => shown(selector).map(one => one.innerText);
  const row = one => [
    one.querySelector('.label-name')?.textContent,
    one.querySelector('.custom-view-tree-node-item-icon')?.className,
    one.querySelector('.label-description')?.textContent.replace(/\\d+\\/\\d+/g, ''),
  ].join();
  return JSON.stringify([
    shown('.quick-input-widget').map(one => [one.innerText, ...[...one.querySelectorAll('input')].map(input => input.placeholder)]),
    texts('.monaco-dialog-box'),
    shown('.editor-actions .action-label').map(one => one.ariaLabel),
    texts('.notifications-toasts .notification-list-item'),
    shown('.tabs-container .tab').map(one => one.className.includes('active') + one.innerText),
    shown('.part.sidebar .monaco-list-row').map(row),
    shown('.part.sidebar .pane-header').length,
    shown('.part.statusbar .statusbar-item').map(one => one.id).filter(id => !/progress|budget/.test(id)),
    shown('.part.panel').length,
  ]);
})()`;

/** What a page of ours shows, with what is chosen in it. */
const seenInPage = `document.body.innerText + document.querySelectorAll('input').length + [...document.querySelectorAll('[aria-selected],[aria-checked],[aria-sort]')]
  .map(one => [one.ariaSelected, one.ariaChecked, one.ariaSort].join()).join(';')`;

/** What is not on screen, such as how much was requested. */
type Also = () => unknown;

/** Everything that something pressed could change. */
export async function look(workbench: Workbench, also: Also = () => ''): Promise<string> {
  const { page } = workbench;
  const pages = await Promise.all(page.frames().map(async frame => inFrame(frame)));
  return JSON.stringify([
    await page.evaluate<string>(seen),
    pages.filter(Boolean),
    page.context().pages().length,
    await also(),
  ]);
}

async function inFrame(frame: Frame): Promise<string> {
  if (!frame.url().includes('fake.html')) return '';
  return frame.evaluate<string>(seenInPage).catch(() => '');
}

/** Presses something and waits until that shows. Throws where nothing does, and where it is an error. */
export async function activate(
  workbench: Workbench,
  what: string,
  press: () => Promise<void>,
  also?: Also,
): Promise<void> {
  const { quickInput } = workbench;
  let before = '';
  // What was pressed before may open its box late, and this press the same one: it would look as if nothing came of it.
  await until(
    'no box of an earlier press',
    async () => {
      if (await quickInput.isOpen()) await quickInput.escape();
      before = await look(workbench, also);
      return quickInput.isOpen();
    },
    isOpen => !isOpen,
  );
  await press();
  await until(
    `anything to show for ${what}`,
    () => look(workbench, also),
    now => now !== before,
  );
  await noError(workbench);
}

/** Throws where a notification or a dialog on screen is an error. */
export async function noError({ page }: Workbench): Promise<void> {
  const errors = page.locator(
    '.notification-list-item:has(.codicon-error), .monaco-dialog-box:has(.dialog-icon.codicon-error)',
  );
  const said = await errors.allInnerTexts();
  if (said.length > 0) throw new Error(`An error: ${said.join(' ')}`);
}

/** Leaves everything that is open: other pages, boxes, dialogs, menus, messages (a deletion is undone), editors beyond `keptTabs`, and the panel; what was spoken is forgotten. */
export async function dismissAll(workbench: Workbench, keptTabs = 0): Promise<void> {
  const { page } = workbench;
  // A page that opened in front of the window slows everything in it. Chromium may never confirm that a page has closed.
  for (const other of page.context().pages())
    if (other !== page) await Promise.race([other.close(), setTimeout(closeLimitMs)]);
  const overlays = page.locator('.monaco-dialog-box, .context-view.monaco-menu-container:visible');
  const toast = page.locator('.notifications-toasts .notification-list-item').first();
  const tab = page.locator('.tabs-container .tab').nth(keptTabs);
  await until(
    'nothing to be open',
    async () => {
      const dontSave = page.locator('.monaco-dialog-box .monaco-button', { hasText: "Don't Save" });
      if (await dontSave.isVisible()) {
        await succeeds(dontSave.click({ timeout: 2_000 }));
        return 'an editor that is not saved';
      }
      if (await workbench.quickInput.isOpen()) {
        await workbench.quickInput.escape();
        return 'a box';
      }
      if (await overlays.first().isVisible()) {
        await page.keyboard.press('Escape');
        return 'a dialog or menu';
      }
      if (await toast.isVisible()) {
        await answer();
        return 'a message';
      }
      if (await tab.isVisible()) {
        await noError(workbench);
        await succeeds(tab.click({ button: 'middle', timeout: 2_000 }));
        return 'an editor';
      }
      if (!(await page.locator('.part.panel').isVisible())) return undefined;
      await page.keyboard.press('Control+j');
      return 'the panel';
    },
    open => open === undefined,
  );
  await workbench.notifications.forgetSpoken();

  async function answer(): Promise<void> {
    await noError(workbench);
    const undo = toast.locator('.monaco-button', { hasText: 'Undo' });
    if (await undo.isVisible()) await succeeds(undo.click({ timeout: 2_000 }));
    else {
      await succeeds(toast.hover({ timeout: 2_000 }));
      await succeeds(toast.locator('.codicon-notifications-clear').click({ timeout: 2_000 }));
    }
  }
}
