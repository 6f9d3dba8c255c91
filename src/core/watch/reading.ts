import { rampField, stressField } from '../../shared/fields.ts';
import { stressBandOf, type StressBand, stressLimits } from '../../shared/stressBands.ts';
import { type Frame, type NumberColumn, cellState, stateAt, type FieldInfo } from '../../shared/frame.ts';
import { type Coverage, type Result, stepStart, stepState } from '../../shared/result.ts';
import { stepOf } from '../query/catalogue.ts';
import { binAt } from '../bins/binEdges.ts';
import { timeColumnOf } from '../frame/clip.ts';
import type { AlertRule } from './alert.ts';

/** The part of a result that alerts evaluate. Instants are UTC milliseconds. */
export interface Reading {
  readonly frame: Frame | undefined;
  readonly coverage: Coverage | undefined;
  /** The beginning of the range. */
  readonly start: number;
  /** Undefined for an interval of unknown length, whose rows count as published when they begin. */
  readonly stepMs: number | undefined;
  /** The present, by the service's clock. */
  readonly now: number;
  /** A part of the answer failed or was not requested, so that a missing hour proves nothing. */
  readonly partial: boolean;
}

/** The value of one hour (or day) in one column. */
interface HourValue {
  readonly hour: number;
  readonly value: number;
}

export function readingOf({ frame, coverage, provenance }: Result, now: number): Reading {
  const { start, interval, failure } = provenance;
  const partial = failure !== undefined || (coverage?.notAsked ?? 0) > 0;
  return { frame, coverage, start, stepMs: stepOf(interval), now, partial };
}

/** The end of the step that begins then, when it is published. */
function endOf(hour: number, { stepMs = 0, coverage }: Pick<Reading, 'stepMs' | 'coverage'>): number {
  const { edges } = coverage ?? {};
  return edges?.[binAt(edges, hour) + 1] ?? hour + stepMs;
}

/** The hours of the column that are over and have a number, in row order. */
function publishedHours(reading: Reading, column: NumberColumn): HourValue[] {
  const time = reading.frame && timeColumnOf(reading.frame);
  if (!time) return [];
  return Array.from(column.values).flatMap((value, row) => {
    const hour = time.values[row] ?? NaN;
    if (stateAt(column, row) !== cellState.value || stateAt(time, row) !== cellState.value) return [];
    return Number.isFinite(value) && endOf(hour, reading) <= reading.now ? [{ hour, value }] : [];
  });
}

function readingColumn({ frame }: Pick<Reading, 'frame'>, name: string): NumberColumn | undefined {
  return frame?.columns.find((column): column is NumberColumn => column.kind === 'number' && column.name === name);
}

/** The stress index: only a column that the catalogue knows, since other datasets may also have a field `value`. */
function stressReading(reading: Pick<Reading, 'frame'>): NumberColumn | undefined {
  const column = readingColumn(reading, stressField);
  return column?.field && column;
}

/** The latest published value of the stress index. Instants are UTC milliseconds. */
export interface LatestStress {
  readonly hour: number;
  readonly end: number;
  /** 0 to 1. */
  readonly value: number;
  readonly band: StressBand;
  /** The index in the catalogue: the sandbox has its own. */
  readonly field: FieldInfo;
}

/** Undefined where the reading has no value of the stress index. */
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

/** An hour (or day) that satisfies the condition of an alert. Instants are UTC milliseconds. */
export interface Finding {
  /** The beginning of the hour; where data is late, of the latest one that should have data. */
  readonly hour: number;
  /** Undefined where data is late. */
  readonly value?: number;
  /** The column of the value. `label` is its name where it is not in the catalogue. */
  readonly field?: { readonly name: string; readonly label: string; readonly unit?: string };
  /** Only for the stress index. */
  readonly band?: StressBand;
  /** Where data is late: the beginning of the first hour without data. */
  readonly lateSince?: number;
}

/**
 * The hours that end after `since` and satisfy the rule, the oldest first, each once. Nulls, hours that are not over and fields that are not
 * numbers never do. For late data at most one: the latest late hour.
 */
export function findingsOf(reading: Reading, rule: AlertRule, since: number): Finding[] {
  const column = watchedColumn(reading, rule);
  switch (rule.kind) {
    case 'over':
    case 'rampAbove':
      return matches(reading, column, since, value => value > rule.value);
    case 'under':
      return matches(reading, column, since, value => value < rule.value);
    case 'stressBand':
      return matches(reading, column, since, value => value >= stressLimits[rule.band]);
    case 'late':
      return lateness(reading, since);
  }
}

/** In how many hours (or days) an alert would have fired, of those that are over and have a value. */
export interface PastFires {
  readonly fired: number;
  readonly known: number;
}

/** Undefined where no hour has a value, and for late data: that something is late now says nothing of what was. */
export function pastFires(reading: Reading, rule: AlertRule): PastFires | undefined {
  const column = watchedColumn(reading, rule);
  const known = column ? new Set(publishedHours(reading, column).map(({ hour }) => hour)).size : 0;
  return known > 0 ? { fired: findingsOf(reading, rule, -Infinity).length, known } : undefined;
}

function watchedColumn(reading: Reading, rule: AlertRule): NumberColumn | undefined {
  switch (rule.kind) {
    case 'over':
    case 'under':
      return readingColumn(reading, rule.field);
    case 'stressBand':
      return stressReading(reading);
    case 'rampAbove':
      return readingColumn(reading, rampField);
    case 'late':
      return undefined;
  }
}

function matches(
  reading: Reading,
  column: NumberColumn | undefined,
  since: number,
  satisfies: (value: number) => boolean,
): Finding[] {
  if (!column) return [];
  const { name, field } = column;
  const about = { name, label: field?.label ?? name, ...(field?.unit?.text && { unit: field.unit.text }) };
  const isStress = column === stressReading(reading);
  const found = new Map<number, Finding>();
  for (const { hour, value } of publishedHours(reading, column)) {
    if (endOf(hour, reading) <= since || !satisfies(value)) continue;
    found.set(hour, { hour, value, field: about, ...(isStress && { band: stressBandOf(value) }) });
  }
  return [...found.values()].sort((a, b) => a.hour - b.hour);
}

function lateness(reading: Reading, since: number): Finding[] {
  const { coverage, start, stepMs } = reading;
  if (!coverage || stepMs === undefined || coverage.late === 0) return [];
  const at = (step: number): number => stepStart(coverage, start, stepMs, step);
  const hour = at(coverage.states.lastIndexOf(stepState.late));
  if (endOf(hour, reading) <= since) return [];
  return [{ hour, lateSince: at(coverage.states.indexOf(stepState.late)) }];
}
