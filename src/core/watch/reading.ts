import { stressField } from '../../shared/fields.ts';
import { stressBandOf, type StressBand } from '../../shared/stressBands.ts';
import { type Frame, type NumberColumn, cellState, stateAt, type FieldInfo } from '../../shared/frame.ts';
import { type Coverage, type Result, stepStart, stepState } from '../../shared/result.ts';
import { stepOf } from '../query/catalogue.ts';
import { binAt } from '../bins/binEdges.ts';
import { timeColumnOf } from '../frame/clip.ts';
import { numberAt } from '../bins/binSums.ts';
import { derivationOf, deriveColumns, evaluateCondition, rowLength } from '../formula/deriveColumns.ts';
import { FormulaError } from '../formula/formula.ts';
import type { DerivedColumn } from '../../shared/derivedColumns.ts';
import { ruleText, type AlertRule } from './alert.ts';

type ConditionRule = Extract<AlertRule, { readonly kind: 'condition' }>;

/** The part of a result that alerts evaluate. Instants are UTC milliseconds. */
export interface Reading {
  readonly frame: Frame | undefined;
  readonly coverage: Coverage | undefined;
  /** The start of the range. */
  readonly start: number;
  /** Undefined for an interval of unknown length. Its rows count as published when they begin. */
  readonly stepMs: number | undefined;
  /** The current time by the service's clock. */
  readonly now: number;
  /** Whether a part of the result failed or was not requested, so that a missing hour proves nothing. */
  readonly partial: boolean;
}

/** The value of one hour (or day) in one column. */
interface HourValue {
  readonly hour: number;
  readonly value: number;
}

/** Creates a reading of a result. `derive`: the query's derived columns, which conditions may use. */
export function readingOf(
  { frame: received, coverage, provenance }: Result,
  now: number,
  derive: readonly DerivedColumn[] = [],
): Reading {
  const { start, interval, failure } = provenance;
  const partial = failure !== undefined || (coverage?.notAsked ?? 0) > 0;
  const stepMs = stepOf(interval);
  const frame =
    received && derive.length > 0
      ? deriveColumns(received, derivationOf({ frame: received, step: stepMs }, derive)).frame
      : received;
  return { frame, coverage, start, stepMs, now, partial };
}

/** Returns the end of the interval that begins at `hour`, which is when it is published. */
function endOf(hour: number, { stepMs = 0, coverage }: Pick<Reading, 'stepMs' | 'coverage'>): number {
  const { edges } = coverage ?? {};
  return edges?.[binAt(edges, hour) + 1] ?? hour + stepMs;
}

/** Returns the column's hours that have ended and have a number, in row order. */
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

/** Finds the stress index column. It must be in the catalogue, because other datasets may also have a field `value`. */
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
  /** The index's field in the catalogue; the sandbox has a different one. */
  readonly field: FieldInfo;
}

/** Finds the latest value of the stress index; undefined if there is none. */
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

/** An hour (or day) that meets the condition of an alert. Instants are UTC milliseconds. */
export interface Finding {
  /** The start of the hour; for delayed data, of the latest hour that should have data. */
  readonly hour: number;
  /** The value of the first column that the condition uses; undefined if there is none, and for delayed data. */
  readonly value?: number;
  /** The column of the value. `label` is its name if it is not in the catalogue. */
  readonly field?: { readonly name: string; readonly label: string; readonly unit?: string };
  /** Only set for the stress index. */
  readonly band?: StressBand;
  /** For delayed data: the start of the first hour without data. */
  readonly lateSince?: number;
}

/** An hour for which it is known whether it meets a condition. */
interface JudgedHour extends Finding {
  readonly holds: boolean;
}

/**
 * Returns the hours that end after `since` and meet the rule, the oldest first and without duplicates. Excludes hours that have not
 * ended, and all hours if the condition is invalid for these columns or has no value. For delayed data returns at most one: the latest
 * delayed hour.
 */
