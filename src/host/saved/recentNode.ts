import * as vscode from 'vscode';
import type { RecentRun, RecentRuns } from '../../service/saved/recentRuns.ts';
import { UnavailableError } from '../inputError.ts';

/** A line of the view Recent; commands of its menu get it. The run may be cleared while the menu is open. */
export interface RecentNode {
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
