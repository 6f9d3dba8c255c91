import type { NumberColumn } from '../../shared/frame.ts';
import { stepStart, stepState } from '../../shared/result.ts';
import { stressBandOf, stressLimits, type StressBand } from '../../shared/stressBands.ts';
import type { AlertRule } from './alert.ts';
import { endOf, readingColumn, publishedHours, rampReading, stressReading, type Reading } from './reading.ts';

/** One hour (or day) for which an alert speaks: facts, of which whoever shows it makes a sentence. Instants are UTC milliseconds. */
export interface Finding {
  /** The beginning of the hour; where data is late, of the newest one that should be there. */
  readonly hour: number;
  /** Undefined where the alert is not about a value. */
  readonly value?: number;
  /** The column the value is from. `label` is its name where the catalogue does not know it. */
  readonly field?: { readonly name: string; readonly label: string; readonly unit?: string };
  /** Only for the stress index. */
  readonly band?: StressBand;
  /** Where data is late: the beginning of the first hour that is not there. */
  readonly lateSince?: number;
}

/**
 * For which hours that end after `since` the rule speaks, the oldest first; each hour once. Null, an hour that is not over
 * and a field that is no number never do. For late data at most one: the newest late hour.
 */
export function findingsOf(reading: Reading, rule: AlertRule, since: number): Finding[] {
  switch (rule.kind) {
    case 'over':
      return matches(reading, readingColumn(reading, rule.field), since, value => value > rule.value);
    case 'under':
      return matches(reading, readingColumn(reading, rule.field), since, value => value < rule.value);
    case 'stressBand':
      return matches(reading, stressReading(reading), since, value => value >= stressLimits[rule.band]);
    case 'rampAbove':
      return matches(reading, rampReading(reading), since, value => value > rule.value);
    case 'late':
      return lateness(reading, since);
  }
}

function matches(
  reading: Reading,
  column: NumberColumn | undefined,
  since: number,
  speaks: (value: number) => boolean,
): Finding[] {
  if (!column) return [];
  const { name, field } = column;
  const about = { name, label: field?.label ?? name, ...(field?.unit?.text && { unit: field.unit.text }) };
  const isStress = column === stressReading(reading);
  const found = new Map<number, Finding>();
  for (const { hour, value } of publishedHours(reading, column)) {
    if (endOf(hour, reading) <= since || !speaks(value)) continue;
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
