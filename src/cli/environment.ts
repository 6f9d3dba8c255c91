import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Connection } from '../core/connections/connection.ts';
import { catchGridError, GridError } from '../core/errors.ts';
import type { KeyValueStore, Logger } from '../core/ports.ts';
import type { Query, ResolvedQuery } from '../core/query/query.ts';
import { storedNames } from '../core/storedNames.ts';
import { LazyArchive } from '../host/archive/lazyArchive.ts';
import type { ComparedResult } from '../host/panel/comparedRun.ts';
import { describeArchiveProblem, describeBudgetFolderProblem } from '../host/messages/failures.ts';
import { resolveQueryAt } from '../host/query/queryArgument.ts';
import { archiveSettings } from '../host/settings.ts';
import { systemClock as clock, systemMachine as machine } from '../host/systemPorts.ts';
import { resolveComparedPeriods, runPeriods } from '../host/tools/comparedPeriods.ts';
import { ResponseReader } from '../service/client/responseReader.ts';
import { ServiceClock } from '../service/client/serviceClock.ts';
import { ConnectionEndpoints } from '../service/connections/connectionEndpoints.ts';
import { Connections } from '../service/connections/connections.ts';
import { LimitFolder } from '../service/limiter/limitFolder.ts';
import { createFingerprint, SharedLimiter } from '../service/limiter/sharedLimiter.ts';
import { createFileCache, joinSources, resolveSourceQuery } from '../service/query/joinSources.ts';
import { addHistory } from '../service/query/history.ts';
import { MaxRangeStore } from '../service/query/maxRangeStore.ts';
import { QueryEngine } from '../service/query/queryEngine.ts';
import { computePrice, RequestPricing } from '../service/query/requestPricing.ts';
import { RunGroup } from '../service/query/runGroup.ts';
import { SeriesLock } from '../service/query/seriesLease.ts';
import { ReaderProcesses } from '../service/reader/readerProcess.ts';
import type { QuerySource } from '../shared/analysis.ts';
import type { Result } from '../shared/result.ts';
import { parseView, type SerializedView } from '../shared/view.ts';
import { PriceError } from './commandLine.ts';
import type { CliConnection } from './connection.ts';
import { readSourceFile } from './sourceFile.ts';
import { openFileState } from './fileState.ts';
import type { createHttpClient, HttpClient } from './httpClient.ts';

/** A query with the analysis and the display of its rows. */
export interface RequestedResult extends SerializedView {
  readonly query: Query;
  /** The name of the connection that the query was saved with. */
  readonly connection?: string | undefined;
  /** The workspace folder, to which the paths of joined files are relative. */
  readonly workspace?: string | undefined;
}

export interface RequestOptions {
  /** The maximum number of requests; 0 reads only the archive. */
  readonly maxRequests: number;
  readonly signal: AbortSignal;
  /** Called with the expected wait in milliseconds while a request waits for the rate limit. */
  readonly onWait?: ((ms: number) => void) | undefined;
}

export type Environment = Awaited<ReturnType<typeof openEnvironment>>;

/**
 * The composition root of the command line: the same engine, archive and rate limits as the extension's, in the folder `storage`. `logger`
 * gets one line for each request.
 */
