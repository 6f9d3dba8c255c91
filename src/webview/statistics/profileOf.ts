import { t } from '@vscode/l10n';
import { getTimesOfColumn } from '../../core/compare/compareFrames.ts';
import { hourMs } from '../../shared/durations.ts';
import type { Frame, NumberColumn, TimeColumn } from '../../shared/frame.ts';
import { isEnergyChange, unitOf } from '../../shared/units.ts';
import { dailyProfile, type HourOfDay, zoneHours } from './dailyProfile.ts';

/** The daily profile, or why there is none. */
export type Profile = { readonly hours: readonly HourOfDay[] } | { readonly reason: string };

interface ProfiledRows {
  readonly frame: Frame;
  readonly rows: Uint32Array | undefined;
  /** The distance of the rows in milliseconds; undefined where it is unknown. */
  readonly step: number | undefined;
  readonly timeZone: string;
}

/** The hour of each row: the same for all columns of the same times. */
const knownHours = new WeakMap<TimeColumn, { readonly timeZone: string; readonly hours: Uint8Array }>();

export function profileOf(column: NumberColumn, { frame, rows, step, timeZone }: ProfiledRows): Profile {
  const time = getTimesOfColumn(frame, column);
  if (!time) return { reason: t('No time column.') };
  if (isEnergyChange(unitOf(column.field))) return { reason: t('Changes in percent are not averaged.') };
  // The length of a single row is unknown: it counts for the hour in which it begins.
  if (step !== undefined && step > hourMs) return { reason: t('It needs hourly data or finer.') };
  const known = knownHours.get(time);
  const hours = known?.timeZone === timeZone ? known.hours : zoneHours(time, timeZone);
  knownHours.set(time, { timeZone, hours });
  return { hours: dailyProfile(column, hours, rows) };
}
