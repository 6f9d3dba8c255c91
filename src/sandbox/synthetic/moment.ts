import { dayMs, hourMs } from '../../shared/durations.ts';

/** An hour seen from South Africa: SAST is UTC+2 all year. */
export interface Moment {
  /** Hours since 1970-01-01T00:00Z. */
  readonly hour: number;
  /** 0…23, SAST. */
  readonly hourOfDay: number;
  /** The SAST day, counted from 1970-01-01. */
  readonly day: number;
  readonly dayKind: 'work' | 'saturday' | 'sunday';
  /** The calendar year and the part of it that is over, such as 2023.25. */
  readonly year: number;
  /** SAST hours since the calendar year began, to a day. */
  readonly hourOfYear: number;
  /** 0 in the middle of January … 1 in the middle of July. */
  readonly winter: number;
}

const hoursAYear = 8765.82;
const start2018 = Date.UTC(2018, 0, 1) / hourMs;

// Public holidays on fixed days, month and day as "M-D"; demand falls to a Sunday's.
const holidays = new Set(['1-1', '3-21', '4-27', '5-1', '6-16', '8-9', '9-24', '12-16', '12-25', '12-26']);

export function momentOf(hour: number): Moment {
  const local = hour + 2;
  const day = Math.floor(local / 24);
  const year = 2018 + (local - start2018) / hoursAYear;
  const yearStart = start2018 + Math.round(((Math.floor(year) - 2018) * hoursAYear) / 24) * 24;
  const midJanuary = 15 / 365;
  return {
    hour,
    hourOfDay: local - day * 24,
    day,
    dayKind: dayKindOf(day),
    year,
    hourOfYear: local - yearStart,
    winter: (1 - Math.cos(2 * Math.PI * (year - midJanuary))) / 2,
  };
}

function dayKindOf(day: number): Moment['dayKind'] {
  // 1970-01-01 was a Thursday.
  const weekday = (day + 4) % 7;
  if (weekday === 0) return 'sunday';
  const date = new Date(day * dayMs);
  if (holidays.has(`${date.getUTCMonth() + 1}-${date.getUTCDate()}`)) return 'sunday';
  return weekday === 6 ? 'saturday' : 'work';
}

/** Points (position, value) in the order of their positions. */
export type Curve = readonly (readonly [position: number, value: number])[];

/** The curve's value by straight lines between its points, level before the first and after the last. */
export function along(curve: Curve, position: number): number {
  let before: readonly [number, number] | undefined;
  for (const point of curve) {
    if (position < point[0]) {
      if (!before) return point[1];
      return before[1] + ((point[1] - before[1]) * (position - before[0])) / (point[0] - before[0]);
    }
    before = point;
  }
  return before?.[1] ?? 0;
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
