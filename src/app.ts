import { randomBytes, randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { GridDataApi } from '../api/grid-data-inspector.d.ts';
import { ActiveRuns } from './host/query/activeRuns.ts';
import { ArchiveSize, LazyArchive } from './host/archive/lazyArchive.ts';
import { Budgets } from './host/limiter/budgets.ts';
import { BudgetStatus } from './host/limiter/budgetStatus.ts';
import { registerArchiveCommands } from './host/archive/archiveCommands.ts';
import { registerBudgetCommands, registerLimitCommands } from './host/limiter/budgetCommands.ts';
import { registerConnectionCommands } from './host/connections/connectionCommands.ts';
import { registerExportCommands, ResultExport } from './host/export/resultExport.ts';
import { registerQueryCommands } from './host/query/queryCommands.ts';
import { registerSandboxCommands, startSandboxConnection } from './host/sandbox/sandboxCommands.ts';
import { ErrorBoundary } from './host/errorBoundary.ts';
import { LastExport } from './host/export/exportChoice.ts';
import { commands } from './host/ids.ts';
import { useLanguage } from './host/language.ts';
import { showWarningMessage } from './host/messages/messages.ts';
import { panelActionsWith } from './host/panel/panelActions.ts';
import { RevisionsDiff } from './host/panel/revisionsDiff.ts';
import { QuerySessions } from './host/panel/querySessions.ts';
import { saveFile } from './host/panel/saveFile.ts';
import { createPublicApi } from './host/publicApi.ts';
import { registerConnectionsView } from './host/connections/connectionsTreeDataProvider.ts';
import { SandboxHost } from './host/sandbox/sandboxHost.ts';
import { ConnectionChoices } from './host/connections/connectionChoices.ts';
import { followRename } from './host/savedQueries/followRename.ts';
import { RunHistoryRecorder } from './host/savedQueries/runHistoryRecorder.ts';
import { queryNames } from './host/savedQueries/queryNames.ts';
import { personalStore, PersonalStores } from './host/savedQueries/personalStores.ts';
import { QueryStores } from './host/savedQueries/queryStores.ts';
import { registerSavedQueries } from './host/savedQueries/savedQueries.ts';
import { registerOpenInNotebook } from './host/snippets/openInNotebook.ts';
import { watchedQueries } from './host/watch/savedQueriesPort.ts';
import { archiveSettings } from './host/settings.ts';
import { keyValueStore, secretStore, systemClock as clock } from './host/systemPorts.ts';
import { followLink } from './host/tools/openLink.ts';
import { languageModelTools } from './host/tools/languageModelTools.ts';
import { registerWatching } from './host/watch/registerWatching.ts';
import { registerWalkthrough } from './host/walkthrough.ts';
import { archiveTrouble, budgetFolderTrouble } from './host/messages/failures.ts';
import { AnswerFetcher } from './service/client/answerFetcher.ts';
import { AnswerReader } from './service/client/answerReader.ts';
import { ApiClient } from './service/client/apiClient.ts';
import { ConnectionEndpoints } from './service/connections/connectionEndpoints.ts';
import { Connections } from './service/connections/connections.ts';
import { keyFingerprint, SharedLimiter } from './service/limiter/sharedLimiter.ts';
import { LimitFolder } from './service/limiter/limitFolder.ts';
import { QueryEngine } from './service/query/queryEngine.ts';
import { planPrice, RequestPricing } from './service/query/requestPricing.ts';
import { ResponseStore } from './service/client/responseStore.ts';
import { SeriesLock } from './service/query/seriesLease.ts';
import { ServiceClock } from './service/client/serviceClock.ts';
import { MaxRangeStore } from './service/query/maxRangeStore.ts';
import { sweepStorage } from './service/files/fileSystem.ts';

/** The app to `extension.ts`, which VS Code calls for what it registered itself. */
export interface App {
  readonly api: GridDataApi;
  readonly panels: vscode.WebviewPanelSerializer;
  readonly tools: Readonly<Record<string, vscode.LanguageModelTool<unknown>>>;
  readonly revisions: vscode.TextDocumentContentProvider;
  readonly followLink: (uri: vscode.Uri) => Promise<void>;
  /** What VS Code waits for before it ends, beyond what can be disposed of at once. */
  readonly end: () => Promise<void>;
}

/** The composition root: everything is made and connected here, and nothing else happens. */
export function startApp(context: vscode.ExtensionContext): App {
  const language = useLanguage(context.extensionUri);
  const logger = vscode.window.createOutputChannel('Grid Data', { log: true });
  const logError = (error: unknown): void =>
    logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const folder = (name: string): vscode.Uri => vscode.Uri.joinPath(context.globalStorageUri, name);

  const state = keyValueStore(context.globalState);
  const store = new LimitFolder({
    folder: folder('limits').fsPath,
    clock,
    random: Math.random,
    logger,
    onAlone: () => void showWarningMessage(budgetFolderTrouble(folder('limits').fsPath)),
  });
  const windowId = randomUUID().slice(0, 8);
  const limiter = new SharedLimiter({ store, clock, window: windowId, fingerprint: keyFingerprint() });
  const connections = new Connections({ state, secrets: secretStore(context.secrets), newId: randomUUID });
  const archive = new LazyArchive({
    folder: folder('archive').fsPath,
    clock,
    logger,
    maxBytes: () => archiveSettings().maxBytes,
    onTrouble: trouble => void showWarningMessage(archiveTrouble(trouble)),
  });
  const serviceClock = new ServiceClock(clock, state);
  const spans = new MaxRangeStore(state, clock);
  const reader = new AnswerReader();
  const client = new ApiClient({ limiter, reader, clock, random: Math.random, logger });
  const sandbox = new SandboxHost(logger);
  const endpoints = new ConnectionEndpoints({ connections, client, sandbox, limiter, log: logger, serviceClock });
  const { nowAt } = endpoints;
  const engine = new QueryEngine({
    endpoints,
    fetcher: new AnswerFetcher(client, reader),
    archive,
    lock: new SeriesLock({ folder: folder('fetching').fsPath, clock, random: Math.random, logger }),
    spans,
    priceOf: async (...plan) => planPrice(limiter, ...plan),
    clock,
    serviceClock,
    settledAfterMs: () => archiveSettings().settledAfterMs,
  });
  const pricing = new RequestPricing({ endpoints, engine, limiter, sandbox });
  const activeRuns = new ActiveRuns(engine, clock);
  const personal = new PersonalStores({ folder, state, clock, random: Math.random, windowId, logError });
  const history = new RunHistoryRecorder({ engine, nowAt, newId: randomUUID, add: personal.noteRun });
  const archiveSize = new ArchiveSize({ archive, clock });
  const budgets = new Budgets({ connections, pricing, activeRuns, logError });
  const status = new BudgetStatus({ connections, budgets, activeRuns, archiveSize, clock, logError });

  const responses = new ResponseStore({ folder: folder('responses').fsPath, newId: randomUUID, logger, clock });
  void sweepStorage(context.globalStorageUri.fsPath, clock.now());

  const newNonce = (): string => randomBytes(16).toString('base64url');
  const panel = { extensionUri: context.extensionUri, newNonce, logError: (line: string) => logger.error(line) };
  const boundary = new ErrorBoundary({ logError });
  const report = (error: unknown): void => void boundary.report(error);
  const choices = new ConnectionChoices({ connections, state });
  const stores = new QueryStores({ personal: personalStore(personal.personal), clock, logError });
  const revisions = new RevisionsDiff();
  const exporting = new ResultExport({ last: new LastExport(state), state, clock, report });
  const clearRejection = endpoints.clearConnectionRejection.bind(endpoints);
  const sessions = new QuerySessions({
    actions: own =>
      panelActionsWith({
        sessions: own,
        engine,
        clearRejection,
        nowAt,
        pricing,
        exporting,
        sandbox,
        revisions,
        report,
      }),
    engine,
    clock,
    nowAt,
    logError,
    panel,
    connectionById: id => connections.byId(id),
    saveFile: picture => void saveFile(picture).catch(report),
    responses,
    names: queryNames({ connections, choices, stores }),
  });
  const renamed = (): void => sessions.showNames();
  const queryDeps = { boundary, connections, sessions, state };
  const sandboxDeps = { connections, sessions, sandbox };
  context.subscriptions.push(
    language,
    logger,
    sessions,
    revisions,
    budgets,
    status,
    { dispose: () => sandbox.stop() },
    stores.onDidChange(renamed),
    connections.onDidChange(renamed),
    choices.onDidChange(renamed),
    registerConnectionCommands({
      boundary,
      connections,
      engine,
      sessions,
      history,
      nowAt,
      sandbox,
      clearRejection: endpoints.clearRejection.bind(endpoints),
      test: endpoints.test.bind(endpoints),
      renamed: async (connection, before) => followRename(connection, before, { stores, choices, report }),
      startSandbox: async () => startSandboxConnection(sandboxDeps),
    }),
    registerQueryCommands({ ...queryDeps, nowAt, pricing }),
    registerExportCommands(boundary, sessions, exporting),
    registerSandboxCommands({ boundary, ...sandboxDeps }),
    registerLimitCommands(boundary, connections),
    registerArchiveCommands({ boundary, state, archive, clock, folder: folder('archive') }),
    registerBudgetCommands({ boundary, status, activeRuns, sessions, clock, logError }),
    registerConnectionsView({ connections, budgets, activeRuns }),
    personal,
    registerSavedQueries({
      ...queryDeps,
      choices,
      stores,
      recent: personal.recent,
      engine,
      pricing,
      nowAt,
      clock,
      newId: randomUUID,
      sourceAt: endpoints.sourceAt.bind(endpoints),
      sandbox,
      archive,
      archiveFolder: folder('archive').fsPath,
      longestOf: spans.limitOf.bind(spans),
    }),
    registerOpenInNotebook(boundary),
    registerWatching({
      boundary,
      choices,
      connections,
      sessions,
      engine,
      nowAt,
      serviceClock,
      state,
      clock,
      logger,
      queries: watchedQueries(stores),
      workspaceState: keyValueStore(context.workspaceState),
      folder: folder('told').fsPath,
      secrets: context.secrets,
    }),
    registerWalkthrough({ boundary, connections, runs: personal.recent, state, extensionId: context.extension.id }),
    vscode.commands.registerCommand(commands.showLog, () => logger.show()),
  );
  const toolDeps = { connections, nowAt, engine, pricing, stores, logError };
  return {
    api: createPublicApi({ connections, engine, pricing, nowAt, sessions }),
    panels: sessions,
    tools: languageModelTools(toolDeps),
    revisions,
    followLink: async uri => followLink(uri, { boundary, connections, sessions, nowAt }),
    // Answers on their way into the archive get there: else their requests would be spent again.
    async end() {
      await Promise.all([engine.settled(), reader.dispose(), responses.clear()]);
    },
  };
}
