import type { Frame, Locator } from 'playwright-core';
import { chooseFromMenu, menuEntry, buttonSelector, pressItemButton } from './harness/contextMenu.ts';
import { parseContextKeys, matchesViewItem, viewName, type Contribution } from './harness/contributions.ts';
import { dismissAll } from './harness/activation.ts';
import { succeeds, until } from '../support/until.ts';
import { openStep, walkthroughStep } from './harness/walkthrough.ts';
import type { Workbench } from './harness/workbench.ts';
import { beginQuery } from './support.ts';

/** Stands for the name of any inactive connection. */
const inactive = '';

/** The tree items that the walk uses, with their context values. */
const treeItems: Readonly<Record<string, readonly (readonly [name: string, viewItem: string])[]>> = {
  'gridData.savedQueries': [
    ['Middle', 'savedQuery.open'],
    ['Fresh', 'savedQuery.open.fresh.alerts.live'],
    ['Folder', 'savedFolder.last'],
    ['Personal', 'savedStore.personal'],
    ['Workspace', 'savedStore.workspace'],
  ],
  'gridData.connections': [
    ['Canned', 'connection.other.active'],
    // Its actions can make another connection active, so the name changes.
    [inactive, 'connection.other'],
    ['Sample Data', 'connection.sandbox.dashboard'],
  ],
  'gridData.recent': [['System state · last 24 hours', 'recentRun']],
};

/** Context keys that are already true at this point of the walk, or because of where it presses. */
const satisfiedKeys = [
  ...['gridData.noConnection', 'gridData.hasSaved', 'gridData.hasWatched', 'gridData.hasAlerts', 'gridData.hasRecent'],
  'workspaceFolderCount',
  ...['view', 'viewItem', 'listMultiSelection', 'focusedView', 'listFocus', 'inputFocus', 'sideBarFocus', 'panelFocus'],
  // Commands of a result also apply to data files, which dataFiles.test.ts opens.
  ...['auxiliaryBarFocus', 'treeElementCanExpand', 'treeElementCanCollapse', 'activeCustomEditorId'],
];