export async function openEnvironment(
  storage: string,
  { connection, secrets }: CliConnection,
  { logger, warn }: { readonly logger: Logger; readonly warn: (sentence: string) => void },
) {
  const fileState = await openFileState(join(storage, 'command-line.json'));
  const state: KeyValueStore = {
    ...fileState,
    get: name => (name === storedNames.connections ? [connection] : fileState.get(name)),
    // The state of the only connection is read from the command line each time.
    update: async (name, value) => (name === storedNames.connections ? undefined : fileState.update(name, value)),
  };
  const connections = new Connections({ state, secrets, newId: randomUUID });
  const store = new LimitFolder({
    folder: join(storage, 'limits'),
    clock,
    random: Math.random,
    logger,
    onUnshared: () => warn(describeBudgetFolderProblem(join(storage, 'limits'))),
  });
  const window = randomUUID().slice(0, 8);
  const limiter = new SharedLimiter({ store, clock, machine, window, fingerprint: createFingerprint() });
  const readers = new ReaderProcesses();
  const reader = new ResponseReader(readers);
  const loadClient = createClientLoader({ limiter, reader, clock, random: Math.random, logger });
  const serviceClock = new ServiceClock(clock, state);
  const endpoints = new ConnectionEndpoints({
    connections,
    client: { get: async request => (await loadClient()).client.get(request) },
    sandbox: noSandbox,
    limiter,
    log: logger,
    serviceClock,
  });
  const { nowAt } = endpoints;
  const archive = new LazyArchive({
    folder: join(storage, 'archive'),
    clock,
    logger,
    maxBytes: () => archiveSettings().maxBytes,
    onError: problem => warn(describeArchiveProblem(problem)),
  });
  const engine = new QueryEngine({
    endpoints,
    fetcher: {
      fetch: async (...args) => (await loadClient()).fetcher.fetch(...args),
    },
    archive,
    lock: new SeriesLock({ folder: join(storage, 'fetching'), clock, random: Math.random, logger }),
    maxRanges: new MaxRangeStore(state, clock),
    getPrice: async (...plan) => computePrice(limiter, ...plan),
    clock,
    serviceClock,
    settledAfterMs: () => archiveSettings().settledAfterMs,
  });
  const pricing = new RequestPricing({ endpoints, engine, limiter, sandbox: noSandbox });

  return {
    connection,
    connections,
    engine,
    pricing,
    readers,
    archive,
    nowAt,
    getSource: async (target: Connection) => endpoints.getSource(target),

    /**
     * Runs queries with their compared periods, one after the other, as one plan: a request that serves several of them is sent once. The results
     * and errors are in the order of the queries. Throws PriceError or InputError before anything is sent, and GridError ("cancelled").
     */
    async run(
      requested: readonly RequestedResult[],
      { maxRequests, signal, onWait }: RequestOptions,
    ): Promise<readonly (ComparedResult | GridError)[]> {
      const now = nowAt(connection);
      const prepared = requested.map(({ query, workspace, connection: savedConnection, ...view }) => {
        const { compare, join = [] } = view.analysis ?? {};
        const resolved = resolveQueryAt(query, now);
        const compared = resolveComparedPeriods(compare, resolved, now);
        return { resolved, compare, join, workspace, savedConnection, view, compared };
      });
      // The command line has the key of one connection, which stands for that of the saved query.
      const resolveSource = (source: QuerySource, period: ResolvedQuery, savedConnection: string | undefined) =>
        source.connection === undefined || source.connection === savedConnection
          ? resolveSourceQuery(source, period, now)
          : undefined;
      const periods = prepared.flatMap(({ resolved, compared, join, savedConnection }) =>
        [resolved, ...compared].flatMap(period => [
          period,
          ...join.flatMap(source => (source.kind === 'query' && resolveSource(source, period, savedConnection)) || []),
        ]),
      );
      let remaining = maxRequests;
      /** The requests that no query of the plan needs. */
      let spare = maxRequests;
      if (maxRequests > 0) {
        const price = await pricing.computeTotalPrice(periods.map(query => ({ query, connection })));
        if (price.requests > maxRequests) throw new PriceError(price.requests);
        spare -= price.requests;
      }
      const group = new RunGroup(periods);
      const runPeriod = async (period: ResolvedQuery): Promise<Result> => {
        const refresh = remaining > 0 ? 'ifStale' : 'never';
        const options = { group, signal, refresh, maxRequests: remaining, confirmations: 'beyondPlan' } as const;
        const run = engine.run(period, connection, options);
        for await (const event of run) {
          if (event.type === 'waiting') onWait?.(event.ms);
          if (event.type !== 'moreRequests') continue;
          // Requests that the price did not include, such as for further pages. They must leave enough for the other queries.
          const isAffordable = event.price.requests <= spare;
          if (isAffordable) spare -= event.price.requests;
          event.reply(isAffordable);
        }
        const result = await run.result;
        remaining -= result.provenance.requestsSpent;
        return result;
      };
      const outcomes: (ComparedResult | GridError)[] = [];
      for (const { resolved, compared, compare, join, workspace = '.', savedConnection, view } of prepared) {
        const loadFile = createFileCache(async source => readSourceFile(readers, source, workspace, signal));
        const runJoinedPeriod = async (period: ResolvedQuery): Promise<Result> =>
          joinSources(
            await runPeriod(period),
            join,
            {
              loadFile,
              runQuery: async source => {
                const query = resolveSource(source, period, savedConnection);
                if (!query) throw new GridError('sourceUnusable', { file: source.name });
                return runPeriod(query);
              },
            },
            (view.analysis?.derive ?? []).map(({ name }) => name),
          );
        const received = await catchGridError(runPeriods(resolved, compared, compare, runJoinedPeriod));
        if (received instanceof GridError) remaining -= received.facts.requestsSpent ?? 0;
        outcomes.push(
          received instanceof GridError
            ? received
            : await addHistory(
                received,
                parseView(view).events.kind,
                { query: resolved, connection, signal },
                { engine, nowAt },
              ),
        );
      }
      return outcomes;
    },

    /** Ends all pending work. Writes to the archive are finished; otherwise the same hours would be requested again. */
    async close(): Promise<void> {
      await engine.waitForWrites();
      readers.dispose();
    },
  };
}

/** Returns a function that loads the HTTP client once: it takes longer to load than everything else, and the archive needs none. */
function createClientLoader(options: Parameters<typeof createHttpClient>[0]): () => Promise<HttpClient> {
  let loaded: Promise<HttpClient> | undefined;
  return async () => {
    loaded ??= import('./httpClient.ts').then(module => module.createHttpClient(options));
    return loaded;
  };
}

/** The command line starts no embedded sandbox; `grid sandbox` runs one at an address. */
const noSandbox = {
  isRunning: false,
  ensureRunning: async (): Promise<never> => Promise.reject(new GridError('noConnection')),
} as const;

/** Names the service of the archive's rows. */
export function describeService({ name, baseUrl }: Connection): string {
  return `${name} (${baseUrl})`;
}
