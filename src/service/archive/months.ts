import type { Span } from '../../core/range/resolveRange.ts';
import { createHash } from 'node:crypto';
import { seriesIdentity, type SeriesKey } from '../../core/query/seriesKey.ts';
import { dayMs } from '../../shared/durations.ts';

/** A UTC month, [start, end), as the archive names it: "2023-01". */
export interface Month extends Span {
  readonly name: string;
}

/** The months that a span touches. */
export function monthsOf(span: Span): Month[] {
  const months: Month[] = [];
  const first = new Date(span.start);
  for (let index = first.getUTCFullYear() * 12 + first.getUTCMonth(); ; index++) {
    const month = { name: nameOf(index), start: startOf(index), end: startOf(index + 1) };
    if (month.start >= span.end) return months;
    months.push(month);
  }
}

/**
 * The units for which the archive notes when they were requested: steps, or days for longer steps, which may begin on any
 * day.
 */
export function fileUnitOf(stepMs: number): number {
  return Math.min(stepMs, dayMs);
}

/** The units that begin in a span, as [first, end) of their numbers since 1970. */
export function unitsIn(span: Span, unitMs: number): { readonly first: number; readonly end: number } {
  const first = Math.ceil(span.start / unitMs);
  return { first, end: Math.max(first, Math.ceil(span.end / unitMs)) };
}

/** Equal neighbours as (count, value) pairs. */
export function toRuns(values: Float64Array): number[] {
  const runs: number[] = [];
  for (let i = 0; i < values.length;) {
    let next = i;
    while (next < values.length && values[next] === values[i]) next++;
    runs.push(next - i, values[i] ?? 0);
    i = next;
  }
  return runs;
}

export function fromRuns(runs: readonly number[], length: number): Float64Array {
  const values = new Float64Array(length);
  for (let [pair, at] = [0, 0]; pair + 1 < runs.length; pair += 2) {
    const end = at + (runs[pair] ?? 0);
    values.fill(runs[pair + 1] ?? 0, at, end);
    at = end;
  }
  return values;
}

function nameOf(index: number): string {
  const [year, month] = [Math.floor(index / 12), (index % 12) + 1];
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
}

/** Not with Date.UTC, which takes years 0 to 99 for 1900 to 1999. */
function startOf(index: number): number {
  return new Date(0).setUTCFullYear(Math.floor(index / 12), index % 12, 1);
}

/** The name of a series' folder in the archive. */
export function seriesName(series: SeriesKey): string {
  return createHash('sha256').update(seriesIdentity(series)).digest('hex').slice(0, 16);
}