/** Brings a window into the state in which a contribution is visible, and presses it as a user would. */
export class ContributionWalk {
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /** Makes the contribution's `when` clause true. Throws if the walk cannot. */
  async prepare(contribution: Contribution): Promise<void> {
    const { kind, label, command, containerId, when } = contribution;
    for (const [name, isTrue] of parseContextKeys(when)) {
      if (satisfiedKeys.includes(name) || (usesResult(contribution) && (await this.#hasResultFocus()))) continue;
      await this.#satisfy(name, isTrue);
    }
    if (command === 'gridData.linkBoard') await this.#unlinkBoard();
    if (kind === 'status bar') await this.#showStatus(label);
    if (kind === 'welcome link' && containerId === 'gridData.recent') await this.#clearRecent();
    if (kind === 'walkthrough link') {
      await this.#workbench.runCommand('Grid Data: Open Walkthrough');
      await openStep(this.#workbench.page, containerId);
    }
    if (kind === 'key' && containerId !== '') await this.#clickItem(this.#findItem(containerId, when));
  }

  /** Clicks a tree item, and again if the tree was refreshed meanwhile: VS Code then no longer knows the old item's command. */
  async #clickItem(line: Locator): Promise<void> {
    const missingCommand = this.#workbench.page.locator('.notification-list-item', {
      hasText: 'Actual command not found',
    });
    await until(
      'the command of the item',
      async () => {
        await line.click();
        if (!(await succeeds(missingCommand.first().waitFor({ timeout: 1_000 })))) return true;
        await this.#workbench.clearNotifications();
        return false;
      },
      isClicked => isClicked,
    );
  }

  async press({ kind, label, containerId, when, submenu }: Contribution): Promise<void> {
    const { page } = this.#workbench;
    switch (kind) {
      case 'palette':
        return this.#workbench.runCommand(label);
      case 'view title':
        return this.#pressTitle(this.#title(containerId), label);
      case 'editor title':
        return this.#pressTitle(page.locator('.editor-group-container.active .editor-actions'), label);
      case 'line':
        return chooseFromMenu(
          page,
          this.#findItem(containerId, when),
          ...(submenu === undefined ? [] : [submenu]),
          label,
        );
      case 'line button':
        return pressItemButton(this.#findItem(containerId, when), label);
      case 'welcome link':
        return this.#pane(containerId).locator('.welcome-view-content').getByText(label, { exact: true }).click();
      case 'walkthrough link':
        return walkthroughStep(page, containerId).getByText(label, { exact: true }).click();
      case 'key':
        return page.keyboard.press(toPlaywrightKey(label));
      case 'status bar':
        return page.locator(`.statusbar-item[id$="${label}"] a`).first().click();
    }
  }

  /** Focuses an item in each view that has no focused item. */
  async focusLines(): Promise<void> {
    for (const view of Object.keys(treeItems))
      if ((await this.#pane(view).locator('.monaco-list-row.focused').count()) === 0)
        await this.#findItem(view, '').click();
    await dismissAll(this.#workbench);
  }

  /** Restores the query that the walk deletes. If the message has disappeared with its Undo button, uses the view's command. */
  async undoDelete(): Promise<void> {
    const view = 'gridData.savedQueries';
    const toast = this.#workbench.page.locator('.notifications-toasts .notification-list-item');
    const undo = toast.locator('.monaco-button', { hasText: 'Undo' }).first();
    const item = this.#item(view, 'Middle');
    await item.waitFor({ state: 'detached' });
    await until(
      'the deleted query to be back',
      async () => {
        if ((await item.count()) > 0) return true;
        // The message appears shortly after the item is removed.
        if (await succeeds(undo.waitFor({ timeout: 2_000 }))) await succeeds(undo.click({ timeout: 2_000 }));
        else await succeeds(this.#tryPressTitle(this.#title(view), 'Undo Delete or Move'));
        return false;
      },
      isBack => isBack,
    );
  }

  /** Runs a query, which adds a recent run. */
  async run(): Promise<void> {
    const { quickInput } = this.#workbench;
    await beginQuery(this.#workbench);
    await quickInput.pick('Last 24 hours');
    await quickInput.waitOpen('(3/3)');
    await quickInput.pick('1h');
    await this.resultPage();
  }

  /** Opens the most recent run from the archive. */
  async openResult(): Promise<void> {
    // Until the page has focus, keys go to the list, which also keeps the focus if a new run is added during the click.
    await until(
      'the focus in the result',
      async () => {
        await this.#findItem('gridData.recent', '').click();
        const page = await this.resultPage();
        const hasFocus = (): Promise<boolean> => page.evaluate<boolean>('document.hasFocus()').catch(() => false);
        return succeeds(until('the focus', hasFocus, Boolean, 10_000));
      },
      isThere => isThere,
    );
  }

  /** Waits until the active result shows its table. A panel that is about to close may still be active at first. */
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

  /** Whether a result is active and has focus. */
  async #hasResultFocus(): Promise<boolean> {
    if ((await this.#workbench.editorTabs()).length === 0) return false;
    return (await this.#workbench.resultFrame()).evaluate<boolean>('document.hasFocus()').catch(() => false);
  }

  async #satisfy(name: string, isTrue: boolean): Promise<void> {
    const { page, quickInput } = this.#workbench;
    const clearFilter = page.locator('.part.sidebar [aria-label^="Clear Saved Queries Filter"]').first();
    switch (name) {
      case 'activeWebviewPanelId':
        return this.openResult();
      case 'gridData.board':
        await chooseFromMenu(page, this.#item('gridData.savedQueries', 'Folder'), 'Open As Board');
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
        // The tree is updated after its title.
        return this.#item('gridData.savedQueries', 'First').waitFor({ state: isTrue ? 'detached' : 'attached' });
      case 'gridData.canUndoDelete':
        await chooseFromMenu(page, this.#item('gridData.savedQueries', 'First'), 'Delete');
        await this.#workbench.notifications.waitFor('Deleted');
        // A message that disappears later would look like the effect of the next press.
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
        // A result from the archive does not use the request budget.
        await this.#workbench.runCommand('Grid Data: Refresh, Ignoring Archive');
        break;
      case 'gridData.stress':
        if (await item.isVisible()) return;
        await this.#workbench.runCommand('Grid Data: Pin Latest Stress');
        // The command asks for the connection only if there are several.
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
        throw new Error(`The walk cannot show the status bar item ${id}.`);
    }
    await item.first().waitFor();
  }

  /** Unlinks the board, which opens linked, and waits until the title shows it: otherwise linking it again would change nothing visible. */
  async #unlinkBoard(): Promise<void> {
    const title = this.#workbench.page.locator('.editor-group-container.active .editor-actions');
    const isLinked = title.locator(buttonSelector('Unlink Board'));
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
   * Presses a button of a title, or its entry in the `…` menu if there is no room. Buttons are visible on hover. The menu is opened again
   * if the condition was not yet true, or if a refresh of the tree has closed it.
   */
  async #pressTitle(title: Locator, label: string): Promise<void> {
    await until(
      `"${label}" in the title of the view or editor`,
      async () => this.#tryPressTitle(title, label),
      isPressed => isPressed,
    );
  }

  async #tryPressTitle(title: Locator, label: string): Promise<boolean> {
    const { page } = this.#workbench;
    const button = title.locator(buttonSelector(label)).first();
    await title.hover();
    if ((await button.count()) > 0) return succeeds(button.click({ timeout: 5_000 }));
    // There is no menu while all its entries are hidden by their conditions.
    if (!(await succeeds(title.locator('.codicon-toolbar-more').click({ timeout: 5_000 })))) return false;
    if (await succeeds(menuEntry(page, label).hover({ timeout: 5_000 }))) return succeeds(page.keyboard.press('Enter'));
    await page.keyboard.press('Escape');
    return false;
  }

  #title(view: string): Locator {
    return this.#pane(view).locator('.pane-header');
  }

  #pane(view: string): Locator {
    return this.#workbench.page.locator(`.part.sidebar .pane:has(.pane-header[aria-label^="${viewName(view)}"])`);
  }

  #findItem(view: string, when: string): Locator {
    const [name] = treeItems[view]?.find(([, viewItem]) => matchesViewItem(when, viewItem)) ?? [];
    if (name === undefined) throw new Error(`The walk has no item in ${view} for ${when}.`);
    return this.#item(view, name);
  }

  #item(view: string, name: string): Locator {
    const rows = this.#pane(view).locator('.monaco-list-row');
    if (name === inactive) return rows.filter({ has: this.#workbench.page.locator('.codicon-circle-outline') }).first();
    const label = this.#workbench.page.locator('.label-name', { hasText: new RegExp(`^${name}$`) });
    return rows.filter({ has: label }).first();
  }
}

/** Whether a contribution is pressed in a result without changing it, so that the next one can use the same result. */
export function usesResult({ command, when }: Contribution): boolean {
  const names = parseContextKeys(when);
  return names.has('activeWebviewPanelId') && !names.has('gridData.board') && !command.startsWith('gridData.refresh');
}

/** Converts a key such as "alt+up" to Playwright's notation. */
export function toPlaywrightKey(key: string): string {
  const names: Readonly<Record<string, string>> = { ctrl: 'Control', alt: 'Alt', up: 'ArrowUp', down: 'ArrowDown' };
  return key
    .split('+')
    .map(part => names[part] ?? (part.length > 1 ? part.charAt(0).toUpperCase() + part.slice(1) : part))
    .join('+');
}
