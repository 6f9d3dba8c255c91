import { rampField, stressField, type KnownField } from '../../shared/fields.ts';
import type { FieldInfo } from '../../shared/frame.ts';
import { numberReader } from '../../shared/localeNumber.ts';
import { datasetById, stepOf } from '../query/catalogue.ts';
import type { AlertRule } from './alert.ts';

/** What an alert may wait for, as a person chooses it. */
export type AlertKind = 'value' | 'stressBand' | 'rampAbove' | 'late';

const dayMs = 86_400_000;

/** A field whose value an alert can be about. */
export interface AlertField {
  readonly name: string;
  /** Undefined for one that the catalogue does not know. */
  readonly info?: FieldInfo;
}

/** The known fields of a dataset that hold numbers and are there in this interval, in the order of the catalogue. */
export function alertFields(dataset: string, interval: string): AlertField[] {
  const fields = [...(datasetById(dataset)?.fields ?? [])];
  return fields.flatMap(([name, info]) => (info.unit && isThere(info, interval) ? [{ name, info }] : []));
}

/** Days made from hours have neither: their fields have names of their own. */
function isThere({ only }: KnownField, interval: string): boolean {
  if (only === 'days') return interval === '1d';
  return only === undefined || (stepOf(interval) ?? 0) < dayMs;
}

/** The kinds of alerts that can speak of a dataset, the most usual first. */
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

/** Why a text is no value for an alert. */
export type ValueProblem = 'noNumber' | 'ambiguous' | 'outsideIndex' | 'rampNotAbove0';

const longestNumber = 40;

/** Reads a value as the locale writes numbers. `field`: undefined for the OCGT ramp. */
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
