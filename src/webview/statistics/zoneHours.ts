import { cellState, type TimeColumn } from '../../shared/frame.ts';
import type { Steps } from '../../core/time/steps.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const farthest = 8.64e15 - 2 * dayMs;
const rowsPerStep = 1 << 13;

/** The hour of a row that has no instant. */
export const noHour = 255;

/** The hour of day, 0 to 23, of each row in the zone; `noHour` where a row has no instant. */
export function* zoneHourSteps(time: TimeColumn, timeZone: string): Steps<Uint8Array> {
  const hours = new Uint8Array(time.values.length).fill(noHour);
  const offsetAt = zoneOffsets(timeZone);
  for (let row = 0; row < hours.length; row++) {
    if (row % rowsPerStep === rowsPerStep - 1) yield;
    const instant = time.values[row] ?? NaN;
    if (!(Math.abs(instant) < farthest) || (time.gaps?.[row] ?? cellState.value) !== cellState.value) continue;
    const local = instant + offsetAt(instant);
    hours[row] = Math.floor((local - Math.floor(local / dayMs) * dayMs) / hourMs);
  }
  return hours;
}

/**
 * What to add to an instant for the zone's wall clock, in milliseconds. Asking Intl is slow: it is asked at the two ends of each UTC
 * day, and for each instant only on a day whose ends differ.
 */
export function zoneOffsets(timeZone: string): (instant: number) => number {
  const probe = offsetProbe(timeZone);
  let day = NaN;
  let atStart = 0;
  let atEnd = 0;
  return instant => {
    const wanted = Math.floor(instant / dayMs);
    if (wanted !== day) {
      atStart = wanted === day + 1 ? atEnd : probe(wanted * dayMs);
      atEnd = probe((wanted + 1) * dayMs);
      day = wanted;
    }
    return atStart === atEnd ? atStart : probe(instant);
  };
}

function offsetProbe(timeZone: string): (instant: number) => number {
  if (timeZone === 'UTC') return () => 0;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return instant => {
    const part: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
    for (const { type, value } of format.formatToParts(instant)) part[type] = value;
    const year = part.era === 'BC' ? 1 - Number(part.year) : Number(part.year);
    const wall = new Date(0);
    wall.setUTCFullYear(year, Number(part.month) - 1, Number(part.day));
    wall.setUTCHours(Number(part.hour), Number(part.minute), Number(part.second));
    return wall.getTime() - Math.floor(instant / 1000) * 1000;
  };
}
