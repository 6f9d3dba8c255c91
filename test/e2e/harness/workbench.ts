import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { screenshots } from '../../../scripts/paths.ts';
import { lastLines } from '../../../scripts/steps.ts';
import { findWebview } from './frames.ts';
import { Notifications } from './notifications.ts';
import { readEditorLines, readAccessibleTexts } from './pageElement.ts';
import { QuickInput } from './quickInput.ts';
import { themes } from './themes.ts';
import type { Theme } from './themes.ts';
import { waitTimeoutMs, succeeds, until } from '../../support/until.ts';

/** The constructor options of a workbench, which `startWorkbench` provides. */
interface WorkbenchOptions {
  readonly page: Page;
  /** The address that opens the folder. */
  readonly url: string;
  readonly folder: string;
  readonly userDataDir: string;
  /** The path of the server's log. */
  readonly serverLog?: string;
  readonly dispose: () => Promise<void>;
}

/** The window of a real VS Code, used as by a user. All methods wait for the elements they need. */
export class Workbench {
  readonly page: Page;
  /** The folder that the window has open. */
  readonly folder: string;
  /** The user data folder of this VS Code. */
  readonly userDataDir: string;
  readonly quickInput: QuickInput;
  readonly notifications: Notifications;
  /** Whether a test in this window has failed, which leaves it in an unknown state. */
  hasFailed = false;
  readonly #options: WorkbenchOptions;

  constructor(parts: WorkbenchOptions) {
    this.#options = parts;
    this.page = parts.page;
    this.folder = parts.folder;
    this.userDataDir = parts.userDataDir;
    this.quickInput = new QuickInput(parts.page);
    this.notifications = new Notifications(parts.page);
  }

