import { t } from '@vscode/l10n';
import { getTimesOfColumn } from '../../core/compare/compareFrames.ts';
import { hourMs } from '../../shared/durations.ts';
import type { Frame, NumberColumn, TimeColumn } from '../../shared/frame.ts';
import { isEnergyChange, unitOf } from '../../shared/units.ts';
import { computeDailyProfile, type HourOfDay, computeHoursOfDay } from './dailyProfile.ts';

/** The daily profile, or the reason why there is none. */
export type Profile = { readonly hours: readonly HourOfDay[] } | { readonly reason: string };

interface ProfiledRows {
  readonly frame: Frame;
  readonly rows: Uint32Array | undefined;
  /** The length of a row in milliseconds, if known. */
  readonly intervalMs: number | undefined;
  readonly timeZone: string;
}

/** Caches the hour of each row, which all columns with the same times share. */
const hoursCache = new WeakMap<TimeColumn, { readonly timeZone: string; readonly hours: Uint8Array }>();

export function getProfile(column: NumberColumn, { frame, rows, intervalMs, timeZone }: ProfiledRows): Profile {
  const time = getTimesOfColumn(frame, column);
  if (!time) return { reason: t('No time column.') };
  if (isEnergyChange(unitOf(column.field))) return { reason: t('Changes in percent are not averaged.') };
  // A single row, whose length is unknown, counts for the hour in which it begins.
  if (intervalMs !== undefined && intervalMs > hourMs) return { reason: t('It needs hourly data or finer.') };
  const cached = hoursCache.get(time);
  const hours = cached?.timeZone === timeZone ? cached.hours : computeHoursOfDay(time, timeZone);
  hoursCache.set(time, { timeZone, hours });
  return { hours: computeDailyProfile(column, hours, rows) };
}
