import { GridError } from '../core/errors.ts';
import { daysOfResultSteps } from '../core/bins/binResult.ts';
import { withKnownHoursSteps } from '../core/bins/knownHours.ts';
import { coverageOf } from '../core/coverage.ts';
import type { AskedDays, ResolvedQuery } from '../core/query.ts';
import type { Span } from '../core/range/resolveRange.ts';
import type { Result } from '../shared/result.ts';
import type { Endpoint } from './endpoint.ts';
import { fetchWhole } from './fetchWhole.ts';
import { pausedSteps } from './pausedSteps.ts';
import { PlannedRun } from './plannedRun.ts';
import type { RunGroup } from './runGroup.ts';
import type { QueryRunnerDeps, RunOptions } from './runOptions.ts';

/** What is told on the way is told of the days; the first hours of an answer are no day yet. */
function daysOfOptions(options: RunOptions, days: AskedDays, stepMs: number): RunOptions {
  const { onProgress, ...rest } = options;
  return {
    ...rest,
    onHead: undefined,
    ...(onProgress && {
      onProgress: async (soFar, progress) =>
        onProgress(await pausedSteps(daysOfResultSteps(soFar, days, stepMs)), progress),
    }),
  };
}

/**
 * Answers a query with as few requests as the freshness of kept hours allows. Throws GridError; a part that fails leaves
 * the rest of the answer whole.
 */
export class QueryRunner {
  readonly #deps: QueryRunnerDeps;
  /** What is on its way into the archive, by series. */
  readonly #keeping = new Map<string, Promise<void>>();

  constructor(deps: QueryRunnerDeps) {
    this.#deps = deps;
  }

  async run(query: ResolvedQuery, endpoint: Endpoint, options: RunOptions = {}): Promise<Result> {
    if (options.signal?.aborted) throw new GridError('cancelled', { requestsSpent: 0 });
    // Steps of unknown length cannot be told apart, so there is nothing to keep or to plan.
    if (query.stepMs === undefined) return fetchWhole(query, endpoint, options, this.#deps);
    const { days, stepMs } = query;
    const run = await this.#planned(
      { ...query, stepMs },
      endpoint,
      days ? daysOfOptions(options, days, stepMs) : options,
    );
    try {
      const result = await run.run();
      if (days) return await pausedSteps(daysOfResultSteps(result, days, stepMs), options.signal);
      return query.interval === '1d' ? await this.#withHours(result, query, endpoint) : result;
    } finally {
      void this.#keep(run);
    }
  }

  /** The service's own days, with how many hours they have where the archive knows it. */
  async #withHours(
    result: Result,
    { start, end, dataset, params }: ResolvedQuery,
    endpoint: Endpoint,
  ): Promise<Result> {
    const [interval, stepMs] = ['1h', 3_600_000];
    const series = { source: endpoint.source, dataset: dataset.id, interval, params };
    const { frame, askedAt, meta } = await this.#deps.archive.read(series, stepMs, { start, end });
    if (!askedAt.some(asked => asked > 0)) return result;
    const now = this.#deps.serviceClock.now(endpoint.source);
    const coverage = coverageOf(frame, { start, end }, stepMs, { now, askedAt, meta });
    return coverage ? pausedSteps(withKnownHoursSteps(result, { frame, states: coverage.states })) : result;
  }

  /** Resolves when all that came is in the archive. */
  async settled(): Promise<void> {
    await Promise.all(this.#keeping.values());
  }

  async #keep({ series, kept }: PlannedRun): Promise<void> {
    const all = Promise.all([this.#keeping.get(series), kept]).then(() => undefined);
    this.#keeping.set(series, all);
    await all;
    if (this.#keeping.get(series) === all) this.#keeping.delete(series);
  }

  /**
   * The requests that a run would take now, as far as is known before the service answers; sends none. Those that several
   * queries of a group share are the same objects.
   */
  async partsOf(query: ResolvedQuery, endpoint: Endpoint, together?: RunGroup): Promise<readonly Span[]> {
    if (query.stepMs === undefined) return [{ start: query.start, end: query.end }];
    return (await this.#planned({ ...query, stepMs: query.stepMs }, endpoint, { together })).parts();
  }

  /** A run that finds in the archive what those before it brought. */
  async #planned(
    query: ResolvedQuery & { readonly stepMs: number },
    endpoint: Endpoint,
    options: RunOptions,
  ): Promise<PlannedRun> {
    const { archive } = this.#deps;
    const deps = { ...this.#deps, archive: options.together?.over(archive) ?? archive };
    const run = new PlannedRun(query, endpoint, options, deps);
    await this.#keeping.get(run.series);
    return run;
  }
}
