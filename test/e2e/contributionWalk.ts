import type { Frame, Locator } from 'playwright-core';
import { chooseAt, entryOf, labelled, pressOnLine } from './harness/contextMenu.ts';
import { asked, isFor, viewName, type Contribution } from './harness/contributions.ts';
import { dismissAll } from './harness/activation.ts';
import { succeeds, until } from '../support/waiting.ts';
import { openStep, walkthroughStep } from './harness/walkthrough.ts';
import type { Workbench } from './harness/workbench.ts';
import { beginQuery } from './support.ts';

/** In the place of a name: a connection that is not the active one. */
const inactive = '';

/** The lines that the walk uses, with their context values. */
const lines: Readonly<Record<string, readonly (readonly [name: string, viewItem: string])[]>> = {
  'gridData.savedQueries': [
    ['Middle', 'savedQuery.open'],
    ['Fresh', 'savedQuery.open.fresh.alerts.live'],
    ['Folder', 'savedFolder.last'],
    ['Personal', 'savedStore.personal'],
    ['Workspace', 'savedStore.workspace'],
  ],
  'gridData.connections': [
    ['Canned', 'connection.other.active'],
    // Whichever it is: what is chosen there makes another one active.
    [inactive, 'connection.other'],
    ['Sample Data', 'connection.sandbox.dashboard'],
  ],
  'gridData.recent': [['System state · last 24 hours', 'recentRun']],
};

/** What holds by itself where the walk has come to, or because of where it presses. */
const given = [
  ...['gridData.noConnection', 'gridData.hasSaved', 'gridData.hasWatched', 'gridData.hasAlerts', 'gridData.hasRecent'],
  'workspaceFolderCount',
  ...['view', 'viewItem', 'listMultiSelection', 'focusedView', 'listFocus', 'inputFocus', 'sideBarFocus', 'panelFocus'],
  // A command of a result is also one of a data file, which is opened in dataFiles.test.ts.
  ...['auxiliaryBarFocus', 'treeElementCanExpand', 'treeElementCanCollapse', 'activeCustomEditorId'],
];

