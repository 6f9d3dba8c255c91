import { computeCoverage } from '../../../../src/core/frame/coverage.ts';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { describeFields } from '../../../../src/core/frame/describeFields.ts';
import { formatInstant } from '../../../../src/core/time/instant.ts';
import { findDataset } from '../../../../src/core/query/catalogue.ts';
import type { Alert } from '../../../../src/core/watch/alert.ts';
import type { Reading } from '../../../../src/core/watch/alertReading.ts';

export const hour = 3_600_000;
export const midnight = Date.parse('2026-05-04T00:00Z');

/**
 * Creates the rows of the hours from midnight on, one object each; undefined for an hour without a row. Read at the end of the last
 * hour.
 */
export function readingOfHours(
  rows: readonly (Readonly<Record<string, unknown>> | undefined)[],
  change: Partial<Reading> & { readonly meta?: Readonly<Record<string, unknown>>; readonly dataset?: string } = {},
): Reading {
  const { meta = {}, dataset = 'gridStress', ...otherChanges } = change;
  const now = midnight + rows.length * hour;
  const records = rows.flatMap((row, index) => (row ? [{ ts: formatInstant(midnight + index * hour), ...row }] : []));
  const frame = describeFields(recordsToFrame(records), findDataset(dataset)?.fields ?? new Map());
  const span = { start: midnight, end: midnight + rows.length * hour };
  const coverage = computeCoverage(frame, span, hour, { now: otherChanges.now ?? now, meta });
  return { frame, coverage, start: midnight, intervalMs: hour, now, isPartial: false, ...otherChanges };
}

export const over5: Alert = { id: 'over5', kind: 'condition', condition: 'mw > 5', on: true };
export const late: Alert = { id: 'late', kind: 'late', on: true };

/** Returns the hours of the day of the findings. */
export function hoursOfDay(findings: readonly { readonly hour: number }[]): number[] {
  return findings.map(({ hour: ms }) => (ms - midnight) / hour);
}
