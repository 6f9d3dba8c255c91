import { createRowEndLookup } from '../../core/bins/binEdges.ts';
import { createBinFormatter } from '../../core/bins/binFormatter.ts';
import { RepeatedHours } from '../../core/time/repeatedHours.ts';
import { timeFormatter } from '../../core/time/timeFormatter.ts';
import { shortZone } from '../../core/time/zone.ts';
import { dayMs, hourMs } from '../../shared/durations.ts';
import { isDateBin, selectTimeParts, getTimeShape, type TimeShape } from '../../shared/formatTime.ts';
import type { TimeColumn } from '../../shared/frame.ts';
import type { DisplayZone } from '../../shared/protocol.ts';

/** Formats the instants of one column. */
export interface TimeTexts {
  /** What a row stands for. Days are formatted as dates of their own zone, whichever zone is displayed. */
  readonly interval: 'day' | 'hour' | 'other';
  /** The short name of the zone of the days or bins: "UTC", "SAST". Undefined if the rows are neither. */
  readonly daysOf: string | undefined;
  /** The length of a row in milliseconds; undefined if unknown. */
  readonly step: number | undefined;
  /** Returns the end of the interval that starts at an instant; undefined if unknown. */
  readonly endOf: (instant: number) => number | undefined;
  readonly format: (instant: number) => string;
  /** Formats the end of an interval, with its time even for days, since the end is exclusive. */
  readonly formatEnd: (instant: number) => string;
  /** Formats with year and time, in the display zone. */
  readonly formatWhole: (instant: number) => string;
  readonly samples: readonly string[];
  readonly endSamples: readonly string[];
}

/**
 * Chooses the format of a column in a zone. `requested` is the requested interval in milliseconds. `extent` is the earliest and the latest
 * instant of all time columns: if these are in different years, each text has its year.
 */
export function timeTexts(
  column: TimeColumn,
  rowCount: number,
  locale: string,
  zone: DisplayZone,
  requested: number | undefined,
  extent?: TimeShape['range'],
): TimeTexts {
  const shape = getTimeShape(column, rowCount);
  // Rows closer together than the interval requested last no longer than their distance.
  const step = Math.min(requested ?? Infinity, shape.step ?? Infinity);
  const [earliest, latest] = shape.range ?? [NaN, NaN];
  const midnights = shape.daily || (earliest === latest && earliest % dayMs === 0);
  const { bins } = column;
  const utcDays = !bins && midnights && step % dayMs === 0;
  const isDaily = isDateBin(bins) || utcDays;
  const timeZone = bins?.timeZone ?? (utcDays ? 'UTC' : zone.timeZone);
  const own = selectTimeParts(shape, timeZone);
  const parts = extent ? { ...own, year: selectTimeParts({ ...shape, range: extent }, timeZone).year } : own;
  const format = bins
    ? createBinFormatter(locale, bins, parts)
    : timeFormatter(locale, timeZone, isDaily ? { ...parts, time: false } : parts);
  const formatEnd = lazy(() => timeFormatter(locale, timeZone, { ...parts, time: true }));
  const suffix = new RepeatedHours(timeZone, locale).longest(earliest, latest);
  const wide = (texts: readonly string[]) => (suffix ? texts.map(text => `${text} ${suffix}`) : texts);
  const length = step === Infinity ? 0 : step;
  return {
    interval: isDaily ? 'day' : shape.unit === 'hour' && step === hourMs && !column.lengths ? 'hour' : 'other',
    daysOf: bins ? shortZone(bins) : utcDays ? 'UTC' : undefined,
    endOf: lazy(
      () =>
        createRowEndLookup({ start: earliest, end: latest + 1 }, column) ??
        (instant => (step === Infinity ? undefined : instant + step)),
    ),
    step: step === Infinity ? undefined : step,
    format,
    formatEnd,
    formatWhole: lazy(() => timeFormatter(locale, zone.timeZone, { ...parts, year: true, time: true })),
    samples: wide(shape.range?.map(format) ?? []),
    // Most tables have no column for the end.
    get endSamples() {
      return wide(shape.range?.map(instant => formatEnd(instant + length)) ?? []);
    },
  };
}

/** Creates a formatter on first use: each takes about a millisecond, and most are for tooltips only. */
export function lazy<T>(make: () => (instant: number) => T): (instant: number) => T {
  let made: ((instant: number) => T) | undefined;
  return instant => (made ??= make())(instant);
}
