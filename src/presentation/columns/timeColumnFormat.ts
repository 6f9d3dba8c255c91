import { createRowEndLookup } from '../../core/bins/binEdges.ts';
import { createBinFormatter } from '../../core/bins/binFormatter.ts';
import { RepeatedHours } from '../../core/time/repeatedHours.ts';
import { createTimeFormatter } from '../../core/time/timeFormatter.ts';
import { formatShortZone } from '../../core/time/zone.ts';
import { dayMs, hourMs } from '../../shared/durations.ts';
import { isDateBin, selectTimeParts, getTimeShape, type TimeShape } from '../../shared/formatTime.ts';
import type { TimeColumn } from '../../shared/frame.ts';
import type { DisplayZone } from '../../shared/protocol.ts';

/** Formats the instants of one column. */
export interface TimeColumnFormat {
  /** The kind of interval that a row covers. Days are formatted as dates of their own zone, regardless of the display zone. */
  readonly interval: 'day' | 'hour' | 'other';
  /** The short name of the zone of the days or bins: "UTC", "SAST". Undefined if the rows are neither. */
  readonly dayZone: string | undefined;
  /** The length of a row in milliseconds; undefined if unknown. */
  readonly intervalMs: number | undefined;
  /** Returns the end of the interval that starts at an instant; undefined if unknown. */
  readonly getEnd: (instant: number) => number | undefined;
  readonly format: (instant: number) => string;
  /** Formats the end of an interval, with its time even for days, since the end is exclusive. */
  readonly formatEnd: (instant: number) => string;
  /** Formats with year and time, in the display zone. */
  readonly formatFull: (instant: number) => string;
  readonly samples: readonly string[];
  readonly endSamples: readonly string[];
}

/**
 * Chooses the format of a column in a zone. `requestedMs` is the requested interval in milliseconds. `extent` is the earliest and the latest
 * instant of all time columns: if these are in different years, each text has its year.
 */
export function createTimeColumnFormat(
  column: TimeColumn,
  rowCount: number,
  locale: string,
  zone: DisplayZone,
  requestedMs: number | undefined,
  extent?: TimeShape['range'],
): TimeColumnFormat {
  const shape = getTimeShape(column, rowCount);
  // Rows that are closer together than the requested interval cannot be longer than their distance.
  const intervalMs = Math.min(requestedMs ?? Infinity, shape.step ?? Infinity);
  const [earliest, latest] = shape.range ?? [NaN, NaN];
  const areMidnights = shape.daily || (earliest === latest && earliest % dayMs === 0);
  const { bins } = column;
  const areUtcDays = !bins && areMidnights && intervalMs % dayMs === 0;
  const isDaily = isDateBin(bins) || areUtcDays;
  const timeZone = bins?.timeZone ?? (areUtcDays ? 'UTC' : zone.timeZone);
  const columnParts = selectTimeParts(shape, timeZone);
  const parts = extent
    ? { ...columnParts, year: selectTimeParts({ ...shape, range: extent }, timeZone).year }
    : columnParts;
  const format = bins
    ? createBinFormatter(locale, bins, parts)
    : createTimeFormatter(locale, timeZone, isDaily ? { ...parts, time: false } : parts);
  const formatEnd = lazy(() => createTimeFormatter(locale, timeZone, { ...parts, time: true }));
  const suffix = new RepeatedHours(timeZone, locale).longest(earliest, latest);
  const addSuffix = (texts: readonly string[]) => (suffix ? texts.map(text => `${text} ${suffix}`) : texts);
  const length = intervalMs === Infinity ? 0 : intervalMs;
  return {
    interval: isDaily ? 'day' : shape.unit === 'hour' && intervalMs === hourMs && !column.lengths ? 'hour' : 'other',
    dayZone: bins ? formatShortZone(bins) : areUtcDays ? 'UTC' : undefined,
    getEnd: lazy(
      () =>
        createRowEndLookup({ start: earliest, end: latest + 1 }, column) ??
        (instant => (intervalMs === Infinity ? undefined : instant + intervalMs)),
    ),
    intervalMs: intervalMs === Infinity ? undefined : intervalMs,
    format,
    formatEnd,
    formatFull: lazy(() => createTimeFormatter(locale, zone.timeZone, { ...parts, year: true, time: true })),
    samples: addSuffix(shape.range?.map(format) ?? []),
    // Most tables have no column for the end.
    get endSamples() {
      return addSuffix(shape.range?.map(instant => formatEnd(instant + length)) ?? []);
    },
  };
}

/** Creates a formatter on first use: each takes about a millisecond, and most are for tooltips only. */
export function lazy<T>(create: () => (instant: number) => T): (instant: number) => T {
  let format: ((instant: number) => T) | undefined;
  return instant => (format ??= create())(instant);
}
