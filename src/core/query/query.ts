import { findDataset, isInterval, getMinIntervalMs, getMembers, getIntervalMs } from './catalogue.ts';
import type { Dataset, QueriedDataset } from './catalogue.ts';
import { computeBinEdges } from '../bins/binEdges.ts';
import { formatDayInterval, normalizeInterval, parseDayZone } from '../bins/dayInterval.ts';
import { formatInstant } from '../time/instant.ts';
import { normalizeRange, parseRange } from '../range/parseRange.ts';
import type { RangeProblem } from '../range/rangeSpec.ts';
import { resolveRange, type ResolveContext, type Span } from '../range/resolveRange.ts';
import type { DisplayZone } from '../../shared/protocol.ts';

/** A query as written: "last 7 days" is resolved on each run. */
export interface Query {
  readonly dataset: string;
  readonly range: string;
  readonly interval: string;
  /** Additional query parameters, name to value. */
  readonly params: Readonly<Record<string, string>>;
  /** The IANA time zone of the range's days and months. Rows that are days aggregated from hours have the zone of their interval. */
  readonly timeZone: string;
}

/** Days of a time zone, aggregated from hours. */
export interface RequestedDays {
  /** The interval in its canonical spelling: "1d@SAST". */
  readonly interval: string;
  readonly zone: DisplayZone;
  /** The start of each day and the end of the last one, in UTC milliseconds. */
  readonly edges: Float64Array;
}

/** A query with its instants, ready to run. */
export interface ResolvedQuery extends Span {
  readonly dataset: QueriedDataset;
  /** The interval to request from the service: `1h` for days of a time zone. */
  readonly interval: string;
  /** The days to aggregate the rows to, if any. The span then covers the hours that start in them. */
  readonly days?: RequestedDays;
  /** Undefined for an interval of unknown length. */
  readonly intervalMs: number | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly range: string;
  /** The time zone in which the range was resolved: the zone of `days` if there are any. */
  readonly timeZone: string;
}

/** A query for one dataset of the service. Only these are sent, priced and archived. */
export type ServiceQuery = ResolvedQuery & { readonly dataset: Dataset };

export function isServiceQuery(query: ResolvedQuery): query is ServiceQuery {
  return !('members' in query.dataset);
}

/**
 * Splits a query into queries to the service: itself, or one per joined dataset, for hours if the query is for days of a time zone. A
 * parameter goes to the dataset that offers it, or to all if none does.
 */
export function splitIntoServiceQueries(query: ResolvedQuery): readonly ServiceQuery[] {
  if (isServiceQuery(query)) return [query];
  const { range, start, end, interval, intervalMs, timeZone } = query;
  const members = getMembers(query.dataset);
  const findOwner = (name: string): Dataset | undefined =>
    members.find(({ params }) => params.some(param => param.name === name));
  return members.map(dataset => {
    const datasetParams = Object.entries(query.params).filter(([name]) => (findOwner(name) ?? dataset) === dataset);
    return {
      dataset,
      range,
      start,
      end,
      interval,
      intervalMs,
      timeZone,
      params: Object.fromEntries(datasetParams),
    };
  });
}

export type QueryProblem = RangeProblem | { readonly problem: 'unknownDataset' | 'badInterval'; readonly part: string };

type Resolution = { readonly ok: true; readonly value: ResolvedQuery } | ({ readonly ok: false } & QueryProblem);

/**
 * A hundred years of hours, or nearly two years of minutes. Each interval takes memory and time before the first request, so a link or a
 * file with more is rejected.
 */
const maxIntervals = 1_000_000;

/** Resolves a query at the time `now`, in UTC milliseconds. */
export function resolveQuery(query: Query, now: number): Resolution {
  const dataset = findDataset(query.dataset);
  if (!dataset) return { ok: false, problem: 'unknownDataset', part: query.dataset };
  const spec = parseRange(query.range);
  if (!spec.ok) return spec;
  const { range, params } = query;
  if (!isInterval(query.interval)) return { ok: false, problem: 'badInterval', part: query.interval };
  const context = createResolveContext(query, now);
  const span = resolveRange(spec.value, context);
  if (!span.ok) return span;
  const zone = parseDayZone(query.interval);
  const interval = zone ? '1h' : query.interval;
  const { start, end } = span.value;
  if ((end - start) / getMinIntervalMs(interval) > maxIntervals)
    return { ok: false, problem: 'tooManySteps', steps: maxIntervals };
  const intervalMs = getIntervalMs(interval);
  const plain = { ...span.value, dataset, interval, intervalMs, params, range, timeZone: context.timeZone };
  if (!zone || intervalMs === undefined) return { ok: true, value: plain };
  // An hour belongs to the day in which it begins, also in zones with half-hour offsets.
  const hourSpan = { start: Math.ceil(start / intervalMs) * intervalMs, end: Math.ceil(end / intervalMs) * intervalMs };
  const days = { interval: formatDayInterval(zone), zone, edges: computeBinEdges(span.value, 'day', zone.timeZone) };
  return { ok: true, value: { ...plain, ...hourSpan, days } };
}

