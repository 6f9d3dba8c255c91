import { GridError } from '../core/errors.ts';
import { daysOfResultSteps } from '../core/bins/binResult.ts';
import { withKnownHoursSteps, type KnownSteps } from '../core/bins/knownHours.ts';
import type { ResolvedQuery } from '../core/query.ts';
import { runSteps, type Steps } from '../core/steps.ts';
import type { Span } from '../core/range/resolveRange.ts';
import { seriesIdentity } from '../core/seriesKey.ts';
import type { Result } from '../shared/result.ts';
import type { Endpoint } from './endpoint.ts';
import { fetchWhole } from './fetchWhole.ts';
import { pausedSteps } from './pausedSteps.ts';
import { PlannedRun } from './plannedRun.ts';
import type { RunGroup } from './runGroup.ts';
import type { QueryRunnerDeps, RunOptions } from './runOptions.ts';

const hourMs = 3_600_000;
/** Hours whose presence is looked up for daily values: a century. More would take long, and much memory. */
const mostHours = 1_000_000;

/** What is told on the way is told as what `made` makes of it; the first hours of an answer are no day yet. */
function madeOptions(
  { onHead, onProgress, ...rest }: RunOptions,
  made: (result: Result) => Steps<Result>,
  isMadeOfHours: boolean,
): RunOptions {
  return {
    ...rest,
    ...(onHead && !isMadeOfHours && { onHead: head => onHead(runSteps(made(head))) }),
    ...(onProgress && {
      onProgress: async (soFar, progress) => onProgress(await pausedSteps(made(soFar)), progress),
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
    const isDaily = query.interval === '1d';
    if (!days && !isDaily) return this.#finish(await this.#planned({ ...query, stepMs }, endpoint, options));
    const hours = isDaily ? await this.#knownHours(query, endpoint) : undefined;
    const made = (result: Result): Steps<Result> =>
      days ? daysOfResultSteps(result, days, stepMs) : withKnownHoursSteps(result, run.askedAt, hours);
    const run = await this.#planned({ ...query, stepMs }, endpoint, madeOptions(options, made, days !== undefined));
    return pausedSteps(made(await this.#finish(run)), options.signal);
  }

  async #finish(run: PlannedRun): Promise<Result> {
    try {
      return await run.run();
    } finally {
      void this.#keep(run);
    }
  }

  /** Which hours of a range the archive knows. */
  async #knownHours(
    { start, end, dataset, params }: ResolvedQuery,
    { source }: Endpoint,
  ): Promise<KnownSteps | undefined> {
    if ((end - start) / hourMs > mostHours) return undefined;
    const series = { source, dataset: dataset.id, interval: '1h', params };
    await this.#keeping.get(seriesIdentity(series));
    return this.#deps.archive.readSteps(series, hourMs, { start, end });
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
    const run = new PlannedRun(query, endpoint, options, {
      ...this.#deps,
      archive: options.together?.over(archive) ?? archive,
    });
    await this.#keeping.get(run.series);
    return run;
  }
}
