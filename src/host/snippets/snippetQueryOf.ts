import * as vscode from 'vscode';
import type { Connections } from '../../service/connections/connections.ts';
import type { RecentRuns } from '../../service/savedQueries/recentRuns.ts';
import { connectionFor } from '../query/queryCommands.ts';
import { readQueryArgument } from '../query/queryArgument.ts';
import { InputError } from '../inputError.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import { runOfNode } from '../savedQueries/recentRunsTreeDataProvider.ts';
import type { SavedRunner } from '../savedQueries/savedRunner.ts';
import type { TreeSelection } from '../savedQueries/treeSelection.ts';
import type { CopiedQuestion } from './copyAs.ts';

export interface QuestionOfDeps {
  readonly sessions: Pick<QuerySessions, 'activeOne'>;
  readonly connections: Connections;
  readonly recent: Pick<RecentRuns, 'list'>;
  readonly runner: Pick<SavedRunner, 'connectionFor'>;
  readonly targets: Pick<TreeSelection, 'query'>;
}

/** The question of a line in Saved Queries or Recent, of an argument from outside, or, without one, of the active panel. */
export async function snippetQueryOf(argument: unknown, deps: QuestionOfDeps): Promise<CopiedQuestion | undefined> {
  const { sessions, connections, recent, runner, targets } = deps;
  if (argument === undefined) return sessions.activeOne().question;
  const run = runOfNode(argument, recent);
  if (run) {
    const connection = connections.byId(run.connection.id) ?? (await runner.connectionFor(run.connection.name));
    return { query: run.query, connection };
  }
  if (typeof argument === 'object' && argument !== null && 'kind' in argument) {
    const entry = await targets.query(argument, vscode.l10n.t('Select a query to copy'));
    if (!entry) return undefined;
    return { query: entry.item.query, connection: await runner.connectionFor(entry.item.connection) };
  }
  const { query, connection } = readQueryArgument(argument);
  if (!query) throw new InputError(vscode.l10n.t('Specify a dataset and a range to copy.'));
  return { query, connection: connectionFor(connections, connection) };
}