/** Brings a window to where a contribution is there, and presses it as a person would. */
export class ContributionWalk {
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /** Makes its condition true. Throws where the walk does not know how. */
  async prepare(contribution: Contribution): Promise<void> {
    const { place, label, command, where, when } = contribution;
    for (const [name, isTrue] of asked(when)) {
      if (given.includes(name) || (usesResult(contribution) && (await this.#isInResult()))) continue;
      await this.#bring(name, isTrue);
    }
    if (command === 'gridData.linkBoard') await this.#unlinkBoard();
    if (place === 'status bar') await this.#showStatus(label);
    if (place === 'welcome link' && where === 'gridData.recent') await this.#clearRecent();
    if (place === 'walkthrough link') {
      await this.#workbench.runCommand('Grid Data: Open Walkthrough');
      await openStep(this.#workbench.page, where);
    }
    if (place === 'key' && where !== '') await this.#clickLine(this.#lineFor(where, when));
  }

  /** Clicks a line of a tree again where it was filled anew in that moment: VS Code has forgotten the command of the old line. */
  async #clickLine(line: Locator): Promise<void> {
    const forgotten = this.#workbench.page.locator('.notification-list-item', { hasText: 'Actual command not found' });
    await until(
      'a line with its command',
      async () => {
        await line.click();
        if (!(await succeeds(forgotten.first().waitFor({ timeout: 1_000 })))) return true;
        await this.#workbench.clearNotifications();
        return false;
      },
      isClicked => isClicked,
    );
  }

  async press({ place, label, where, when, submenu }: Contribution): Promise<void> {
    const { page } = this.#workbench;
    switch (place) {
      case 'palette':
        return this.#workbench.runCommand(label);
      case 'view title':
        return this.#pressTitle(this.#title(where), label);
      case 'editor title':
        return this.#pressTitle(page.locator('.editor-group-container.active .editor-actions'), label);
      case 'line':
        return chooseAt(page, this.#lineFor(where, when), ...(submenu === undefined ? [] : [submenu]), label);
      case 'line button':
        return pressOnLine(this.#lineFor(where, when), label);
      case 'welcome link':
        return this.#pane(where).locator('.welcome-view-content').getByText(label, { exact: true }).click();
      case 'walkthrough link':
        return walkthroughStep(page, where).getByText(label, { exact: true }).click();
      case 'key':
        return page.keyboard.press(keyOf(label));
      case 'status bar':
        return page.locator(`.statusbar-item[id$="${label}"] a`).first().click();
    }
  }

  /** Puts the focus of each view on one of its lines, where it has not stayed there. */
  async focusLines(): Promise<void> {
    for (const view of Object.keys(lines))
      if ((await this.#pane(view).locator('.monaco-list-row.focused').count()) === 0)
        await this.#lineFor(view, '').click();
    await dismissAll(this.#workbench);
  }

  /** Brings back the query that the walk deletes. A message that left the screen by itself has taken its Undo along. */
  async undoDelete(): Promise<void> {
    const view = 'gridData.savedQueries';
    const toast = this.#workbench.page.locator('.notifications-toasts .notification-list-item');
    const undo = toast.locator('.monaco-button', { hasText: 'Undo' }).first();
    const line = this.#line(view, 'Middle');
    await line.waitFor({ state: 'detached' });
    await until(
      'the deleted query to be back',
      async () => {
        if ((await line.count()) > 0) return true;
        // The message comes a moment after the line has gone.
        if (await succeeds(undo.waitFor({ timeout: 2_000 }))) await succeeds(undo.click({ timeout: 2_000 }));
        else await succeeds(this.#triesTitle(this.#title(view), 'Undo Delete or Move'));
        return false;
      },
      isBack => isBack,
    );
  }

  /** Runs a query, so that there is one to open again. */
  async run(): Promise<void> {
    const { quickInput } = this.#workbench;
    await beginQuery(this.#workbench);
    await quickInput.pick('Last 24 hours');
    await quickInput.waitOpen('(3/3)');
    await quickInput.pick('1h');
    await this.resultPage();
  }

  /** Opens the newest run from the archive. */
  async openResult(): Promise<void> {
    // Keys that are pressed before still go to the line; a list that gets a new run under the click keeps the keyboard.
    await until(
      'the keyboard in the result',
      async () => {
        await this.#lineFor('gridData.recent', '').click();
        const page = await this.resultPage();
        const hasFocus = (): Promise<boolean> => page.evaluate<boolean>('document.hasFocus()').catch(() => false);
        return succeeds(until('the keyboard', hasFocus, Boolean, 10_000));
      },
      isThere => isThere,
    );
  }

  /** Waits until the result in front shows its table. The page of a panel that is about to close may be in front before it. */
  async resultPage(): Promise<Frame> {
    let frame = await this.#workbench.resultFrame();
    const cell = (): Locator => frame.locator('[role=grid] [role=gridcell]:visible').first();
    await until(
      'the table of the result',
      async () => {
        frame = await this.#workbench.resultFrame();
        return succeeds(cell().waitFor({ timeout: 5_000 }));
      },
      isShown => isShown,
    );
    return frame;
  }

  /** Whether a result is in front and has the keyboard. */
  async #isInResult(): Promise<boolean> {
    if ((await this.#workbench.editorTabs()).length === 0) return false;
    return (await this.#workbench.resultFrame()).evaluate<boolean>('document.hasFocus()').catch(() => false);
  }

  async #bring(name: string, isTrue: boolean): Promise<void> {
    const { page, quickInput } = this.#workbench;
    const clearFilter = page.locator('.part.sidebar [aria-label^="Clear Saved Queries Filter"]').first();
    switch (name) {
      case 'activeWebviewPanelId':
        return this.openResult();
      case 'gridData.board':
        await chooseAt(page, this.#line('gridData.savedQueries', 'Folder'), 'Open As Board');
        await this.resultPage();
        return;
      case 'gridData.savedFilter':
        if (isTrue === (await clearFilter.count()) > 0) return;
        if (isTrue) {
          await this.#pressTitle(this.#title('gridData.savedQueries'), 'Filter Saved Queries…');
          await quickInput.type('Inner');
          await clearFilter.waitFor({ state: 'attached' });
          await quickInput.accept();
        } else await this.#pressTitle(this.#title('gridData.savedQueries'), 'Clear Saved Queries Filter');
        await clearFilter.waitFor({ state: isTrue ? 'attached' : 'detached' });
        // The tree follows its title.
        return this.#line('gridData.savedQueries', 'First').waitFor({ state: isTrue ? 'detached' : 'attached' });
      case 'gridData.canUndoDelete':
        await chooseAt(page, this.#line('gridData.savedQueries', 'First'), 'Delete');
        await this.#workbench.notifications.waitFor('Deleted');
        // One that goes by itself would look like the effect of what is pressed next.
        return this.#workbench.clearNotifications();
      case 'gridData.stressPinned':
        return this.#showStatus('gridData.stress');
      case 'gridData.sampleDataRunning':
        await this.#workbench.runCommand('Grid Data: Open Sample Data');
        await this.resultPage();
        return dismissAll(this.#workbench);
      default:
        throw new Error(`The walk does not know how to make ${name} true.`);
    }
  }

  async #showStatus(id: string): Promise<void> {
    const item = this.#workbench.page.locator(`.statusbar-item[id$="${id}"]:visible`);
    switch (id) {
      case 'gridData.budget':
        await this.run();
        // An answer from the archive takes nothing of the budget.
        await this.#workbench.runCommand('Grid Data: Refresh, Ignoring Archive');
        break;
      case 'gridData.stress':
        if (await item.isVisible()) return;
        await this.#workbench.runCommand('Grid Data: Pin Latest Stress');
        // It asks for the connection only where there is a choice.
        await until(
          'the pinned stress, or the choice of its connection',
          async () => {
            if (await this.#workbench.quickInput.isOpen()) await this.#workbench.quickInput.pick('Canned');
            return item.isVisible();
          },
          isPinned => isPinned,
        );
        break;
      case 'gridData.watching':
        break;
      default:
        throw new Error(`The walk does not know how to bring about the status item ${id}.`);
    }
    await item.first().waitFor();
  }

  /** A board that is opened is linked. A title that still says so would look the same after it is linked again. */
  async #unlinkBoard(): Promise<void> {
    const title = this.#workbench.page.locator('.editor-group-container.active .editor-actions');
    const isLinked = title.locator(labelled('Unlink Board'));
    await isLinked.waitFor();
    await this.#workbench.runCommand('Grid Data: Unlink Board');
    await isLinked.waitFor({ state: 'detached' });
  }

  async #clearRecent(): Promise<void> {
    await this.#pressTitle(this.#title('gridData.recent'), 'Clear Recent Runs');
    await this.#workbench.notifications.pressInDialog('Clear');
    await this.#pane('gridData.recent').locator('.welcome-view-content').waitFor();
    await this.#workbench.clearNotifications();
  }

  /**
   * The buttons show while the mouse is there; what has no room is in the menu `…`. That is opened before its condition has come
   * true, or closes when the tree is drawn anew: then it is opened again.
   */
  async #pressTitle(title: Locator, label: string): Promise<void> {
    await until(
      `"${label}" in the title of the view or editor`,
      async () => this.#triesTitle(title, label),
      isPressed => isPressed,
    );
  }

  async #triesTitle(title: Locator, label: string): Promise<boolean> {
    const { page } = this.#workbench;
    const button = title.locator(labelled(label)).first();
    await title.hover();
    if ((await button.count()) > 0) return succeeds(button.click({ timeout: 5_000 }));
    // Without anything in it there is no menu, until the condition has come true.
    if (!(await succeeds(title.locator('.codicon-toolbar-more').click({ timeout: 5_000 })))) return false;
    if (await succeeds(entryOf(page, label).hover({ timeout: 5_000 }))) return succeeds(page.keyboard.press('Enter'));
    await page.keyboard.press('Escape');
    return false;
  }

  #title(view: string): Locator {
    return this.#pane(view).locator('.pane-header');
  }

  #pane(view: string): Locator {
    return this.#workbench.page.locator(`.part.sidebar .pane:has(.pane-header[aria-label^="${viewName(view)}"])`);
  }

  #lineFor(view: string, when: string): Locator {
    const [name] = lines[view]?.find(([, viewItem]) => isFor(when, viewItem)) ?? [];
    if (name === undefined) throw new Error(`The walk has no line in ${view} for ${when}.`);
    return this.#line(view, name);
  }

  #line(view: string, name: string): Locator {
    const rows = this.#pane(view).locator('.monaco-list-row');
    if (name === inactive) return rows.filter({ has: this.#workbench.page.locator('.codicon-circle-outline') }).first();
    const label = this.#workbench.page.locator('.label-name', { hasText: new RegExp(`^${name}$`) });
    return rows.filter({ has: label }).first();
  }
}

/** Whether it is pressed in a result and leaves that as it is, so that the next one of this kind can be pressed there too. */
export function usesResult({ command, when }: Contribution): boolean {
  const names = asked(when);
  return names.has('activeWebviewPanelId') && !names.has('gridData.board') && !command.startsWith('gridData.refresh');
}

/** "alt+up" as playwright calls it. */
export function keyOf(key: string): string {
  const names: Readonly<Record<string, string>> = { ctrl: 'Control', alt: 'Alt', up: 'ArrowUp', down: 'ArrowDown' };
  return key
    .split('+')
    .map(part => names[part] ?? (part.length > 1 ? part.charAt(0).toUpperCase() + part.slice(1) : part))
    .join('+');
}
