import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { screenshots } from '../../../scripts/paths.ts';
import { lastLines } from '../../../scripts/steps.ts';
import { findWebview } from './frames.ts';
import { Notifications } from './notifications.ts';
import { editorLines, spokenTexts } from './pageElement.ts';
import { QuickInput } from './quickInput.ts';
import { themes } from './themes.ts';
import type { Theme } from './themes.ts';
import { patienceMs, succeeds, until } from '../../support/waiting.ts';

/** What a workbench stands on; `startWorkbench` makes it. */
interface WorkbenchParts {
  readonly page: Page;
  /** The address that opens the folder. */
  readonly url: string;
  readonly folder: string;
  readonly userDataDir: string;
  /** What the server says goes there. */
  readonly serverLog?: string;
  readonly dispose: () => Promise<void>;
}

/** The window of a real VS Code, as a person sees and uses it. Everything waits for what it needs. */
export class Workbench {
  readonly page: Page;
  /** The folder that the window has open. */
  readonly folder: string;
  /** Where this VS Code keeps the person's state; a neighbour of its other folders. */
  readonly userDataDir: string;
  readonly quickInput: QuickInput;
  readonly notifications: Notifications;
  /** Whether a test in this window has failed: what that leaves is unknown. */
  hasFailed = false;
  readonly #parts: WorkbenchParts;

  constructor(parts: WorkbenchParts) {
    this.#parts = parts;
    this.page = parts.page;
    this.folder = parts.folder;
    this.userDataDir = parts.userDataDir;
    this.quickInput = new QuickInput(parts.page);
    this.notifications = new Notifications(parts.page);
  }

