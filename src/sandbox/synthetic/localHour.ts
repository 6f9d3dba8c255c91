import { dayMs, hourMs } from '../../shared/durations.ts';

/** An hour with its position in the day and the year in South Africa. SAST is UTC+2 all year. */
export interface LocalHour {
  /** Hours since 1970-01-01T00:00Z. */
  readonly hour: number;
  /** 0 to 23, in SAST. */
  readonly hourOfDay: number;
  /** Days since 1970-01-01 in SAST. */
  readonly day: number;
  readonly dayKind: 'work' | 'saturday' | 'sunday';
  /** The calendar year and its elapsed part, such as 2023.25. */
  readonly year: number;
  /** SAST hours since the calendar year began, accurate to a day. */
  readonly hourOfYear: number;
  /** 0 in mid-January to 1 in mid-July. */
  readonly winter: number;
}

const hoursPerYear = 8765.82;
const start2018 = Date.UTC(2018, 0, 1) / hourMs;

// Public holidays on fixed days, as "month-day". Demand is as low as on a Sunday.
const holidays = new Set(['1-1', '3-21', '4-27', '5-1', '6-16', '8-9', '9-24', '12-16', '12-25', '12-26']);

export function toLocalHour(hour: number): LocalHour {
  const local = hour + 2;
  const day = Math.floor(local / 24);
  const year = 2018 + (local - start2018) / hoursPerYear;
  const yearStart = start2018 + Math.round(((Math.floor(year) - 2018) * hoursPerYear) / 24) * 24;
  const midJanuary = 15 / 365;
  return {
    hour,
    hourOfDay: local - day * 24,
    day,
    dayKind: getDayKind(day),
    year,
    hourOfYear: local - yearStart,
    winter: (1 - Math.cos(2 * Math.PI * (year - midJanuary))) / 2,
  };
}

function getDayKind(day: number): LocalHour['dayKind'] {
  // 1970-01-01 was a Thursday.
  const weekday = (day + 4) % 7;
  if (weekday === 0) return 'sunday';
  const date = new Date(day * dayMs);
  if (holidays.has(`${date.getUTCMonth() + 1}-${date.getUTCDate()}`)) return 'sunday';
  return weekday === 6 ? 'saturday' : 'work';
}

/** Points of a curve, ascending by position. */
export type Curve = readonly (readonly [position: number, value: number])[];

/** Interpolates linearly between the points of the curve; constant before the first and after the last. */
export function interpolate(curve: Curve, position: number): number {
  let previous: readonly [number, number] | undefined;
  for (const point of curve) {
    if (position < point[0]) {
      if (!previous) return point[1];
      return previous[1] + ((point[1] - previous[1]) * (position - previous[0])) / (point[0] - previous[0]);
    }
    previous = point;
  }
  return previous?.[1] ?? 0;
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
