import { createHash } from 'node:crypto';
import type { Span } from '../../core/range/resolveRange.ts';
import { getSeriesIdentity, type SeriesKey } from '../../core/query/seriesKey.ts';
import { dayMs } from '../../shared/durations.ts';

/** A UTC year, [start, end). `name` is the name of its file, such as "2023". */
export interface Year extends Span {
  readonly name: string;
}

/** Returns the years that a range overlaps; none for an empty range. */
export function listYears({ start, end }: Span): Year[] {
  const years: Year[] = [];
  for (let year = new Date(start).getUTCFullYear(); end > start && getYearStart(year) < end; year++)
    years.push({ name: String(year).padStart(4, '0'), start: getYearStart(year), end: getYearStart(year + 1) });
  return years;
}

/** Returns the start of a year. Date.UTC would treat years 0 to 99 as 1900 to 1999. */
function getYearStart(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1);
}

/** Returns the unit for which the archive stores when it was requested: an interval, or a day for longer intervals, which may begin on any day. */
export function getUnitMs(intervalMs: number): number {
  return Math.min(intervalMs, dayMs);
}

/** Returns the units that begin in a range, as [first, end) of their numbers since 1970. */
export function listUnits(span: Span, unitMs: number): { readonly first: number; readonly end: number } {
  const first = Math.ceil(span.start / unitMs);
  return { first, end: Math.max(first, Math.ceil(span.end / unitMs)) };
}

/** Encodes values as (count, value) runs. */
export function encodeRuns(values: Float64Array): number[] {
  const runs: number[] = [];
  for (let i = 0; i < values.length;) {
    let next = i;
    while (next < values.length && values[next] === values[i]) next++;
    runs.push(next - i, values[i] ?? 0);
    i = next;
  }
  return runs;
}

/** Decodes runs to `length` values. Throws a RangeError for runs that `encodeRuns` would not create. */
export function decodeRuns(runs: readonly number[], length: number): Float64Array {
  const values = new Float64Array(length);
  let index = 0;
  for (let pair = 0; pair < runs.length; pair += 2) {
    const [count = 0, value = NaN] = runs.slice(pair, pair + 2);
    if (!(count > 0 && index + count <= length && value >= 0)) throw new RangeError('invalid run lengths');
    values.fill(value, index, (index += count));
  }
  if (index !== length) throw new RangeError('invalid run lengths');
  return values;
}

/** Returns the name of a series' folder in the archive. */
export function getFolderName(series: SeriesKey): string {
  return createHash('sha256').update(getSeriesIdentity(series)).digest('hex').slice(0, 16);
}
