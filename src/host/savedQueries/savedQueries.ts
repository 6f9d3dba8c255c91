import * as vscode from 'vscode';
import type { Clock, KeyValueStore } from '../../core/ports.ts';
import { isSampleConnection } from '../../core/connections/connection.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import type { QueryEngine } from '../../service/query/queryEngine.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import type { RecentRun } from '../../service/savedQueries/recentRuns.ts';
import type { ErrorBoundary } from '../errorBoundary.ts';
import { LastQuery } from '../query/lastQuery.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import { registerCopyAs, type SnippetSources } from '../snippets/copyAs.ts';
import { snippetQueryOf } from '../snippets/snippetQueryOf.ts';
import type { ConnectionChoices } from '../connections/connectionChoices.ts';
import { registerDeleteCommands, Deletions } from './deletions.ts';
import { registerQueriesFileLens, registerQueriesFileProblems } from './queriesFileProblems.ts';
import { registerRecentCommands } from './recentCommands.ts';
import { registerRecentView } from './recentRunsTreeDataProvider.ts';
import { registerSaveCommands } from './saveCommands.ts';
import { registerSavedCommands } from './savedCommands.ts';
import { QueryStatusReader } from './queryStatus.ts';
import type { QueryStores } from './queryStores.ts';
import { SavedRunner } from './savedRunner.ts';
import type { SavedStores } from './savedStores.ts';
import { TreeSelection } from './treeSelection.ts';
import { SavedView } from './savedQueriesView.ts';

export interface SavedQueriesDeps {
  readonly homes: QueryStores;
  readonly stores: Pick<SavedStores, 'recent'>;
  readonly boundary: ErrorBoundary;
  readonly choices: ConnectionChoices;
  readonly connections: Connections;
  readonly sessions: QuerySessions;
  readonly engine: Pick<QueryEngine, 'run'>;
  readonly pricing: Pick<RequestPricing, 'priceOf'>;
  readonly nowAt: ConnectionEndpoints['nowAt'];
  readonly sourceAt: ConnectionEndpoints['sourceAt'];
  readonly clock: Pick<Clock, 'sleep'>;
  readonly state: KeyValueStore;
  readonly newId: () => string;
  readonly snippets: SnippetSources;
}

/** “Fresh” ends with the hour, and today with the day. */
const lookMs = 60_000;

/** The views Saved Queries and Recent, the workspace's file, and all commands on them. */
export function registerSavedQueries(deps: SavedQueriesDeps): vscode.Disposable {
  const { boundary, choices, connections, homes, sessions, engine, pricing, nowAt, sourceAt, state, newId } = deps;
  const { recent } = deps.stores;
  const facts = new QueryStatusReader({ choices, recent, nowAt });
  const view = new SavedView({ homes, facts, boundary, newId });
  const runner = new SavedRunner({ connections, sessions, engine, pricing, nowAt, choices });
  const last = new LastQuery(state);
  const commandDeps = {
    boundary,
    homes,
    view,
    runner,
    sessions,
    connections,
    choices,
    last,
    nowAt,
    newId,
    pricing,
    sourceAt,
    state,
    clock: deps.clock,
  };
  const deletions = new Deletions();
  const targets = new TreeSelection({ homes, view });
  const isSample = ({ connection: { id } }: RecentRun): boolean => {
    const connection = connections.byId(id);
    return connection !== undefined && isSampleConnection(connection);
  };
  const recentView = registerRecentView(recent, () => nowAt({ baseUrl: '' }), isSample);
  const refresh = (): void => view.refreshFacts();
  const refreshBoth = (): void => {
    if (view.visible) view.refreshFacts();
    if (recentView.visible) recentView.refresh();
  };
  const timer = setInterval(() => {
    if (vscode.window.state.focused) refreshBoth();
  }, lookMs);
  void homes.refresh();
  return vscode.Disposable.from(
    homes,
    view,
    registerSavedCommands(commandDeps),
    registerDeleteCommands(commandDeps, deletions),
    registerSaveCommands(commandDeps),
    recentView,
    view.onDidChangeVisibility(refreshBoth),
    recentView.onDidChangeVisibility(refreshBoth),
    registerRecentCommands({ boundary, recent, sessions, connections, nowAt, isSample, deletions }),
    registerCopyAs({
      boundary,
      state,
      nowAt,
      sources: deps.snippets,
      questionOf: async argument => snippetQueryOf(argument, { sessions, connections, recent, runner, targets }),
    }),
    registerQueriesFileLens(homes),
    registerQueriesFileProblems(homes),
    vscode.workspace.onDidChangeConfiguration(refreshBoth),
    { dispose: recent.onDidChange(refresh) },
    { dispose: connections.onDidChange(refresh) },
    { dispose: choices.onDidChange(refresh) },
    { dispose: () => clearInterval(timer) },
  );
}
