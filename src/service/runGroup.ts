import { partsFor, planTogether, type DueSteps } from '../core/plan.ts';
import type { ResolvedQuery } from '../core/query.ts';
import type { Span } from '../core/range/resolveRange.ts';
import { seriesIdentity, type SeriesKey } from '../core/seriesKey.ts';
import type { Archive } from './archive.ts';
import { HeldAnswers } from './heldAnswers.ts';

/** What a run knows when it asks for its part of the plan. */
export interface GroupMember {
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
 * Queries that run at one time over one connection: what those of one series lack is asked for through one plan, so that no
 * request is spent on hours that a request of another could bring along. Each run makes those requests that bring something
 * for it, unless another has made them by then. Good for one run of each query.
 */
export class RunGroup {
  readonly #queries: readonly ResolvedQuery[];
  /** What an archive that is off or full does not keep, the others of the group have all the same. */
  readonly #held = new HeldAnswers();
  readonly #plans = new Map<string, Promise<readonly Span[]>>();

  constructor(queries: readonly ResolvedQuery[]) {
    this.#queries = queries;
  }

  /** The archive as the runs of the group see it. */
  over(archive: Pick<Archive, 'read' | 'merge'>): Pick<Archive, 'read' | 'merge'> {
    return this.#held.over(archive);
  }

  /** The requests of the plan that bring something for this run: the same objects for all that share a request. */
  async partsOf(member: GroupMember): Promise<Span[]> {
    const name = seriesIdentity(member.series);
    // A limit that is met on the way makes another plan, which is again the same for all.
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
  asked: readonly { readonly query: ResolvedQuery; readonly connection: { readonly id: string } }[],
): ReadonlyMap<string, RunGroup> {
  const groups = Map.groupBy(asked, ({ connection }) => connection.id);
  return new Map(Array.from(groups, ([id, ofOne]) => [id, new RunGroup(ofOne.map(({ query }) => query))]));
}
