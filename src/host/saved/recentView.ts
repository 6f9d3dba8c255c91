import * as vscode from 'vscode';
import type { RecentRun, RecentRuns } from '../../service/saved/recentRuns.ts';
import { commands, contextKeys, views } from '../ids.ts';
import { displayZone } from '../settings.ts';
import { plainTooltip, queryText, recentDescription, recentLines, recentTitle } from '../words/saved.ts';
import { setContext } from './savedView.ts';

/** The view Recent: the last runs, the newest first. */
export class RecentTree implements vscode.TreeDataProvider<RecentRun> {
  readonly #recent: Pick<RecentRuns, 'list'>;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(recent: Pick<RecentRuns, 'list'>) {
    this.#recent = recent;
  }

  refresh(): void {
    this.#changed.fire(undefined);
  }

  getChildren(run?: RecentRun): RecentRun[] {
    return run ? [] : [...this.#recent.list()];
  }

  getTreeItem(run: RecentRun): vscode.TreeItem {
    const item = new vscode.TreeItem(recentTitle(run.query));
    const hasFailed = run.outcome.kind === 'failed';
    item.id = run.id;
    item.description = recentDescription(run, displayZone());
    item.iconPath = hasFailed
      ? new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'))
      : new vscode.ThemeIcon('history');
    item.contextValue = 'recentRun';
    item.tooltip = plainTooltip(queryText(run.query), recentLines(run, displayZone()).slice(1));
    item.accessibilityInformation = { label: `${recentTitle(run.query)}, ${item.description}`.replaceAll(' · ', ', ') };
    item.command = { command: commands.openRecentRun, title: vscode.l10n.t('Open'), arguments: [run] };
    return item;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

export function registerRecentView(recent: RecentRuns): vscode.Disposable {
  const tree = new RecentTree(recent);
  const refresh = (): void => {
    tree.refresh();
    void setContext(contextKeys.hasRecent, recent.list().length > 0);
  };
  const end = recent.onDidChange(refresh);
  refresh();
  return vscode.Disposable.from(
    vscode.window.createTreeView(views.recent, { treeDataProvider: tree }),
    vscode.workspace.onDidChangeConfiguration(() => tree.refresh()),
    { dispose: end },
    tree,
  );
}
