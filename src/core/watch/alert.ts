import { dayMs } from '../../shared/durations.ts';
import type { StressBand } from '../../shared/stressBands.ts';
import { type KnownField, rampField, stressField } from '../../shared/fields.ts';
import type { FieldInfo } from '../../shared/frame.ts';
import { numberReader } from '../../shared/localeNumber.ts';
import { datasetById, stepOf } from '../query/catalogue.ts';

/** The condition of an alert. Values are in the field's own unit. */
export type AlertRule =
  | { readonly kind: 'over' | 'under'; readonly field: string; readonly value: number }
  /** The stress index is in this band or a higher one. */
  | { readonly kind: 'stressBand'; readonly band: StressBand }
  /** OCGT output rose by more than so many MW within the hour. */
  | { readonly kind: 'rampAbove'; readonly value: number }
  /** The service reports that its data is late. */
  | { readonly kind: 'late' };

/** An alert, stored with its saved query. */
export type Alert = AlertRule & {
  /** Unique within its query. */
  readonly id: string;
  readonly on: boolean;
  /** UTC milliseconds: ignores hours that end by then, also if they are published later. */
  readonly snoozedUntil?: number | undefined;
};

/** A text that is equal for alerts with the same condition, whatever their id and state. */
export function ruleText(alert: AlertRule): string {
  switch (alert.kind) {
    case 'over':
    case 'under':
      return JSON.stringify([alert.kind, alert.field, alert.value]);
    case 'stressBand':
      return JSON.stringify([alert.kind, alert.band]);
    case 'rampAbove':
      return JSON.stringify([alert.kind, alert.value]);
    case 'late':
      return JSON.stringify([alert.kind]);
  }
}

/** The kinds of conditions in the prompt. */
export type AlertKind = 'value' | 'stressBand' | 'rampAbove' | 'late';

/** A field that an alert can watch. */
export interface AlertField {
  readonly name: string;
  /** Undefined for a field that is not in the catalogue. */
  readonly info?: FieldInfo;
}

/** The numeric fields of a dataset that exist in this interval, in catalogue order. */
export function alertFields(dataset: string, interval: string): AlertField[] {
  const fields = [...(datasetById(dataset)?.fields ?? [])];
  return fields.flatMap(([name, info]) => (info.unit && isThere(info, interval) ? [{ name, info }] : []));
}

/** Days of a zone have neither the fields of hours only nor those of days only. */
function isThere({ only }: KnownField, interval: string): boolean {
  if (only === 'days') return interval === '1d';
  return only === undefined || (stepOf(interval) ?? 0) < dayMs;
}

/** The kinds of conditions that apply to a dataset, the most usual first. */
export function alertKinds(dataset: string, interval: string): AlertKind[] {
  const has = (name: string): boolean => alertFields(dataset, interval).some(field => field.name === name);
  return [
    ...(has(stressField) ? (['stressBand'] as const) : []),
    'value',
    ...(has(rampField) ? (['rampAbove'] as const) : []),
    'late',
  ];
}

export function kindOf(rule: AlertRule): AlertKind {
  return rule.kind === 'over' || rule.kind === 'under' ? 'value' : rule.kind;
}

/** Why a text is not a valid value of an alert. */
export type ValueProblem = 'noNumber' | 'ambiguous' | 'outsideIndex' | 'rampNotAbove0';

const longestNumber = 40;

/** Parses a number as written in the locale. `field`: undefined for the OCGT ramp. */
export function readAlertValue(
  typed: string,
  field: AlertField | undefined,
  locale: string,
): { readonly ok: true; readonly value: number } | { readonly ok: false; readonly problem: ValueProblem } {
  const value = typed.length > longestNumber ? 'none' : numberReader(locale)(typed);
  if (value === 'ambiguous') return { ok: false, problem: 'ambiguous' };
  if (value === 'none') return { ok: false, problem: 'noNumber' };
  if (!field) return value > 0 ? { ok: true, value } : { ok: false, problem: 'rampNotAbove0' };
  const isIndex = field.info?.unit?.kind === 'index';
  if (isIndex && (value < 0 || value > 1)) return { ok: false, problem: 'outsideIndex' };
  return { ok: true, value };
}
