import { partsFor, planTogether, type DueSteps } from '../../core/query/plan.ts';
import { serviceQueries, type ResolvedQuery } from '../../core/query/query.ts';
import { type Span, beside, overlap } from '../../core/range/resolveRange.ts';
import { seriesIdentity, type SeriesKey } from '../../core/query/seriesKey.ts';
import { type Archive, replacedBy, type Archived, type ArchivedAnswer } from '../archive/archive.ts';
import { clipFrame, hasAllInstants } from '../../core/frame/clip.ts';
import { fitTogether, replaceByTime } from '../../core/frame/frames.ts';

/** A run of the group, for planning its requests. */
interface GroupMember {
  readonly series: SeriesKey;
  readonly stepMs: number;
  /** The due intervals of its range. */
  readonly lacks: DueSteps;
  /** The maximum length of a request, in intervals. */
  readonly maxSteps: number;
  /** Finds the due intervals of another range of the series. */
  readonly lackedBy: (span: Span) => Promise<DueSteps>;
}

/**
 * Queries that run at the same time over one connection. The due intervals of each series are requested by a common plan, so that no request is
 * spent on hours that another query's request can include. Each run sends the requests that it needs, unless another run has sent them already.
 * A group is for one run of each query.
 */
export class RunGroup {
  readonly #queries: readonly ResolvedQuery[];
  /** Shares responses that the archive does not store, because it is off or full, with the other runs. */
  readonly #held = new HeldAnswers();
  readonly #plans = new Map<string, Promise<readonly Span[]>>();

  constructor(queries: readonly ResolvedQuery[]) {
    this.#queries = queries.flatMap(serviceQueries);
  }

  /** Wraps the archive for the runs of the group. */
  over(archive: Pick<Archive, 'read' | 'merge'>): Pick<Archive, 'read' | 'merge'> {
    return this.#held.over(archive);
  }

  /** Returns the requests of the common plan that this run needs: the same objects for all runs that share a request. */
  async partsOf(member: GroupMember): Promise<Span[]> {
    const name = seriesIdentity(member.series);
    // A limit that is detected meanwhile requires another plan, which all runs share again.
    const key = `${member.maxSteps} ${name}`;
    const planning = this.#plans.get(key) ?? this.#plan(member, name);
    this.#plans.set(key, planning);
    return partsFor(await planning, member.lacks, member.stepMs, member.maxSteps);
  }

  async #plan({ series, stepMs, maxSteps, lackedBy }: GroupMember, name: string): Promise<readonly Span[]> {
    const { source } = series;
    const alike = this.#queries.filter(({ dataset, interval, params }) => {
      return seriesIdentity({ source, dataset: dataset.id, interval, params }) === name;
    });
    return planTogether(await Promise.all(alike.map(lackedBy)), stepMs, maxSteps);
  }
}

/** Creates a group for each connection, by its id. */
export function groupRuns(
  runs: readonly { readonly query: ResolvedQuery; readonly connection: { readonly id: string } }[],
): ReadonlyMap<string, RunGroup> {
  const groups = Map.groupBy(runs, ({ connection }) => connection.id);
  return new Map(Array.from(groups, ([id, ofOne]) => [id, new RunGroup(ofOne.map(({ query }) => query))]));
}

/** A response that could not be archived, and its requested hours. */
interface Held {
  readonly asked: Span;
  readonly answer: ArchivedAnswer;
}

/** Keeps responses in memory that an archive could not store (switched off, full disk), by series. */
export class HeldAnswers {
  readonly #held = new Map<string, Held[]>();

  /** Wraps an archive, so that reading it includes the responses in memory. */
  over(archive: Pick<Archive, 'read' | 'merge'>): Pick<Archive, 'read' | 'merge'> {
    return {
      read: async (series, stepMs, span) => {
        const held = this.#held.get(seriesIdentity(series)) ?? [];
        let archived = await archive.read(series, stepMs, span);
        for (const one of held) archived = joined(archived, one, span, stepMs);
        return archived;
      },
      merge: async (series, stepMs, asked, answer) => {
        const isStored = await archive.merge(series, stepMs, asked, answer);
        if (isStored) this.#release(series, asked);
        else this.#hold(series, { asked, answer });
        return isStored;
      },
    };
  }

  /** Removes hours that the archive has stored, which are newer than those in memory. */
  #release(series: SeriesKey, stored: Span): void {
    const name = seriesIdentity(series);
    const rest = this.#held.get(name)?.flatMap(({ asked, answer }): Held[] => {
      const both = overlap(asked, stored);
      return (both.end > both.start ? beside(both, asked) : [asked]).map(span => ({ asked: span, answer }));
    });
    if (rest) this.#held.set(name, rest);
  }

  #hold(series: SeriesKey, held: Held): void {
    // Rows without an instant belong to no hour.
    if (!hasAllInstants(held.answer.frame)) return;
    const name = seriesIdentity(series);
    this.#held.set(name, [...(this.#held.get(name) ?? []), held]);
  }
}

function joined(kept: Archived, { asked, answer }: Held, span: Span, stepMs: number): Archived {
  const own = overlap(asked, span);
  if (own.end <= own.start) return kept;
  const { frame, meta, askedAt } = answer;
  if (!fitTogether([kept.frame, frame])) return kept;
  const isNewest = askedAt >= (kept.metaAskedAt ?? 0);
  const { frame: newer } = clipFrame(frame, own);
  return {
    frame: replaceByTime(kept.frame, newer, overlap(own, replacedBy(answer, asked))),
    askedAt: kept.askedAt.map((before, step) => {
      const start = span.start + step * stepMs;
      return start >= own.start && start < own.end ? Math.max(before, askedAt) : before;
    }),
    meta: isNewest ? meta : kept.meta,
    metaAskedAt: isNewest ? askedAt : (kept.metaAskedAt ?? 0),
  };
}
