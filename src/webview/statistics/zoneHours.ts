import { cellState, type TimeColumn } from '../../shared/frame.ts';
import type { Steps } from '../../core/time/steps.ts';
import { ZoneOffsets } from '../../core/time/zoneOffsets.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const farthest = 8.64e15 - 2 * dayMs;
const rowsPerStep = 1 << 13;

/** The hour of a row that has no instant. */
export const noHour = 255;

/** The hour of day, 0 to 23, of each row in the zone; `noHour` where a row has no instant. */
export function* zoneHourSteps(time: TimeColumn, timeZone: string): Steps<Uint8Array> {
  const hours = new Uint8Array(time.values.length).fill(noHour);
  const offsets = new ZoneOffsets(timeZone);
  for (let row = 0; row < hours.length; row++) {
    if (row % rowsPerStep === rowsPerStep - 1) yield;
    const instant = time.values[row] ?? NaN;
    if (!(Math.abs(instant) < farthest) || (time.gaps?.[row] ?? cellState.value) !== cellState.value) continue;
    const local = instant + offsets.at(instant);
    hours[row] = Math.floor((local - Math.floor(local / dayMs) * dayMs) / hourMs);
  }
  return hours;
}
