import { stressField } from '../../shared/fields.ts';
import { getStressBand, type StressBand } from '../../shared/stressBands.ts';
import { type Frame, type NumberColumn, cellState, getCellState, type FieldInfo } from '../../shared/frame.ts';
import { type Coverage, type Result, getIntervalStart, intervalState } from '../../shared/result.ts';
import { getIntervalMs } from '../query/catalogue.ts';
import { findBin } from '../bins/binEdges.ts';
import { findTimeColumn } from '../frame/clip.ts';
import { getNumber } from '../bins/binSums.ts';
import { createDerivation, deriveColumns, evaluateCondition, getShortestRowMs } from '../formula/deriveColumns.ts';
import { FormulaError } from '../formula/formula.ts';
import type { DerivedColumn } from '../../shared/derivedColumns.ts';
import type { Tariff } from '../../shared/resampling.ts';
import { serializeRule, type AlertRule } from './alert.ts';

type ConditionRule = Extract<AlertRule, { readonly kind: 'condition' }>;

/** The part of a result that alerts evaluate. Instants are UTC milliseconds. */
export interface Reading {
  readonly frame: Frame | undefined;
  readonly coverage: Coverage | undefined;
  /** The start of the range. */
  readonly start: number;
  /** Undefined for an interval of unknown length. Its rows are considered published when they begin. */
  readonly intervalMs: number | undefined;
  /** The current time by the service's clock. */
  readonly now: number;
  /** Whether a part of the result failed or was not requested, so that a missing hour proves nothing. */
  readonly isPartial: boolean;
  /** Custom tariffs; omitted for Eskom's. */
  readonly tariffs?: readonly Tariff[] | undefined;
}

/** The value of one hour (or day) in one column. */
interface HourValue {
  readonly hour: number;
  readonly value: number;
}

/**
 * Creates a reading of a result. `derive`: the query's derived columns, which conditions may use. `tariffs`: custom tariffs; Eskom's by
 * default.
 */
export function createReading(
  { frame: received, coverage, provenance }: Result,
  now: number,
  derive: readonly DerivedColumn[] = [],
  tariffs?: readonly Tariff[],
): Reading {
  const { start, interval, failure } = provenance;
  const isPartial = failure !== undefined || (coverage?.notRequested ?? 0) > 0;
  const intervalMs = getIntervalMs(interval);
  const frame =
    received && derive.length > 0
      ? deriveColumns(received, createDerivation({ frame: received, intervalMs, tariffs }, derive)).frame
      : received;
  return { frame, coverage, start, intervalMs, now, isPartial, tariffs };
}

/** Returns the end of the interval that begins at `hour`, which is when it is published. */
function getEnd(hour: number, { intervalMs = 0, coverage }: Pick<Reading, 'intervalMs' | 'coverage'>): number {
  const { edges } = coverage ?? {};
  return edges?.[findBin(edges, hour) + 1] ?? hour + intervalMs;
}

/** Returns the column's hours that have ended and have a number, in row order. */
function getPublishedHours(reading: Reading, column: NumberColumn): HourValue[] {
  const time = reading.frame && findTimeColumn(reading.frame);
  if (!time) return [];
  return Array.from(column.values).flatMap((value, row) => {
    const hour = time.values[row] ?? NaN;
    if (getCellState(column, row) !== cellState.value || getCellState(time, row) !== cellState.value) return [];
    return Number.isFinite(value) && getEnd(hour, reading) <= reading.now ? [{ hour, value }] : [];
  });
}

function findNumberColumn({ frame }: Pick<Reading, 'frame'>, name: string): NumberColumn | undefined {
  return frame?.columns.find((column): column is NumberColumn => column.kind === 'number' && column.name === name);
}

