import { partsFor, planTogether, type DueSteps } from '../../core/query/plan.ts';
import { serviceQueries, type ResolvedQuery } from '../../core/query/query.ts';
import { type Span, beside, overlap } from '../../core/range/resolveRange.ts';
import { seriesIdentity, type SeriesKey } from '../../core/query/seriesKey.ts';
import { type Archive, replacedBy, type Archived, type ArchivedAnswer } from '../archive/archive.ts';
import { clipFrame, hasAllInstants } from '../../core/frame/clip.ts';
import { fitTogether, replaceByTime } from '../../core/frame/frames.ts';

/** What the group has to know of a run, to plan its requests. */
interface GroupMember {
  readonly series: SeriesKey;
  readonly stepMs: number;
  /** What its own range lacks. */
  readonly lacks: DueSteps;
  /** The longest request worth trying. */
  readonly maxSteps: number;
  /** What another range of the series lacks. */
  readonly lackedBy: (span: Span) => Promise<DueSteps>;
}

/**
 * Queries that run at the same time over one connection: what those of one series lack is requested by one plan, so that no
 * request is spent on hours that another query's request can include. Each run sends those requests that it needs, unless another
 * has sent them by then. For one run of each query.
 */
export class RunGroup {
  readonly #queries: readonly ResolvedQuery[];
  /** Shares responses that the archive does not store, being off or full, with the others of the group. */
  readonly #held = new HeldAnswers();
  readonly #plans = new Map<string, Promise<readonly Span[]>>();

  constructor(queries: readonly ResolvedQuery[]) {
    this.#queries = queries.flatMap(serviceQueries);
  }

  /** The archive as the runs of the group see it. */
  over(archive: Pick<Archive, 'read' | 'merge'>): Pick<Archive, 'read' | 'merge'> {
    return this.#held.over(archive);
  }

  /** The requests of the plan that this run needs: the same objects for all that share a request. */
  async partsOf(member: GroupMember): Promise<Span[]> {
    const name = seriesIdentity(member.series);
    // A limit that is detected meanwhile makes another plan, again the same for all.
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

/** A group for each connection, by its id. */
export function groupRuns(
  runs: readonly { readonly query: ResolvedQuery; readonly connection: { readonly id: string } }[],
): ReadonlyMap<string, RunGroup> {
  const groups = Map.groupBy(runs, ({ connection }) => connection.id);
  return new Map(Array.from(groups, ([id, ofOne]) => [id, new RunGroup(ofOne.map(({ query }) => query))]));
}

/** A response that could not be stored, and the hours it is for. */
interface Held {
  readonly asked: Span;
  readonly answer: ArchivedAnswer;
}

/** Responses that an archive could not store (switched off, full disk), by series, held in memory. */
export class HeldAnswers {
  readonly #held = new Map<string, Held[]>();

  /** The archive, with what is held in memory. */
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

  /** What the archive stored is newer than what is held of the same hours. */
  #release(series: SeriesKey, stored: Span): void {
    const name = seriesIdentity(series);
    const rest = this.#held.get(name)?.flatMap(({ asked, answer }) => {
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