  /** Opens the window and waits until it can be used. */
  async open(): Promise<void> {
    await this.page.goto(this.#parts.url);
    await this.#ready();
  }

  /** Reloads the window, as "Developer: Reload Window" does. */
  async reload(): Promise<void> {
    // The command lets the window write down what it keeps; a plain reload takes it by surprise.
    const loaded = this.page.waitForEvent('load', { timeout: 2 * patienceMs });
    await Promise.all([loaded, this.runCommand('Developer: Reload Window')]);
    await this.#ready();
  }

  /** Runs a command of the palette by its whole label, such as "Grid Data: Run Query…"; waits until it is offered. */
  async runCommand(label: string): Promise<void> {
    if (await this.quickInput.isOpen()) await this.quickInput.escape();
    // Right after a start the extension's commands are not there yet, and the first looks are short.
    let lookMs = 500;
    await until(
      `the command "${label}"`,
      async () => {
        await this.page.keyboard.press('F1');
        // A key pressed while a webview is loading goes nowhere, and a webview that has loaded takes the focus: the
        // palette closes. Nor does it grow while it is open. So each step has little time, and is begun again.
        if (!(await this.quickInput.opens(2_000))) return false;
        if (!(await this.quickInput.typed(`>${label}`, 2_000))) return false;
        if (await this.quickInput.pickedAsTyped(label, lookMs)) return true;
        lookMs = Math.min(2_000, lookMs * 2);
        if (await this.quickInput.isOpen()) await this.quickInput.escape();
        return false;
      },
      done => done,
    );
    // The command may open a box of its own in the palette's place: only the palette has to have gone. A window that is loaded
    // anew takes it along while it is looked at.
    const isPalette = async (): Promise<boolean> =>
      (await this.quickInput.isOpen()) && (await this.quickInput.valueNow()).startsWith('>');
    await until(
      'the palette to close',
      async () => isPalette().catch(() => false),
      isThere => !isThere,
    );
  }

  /** Clears all messages, so that the next one that is waited for is a new one. */
  async clearNotifications(): Promise<void> {
    await until(
      'no message on screen',
      async () => {
        await this.runCommand('Notifications: Clear All Notifications');
        return this.notifications.texts();
      },
      texts => texts.length === 0,
    );
    await this.notifications.forgetSpoken();
  }

  /** The titles of the open editors, left to right. */
  async editorTabs(): Promise<string[]> {
    return this.page.locator('.tabs-container .tab .label-name').allInnerTexts();
  }

  /** Waits for a tab whose title contains the text. */
  async waitTab(title: string): Promise<void> {
    await until(
      `the tab "${title}"`,
      () => this.editorTabs(),
      tabs => tabs.some(tab => tab.includes(title)),
    );
  }

  /** Closes all editors. */
  async closeEditors(): Promise<void> {
    await this.runCommand('View: Close All Editors');
    await until(
      'no tab',
      () => this.editorTabs(),
      tabs => tabs.length === 0,
    );
  }

  /** The page inside a webview: the only one on screen, or the one of that tab title. */
  async resultFrame(title?: string): Promise<Frame> {
    return findWebview(this.page, title);
  }

  /** The visible lines of the active text editor, joined by newlines. */
  async activeEditorText(): Promise<string> {
    const editor = this.page.locator('.editor-group-container.active .editor-instance .monaco-editor').first();
    await editor.waitFor({ timeout: patienceMs });
    return editorLines(editor);
  }

  /** Waits until the active text editor has the keyboard: what is typed before goes nowhere. */
  async editorFocused(): Promise<void> {
    await this.page.locator('.editor-group-container.active .editor-instance .monaco-editor.focused').waitFor();
  }

  /** The visible lines of an output channel, which it opens by its name, once the text is among them. */
  async outputText(channel: string, text: string): Promise<string> {
    await this.runCommand('Output: Show Output Channels...');
    await this.quickInput.pick(channel);
    const editor = this.page.locator('.part.panel .output-view .monaco-editor, .part.panel .monaco-editor').first();
    await editor.waitFor({ timeout: patienceMs });
    return until(
      `"${text}" in the output "${channel}"`,
      () => editorLines(editor),
      lines => lines.includes(text),
    );
  }

  /** Opens a view's container by its title in the activity bar, such as "Grid Data". */
  async openSidebar(title: string): Promise<void> {
    const entry = this.page.locator(`.part.activitybar .action-item:has([aria-label^="${title}"])`).first();
    await entry.waitFor({ timeout: patienceMs });
    const heading = this.page.locator('.part.sidebar .composite.title').first();
    const shows = async (limitMs: number): Promise<boolean> =>
      succeeds(heading.filter({ hasText: new RegExp(title, 'i') }).waitFor({ timeout: limitMs }));
    await until(
      `the sidebar "${title}"`,
      async () => {
        // A click that meets a window which brings the container back by itself closes it.
        if (await shows(500)) return title;
        await entry.click();
        return (await shows(15_000)) ? title : heading.allInnerTexts();
      },
      shown => shown === title,
    );
  }

  /** The rows of the trees in the sidebar, as they are read aloud. */
  async treeRows(): Promise<string[]> {
    return spokenTexts(this.page.locator('.part.sidebar .monaco-list-row'));
  }

  /** The row of a tree in the sidebar whose text contains the given one; hover or click it by playwright. */
  treeRow(text: string): Locator {
    return this.page.locator('.part.sidebar .monaco-list-row').filter({ hasText: text }).first();
  }

  /** The texts of the status bar's entries. */
  async statusBar(): Promise<string[]> {
    return this.page.locator('.part.statusbar .statusbar-item:visible').allInnerTexts();
  }

  /** What the clipboard holds. */
  async clipboard(): Promise<string> {
    return this.page.evaluate<string>('navigator.clipboard.readText()');
  }

  /** Switches the colour theme by its command and waits until the window bears it. */
  async setTheme(theme: Theme): Promise<void> {
    const { label, mark } = themes[theme];
    await this.runCommand('Preferences: Color Theme');
    await this.quickInput.type(label);
    await this.quickInput.pick(label);
    await this.quickInput.waitClosed();
    await this.page.locator(`.monaco-workbench.${mark}`).waitFor({ timeout: patienceMs });
  }

  /** Takes a picture of the window: out/screenshots/<name>.png. Returns its path. */
  async screenshot(name: string): Promise<string> {
    mkdirSync(screenshots, { recursive: true });
    const path = join(screenshots, `${name}.png`);
    await this.page.screenshot({ path });
    return path;
  }

  /** The same window for who leaves it in another way than by ending it. */
  disposedBy(dispose: () => Promise<void>): Workbench {
    return new Workbench({ ...this.#parts, dispose });
  }

  /** What there is to know of the window where something was waited for in vain: page, editors, last messages, end of the server's log. */
  async describe(): Promise<string> {
    const { page, notifications } = this;
    const { serverLog } = this.#parts;
    return [
      `window: ${page.url()} "${await page.title()}"`,
      `editors: ${(await this.editorTabs()).join(' | ')}`,
      `messages: ${[...(await notifications.texts()), ...(await notifications.spoken())].join(' | ')}`,
      `pages: ${(await Promise.all(page.frames().map(pageOf))).filter(Boolean).join(' | ')}`,
      ...(serverLog ? [`server, the end of ${serverLog}:`, lastLines(serverLog, 5)] : []),
    ].join('\n');
  }

  /** Ends the window, the server and the extension host, and removes the folders that were made for them. */
  async dispose(): Promise<void> {
    await this.#parts.dispose();
  }

  async #ready(): Promise<void> {
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: patienceMs });
    await this.page.locator('.monaco-workbench .part.editor').waitFor({ timeout: patienceMs });
  }
}

/** What a frame has come to: a page of ours with so many characters in it, and the status of each file that it loaded. */
async function pageOf(frame: Frame): Promise<string> {
  const state = `(() => {
    const app = document.querySelector('#app');
    const files = performance.getEntriesByType('resource').map(({ name, responseStatus }) => name.split('/').at(-1) + ' ' + responseStatus);
    return app ? document.readyState + ' ' + app.innerHTML.length + ' (' + files.slice(0, 8).join(', ') + ')' : '';
  })()`;
  const silent = new Promise<string>(resolve => setTimeout(() => resolve('a frame that does not answer'), 5_000));
  return Promise.race([frame.evaluate<string>(state).catch(() => ''), silent]);
}
