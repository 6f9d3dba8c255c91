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

/** Registers the commands of recent runs: open from the archive, run again, save, and clear, which can be undone. */
export function registerRecentCommands(deps: RecentCommandsDeps): vscode.Disposable {
  const { boundary, recent, sessions } = deps;

  /** Returns the run of the node, or the one that the user picks. Returns undefined if they cancel. */
  async function resolveRun(argument: unknown, placeHolder: string): Promise<RecentRun | undefined> {
    const given = getNodeRun(argument, recent);
    if (given) return given;
    const [zone, now] = [displayZone(), deps.nowAt({ baseUrl: '' })];
    const items = recent.list().map(run => ({
      label: formatRunLabel(run.query, now),
      description: formatRunDescription(run, zone, now),
      run,
    }));
    if (items.length === 0) throw createRunQueryFirstError(t('No query has been run yet.'));
    return (await showQuickPick(items, { placeHolder, matchOnDescription: true }))?.run;
  }

  function requireConnection({ connection: { id, name } }: RecentRun): Connection {
    const connection = deps.connections.findById(id) ?? deps.connections.findByName(name);
    if (!connection)
      throw new UnavailableError(t("The connection '{0}' was removed. Add it again to see this run.", name));
    return connection;
  }

  /** Returns the saved query that was run, if its query is still the same. */
  function findSavedQuery({ entry, query }: RecentRun): SavedQuery | undefined {
    const item = entry === undefined ? undefined : deps.stores.find(entry)?.item;
    return item?.kind === 'query' && getQueryIdentity(item.query) === getQueryIdentity(query) ? item : undefined;
  }

  async function open(argument: unknown): Promise<void> {
    const run = await resolveRun(argument, t('Select a run to open from the archive'));
    if (!run) return;
    const connection = requireConnection(run);
    const query = fixRangeAt(run.query, run.at, deps.nowAt(connection));
    const known = findSavedQuery(run);
    // A relative range is opened with the hours it meant then, so the panel no longer belongs to the saved query.
    const saved = known && query.range === run.query.range ? run.entry : undefined;
    await sessions.run(query, connection, { refresh: 'never', view: known && createSerializedView(known), saved });
  }

  async function rerun(argument: unknown): Promise<void> {
    const run = await resolveRun(argument, t('Select a run to repeat'));
    if (!run) return;
    const connection = requireConnection(run);
    const known = findSavedQuery(run);
    await sessions.run(run.query, connection, {
      saved: known && run.entry,
      view: known && createSerializedView(known),
    });
  }

  async function save(argument: unknown): Promise<void> {
    const run = await resolveRun(argument, t('Select a run to save'));
    if (run)
      await vscode.commands.executeCommand(commands.saveQuery, { ...run.query, connection: run.connection.name });
  }

  async function clear(): Promise<void> {
    if (recent.list().length === 0) throw createRunQueryFirstError(t('No query has been run yet.'));
    const detail = t('The archive and saved queries are not affected.');
    if (!(await confirm(t('Clear recent runs?'), t('Clear'), detail))) return;
    const cleared = await recent.clear();
    const message = t('Cleared the recent runs.');
    await deps.deletions.add({ message, undo: async () => recent.add(...cleared) });
  }

  return vscode.Disposable.from(
    boundary.register(commands.openRecentRun, open),
    boundary.register(commands.rerunRecentRun, rerun),
    boundary.register(commands.saveRecentRun, save),
    boundary.register(commands.clearRecentRuns, clear),
  );
}