  /** Opens the window and waits until it can be used. */
  async open(): Promise<void> {
    await this.page.goto(this.#options.url);
    await this.#waitUntilReady();
  }

  /** Reloads the window, as "Developer: Reload Window" does. */
  async reload(): Promise<void> {
    // Unlike a page reload, the command lets the window save its state first.
    const loaded = this.page.waitForEvent('load', { timeout: 2 * waitTimeoutMs });
    await Promise.all([loaded, this.runCommand('Developer: Reload Window')]);
    await this.#waitUntilReady();
  }

  /** Runs a command from the palette by its whole label, such as "Grid Data: Run Query…"; waits until it is available. */
  async runCommand(label: string): Promise<void> {
    if (await this.quickInput.isOpen()) await this.quickInput.escape();
    // Right after startup the extension's commands may be missing, so the first attempts are short.
    let attemptMs = 500;
    await until(
      `the command "${label}"`,
      async () => {
        await this.page.keyboard.press('F1');
        // While a webview loads, keys are lost; once it has loaded, it takes the focus and closes the palette, and an open palette is
        // not updated. So each step has a short timeout, and is repeated.
        if (!(await this.quickInput.opensWithin(2_000))) return false;
        if (!(await this.quickInput.tryType(`>${label}`, 2_000))) return false;
        if (await this.quickInput.tryPickTyped(label, attemptMs)) return true;
        attemptMs = Math.min(2_000, attemptMs * 2);
        if (await this.quickInput.isOpen()) await this.quickInput.escape();
        return false;
      },
      done => done,
    );
    // Waits for the palette only, since the command may open another quick input. Reading it may fail while the window reloads.
    const isPalette = async (): Promise<boolean> =>
      (await this.quickInput.isOpen()) && (await this.quickInput.valueNow()).startsWith('>');
    await until(
      'the palette to close',
      async () => isPalette().catch(() => false),
      isThere => !isThere,
    );
  }

  /** Clears all messages, so that the next wait finds a new one. */
  async clearNotifications(): Promise<void> {
    await until(
      'no message on screen',
      async () => {
        await this.runCommand('Notifications: Clear All Notifications');
        return this.notifications.texts();
      },
      texts => texts.length === 0,
    );
    await this.notifications.clearAnnouncements();
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

  /** Returns the page of the visible webview, or of the one with that tab title. */
  async resultFrame(title?: string): Promise<Frame> {
    return findWebview(this.page, title);
  }

  /** The visible lines of the active text editor, joined by newlines. */
  async activeEditorText(): Promise<string> {
    const editor = this.page.locator('.editor-group-container.active .editor-instance .monaco-editor').first();
    await editor.waitFor({ timeout: waitTimeoutMs });
    return readEditorLines(editor);
  }

  /** Waits until the active text editor has focus; keys pressed before are lost. */
  async waitForEditorFocus(): Promise<void> {
    await this.page.locator('.editor-group-container.active .editor-instance .monaco-editor.focused').waitFor();
  }

  /** Opens an output channel, waits until it contains the text, and returns its visible lines. */
  async outputText(channel: string, text: string): Promise<string> {
    await this.runCommand('Output: Show Output Channels...');
    await this.quickInput.pick(channel);
    const editor = this.page.locator('.part.panel .output-view .monaco-editor, .part.panel .monaco-editor').first();
    await editor.waitFor({ timeout: waitTimeoutMs });
    return until(
      `"${text}" in the output "${channel}"`,
      () => readEditorLines(editor),
      lines => lines.includes(text),
    );
  }

  /** Opens a view's container by its title in the activity bar, such as "Grid Data". */
  async openSidebar(title: string): Promise<void> {
    const icon = this.page.locator(`.part.activitybar .action-item:has([aria-label^="${title}"])`).first();
    await icon.waitFor({ timeout: waitTimeoutMs });
    const heading = this.page.locator('.part.sidebar .composite.title').first();
    const isShown = async (limitMs: number): Promise<boolean> =>
      succeeds(heading.filter({ hasText: new RegExp(title, 'i') }).waitFor({ timeout: limitMs }));
    await until(
      `the sidebar "${title}"`,
      async () => {
        // A click would close the container if the window has just restored it.
        if (await isShown(500)) return title;
        await icon.click();
        return (await isShown(15_000)) ? title : heading.allInnerTexts();
      },
      shown => shown === title,
    );
  }

  /** The accessible texts of the sidebar's tree items. */
  async treeRows(): Promise<string[]> {
    return readAccessibleTexts(this.page.locator('.part.sidebar .monaco-list-row'));
  }

  /** Returns the first tree item in the sidebar that contains the text. */
  treeRow(text: string): Locator {
    return this.page.locator('.part.sidebar .monaco-list-row').filter({ hasText: text }).first();
  }

  /** The texts of the status bar's entries. */
  async statusBar(): Promise<string[]> {
    return this.page.locator('.part.statusbar .statusbar-item:visible').allInnerTexts();
  }

  /** Returns the clipboard's text. */
  async clipboard(): Promise<string> {
    return this.page.evaluate<string>('navigator.clipboard.readText()');
  }

  /** Switches the color theme and waits until it is applied. */
  async setTheme(theme: Theme): Promise<void> {
    const { label, className } = themes[theme];
    await this.runCommand('Preferences: Color Theme');
    await this.quickInput.type(label);
    await this.quickInput.pick(label);
    await this.quickInput.waitClosed();
    await this.page.locator(`.monaco-workbench.${className}`).waitFor({ timeout: waitTimeoutMs });
  }

  /** Takes a screenshot of the window as out/screenshots/<name>.png. Returns its path. */
  async screenshot(name: string): Promise<string> {
    mkdirSync(screenshots, { recursive: true });
    const path = join(screenshots, `${name}.png`);
    await this.page.screenshot({ path });
    return path;
  }

  /** Returns the same window with another way to dispose it. */
  withDispose(dispose: () => Promise<void>): Workbench {
    return new Workbench({ ...this.#options, dispose });
  }

  /** Describes the window after a failure: page, editors, last messages, and the end of the server's log. */
  async describe(): Promise<string> {
    const { page, notifications } = this;
    const { serverLog } = this.#options;
    return [
      `window: ${page.url()} "${await page.title()}"`,
      `editors: ${(await this.editorTabs()).join(' | ')}`,
      `messages: ${[...(await notifications.texts()), ...(await notifications.announcements())].join(' | ')}`,
      `pages: ${(await Promise.all(page.frames().map(describeFrame))).filter(Boolean).join(' | ')}`,
      ...(serverLog ? [`server, the end of ${serverLog}:`, lastLines(serverLog, 5)] : []),
    ].join('\n');
  }

  /** Closes the window, the server and the extension host, and removes their temporary folders. */
  async dispose(): Promise<void> {
    await this.#options.dispose();
  }

  async #waitUntilReady(): Promise<void> {
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: waitTimeoutMs });
    await this.page.locator('.monaco-workbench .part.editor').waitFor({ timeout: waitTimeoutMs });
  }
}

/** Describes the state of one of the extension's pages: its length, and the status of each file that it has loaded. */
async function describeFrame(frame: Frame): Promise<string> {
  const state = `(() => {
    const app = document.querySelector('#app');
    const files = performance.getEntriesByType('resource').map(({ name, responseStatus }) => name.split('/').at(-1) + ' ' + responseStatus);
    return app ? document.readyState + ' ' + app.innerHTML.length + ' (' + files.slice(0, 8).join(', ') + ')' : '';
  })()`;
  const timedOut = new Promise<string>(resolve => setTimeout(() => resolve('a frame that does not respond'), 5_000));
  return Promise.race([frame.evaluate<string>(state).catch(() => ''), timedOut]);
}