/** Finds the stress index column. It must be in the catalogue, because other datasets may also have a field `value`. */
function findStressColumn(reading: Pick<Reading, 'frame'>): NumberColumn | undefined {
  const column = findNumberColumn(reading, stressField);
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
export function getLatestStress(reading: Reading): LatestStress | undefined {
  const column = findStressColumn(reading);
  if (!column?.field) return undefined;
  const { field } = column;
  let latest: LatestStress | undefined;
  for (const { hour, value } of getPublishedHours(reading, column))
    if (!latest || hour > latest.hour)
      latest = { hour, end: getEnd(hour, reading), value, band: getStressBand(value), field };
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
interface EvaluatedHour extends Finding {
  readonly holds: boolean;
}

/**
 * Returns the hours that end after `since` and meet the rule, the oldest first and without duplicates. Excludes hours that have not
 * ended, and all hours if the condition is invalid for these columns or has no value. For delayed data returns at most one: the latest
 * delayed hour.
 */
export function findFindings(reading: Reading, rule: AlertRule, since: number): Finding[] {
  if (rule.kind === 'late') return findDelay(reading, since);
  return getEvaluatedHours(reading, rule).flatMap(({ holds, ...finding }) =>
    holds && getEnd(finding.hour, reading) > since ? [finding] : [],
  );
}

/** Returns the latest hour with a known result; undefined for delayed data, and if no hour has a value. */
export function getLatestEvaluated(reading: Reading, rule: AlertRule): EvaluatedHour | undefined {
  return rule.kind === 'late' ? undefined : getEvaluatedHours(reading, rule).at(-1);
}

/** The number of hours (or days) in which an alert would have fired, and the number that have ended and have a value. */
export interface PastAlertCount {
  readonly fired: number;
  readonly known: number;
}

/** Counts past alerts. Undefined if no hour has a value, and for delayed data, because a current delay tells nothing about the past. */
export function countPastAlerts(reading: Reading, rule: AlertRule): PastAlertCount | undefined {
  const evaluatedHours = rule.kind === 'late' ? [] : getEvaluatedHours(reading, rule);
  return evaluatedHours.length > 0
    ? { fired: evaluatedHours.filter(({ holds }) => holds).length, known: evaluatedHours.length }
    : undefined;
}

/** Results by reading: several callers need the same ones, some of them while other windows wait. */
const evaluatedCache = new WeakMap<Reading, Map<string, readonly EvaluatedHour[]>>();

/**
 * Returns the hours that have ended and have a value, sorted and without duplicates: the last row of an hour counts. Omits an hour in a
 * run that may have begun before the known range and may therefore be long enough.
 */
function getEvaluatedHours(reading: Reading, rule: ConditionRule): readonly EvaluatedHour[] {
  const cache = evaluatedCache.get(reading) ?? new Map<string, readonly EvaluatedHour[]>();
  evaluatedCache.set(reading, cache);
  const ruleKey = serializeRule(rule);
  const evaluatedHours = cache.get(ruleKey) ?? evaluateHours(reading, rule);
  cache.set(ruleKey, evaluatedHours);
  return evaluatedHours;
}

function evaluateHours(reading: Reading, { condition, rows = 1 }: ConditionRule): EvaluatedHour[] {
  const { frame, now, intervalMs, tariffs } = reading;
  const time = frame && findTimeColumn(frame);
  const evaluated = frame && evaluateCondition(frame, condition, getShortestRowMs({ frame, intervalMs }), tariffs);
  if (!time || !evaluated || evaluated instanceof FormulaError) return [];
  const column = evaluated.columns
    .map(name => findNumberColumn(reading, name))
    .find(candidate => candidate !== undefined);
  const { name = '', field } = column ?? {};
  const about = { name, label: field?.label ?? name, ...(field?.unit?.text && { unit: field.unit.text }) };
  const isStress = column !== undefined && column === findStressColumn(reading);
  const byHour = new Map<number, EvaluatedHour>();
  for (const [row, state] of evaluated.holds.entries()) {
    const hour = time.values[row] ?? NaN;
    if (Number.isNaN(state) || getCellState(time, row) !== cellState.value || getEnd(hour, reading) > now) continue;
    const value = column && getNumber(column, row);
    const band = isStress && value !== undefined && { band: getStressBand(value) };
    byHour.set(hour, { hour, holds: state === 1, ...(value !== undefined && { value, field: about }), ...band });
  }
  const evaluatedHours = [...byHour.values()].sort((a, b) => a.hour - b.hour);
  let runLength = 0;
  let previousEnd = NaN;
  let hasKnownStart = false;
  return evaluatedHours.flatMap(evaluatedHour => {
    const isConsecutive =
      evaluatedHour.hour === previousEnd || (intervalMs === undefined && !Number.isNaN(previousEnd));
    if (!isConsecutive || !evaluatedHour.holds) {
      runLength = 0;
      hasKnownStart = !evaluatedHour.holds;
    }
    if (evaluatedHour.holds) runLength++;
    previousEnd = getEnd(evaluatedHour.hour, reading);
    const isUndecided = evaluatedHour.holds && runLength < rows && !hasKnownStart;
    return isUndecided ? [] : [{ ...evaluatedHour, holds: evaluatedHour.holds && runLength >= rows }];
  });
}

function findDelay(reading: Reading, since: number): Finding[] {
  const { coverage, start, intervalMs } = reading;
  if (!coverage || intervalMs === undefined || coverage.late === 0) return [];
  const getStart = (interval: number): number => getIntervalStart(coverage, start, intervalMs, interval);
  const hour = getStart(coverage.states.lastIndexOf(intervalState.late));
  if (getEnd(hour, reading) <= since) return [];
  return [{ hour, lateSince: getStart(coverage.states.indexOf(intervalState.late)) }];
}
