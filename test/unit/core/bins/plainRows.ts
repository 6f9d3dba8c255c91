/**
 * Models rows of every length and the bins that they are resampled to, slowly and one instant at a time, by the local times that Intl
 * returns. It imports nothing from the product, so that it is independent.
 */
const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
/** All current time zones change their clocks and begin their days at a multiple of a quarter of an hour. */
const quarterMs = 15 * minuteMs;

/** Returns the local time of an instant, in minutes since 1970 as if it were UTC. */
type LocalTimeReader = (ms: number) => number;

const localTimeReaders = new Map<string, LocalTimeReader>();

function getLocalTimeReader(timeZone: string): LocalTimeReader {
  const cached = localTimeReaders.get(timeZone);
  if (cached) return cached;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  });
  const minutesByQuarter = new Map<number, number>();
  const readLocalTime: LocalTimeReader = ms => {
    const quarter = Math.floor(ms / quarterMs);
    const minutes = minutesByQuarter.get(quarter) ?? formatLocalTime(format, quarter * quarterMs);
    minutesByQuarter.set(quarter, minutes);
    return minutes + Math.floor((ms - quarter * quarterMs) / minuteMs);
  };
  localTimeReaders.set(timeZone, readLocalTime);
  return readLocalTime;
}

function formatLocalTime(format: Intl.DateTimeFormat, ms: number): number {
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const getPart = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? NaN;
  return Date.UTC(getPart('year'), getPart('month') - 1, getPart('day'), getPart('hour'), getPart('minute')) / minuteMs;
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

/** Returns the name of the bin that contains an instant. */
export function getBinName(ms: number, bins: Calendar | Cycle, timeZone: string): string {
  const minutes = getLocalTimeReader(timeZone)(ms);
  const date = new Date(minutes * minuteMs);
  const day = Math.floor(minutes / 1440);
  const month = date.getUTCMonth();
  const year = date.getUTCFullYear();
  switch (bins) {
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
export function findBinStarts(bins: Calendar, timeZone: string, from: number, to: number): number[] {
  const starts: number[] = [];
  const searchStep = bins === '3h' ? quarterMs : 24 * quarterMs;
  for (let ms = from - searchStep; ; ms += searchStep) {
    if (getBinName(ms, bins, timeZone) === getBinName(ms + searchStep, bins, timeZone)) continue;
    const nextBin = getBinName(ms + searchStep, bins, timeZone);
    let start = ms + quarterMs;
    while (getBinName(start, bins, timeZone) !== nextBin) start += quarterMs;
    starts.push(start);
    if (start >= to) return starts;
  }
}

/** A row for the range [at, end), with a value in thousandths, or null. */
export interface PlainRow {
  readonly start: number;
  readonly end: number;
  readonly value: number | null;
}

/** An interval in which there may be a row. */
export type PlainInterval = Pick<PlainRow, 'start' | 'end'>;

export interface PlainFigures {
  readonly hours: number;
  readonly intervalHours: number;
  readonly mean: number | null;
  readonly energy: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

/** The column of each figure, for rows of `wind_mw`. */
export const figureColumns = {
  hours: 'hours',
  of_hours: 'intervalHours',
  wind_mw: 'mean',
  wind_mwh: 'energy',
  wind_min_mw: 'min',
  wind_max_mw: 'max',
} as const satisfies Record<string, keyof PlainFigures>;

/** Returns the figures of each bin that contains an interval, by the bin's name. Each row belongs to the bin in which it begins. */
export function computeBinFigures(
  rows: readonly PlainRow[],
  intervals: readonly PlainInterval[],
  binKind: Calendar | Cycle,
  timeZone: string,
): Map<string, PlainFigures> {
  const contents = new Map<string, { rows: PlainRow[]; intervals: PlainInterval[] }>();
  const getBin = (ms: number) => {
    const name = getBinName(ms, binKind, timeZone);
    const bin = contents.get(name) ?? { rows: [], intervals: [] };
    contents.set(name, bin);
    return bin;
  };
  for (const interval of intervals) getBin(interval.start).intervals.push(interval);
  for (const row of rows) getBin(row.start).rows.push(row);
  return new Map(
    [...contents].map(([name, { rows: binRows, intervals: binIntervals }]) => [
      name,
      computeFigures(binRows, binIntervals),
    ]),
  );
}

const getHours = ({ start, end }: PlainInterval): number => (end - start) / hourMs;
const sumNumbers = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

function computeFigures(rows: readonly PlainRow[], intervals: readonly PlainInterval[]): PlainFigures {
  const rowsWithValue = rows.flatMap(row => (row.value === null ? [] : [{ ...row, value: row.value }]));
  const values = rowsWithValue.map(({ value }) => value);
  // Thousandths of quarter hours are integers, so that sums are exact.
  const quarters = rowsWithValue.map(row => (row.value * (row.end - row.start)) / quarterMs);
  const hours = sumNumbers(rowsWithValue.map(getHours));
  const isEmpty = rowsWithValue.length === 0;
  return {
    hours: sumNumbers(rows.map(getHours)),
    intervalHours: sumNumbers(intervals.map(getHours)),
    mean: isEmpty ? null : sumNumbers(quarters) / 4000 / hours,
    energy: isEmpty ? null : sumNumbers(quarters) / 4000,
    min: isEmpty ? null : Math.min(...values) / 1000,
    max: isEmpty ? null : Math.max(...values) / 1000,
  };
}
