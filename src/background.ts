import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { ActiveRuns } from './host/query/activeRuns.ts';
import { ArchiveSize, LazyArchive } from './host/archive/lazyArchive.ts';
import { Budgets } from './host/query/budgets.ts';
import { BudgetStatus } from './host/limiter/budgetStatus.ts';
import { ErrorBoundary } from './host/messages/errorBoundary.ts';
import { useLanguage, useVscodeSettings } from './host/configuration.ts';
import { offerReload } from './host/messages/offerReload.ts';
import { showWarningMessage } from './host/messages/messages.ts';
import { SandboxHost } from './host/sandbox/sandboxHost.ts';
import { ConnectionChoices } from './host/connections/connectionChoices.ts';
import { RunHistoryRecorder } from './host/savedQueries/runHistoryRecorder.ts';
import { createPersonalStore, PersonalStores } from './host/savedQueries/personalStores.ts';
import { QueryStores } from './host/savedQueries/queryStores.ts';
import { watchedQueries } from './host/watch/savedQueriesPort.ts';
import { archiveSettings } from './host/settings.ts';
import { keyValueStore, secretStore, systemClock as clock, systemMachine as machine } from './host/systemPorts.ts';
import {
  describeArchiveProblem,
  describeBudgetFolderProblem,
  describeDamagedBudget,
} from './host/messages/failures.ts';
import { ResponseFetcher } from './service/client/responseFetcher.ts';
import { ResponseReader } from './service/client/responseReader.ts';
import { ApiClient } from './service/client/apiClient.ts';
import { ReaderProcesses } from './service/reader/readerProcess.ts';
import { ConnectionEndpoints } from './service/connections/connectionEndpoints.ts';
import { Connections } from './service/connections/connections.ts';
import { createFingerprint, SharedLimiter } from './service/limiter/sharedLimiter.ts';
import { LimitFolder } from './service/limiter/limitFolder.ts';
import { QueryEngine } from './service/query/queryEngine.ts';
import { computePrice, RequestPricing } from './service/query/requestPricing.ts';
import { SeriesLock } from './service/query/seriesLease.ts';
import { ServiceClock } from './service/client/serviceClock.ts';
import { MaxRangeStore } from './service/query/maxRangeStore.ts';
import { cleanStorage } from './service/files/fileSystem.ts';
import { startWatching } from './host/watch/startWatching.ts';
import type { WatchNoticesDeps } from './host/watch/watchNotices.ts';

/** The parts that run in the background, which the app displays and changes. */
export type Background = ReturnType<typeof startBackground>;

/**
 * The first half of the composition root, which a window needs if a query is watched: the engine and the hourly refresh. `panels` shows
 * results; its code is loaded only when the user opens a panel.
 */
export function startBackground(context: vscode.ExtensionContext, panels: WatchNoticesDeps['panels']) {
  useVscodeSettings();
  const language = useLanguage(context.extensionUri, () => void offerReload());
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
    onDamaged: () => void showWarningMessage(describeDamagedBudget()),
    onUnshared: () => void showWarningMessage(describeBudgetFolderProblem(folder('limits').fsPath)),
  });
  const windowId = randomUUID().slice(0, 8);
  const limiter = new SharedLimiter({ store, clock, machine, window: windowId, fingerprint: createFingerprint() });
  const connections = new Connections({ state, secrets: secretStore(context.secrets), newId: randomUUID });
  const archive = new LazyArchive({
    folder: folder('archive').fsPath,
    clock,
    logger,
    maxBytes: () => archiveSettings().maxBytes,
    onError: problem => void showWarningMessage(describeArchiveProblem(problem)),
  });
  const serviceClock = new ServiceClock(clock, state);
  const maxRanges = new MaxRangeStore(state, clock);
  const readers = new ReaderProcesses();
  const reader = new ResponseReader(readers);
  const client = new ApiClient({ limiter, reader, clock, random: Math.random, logger });
  const sandbox = new SandboxHost(logger);
  const endpoints = new ConnectionEndpoints({ connections, client, sandbox, limiter, log: logger, serviceClock });
  const { nowAt } = endpoints;
  const engine = new QueryEngine({
    endpoints,
    fetcher: new ResponseFetcher(client, reader),
    archive,
    lock: new SeriesLock({ folder: folder('fetching').fsPath, clock, random: Math.random, logger }),
    maxRanges,
    getPrice: async (...plan) => computePrice(limiter, ...plan),
    clock,
    serviceClock,
    settledAfterMs: () => archiveSettings().settledAfterMs,
  });
  const pricing = new RequestPricing({ endpoints, engine, limiter, sandbox });
  const activeRuns = new ActiveRuns(engine, clock);
  const personal = new PersonalStores({ folder, state, clock, random: Math.random, windowId, logError });
  const history = new RunHistoryRecorder({ engine, nowAt, newId: randomUUID, add: personal.addRun });
  const archiveSize = new ArchiveSize({ archive, clock });
  const budgets = new Budgets({ connections, pricing, activeRuns, logError });
  const status = new BudgetStatus({ connections, budgets, activeRuns, archiveSize, clock, logError });

  void cleanStorage(context.globalStorageUri.fsPath, clock.now());

  const boundary = new ErrorBoundary({ logError });
  const choices = new ConnectionChoices({ connections, state });
  const stores = new QueryStores({ personal: createPersonalStore(personal.personal), clock, logError });
  const watched = startWatching({
    boundary,
    choices,
    connections,
    panels,
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
  });
  context.subscriptions.push(language, logger, { dispose: () => sandbox.stop() }, budgets, status, personal, watched);
  return {
    folder,
    logger,
    logError,
    state,
    connections,
    archive,
    spans: maxRanges,
    sandbox,
    endpoints,
    engine,
    pricing,
    activeRuns,
    budgets,
    status,
    personal,
    readers,
    history,
    boundary,
    choices,
    stores,
    watched,
    // Pending writes to the archive are finished; otherwise the same hours would be requested again.
    async end(): Promise<void> {
      await engine.waitForWrites();
      readers.dispose();
    },
  };
}
