import * as vscode from 'vscode';
import type { QueryEngine } from '../../service/query/queryEngine.ts';
import type { RecentRuns } from '../../service/savedQueries/recentRuns.ts';
import { minuteMs } from '../../shared/durations.ts';
import { LastQuery } from '../query/lastQuery.ts';
import { registerCopyAs, type CopyAsDeps } from './copyAs.ts';
import { registerBoardCommands } from './boardCommands.ts';
import { Deletions } from './deletions.ts';
import { registerQueriesFileLens, registerQueriesFileProblems } from './queriesFileProblems.ts';
import { registerRecentCommands } from './recentCommands.ts';
import { RecentRunsTreeDataProvider } from './recentRunsTreeDataProvider.ts';
import { contextKeys, views } from '../ids.ts';
import { createTreeView } from '../messages/messages.ts';
import { setContext } from '../workbench.ts';
import { resolveQuery } from '../../core/query/query.ts';
import { isStillFresh, type SavedQuery } from '../../core/savedQueries/savedItem.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import { archiveSettings } from '../settings.ts';
import type { ConnectionChoices } from '../connections/connectionChoices.ts';
import { entryId } from './queryStore.ts';
import type { SavedTreeDeps } from './savedQueriesTreeDataProvider.ts';
import { lastRunKey } from './runHistoryRecorder.ts';
import { registerSaveCommands } from './saveCommands.ts';
import { registerSavedCommands, type SavedCommandDeps } from './savedCommands.ts';
import { SavedRunner } from './savedRunner.ts';
import { TreeSelection } from './treeSelection.ts';
import { SavedQueriesView } from './savedQueriesView.ts';

export interface SavedQueriesDeps
  extends
    Omit<SavedCommandDeps, 'view' | 'runner' | 'last' | 'deletions'>,
    Pick<CopyAsDeps, 'sandbox' | 'getMaxRangeMs' | 'archive' | 'archiveFolder'> {
  readonly recent: RecentRuns;
  readonly engine: Pick<QueryEngine, 'run'>;
}

/**
 * The interval at which visible views are refreshed. Results become outdated every hour, and times of yesterday are shown with a date after
 * midnight.
 */
const refreshIntervalMs = minuteMs;

/** Registers the Saved Queries and Recent views, their commands, and the editor features for queries files. */
export function registerSavedQueries(deps: SavedQueriesDeps): vscode.Disposable {
  const { choices, connections, stores, nowAt, recent } = deps;
  const deletions = new Deletions(stores);
  const view = new SavedQueriesView({ ...deps, deletions, getStatus: createStatusLookup(deps) });
  const runner = new SavedRunner(deps);
  const commandDeps = { ...deps, view, runner, deletions, last: new LastQuery(deps.state) };
  const recentTree = new RecentRunsTreeDataProvider(recent, () => nowAt({ baseUrl: '' }));
  const recentView = createTreeView(views.recent, { treeDataProvider: recentTree });
  const refreshRecent = (): void => {
    recentTree.refresh();
    void setContext(contextKeys.hasRecent, recent.list().length > 0);
  };
  refreshRecent();
  const refreshSaved = (): void => view.refreshStatus();
  const refreshVisible = (): void => {
    if (view.visible) view.refreshStatus();
    if (recentView.visible) recentTree.refresh();
  };
  const timer = setInterval(() => {
    if (vscode.window.state.focused) refreshVisible();
  }, refreshIntervalMs);
  void stores.refresh();
  return vscode.Disposable.from(
    stores,
    view,
    registerSavedCommands(commandDeps),
    registerBoardCommands(commandDeps),
    registerSaveCommands(commandDeps),
    recentView,
    view.onDidChangeVisibility(refreshVisible),
    recentView.onDidChangeVisibility(refreshVisible),
    registerRecentCommands({ ...deps, deletions }),
    registerCopyAs({ ...commandDeps, targets: new TreeSelection(commandDeps) }),
    registerQueriesFileLens(stores),
    registerQueriesFileProblems(stores),
    vscode.workspace.onDidChangeConfiguration(refreshVisible),
    recent.onDidChange(refreshRecent),
    recent.onDidChange(refreshSaved),
    connections.onDidChange(refreshSaved),
    choices.onDidChange(refreshSaved),
    { dispose: () => clearInterval(timer) },
  );
}

interface QueryStatusDeps {
  readonly choices: Pick<ConnectionChoices, 'getConnection'>;
  readonly recent: Pick<RecentRuns, 'getLastRun'>;
  readonly nowAt: ConnectionEndpoints['nowAt'];
}

/** Creates a function that returns the connection of a saved query, its last run, and whether that run is up to date. */
function createStatusLookup({ choices, recent, nowAt }: QueryStatusDeps): SavedTreeDeps['getStatus'] {
  return entry => {
    const { query } = entry.item;
    const connection = choices.getConnection({ id: entryId(entry), query: entry.item });
    const now = nowAt(connection ?? { baseUrl: '' });
    const lastRun = connection && recent.getLastRun(lastRunKey(query, connection.id));
    return { connection, lastRun, now, isFresh: lastRun !== undefined && isFresh(query, lastRun.at, now) };
  };
}

function isFresh(query: SavedQuery['query'], ranAt: number, now: number): boolean {
  const resolved = resolveQuery(query, now);
  const { settledAfterMs } = archiveSettings();
  return resolved.ok && isStillFresh(resolved.value, ranAt, { now, settledAfterMs });
}
