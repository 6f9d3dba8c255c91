import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { createSerializedView } from '../../shared/view.ts';
import type { Connection } from '../../core/connections/connection.ts';
import { getQueryIdentity } from '../../core/query/query.ts';
import type { SavedQuery } from '../../core/savedQueries/savedItem.ts';
import { fixRangeAt } from '../../core/savedQueries/walk.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import type { RecentRun, RecentRuns } from '../../service/savedQueries/recentRuns.ts';
import type { ErrorBoundary } from '../messages/errorBoundary.ts';
import { commands } from '../ids.ts';
import { UnavailableError, createRunQueryFirstError } from '../inputError.ts';
import { confirm, showQuickPick } from '../messages/messages.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import { displayZone } from '../settings.ts';
import { formatRunDescription, formatRunLabel } from './savedMessages.ts';
import type { Deletions } from './deletions.ts';
import type { QueryStores } from './queryStores.ts';
import { getNodeRun } from './recentRunsTreeDataProvider.ts';

export interface RecentCommandsDeps {
  readonly boundary: ErrorBoundary;
  readonly recent: RecentRuns;
  readonly sessions: Pick<QuerySessions, 'run'>;
  readonly connections: Pick<Connections, 'findById' | 'findByName'>;
  readonly nowAt: ConnectionEndpoints['nowAt'];
  readonly deletions: Pick<Deletions, 'add'>;
  readonly stores: Pick<QueryStores, 'find'>;
}

/** Registers the commands that open, repeat, save and clear recent runs. */
export function registerRecentCommands(deps: RecentCommandsDeps): vscode.Disposable {
  const { boundary } = deps;
  return vscode.Disposable.from(
    boundary.register(commands.openRecentRun, async argument => openRecentRun(argument, deps)),
    boundary.register(commands.rerunRecentRun, async argument => rerunRecentRun(argument, deps)),
    boundary.register(commands.saveRecentRun, async argument => saveRecentRun(argument, deps)),
    boundary.register(commands.clearRecentRuns, async () => clearRecentRuns(deps)),
  );
}

export async function openRecentRun(argument: unknown, deps: RecentCommandsDeps): Promise<void> {
  const { sessions, nowAt } = deps;
  const run = await resolveRun(argument, t('Select a run to open from the archive'), deps);
  if (!run) return;
  const connection = requireConnection(run, deps);
  const query = fixRangeAt(run.query, run.at, nowAt(connection));
  const savedQuery = findSavedQuery(run, deps);
  // A relative range is replaced with the hours of the earlier run. The panel then has a different query from the saved one.
  const savedId = savedQuery && query.range === run.query.range ? run.entry : undefined;
  await sessions.run(query, connection, {
    refresh: 'never',
    view: savedQuery && createSerializedView(savedQuery),
    savedId,
  });
}

export async function rerunRecentRun(argument: unknown, deps: RecentCommandsDeps): Promise<void> {
  const run = await resolveRun(argument, t('Select a run to repeat'), deps);
  if (!run) return;
  const connection = requireConnection(run, deps);
  const savedQuery = findSavedQuery(run, deps);
  await deps.sessions.run(run.query, connection, {
    savedId: savedQuery && run.entry,
    view: savedQuery && createSerializedView(savedQuery),
  });
}

async function saveRecentRun(argument: unknown, deps: RecentCommandsDeps): Promise<void> {
  const run = await resolveRun(argument, t('Select a run to save'), deps);
  if (run) await vscode.commands.executeCommand(commands.saveQuery, { ...run.query, connection: run.connection.name });
}

async function clearRecentRuns(deps: RecentCommandsDeps): Promise<void> {
  const { recent, deletions } = deps;
  if (recent.list().length === 0) throw createRunQueryFirstError(t('No query has been run yet.'));
  const detail = t('The archive and saved queries are not affected.');
  if (!(await confirm(t('Clear recent runs?'), t('Clear'), detail))) return;
  const clearedRuns = await recent.clear();
  const message = t('Cleared the recent runs.');
  await deletions.add({ message, undo: async () => recent.add(...clearedRuns) });
}

/** Returns the run of the tree node in the argument. Without one, prompts for a run. Returns undefined if the user cancels. */
async function resolveRun(
  argument: unknown,
  placeHolder: string,
  deps: RecentCommandsDeps,
): Promise<RecentRun | undefined> {
  const { recent, nowAt } = deps;
  const nodeRun = getNodeRun(argument, recent);
  if (nodeRun) return nodeRun;
  const zone = displayZone();
  const now = nowAt({ baseUrl: '' });
  const items = recent.list().map(run => ({
    label: formatRunLabel(run.query, now),
    description: formatRunDescription(run, zone, now),
    run,
  }));
  if (items.length === 0) throw createRunQueryFirstError(t('No query has been run yet.'));
  return (await showQuickPick(items, { placeHolder, matchOnDescription: true }))?.run;
}

/** Returns the connection of a run. Throws UnavailableError if it was removed. */
function requireConnection(
  { connection: { id, name } }: RecentRun,
  { connections }: Pick<RecentCommandsDeps, 'connections'>,
): Connection {
  const connection = connections.findById(id) ?? connections.findByName(name);
  if (!connection)
    throw new UnavailableError(t("The connection '{0}' was removed. Add it again to see this run.", name));
  return connection;
}

/** Returns the saved query of a run. Returns undefined if it was deleted or changed since. */
function findSavedQuery(
  { entry, query }: RecentRun,
  { stores }: Pick<RecentCommandsDeps, 'stores'>,
): SavedQuery | undefined {
  const item = entry === undefined ? undefined : stores.find(entry)?.item;
  return item?.kind === 'query' && getQueryIdentity(item.query) === getQueryIdentity(query) ? item : undefined;
}
