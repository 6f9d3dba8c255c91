import { datasetById, isInterval, leastStepOf, stepOf, type Dataset } from './catalogue.ts';
import { formatInstant } from './instant.ts';
import { normaliseRange, parseRange } from './range/parseRange.ts';
import type { RangeProblem } from './range/rangeSpec.ts';
import { resolveRange, type Span } from './range/resolveRange.ts';

/** A question as it is kept: the range stays as written, so that "last 7 days" means those of the day it runs. */
export interface Query {
  readonly dataset: string;
  readonly range: string;
  readonly interval: string;
  /** Extra query parameters, name to value. */
  readonly params: Readonly<Record<string, string>>;
}

/** A query with its instants, ready to be sent. */
export interface ResolvedQuery extends Span {
  readonly dataset: Dataset;
  readonly interval: string;
  /** Undefined for an interval of unknown length. */
  readonly stepMs: number | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly range: string;
}

export type QueryProblem = RangeProblem | { readonly problem: 'unknownDataset' | 'badInterval'; readonly part: string };

export type Resolution = { readonly ok: true; readonly value: ResolvedQuery } | ({ readonly ok: false } & QueryProblem);

/**
 * A hundred years of hours, or nearly two years of minutes: each step takes memory and time before the first request, so a link or
 * a file that asks for more is refused.
 */
const mostSteps = 1_000_000;

/** Turns a query into instants, as of `now`, with days and months of `timeZone` (an IANA name). */
export function resolveQuery(query: Query, now: number, timeZone: string): Resolution {
  const dataset = datasetById(query.dataset);
  if (!dataset) return { ok: false, problem: 'unknownDataset', part: query.dataset };
  const spec = parseRange(query.range);
  if (!spec.ok) return spec;
  if (!isInterval(query.interval)) return { ok: false, problem: 'badInterval', part: query.interval };
  const stepMs = stepOf(query.interval);
  const span = resolveRange(spec.value, { now, timeZone, stepMs });
  if (!span.ok) return span;
  const { start, end } = span.value;
  if ((end - start) / leastStepOf(query.interval) > mostSteps)
    return { ok: false, problem: 'tooManySteps', steps: mostSteps };
  const { range, interval, params } = query;
  return { ok: true, value: { ...span.value, dataset, interval, stepMs, params, range } };
}

/** As above, for a range that a person types: one that has not begun yet is a mistake, and no request could bring anything of it. */
export function resolveTyped(query: Query, now: number, timeZone: string): Resolution {
  const resolved = resolveQuery(query, now, timeZone);
  return resolved.ok && resolved.value.start >= now ? { ok: false, problem: 'inFuture' } : resolved;
}

/** The query parameters of the request, in the order of the specification; the range and interval cannot be overridden. */
export function requestParameters(query: ResolvedQuery): [name: string, value: string][] {
  const own: [string, string][] = [
    ['start', formatInstant(query.start)],
    ['end', formatInstant(query.end)],
    ['interval', query.interval],
  ];
  const extra = Object.entries(query.params).filter(([name]) => !own.some(([taken]) => taken === name));
  return [...own, ...extra];
}

/** Steps in the range; undefined for an interval of unknown length. */
export function stepCount(query: ResolvedQuery): number | undefined {
  return query.stepMs === undefined ? undefined : Math.ceil((query.end - query.start) / query.stepMs);
}

/** Reads "components=true other=1". Undefined for a text that is not a list of name=value, or that names the range or interval. */
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

/** Two queries that ask the same, also where they write the range otherwise: one panel. */
export function queryIdentity(query: Query): string {
  const params = Object.entries(query.params).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([query.dataset, normaliseRange(query.range), query.interval, params]);
}
