/**
 * Models rows of every length and the bins that they are resampled to, slowly and one instant at a time, by the local times that Intl
 * returns. Independent of the product, from which nothing is imported.
 */
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
/** No current time zone changes its clocks or its days at another instant. */
const quarterMs = 15 * minuteMs;

/** Returns the local time in minutes since 1970, as if it were UTC. */
type Wall = (ms: number) => number;

const walls = new Map<string, Wall>();

function wallOf(timeZone: string): Wall {
  const known = walls.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  });
  const shown = new Map<number, number>();
  const wall: Wall = ms => {
    const quarter = Math.floor(ms / quarterMs);
    const made = shown.get(quarter) ?? wallAt(format, quarter * quarterMs);
    shown.set(quarter, made);
    return made + Math.floor((ms - quarter * quarterMs) / minuteMs);
  };
  walls.set(timeZone, wall);
  return wall;
}

function wallAt(format: Intl.DateTimeFormat, ms: number): number {
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? NaN;
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute')) / minuteMs;
}

export const fixedLengths = {
  '15 min': quarterMs,
  '30 min': 2 * quarterMs,
  '1 h': hourMs,
  '3 h': 3 * hourMs,
  '4 h': 4 * hourMs,
  '6 h': 6 * hourMs,
  '24 h': dayMs,
  '7 d': 7 * dayMs,
} as const;
export type Fixed = keyof typeof fixedLengths;
export type Calendar = '3h' | 'day' | 'week' | 'month' | 'quarter' | 'year';
export type Cycle = 'hourOfDay' | 'weekday' | 'monthOfYear' | 'season';

/** Names the bin of an instant. */
export function plainBin(ms: number, by: Calendar | Cycle, timeZone: string): string {
  const minutes = wallOf(timeZone)(ms);
  const date = new Date(minutes * minuteMs);
  const [day, month, year] = [Math.floor(minutes / 1440), date.getUTCMonth(), date.getUTCFullYear()];
  switch (by) {
    case '3h':
      return `3h ${Math.floor(minutes / 180)}`;
    case 'day':
      return `day ${day}`;
    case 'week':
      // 29 December 1969 was a Monday.
      return `week ${Math.floor((day + 3) / 7)}`;
    case 'month':
      return `${year}-${month}`;
    case 'quarter':
      return `${year} Q${Math.floor(month / 3)}`;
    case 'year':
      return `${year}`;
    case 'hourOfDay':
      return `${date.getUTCHours()}`;
    case 'weekday':
      return `${(date.getUTCDay() + 6) % 7}`;
    case 'monthOfYear':
      return `${month}`;
    case 'season':
      return `${[0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 0][month] ?? NaN}`;
  }
}

/** Returns the starts of a time zone's bins, from the first one at or after `from` to the first one at or after `to`. */
export function plainStarts(by: Calendar, timeZone: string, from: number, to: number): number[] {
  const starts: number[] = [];
  const stride = by === '3h' ? quarterMs : 24 * quarterMs;
  for (let ms = from - stride; ; ms += stride) {
    if (plainBin(ms, by, timeZone) === plainBin(ms + stride, by, timeZone)) continue;
    const next = plainBin(ms + stride, by, timeZone);
    let start = ms + quarterMs;
    while (plainBin(start, by, timeZone) !== next) start += quarterMs;
    starts.push(start);
    if (start >= to) return starts;
  }
}

/** A row: [at, end), with a value in thousandths; null for a null. */
export interface PlainRow {
  readonly at: number;
  readonly end: number;
  readonly value: number | null;
}

/** An interval at the time of a possible row. */
export type PlainStep = Pick<PlainRow, 'at' | 'end'>;

export interface PlainFigures {
  readonly hours: number;
  readonly ofHours: number;
  readonly mean: number | null;
  readonly energy: number | null;
  readonly least: number | null;
  readonly greatest: number | null;
}

/** The column of each figure, for rows of `wind_mw`. */
export const figureColumns = {
  hours: 'hours',
  of_hours: 'ofHours',
  wind_mw: 'mean',
  wind_mwh: 'energy',
  wind_min_mw: 'least',
  wind_max_mw: 'greatest',
} as const satisfies Record<string, keyof PlainFigures>;

/** Returns the figures of each bin that contains an interval, by name. Each row belongs to the bin in which it begins. */
export function plainFigures(
  rows: readonly PlainRow[],
  steps: readonly PlainStep[],
  by: Calendar | Cycle,
  timeZone: string,
): Map<string, PlainFigures> {
  const bins = new Map<string, { rows: PlainRow[]; steps: PlainStep[] }>();
  const binOf = (ms: number) => {
    const name = plainBin(ms, by, timeZone);
    const bin = bins.get(name) ?? { rows: [], steps: [] };
    bins.set(name, bin);
    return bin;
  };
  for (const step of steps) binOf(step.at).steps.push(step);
  for (const row of rows) binOf(row.at).rows.push(row);
  return new Map([...bins].map(([name, { rows: own, steps: all }]) => [name, figuresOf(own, all)]));
}

const lengthOf = ({ at, end }: PlainStep): number => (end - at) / hourMs;
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

function figuresOf(rows: readonly PlainRow[], steps: readonly PlainStep[]): PlainFigures {
  const known = rows.flatMap(row => (row.value === null ? [] : [{ ...row, value: row.value }]));
  const values = known.map(({ value }) => value);
  // Thousandths of quarter hours are integers, so that sums are exact.
  const quarters = known.map(row => (row.value * (row.end - row.at)) / quarterMs);
  const hours = sumOf(known.map(lengthOf));
  const isNone = known.length === 0;
  return {
    hours: sumOf(rows.map(lengthOf)),
    ofHours: sumOf(steps.map(lengthOf)),
    mean: isNone ? null : sumOf(quarters) / 4000 / hours,
    energy: isNone ? null : sumOf(quarters) / 4000,
    least: isNone ? null : Math.min(...values) / 1000,
    greatest: isNone ? null : Math.max(...values) / 1000,
  };
}