/** Whether the range of a query depends on the time zone: ranges of days do, `last 36 hours` does not. */
export function dependsOnZone({
  range,
  end,
  intervalMs,
}: Pick<ResolvedQuery, 'range' | 'end' | 'intervalMs'>): boolean {
  const spec = parseRange(range);
  if (!spec.ok) return false;
  // More than a day apart, so that no day is the same in both.
  const [west, east] = ['Etc/GMT+12', 'Etc/GMT-14'].map(timeZone =>
    resolveRange(spec.value, { now: end, timeZone, intervalMs }),
  );
  return !(west?.ok && east?.ok && west.value.start === east.value.start && west.value.end === east.value.end);
}

/** Returns the context for resolving ranges with the interval and time zone of a query. Days of a time zone are resolved in that zone. */
export function createResolveContext(
  { interval, timeZone }: Pick<Query, 'interval' | 'timeZone'>,
  now: number,
): ResolveContext {
  const zone = parseDayZone(interval);
  if (!zone) return { now, timeZone, intervalMs: getIntervalMs(interval) };
  return { now, timeZone: zone.timeZone, intervalMs: undefined, wholeDays: true };
}

/** Returns the range of the query: whole days if it is for days of a time zone. */
export function getRequestedSpan({ start, end, days }: ResolvedQuery): Span {
  return days ? { start: days.edges[0] ?? start, end: days.edges.at(-1) ?? end } : { start, end };
}

/** Returns the interval of the query, such as `1d@SAST` for days of a time zone. */
export function getRequestedInterval({ interval, days }: Pick<ResolvedQuery, 'interval' | 'days'>): string {
  return days?.interval ?? interval;
}

/** Resolves a query with a typed range. Rejects a range that has not begun, because no request could return any of it. */
export function resolveTypedQuery(query: Query, now: number): Resolution {
  const resolved = resolveQuery(query, now);
  return resolved.ok && resolved.value.start >= now ? { ok: false, problem: 'inFuture' } : resolved;
}

/** Returns the parameters of the request in the order of the specification. Additional ones cannot override range and interval. */
export function createRequestParameters(query: ResolvedQuery): [name: string, value: string][] {
  const standard: [string, string][] = [
    ['start', formatInstant(query.start)],
    ['end', formatInstant(query.end)],
    ['interval', query.interval],
  ];
  const additional = Object.entries(query.params).filter(
    ([name]) => !standard.some(([standardName]) => standardName === name),
  );
  return [...standard, ...additional];
}

/** Counts the intervals in the range; undefined for an interval of unknown length. */
export function countIntervals(query: ResolvedQuery): number | undefined {
  if (query.days) return query.days.edges.length - 1;
  return query.intervalMs === undefined ? undefined : Math.ceil((query.end - query.start) / query.intervalMs);
}

/** Parses "components=true other=1". Undefined for any other text, and if it sets the range or interval. */
export function parseParams(text: string): Record<string, string> | undefined {
  const pairs = text.split(/[\s&]+/).filter(Boolean);
  const params = Object.create(null) as Record<string, string>;
  for (const pair of pairs) {
    const match = /^([A-Za-z_][\w.-]{0,63})=(.{0,200})$/.exec(pair);
    if (!match?.[1] || /^(start|end|interval)$/.test(match[1])) return undefined;
    params[match[1]] = match[2] ?? '';
  }
  return { ...params };
}

/** Returns a text that is equal for equivalent queries, even if their ranges are written differently. */
export function getQueryIdentity(query: Query): string {
  const params = Object.entries(query.params).sort(([a], [b]) => (a < b ? -1 : 1));
  const { timeZone } = parseDayZone(query.interval) ?? query;
  return JSON.stringify([
    query.dataset,
    normalizeRange(query.range),
    normalizeInterval(query.interval),
    params,
    timeZone,
  ]);
}
