import { getKnownIntervals, type KnownIntervals } from '../../core/bins/knownHours.ts';
import type { Connection } from '../../core/connections/connection.ts';
import { isServiceQuery, type ResolvedQuery, type ServiceQuery } from '../../core/query/query.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import { getSeriesIdentity } from '../../core/query/seriesKey.ts';
import { hourMs } from '../../shared/durations.ts';
import type { Result } from '../../shared/result.ts';
import type { Archive } from '../archive/archive.ts';
import type { ConnectionEndpoints } from '../connections/connectionEndpoints.ts';
import type { Endpoint } from '../connections/endpoint.ts';
import { fetchRange } from './fetchRange.ts';
import { Emitter } from '../emitter.ts';
import { runJoined } from './joinedRun.ts';
import { PlannedRun, type PlannedRunDeps } from './plannedRun.ts';
import { QueryPlanner, type IntervalQuery } from './queryPlanner.ts';
import { Run, type RunContext, type RunEvent, type RunOptions } from './run.ts';
import type { RunGroup } from './runGroup.ts';

/** The maximum number of hours that are looked up for daily values (a century), to limit time and memory. */
const maxHours = 1_000_000;

export interface QueryEngineDeps extends PlannedRunDeps {
  readonly archive: Pick<Archive, 'read' | 'merge'>;
  readonly endpoints: Pick<ConnectionEndpoints, 'resolve' | 'noteResult' | 'noteFailure'>;
}

/** A query, its connection and the options of its run. */
export interface RunRequest {
  readonly query: ResolvedQuery;
  readonly connection: Connection;
  readonly options: RunOptions;
}

/** An event of a run over a connection. */
export interface RunEmission extends RunRequest {
  readonly run: Run;
  readonly event: RunEvent;
}

/**
 * Runs queries with as few requests as the freshness of archived hours allows. A run fails with a GridError; if only a part fails, the result
 * has the other parts.
 */
export class QueryEngine {
  readonly #deps: QueryEngineDeps;
  readonly #emitted = new Emitter<RunEmission>();
  /** Fires for each event of each run over a connection, before the readers of the run get it. */
  readonly onDidEmit = this.#emitted.event;
  /** Pending writes to the archive, by series. */
  readonly #pendingWrites = new Map<string, Promise<void>>();

  constructor(deps: QueryEngineDeps) {
    this.#deps = deps;
  }

  /** Starts a run. It fails with `noKey` if the connection has no key. */
  run(query: ResolvedQuery, connection: Connection, options: RunOptions = {}): Run {
    const request = { query, connection, options };
    const run: Run = new Run(
      options,
      async context => this.#runOverConnection(request, context),
      event => this.#emitted.fire({ ...request, run, event }),
    );
    this.#emitted.fire({ ...request, run, event: { type: 'started' } });
    return run;
  }

  /** Starts a run with an address and a key that do not belong to a connection yet. Only the caller sees its events. */
  runAt(query: ResolvedQuery, endpoint: Endpoint, options: RunOptions = {}): Run {
    return new Run(
      options,
      async context => this.#runQuery(query, endpoint, context),
      () => undefined,
    );
  }

  /**
   * Plans the requests of a run that are known before the service responds. Sends no request. Requests that several queries of a group share are
   * the same objects.
   */
  async planParts(query: ServiceQuery, endpoint: Endpoint, group?: RunGroup): Promise<readonly Span[]> {
    if (query.intervalMs === undefined) return [{ start: query.start, end: query.end }];
    const planner = await this.#createPlanner(
      { ...query, intervalMs: query.intervalMs },
      endpoint,
      { group },
      this.#createRunDeps(group),
    );
    return (await planner.plan()).parts;
  }

  /** Resolves when all pending writes to the archive have ended. */
  async waitForWrites(): Promise<void> {
    await Promise.all(this.#pendingWrites.values());
  }

  async #runOverConnection({ query, connection }: RunRequest, context: RunContext): Promise<Result> {
    const { endpoints } = this.#deps;
    const endpoint = await endpoints.resolve(connection, context.refresh);
    try {
      const result = await this.#runQuery(query, endpoint, context);
      await endpoints.noteResult(connection, endpoint, result.provenance);
      return result;
    } catch (error) {
      await endpoints.noteFailure(connection, endpoint, error);
      throw error;
    }
  }

  async #runQuery(query: ResolvedQuery, endpoint: Endpoint, context: RunContext): Promise<Result> {
    if (isServiceQuery(query)) return this.#runServiceQuery(query, endpoint, context);
    const now = (): number => this.#deps.serviceClock.now(endpoint.source);
    return runJoined(query, context, now, async (part, partContext) =>
      this.#runServiceQuery(part, endpoint, partContext),
    );
  }

  async #runServiceQuery(query: ServiceQuery, endpoint: Endpoint, context: RunContext): Promise<Result> {
    // Intervals of unknown length can be neither archived nor planned.
    if (query.intervalMs === undefined) return fetchRange(query, endpoint, context, this.#deps);
    const deps = this.#createRunDeps(context.group);
    const planner = await this.#createPlanner({ ...query, intervalMs: query.intervalMs }, endpoint, context, deps);
    const hours = query.interval === '1d' ? await this.#readKnownHours(query, endpoint) : undefined;
    const run = new PlannedRun(planner, endpoint, context, deps, hours);
    try {
      return await run.run();
    } finally {
      void this.#trackWrite(getSeriesIdentity(planner.series), run.archived);
    }
  }

  /** Reads the archived hours of a range of days. */
  async #readKnownHours(
    { start, end, dataset, params }: ServiceQuery,
    { source }: Endpoint,
  ): Promise<KnownIntervals | undefined> {
    if ((end - start) / hourMs > maxHours) return undefined;
    const series = { source, dataset: dataset.id, interval: '1h', params };
    await this.#pendingWrites.get(getSeriesIdentity(series));
    const { frame, requestedAt } = await this.#deps.archive.read(series, hourMs, { start, end });
    return getKnownIntervals(frame, requestedAt, { start, end }, hourMs);
  }

  /** Creates a planner, once the responses of earlier runs are in the archive. */
  async #createPlanner(
    query: IntervalQuery,
    endpoint: Endpoint,
    options: RunOptions,
    deps: PlannedRunDeps,
  ): Promise<QueryPlanner> {
    const planner = new QueryPlanner(query, endpoint, options, deps);
    await this.#pendingWrites.get(getSeriesIdentity(planner.series));
    return planner;
  }

  /** Returns the dependencies of a run; the runs of a group also read responses that the archive could not store. */
  #createRunDeps(group: RunGroup | undefined): PlannedRunDeps {
    const { archive } = this.#deps;
    return { ...this.#deps, archive: group?.wrapArchive(archive) ?? archive };
  }

  async #trackWrite(name: string, written: Promise<void>): Promise<void> {
    const pending = Promise.all([this.#pendingWrites.get(name), written]).then(() => undefined);
    this.#pendingWrites.set(name, pending);
    await pending;
    if (this.#pendingWrites.get(name) === pending) this.#pendingWrites.delete(name);
  }
}
