import { selectRequests, planTogether, type DueIntervals } from '../../core/query/requestPlan.ts';
import { splitIntoServiceQueries, type ResolvedQuery } from '../../core/query/query.ts';
import { type Span, subtractSpan, overlap } from '../../core/range/resolveRange.ts';
import { getSeriesIdentity, type SeriesKey } from '../../core/query/seriesKey.ts';
import { type Archive, completeRange, type ArchivedRange, type ArchivedResponse } from '../archive/archive.ts';
import { clipFrame, hasInstantInEveryRow } from '../../core/frame/clip.ts';
import { canConcatenate, replaceByTime } from '../../core/frame/frames.ts';

/** A run of the group, for planning its requests. */
interface GroupMember {
  readonly series: SeriesKey;
  readonly intervalMs: number;
  /** The due intervals of its range. */
  readonly dueIntervals: DueIntervals;
  /** The maximum length of a request, in intervals. */
  readonly maxLength: number;
  /** Finds the due intervals of another range of the series. */
  readonly findDue: (span: Span) => Promise<DueIntervals>;
}

/**
 * Queries that run at the same time over one connection. The due intervals of each series are requested by a common plan, so that no request is
 * spent on hours that another query's request can include. Each run sends the requests that it needs, unless another run has sent them already.
 * A group is for one run of each query.
 */
export class RunGroup {
  readonly #queries: readonly ResolvedQuery[];
  /** Shares responses that the archive does not store, because it is off or full, with the other runs. */
  readonly #unarchived = new UnarchivedResponses();
  readonly #plans = new Map<string, Promise<readonly Span[]>>();

  constructor(queries: readonly ResolvedQuery[]) {
    this.#queries = queries.flatMap(splitIntoServiceQueries);
  }

  /** Wraps the archive for the runs of the group. */
  wrapArchive(archive: Pick<Archive, 'read' | 'merge'>): Pick<Archive, 'read' | 'merge'> {
    return this.#unarchived.wrapArchive(archive);
  }

  /** Returns the requests of the common plan that this run needs: the same objects for all runs that share a request. */
  async planParts(member: GroupMember): Promise<Span[]> {
    const name = getSeriesIdentity(member.series);
    // A newly detected limit requires another plan, which all runs share again.
    const key = `${member.maxLength} ${name}`;
    const planning = this.#plans.get(key) ?? this.#plan(member, name);
    this.#plans.set(key, planning);
    return selectRequests(await planning, member.dueIntervals, member.intervalMs, member.maxLength);
  }

  async #plan({ series, intervalMs, maxLength, findDue }: GroupMember, name: string): Promise<readonly Span[]> {
    const { source } = series;
    const sameSeries = this.#queries.filter(({ dataset, interval, params }) => {
      return getSeriesIdentity({ source, dataset: dataset.id, interval, params }) === name;
    });
    return planTogether(await Promise.all(sameSeries.map(findDue)), intervalMs, maxLength);
  }
}

/** Creates a group for each connection, by its id. */
export function groupRuns(
  runs: readonly { readonly query: ResolvedQuery; readonly connection: { readonly id: string } }[],
): ReadonlyMap<string, RunGroup> {
  const groups = Map.groupBy(runs, ({ connection }) => connection.id);
  return new Map(
    Array.from(groups, ([id, groupRequests]) => [id, new RunGroup(groupRequests.map(({ query }) => query))]),
  );
}

/** A response that could not be archived, and its requested hours. */
interface UnarchivedResponse {
  readonly requested: Span;
  readonly response: ArchivedResponse;
}

/** Keeps responses in memory that an archive could not store (switched off, full disk), by series. */
export class UnarchivedResponses {
  readonly #unarchived = new Map<string, UnarchivedResponse[]>();

  /** Wraps an archive, so that reading it includes the responses in memory. */
  wrapArchive(archive: Pick<Archive, 'read' | 'merge'>): Pick<Archive, 'read' | 'merge'> {
    return {
      read: async (series, intervalMs, span) => {
        const unarchived = this.#unarchived.get(getSeriesIdentity(series)) ?? [];
        let archived = await archive.read(series, intervalMs, span);
        for (const response of unarchived) archived = addResponse(archived, response, span, intervalMs);
        return archived;
      },
      merge: async (series, intervalMs, requested, response) => {
        const isStored = await archive.merge(series, intervalMs, requested, response);
        if (isStored) this.#remove(series, requested);
        else this.#add(series, { requested, response });
        return isStored;
      },
    };
  }

  /** Removes hours that the archive has stored, which are newer than the hours in memory. */
  #remove(series: SeriesKey, stored: Span): void {
    const name = getSeriesIdentity(series);
    const remaining = this.#unarchived.get(name)?.flatMap(({ requested, response }): UnarchivedResponse[] => {
      const common = overlap(requested, stored);
      return (common.end > common.start ? subtractSpan(common, requested) : [requested]).map(span => ({
        requested: span,
        response,
      }));
    });
    if (remaining) this.#unarchived.set(name, remaining);
  }

  #add(series: SeriesKey, unarchived: UnarchivedResponse): void {
    // Rows without an instant belong to no hour.
    if (!hasInstantInEveryRow(unarchived.response.frame)) return;
    const name = getSeriesIdentity(series);
    this.#unarchived.set(name, [...(this.#unarchived.get(name) ?? []), unarchived]);
  }
}

function addResponse(
  archived: ArchivedRange,
  { requested, response }: UnarchivedResponse,
  span: Span,
  intervalMs: number,
): ArchivedRange {
  const range = overlap(requested, span);
  if (range.end <= range.start) return archived;
  const { frame, meta, requestedAt } = response;
  if (!canConcatenate([archived.frame, frame])) return archived;
  const isNewest = requestedAt >= (archived.metaRequestedAt ?? 0);
  const { frame: newer } = clipFrame(frame, range);
  return {
    frame: replaceByTime(archived.frame, newer, overlap(range, completeRange(response, requested))),
    requestedAt: archived.requestedAt.map((previous, index) => {
      const start = span.start + index * intervalMs;
      return start >= range.start && start < range.end ? Math.max(previous, requestedAt) : previous;
    }),
    meta: isNewest ? meta : archived.meta,
    metaRequestedAt: isNewest ? requestedAt : (archived.metaRequestedAt ?? 0),
  };
}