export function findingsOf(reading: Reading, rule: AlertRule, since: number): Finding[] {
  if (rule.kind === 'late') return lateness(reading, since);
  return judgedHours(reading, rule).flatMap(({ holds, ...finding }) =>
    holds && endOf(finding.hour, reading) > since ? [finding] : [],
  );
}

/** Returns the latest hour with a known result; undefined for delayed data, and if no hour has a value. */
export function latestJudged(reading: Reading, rule: AlertRule): JudgedHour | undefined {
  return rule.kind === 'late' ? undefined : judgedHours(reading, rule).at(-1);
}

/** The number of hours (or days) in which an alert would have fired, and of those that have ended and have a value. */
export interface PastFires {
  readonly fired: number;
  readonly known: number;
}

/** Counts past alerts. Undefined if no hour has a value, and for delayed data, because a current delay tells nothing about the past. */
export function pastFires(reading: Reading, rule: AlertRule): PastFires | undefined {
  const judged = rule.kind === 'late' ? [] : judgedHours(reading, rule);
  return judged.length > 0 ? { fired: judged.filter(({ holds }) => holds).length, known: judged.length } : undefined;
}

/** Results by reading: several callers need the same ones, some of them while other windows wait. */
const judgedBefore = new WeakMap<Reading, Map<string, readonly JudgedHour[]>>();

/**
 * Returns the hours that have ended and have a value, sorted and without duplicates: the last row of an hour counts. Omits an hour in a
 * run that may have begun before the known range and may therefore be long enough.
 */
function judgedHours(reading: Reading, rule: ConditionRule): readonly JudgedHour[] {
  const known = judgedBefore.get(reading) ?? new Map<string, readonly JudgedHour[]>();
  judgedBefore.set(reading, known);
  const text = ruleText(rule);
  const judged = known.get(text) ?? judgeHours(reading, rule);
  known.set(text, judged);
  return judged;
}

function judgeHours(reading: Reading, { condition, rows = 1 }: ConditionRule): JudgedHour[] {
  const { frame, now, stepMs } = reading;
  const time = frame && timeColumnOf(frame);
  const evaluated = frame && evaluateCondition(frame, condition, rowLength({ frame, step: stepMs }));
  if (!time || !evaluated || evaluated instanceof FormulaError) return [];
  const column = evaluated.columns.map(name => readingColumn(reading, name)).find(found => found !== undefined);
  const { name = '', field } = column ?? {};
  const about = { name, label: field?.label ?? name, ...(field?.unit?.text && { unit: field.unit.text }) };
  const isStress = column !== undefined && column === stressReading(reading);
  const byHour = new Map<number, JudgedHour>();
  for (const [row, state] of evaluated.holds.entries()) {
    const hour = time.values[row] ?? NaN;
    if (Number.isNaN(state) || stateAt(time, row) !== cellState.value || endOf(hour, reading) > now) continue;
    const value = column && numberAt(column, row);
    const band = isStress && value !== undefined && { band: stressBandOf(value) };
    byHour.set(hour, { hour, holds: state === 1, ...(value !== undefined && { value, field: about }), ...band });
  }
  const judged = [...byHour.values()].sort((a, b) => a.hour - b.hour);
  let [run, end, isWhole] = [0, NaN, false];
  return judged.flatMap(one => {
    const follows = one.hour === end || (stepMs === undefined && !Number.isNaN(end));
    if (!follows || !one.holds) [run, isWhole] = [0, !one.holds];
    if (one.holds) run++;
    end = endOf(one.hour, reading);
    const mayHold = one.holds && run < rows && !isWhole;
    return mayHold ? [] : [{ ...one, holds: one.holds && run >= rows }];
  });
}

function lateness(reading: Reading, since: number): Finding[] {
  const { coverage, start, stepMs } = reading;
  if (!coverage || stepMs === undefined || coverage.late === 0) return [];
  const at = (step: number): number => stepStart(coverage, start, stepMs, step);
  const hour = at(coverage.states.lastIndexOf(stepState.late));
  if (endOf(hour, reading) <= since) return [];
  return [{ hour, lateSince: at(coverage.states.indexOf(stepState.late)) }];
}
