import { dayMs } from '../../shared/durations.ts';
import { type FieldDefinition, rampField, stressField } from '../../shared/fields.ts';
import type { FieldInfo } from '../../shared/frame.ts';
import { createNumberParser } from '../../shared/localeNumber.ts';
import type { DerivedColumn } from '../../shared/derivedColumns.ts';
import { FormulaError, type FormulaColumn } from '../formula/formula.ts';
import { findStressBand, parseLimit } from '../formula/columnLimit.ts';
import { parseFormula } from '../formula/parseFormula.ts';
import { findDataset, getIntervalMs } from '../query/catalogue.ts';

/** The condition that triggers an alert. */
export type AlertRule =
  /** A condition, and the number of consecutive rows in which it must hold without a gap (by default 1). */
  | { readonly kind: 'condition'; readonly condition: string; readonly rows?: number | undefined }
  /** The service reports delayed data. */
  | { readonly kind: 'late' };

/** A week of hours: a longer run would have begun before the range of most queries. */
export const maxAlertRows = 168;

/** An alert, stored with its saved query. */
export type Alert = AlertRule & {
  /** Unique within its query. */
  readonly id: string;
  readonly on: boolean;
  /** UTC milliseconds. The alert ignores hours that end by then, even if they are published later. */
  readonly snoozedUntil?: number | undefined;
};

/** Returns a text that is equal for alerts with the same condition, regardless of their id and state. */
export function serializeRule(alert: AlertRule): string {
  const { kind } = alert;
  return JSON.stringify(kind === 'late' ? [kind] : [kind, alert.condition, alert.rows ?? 1]);
}

/** The kinds that the prompt offers: all but the last two create a condition on one column. */
export type AlertKind = 'value' | 'stressBand' | 'rampAbove' | 'condition' | 'late';

/** A field that an alert can watch. */
export interface AlertField {
  readonly name: string;
  /** Undefined for a field that is not in the catalogue. */
  readonly info?: FieldInfo;
}

/** Lists the numeric fields of a dataset that exist for this interval, in catalogue order. */
export function listAlertFields(dataset: string, interval: string): AlertField[] {
  const fields = [...(findDataset(dataset)?.fields ?? [])];
  return fields.flatMap(([name, info]) => (info.unit && existsForInterval(info, interval) ? [{ name, info }] : []));
}

/** Whether a field exists for an interval. Days of a time zone have neither the hourly-only nor the daily-only fields. */
function existsForInterval({ only }: FieldDefinition, interval: string): boolean {
  if (only === 'days') return interval === '1d';
  return only === undefined || (getIntervalMs(interval) ?? 0) < dayMs;
}

/** Lists the columns that conditions may use without any rows: the fields in the catalogue and the query's derived columns. */
export function listConditionColumns(
  dataset: string,
  interval: string,
  derive: readonly DerivedColumn[] = [],
): readonly FormulaColumn[] {
  const columns: FormulaColumn[] = [
    { name: 'ts', kind: 'time' },
    ...listAlertFields(dataset, interval).map(({ name, info }): FormulaColumn => ({
      name,
      kind: 'number',
      ...(info && { field: info }),
    })),
  ];
  for (const { name, formula } of derive) {
    const parsed = parseFormula(formula, columns);
    if (parsed instanceof FormulaError) continue;
    const field = { label: name, meaning: formula, ...(parsed.unit && { unit: parsed.unit }) };
    columns.push({ name, kind: parsed.unit ? 'number' : 'boolean', field });
  }
  return columns;
}

/** Lists the kinds of alerts that apply to a dataset, the most common first. */
export function listAlertKinds(dataset: string, interval: string): AlertKind[] {
  const has = (name: string): boolean => listAlertFields(dataset, interval).some(field => field.name === name);
  return [
    ...(has(stressField) ? (['stressBand'] as const) : []),
    'value',
    ...(has(rampField) ? (['rampAbove'] as const) : []),
    'condition',
    'late',
  ];
}

export function getAlertKind(rule: AlertRule): AlertKind {
  const limit = rule.kind === 'condition' ? parseLimit(rule.condition) : undefined;
  if (!limit) return rule.kind;
  if (findStressBand(limit)) return 'stressBand';
  if (limit.sign === '>=') return 'condition';
  return limit.column === rampField && limit.sign === '>' ? 'rampAbove' : 'value';
}

/** Why a text is not a valid value for an alert. */
export type ValueProblem = 'noNumber' | 'ambiguous' | 'outsideIndex' | 'rampNotAbove0';

const maxNumberLength = 40;

/** Parses a number in the format of the locale. `field`: undefined for the OCGT ramp. */
export function parseAlertValue(
  text: string,
  field: AlertField | undefined,
  locale: string,
): { readonly ok: true; readonly value: number } | { readonly ok: false; readonly problem: ValueProblem } {
  const value = text.length > maxNumberLength ? 'none' : createNumberParser(locale)(text);
  if (value === 'ambiguous') return { ok: false, problem: 'ambiguous' };
  if (value === 'none') return { ok: false, problem: 'noNumber' };
  if (!field) return value > 0 ? { ok: true, value } : { ok: false, problem: 'rampNotAbove0' };
  const isIndex = field.info?.unit?.kind === 'index';
  if (isIndex && (value < 0 || value > 1)) return { ok: false, problem: 'outsideIndex' };
  return { ok: true, value };
}
