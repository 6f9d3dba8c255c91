import { rampField, stressField } from '../../shared/fields.ts';
import { type Frame, type NumberColumn, cellState, stateAt, type FieldInfo } from '../../shared/frame.ts';
import type { Coverage, Result } from '../../shared/result.ts';
import { stepOf } from '../query/catalogue.ts';
import { binAt } from '../bins/dayEdges.ts';
import { timeColumnOf } from '../frame/clip.ts';
import { stressBandOf, type StressBand } from '../../shared/stressBands.ts';

/** A result as alerts read it. Instants are UTC milliseconds. */
export interface Reading {
  readonly frame: Frame | undefined;
  readonly coverage: Coverage | undefined;
  /** The beginning of the range. */
  readonly start: number;
  /** Undefined for an interval of unknown length: its rows count as published once they begin. */
  readonly stepMs: number | undefined;
  /** The present, by the service's clock. */
  readonly now: number;
  /** A part of the answer did not come, or nobody asked for it: what is not in it says nothing. */
  readonly partial: boolean;
}

/** What one hour (or day) says in one column. */
export interface HourValue {
  readonly hour: number;
  readonly value: number;
}

export function readingOf({ frame, coverage, provenance }: Result, now: number): Reading {
  const { start, interval, failure } = provenance;
  const partial = failure !== undefined || (coverage?.notAsked ?? 0) > 0;
  return { frame, coverage, start, stepMs: stepOf(interval), now, partial };
}

/** When a step that begins then is over, and published. */
export function endOf(hour: number, { stepMs = 0, coverage }: Pick<Reading, 'stepMs' | 'coverage'>): number {
  const { edges } = coverage ?? {};
  return edges?.[binAt(edges, hour) + 1] ?? hour + stepMs;
}

/** The hours of the column that are over and have a number, in the order of their rows: null is no value. */
export function* publishedHours(reading: Reading, column: NumberColumn): Generator<HourValue> {
  const time = reading.frame && timeColumnOf(reading.frame);
  if (!time) return;
  for (const [row, value] of column.values.entries()) {
    const hour = time.values[row] ?? NaN;
    if (stateAt(column, row) !== cellState.value || stateAt(time, row) !== cellState.value) continue;
    if (Number.isFinite(value) && endOf(hour, reading) <= reading.now) yield { hour, value };
  }
}

export function readingColumn({ frame }: Pick<Reading, 'frame'>, name: string): NumberColumn | undefined {
  return frame?.columns.find((column): column is NumberColumn => column.kind === 'number' && column.name === name);
}

/** The stress index: a column that the catalogue knows by that name, since `value` may be anything elsewhere. */
export function stressReading(reading: Pick<Reading, 'frame'>): NumberColumn | undefined {
  const column = readingColumn(reading, stressField);
  return column?.field && column;
}

/** The change of OCGT output from hour to hour. */
export function rampReading(reading: Pick<Reading, 'frame'>): NumberColumn | undefined {
  return readingColumn(reading, rampField);
}

/** The newest published value of the stress index. Instants are UTC milliseconds. */
export interface LatestStress {
  readonly hour: number;
  readonly end: number;
  /** 0 to 1. */
  readonly value: number;
  readonly band: StressBand;
  /** What the index is called, as the catalogue has it: the sandbox's is another. */
  readonly field: FieldInfo;
}

/** Undefined where the reading has no stress index, or no value of it. */
export function latestStress(reading: Reading): LatestStress | undefined {
  const column = stressReading(reading);
  if (!column?.field) return undefined;
  const { field } = column;
  let latest: LatestStress | undefined;
  for (const { hour, value } of publishedHours(reading, column))
    if (!latest || hour > latest.hour)
      latest = { hour, end: endOf(hour, reading), value, band: stressBandOf(value), field };
  return latest;
}
