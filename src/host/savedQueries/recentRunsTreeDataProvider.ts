import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RecentRun, RecentRuns } from '../../service/savedQueries/recentRuns.ts';
import { Emitter } from '../../service/emitter.ts';
import { commands } from '../ids.ts';
import { createMarkdown, createTreeItem } from '../messages/messages.ts';
import { displayZone } from '../settings.ts';
import { formatQuery, formatRunDescription, formatRunTooltip, formatRunLabel } from './savedMessages.ts';
import { UnavailableError } from '../inputError.ts';

/** The Recent view, which lists the last runs, the newest first. */
export class RecentRunsTreeDataProvider implements vscode.TreeDataProvider<RecentNode> {
  readonly #recent: Pick<RecentRuns, 'list'>;
  readonly #now: () => number;
  readonly #changed = new Emitter();
  readonly onDidChangeTreeData = this.#changed.event;

  /** `now`: UTC milliseconds. */
  constructor(recent: Pick<RecentRuns, 'list'>, now: () => number) {
    this.#recent = recent;
    this.#now = now;
  }

  refresh(): void {
    this.#changed.fire();
  }

  getChildren(node?: RecentNode): RecentNode[] {
    return node ? [] : this.#recent.list().map(({ id }) => ({ kind: 'recentRun', id }));
  }

  getTreeItem(node: RecentNode): vscode.TreeItem {
    const run = this.#recent.list().find(({ id }) => id === node.id);
    // The run was just cleared; the tree is about to refresh.
    if (!run) return createTreeItem('');
    const zone = displayZone();
    const now = this.#now();
    const title = formatRunLabel(run.query, now);
    const item = createTreeItem(title);
    const hasFailed = run.outcome.kind === 'failed';
    item.id = run.id;
    item.description = formatRunDescription(run, zone, now);
    item.iconPath = hasFailed
      ? new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'))
      : new vscode.ThemeIcon('history');
    item.contextValue = 'recentRun';
    item.tooltip = createMarkdown(formatRunTooltip(run, zone).slice(1), { heading: formatQuery(run.query) });
    item.accessibilityInformation = { label: `${title}, ${item.description}`.replaceAll(' · ', ', ') };
    item.command = { command: commands.openRecentRun, title: t('Open'), arguments: [node] };
    return item;
  }
}

/** A node of the Recent view, which its menu commands get as an argument. The run may be cleared while a menu is open. */
interface RecentNode {
  readonly kind: 'recentRun';
  readonly id: string;
}

/** Returns the run of a node that a command was called with; undefined for any other argument. Throws UnavailableError if the run was cleared. */
export function getNodeRun(argument: unknown, recent: Pick<RecentRuns, 'list'>): RecentRun | undefined {
  if (!isRecentNode(argument)) return undefined;
  const run = recent.list().find(({ id }) => id === argument.id);
  if (!run) throw new UnavailableError(t('This run is no longer in the list.'));
  return run;
}

function isRecentNode(argument: unknown): argument is RecentNode {
  return typeof argument === 'object' && argument !== null && 'kind' in argument && argument.kind === 'recentRun';
}
