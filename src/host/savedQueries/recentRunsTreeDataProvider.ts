import * as vscode from 'vscode';
import type { RecentRun, RecentRuns } from '../../service/savedQueries/recentRuns.ts';
import { commands, contextKeys, views } from '../ids.ts';
import { createMarkdown, createTreeItem, createTreeView } from '../messages/messages.ts';
import { setContext } from '../setContext.ts';
import { displayZone } from '../settings.ts';
import { queryText, recentDescription, recentLines, recentTitle } from './savedMessages.ts';
import { UnavailableError } from '../inputError.ts';

/** The view Recent: the last runs, the newest first. */
export class RecentRunsTreeDataProvider implements vscode.TreeDataProvider<RecentNode> {
  readonly #recent: Pick<RecentRuns, 'list'>;
  readonly #now: () => number;
  readonly #isSample: (run: RecentRun) => boolean;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;

  /** `now`: UTC milliseconds. `isSample`: whether the rows of a run were made up. */
  constructor(recent: Pick<RecentRuns, 'list'>, now: () => number, isSample: (run: RecentRun) => boolean) {
    this.#recent = recent;
    this.#now = now;
    this.#isSample = isSample;
  }

  refresh(): void {
    this.#changed.fire(undefined);
  }

  getChildren(node?: RecentNode): RecentNode[] {
    return node ? [] : this.#recent.list().map(({ id }) => ({ kind: 'recentRun', id }));
  }

  getTreeItem(node: RecentNode): vscode.TreeItem {
    const run = this.#recent.list().find(({ id }) => id === node.id);
    // Cleared a moment ago: the lines are read anew.
    if (!run) return createTreeItem('');
    const [zone, now] = [displayZone(), this.#now()];
    const title = recentTitle(run.query, zone, now);
    const item = createTreeItem(title);
    const hasFailed = run.outcome.kind === 'failed';
    item.id = run.id;
    item.description = recentDescription(run, zone, now, this.#isSample(run));
    item.iconPath = hasFailed
      ? new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'))
      : new vscode.ThemeIcon('history');
    item.contextValue = 'recentRun';
    item.tooltip = createMarkdown(recentLines(run, zone).slice(1), { heading: queryText(run.query, zone) });
    item.accessibilityInformation = { label: `${title}, ${item.description}`.replaceAll(' · ', ', ') };
    item.command = { command: commands.openRecentRun, title: vscode.l10n.t('Open'), arguments: [node] };
    return item;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** What time changes in a view is shown anew by who knows when. */
export interface RecentView {
  readonly visible: boolean;
  readonly onDidChangeVisibility: vscode.Event<unknown>;
  readonly refresh: () => void;
  readonly dispose: () => void;
}

export function registerRecentView(
  recent: RecentRuns,
  now: () => number,
  isSample: (run: RecentRun) => boolean,
): RecentView {
  const tree = new RecentRunsTreeDataProvider(recent, now, isSample);
  const view = createTreeView(views.recent, { treeDataProvider: tree });
  const refresh = (): void => {
    tree.refresh();
    void setContext(contextKeys.hasRecent, recent.list().length > 0);
  };
  const end = recent.onDidChange(refresh);
  refresh();
  const registered = vscode.Disposable.from(view, tree, { dispose: end });
  return {
    get visible() {
      return view.visible;
    },
    onDidChangeVisibility: view.onDidChangeVisibility,
    refresh: () => tree.refresh(),
    dispose: () => void registered.dispose(),
  };
}

/** A line of the view Recent; commands of its menu get it. The run may be cleared while the menu is open. */
interface RecentNode {
  readonly kind: 'recentRun';
  readonly id: string;
}

/** The run whose line a command was called from; undefined for every other call. Throws InputError where it was cleared. */
export function runOfNode(argument: unknown, recent: Pick<RecentRuns, 'list'>): RecentRun | undefined {
  if (!isNode(argument)) return undefined;
  const run = recent.list().find(({ id }) => id === argument.id);
  if (!run) throw new UnavailableError(vscode.l10n.t('This run is no longer in the list.'));
  return run;
}

function isNode(argument: unknown): argument is RecentNode {
  return typeof argument === 'object' && argument !== null && 'kind' in argument && argument.kind === 'recentRun';
}
