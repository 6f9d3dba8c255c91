import { firstMondayDay, createMonthBinLookup, createFixedBinLookup } from '../../core/bins/binEdges.ts';
import { RepeatedHours } from '../../core/time/repeatedHours.ts';
import { createTimeFormatter } from '../../core/time/timeFormatter.ts';
import type { ZoneOffsets } from '../../core/time/zoneOffsets.ts';
import { dayMs, hourMs, minuteMs } from '../../shared/durations.ts';
import type { TimeWindow } from './chartModel.ts';
import type { Palette } from './palette.ts';
import { createText, type Box, type Shape } from './scene.ts';

/** A tick of the time axis. `below` is the day or the year, at its first tick. */
export interface TimeTick {
  readonly instant: number;
  readonly label: string;
  readonly below: string;
}

interface TickDistance {
  readonly unit: 'clock' | 'day' | 'month' | 'year';
  /** Milliseconds for the clock, else how many of the unit. */
  readonly size: number;
  /** The approximate minimum length in milliseconds. */
  readonly length: number;
}

const tickDistances: readonly TickDistance[] = [
  ...[1, 5, 15, 30].map(minutes => createClockDistance(minutes * minuteMs)),
  ...[1, 2, 3, 6, 12].map(hours => createClockDistance(hours * hourMs)),
  ...[1, 2, 7, 14].map(size => ({ unit: 'day', size, length: size * dayMs }) as const),
  ...[1, 3, 6].map(size => ({ unit: 'month', size, length: size * 30 * dayMs }) as const),
  ...[1, 2, 5, 10, 20, 50, 100, 1000].map(size => ({ unit: 'year', size, length: size * 365 * dayMs }) as const),
];

/**
 * Creates at most about `maxTicks` ticks at full hours, local midnights, months or years of the zone. An hour that the clock repeats has a suffix. With
 * one row, `label` includes the text that would be in `below`.
 */
export function createTimeTicks(
  window: TimeWindow,
  zone: ZoneOffsets,
  maxTicks: number,
  locale: string,
  minDistance = 0,
  rowCount: 1 | 2 = 2,
): TimeTick[] {
  const windowLength = window.end - window.start;
  const tickDistance =
    tickDistances.find(({ length }) => length >= minDistance && windowLength / length <= Math.max(1, maxTicks)) ??
    tickDistances.at(-1);
  if (!tickDistance || windowLength <= 0) return [];
  const instants = listTickInstants(tickDistance, window, zone);
  const { label, below, join } = createTickFormats(tickDistance, locale);
  const repeated = new RepeatedHours(zone.timeZone, locale);
  const formatSuffix = (instant: number) => (tickDistance.unit === 'clock' ? repeated.suffix(instant) : undefined);
  let previousGroup: string | undefined;
  return instants.map(instant => {
    const localTime = zone.getLocalTime(instant);
    const group = below(localTime, true);
    const isNew = group !== previousGroup;
    const labelText = [label(localTime), formatSuffix(instant)].filter(Boolean).join(' ');
    const tick = { instant, label: labelText, below: isNew ? below(localTime, previousGroup === undefined) : '' };
    previousGroup = group;
    return rowCount === 2 || !tick.below ? tick : { instant, label: join(tick.label, tick.below), below: '' };
  });
}

function listTickInstants(tickDistance: TickDistance, window: TimeWindow, zone: ZoneOffsets): number[] {
  const last = zone.getLocalTime(window.end);
  const tickInstants: number[] = [];
  const getLocalTime = createLocalTimes(tickDistance, zone.getLocalTime(window.start));
  for (let index = 0, localTime = getLocalTime(0); localTime <= last + dayMs; localTime = getLocalTime(++index)) {
    // Ticks every two days restart each month.
    if (tickDistance.unit === 'day' && tickDistance.size === 2 && new Date(localTime).getUTCDate() % 2 === 0) continue;
    const instants = zone.findInstants(localTime);
    const first =
      tickDistance.unit === 'clock' && localTime % dayMs !== 0 ? instants[0] : zone.firstInstantFrom(localTime);
    // An hour that the clock repeats has two ticks only if every hour has a tick.
    const repeatedInstants = tickDistance.unit === 'clock' && tickDistance.size <= hourMs ? instants : [];
    tickInstants.push(...new Set(first === undefined ? repeatedInstants : [first, ...repeatedInstants]));
  }
  return tickInstants.filter(instant => instant >= window.start && instant <= window.end).sort((a, b) => a - b);
}

/** Returns a function that computes the local time of each tick, starting at or before `from`. Ticks every two days include each day, which the caller filters. */
function createLocalTimes({ unit, size }: TickDistance, from: number): (index: number) => number {
  const date = new Date(from);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  switch (unit) {
    case 'clock':
      // Start an hour earlier, because a repeated hour may precede the local time of the start.
      return createFixedBinLookup(from - hourMs, size, 0);
    case 'day':
      return size === 2
        ? createFixedBinLookup(from - dayMs, dayMs, 0)
        : createFixedBinLookup(from, size * dayMs, size % 7 === 0 ? firstMondayDay * dayMs : 0);
    case 'month':
      return createMonthBinLookup(year, month - (month % size), size);
    case 'year':
      return createMonthBinLookup(Math.floor(year / size) * size, 0, 12 * size);
  }
}

interface TickFormats {
  readonly label: (localTime: number) => string;
  /** `first` is set for the first tick, which includes the year. */
  readonly below: (localTime: number, first: boolean) => string;
  /** Combines both texts for a single row. */
  readonly join: (label: string, below: string) => string;
}

/** Creates the formats of the labels. Local times are formatted as if they were UTC. */
function createTickFormats(tickDistance: TickDistance, locale: string): TickFormats {
  const weekday = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday: 'short' });
  const createDateFormat = (year: boolean): ((localTime: number) => string) => {
    const formatDate = createTimeFormatter(locale, 'UTC', { year });
    return localTime => `${weekday.format(localTime)} ${formatDate(localTime)}`;
  };
  const date = createDateFormat(false);
  const fullDate = createDateFormat(true);
  const month = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', calendar: 'gregory', month: 'short' });
  const joinInOrder = (label: string, below: string): string => `${label} ${below}`;
  const year = (localTime: number): string => String(new Date(localTime).getUTCFullYear());
  switch (tickDistance.unit) {
    case 'clock':
      return {
        label: localTime => new Date(localTime).toISOString().slice(11, 16),
        below: (localTime, first) => (first ? fullDate(localTime) : date(localTime)),
        // The date replaces the time at midnight.
        join: (label, below) => (label === '00:00' ? below : `${below} ${label}`),
      };
    case 'day':
      return { label: date, below: year, join: joinInOrder };
    case 'month':
      return { label: localTime => month.format(localTime), below: year, join: joinInOrder };
    case 'year':
      return { label: year, below: () => '', join: joinInOrder };
  }
}

function createClockDistance(length: number): TickDistance {
  return { unit: 'clock', size: length, length };
}

/** The space for labels, CSS pixels. */
interface LabelSpace {
  readonly box: Box;
  /** The width of the whole drawing, which no label exceeds. */
  readonly width: number;
  readonly toX: (instant: number) => number;
  readonly measureWidth: (text: string, size: number) => number;
}

/** CSS pixels. */
export const axisTextSize = 11;
/** The distance of the middle of each row from the plot, CSS pixels. */
const rowOffsets = { label: 12, below: 27, title: 47 } as const;
const edgeMargin = 2;
const labelGap = 6;

/**
 * Draws the labels of the ticks. Labels at the edges move inside, and one that would overlap the label before it is omitted. The first title that
 * fits is drawn below.
 */
export function createTimeLabels(
  ticks: readonly TimeTick[],
  titles: readonly string[],
  space: LabelSpace,
  { muted }: Palette,
): Shape[] {
  const { box, width, toX } = space;
  const measure = (text: string): number => space.measureWidth(text, axisTextSize);
  const bottom = box.y + box.height;
  const title = titles.find(text => measure(text) <= width - 2 * edgeMargin) ?? '';
  return [
    ...createLabelRow(
      ticks.map(({ instant, label }) => ({ text: label, x: toX(instant) })),
      rowOffsets.label,
    ),
    ...createLabelRow(
      ticks.map(({ instant, below }) => ({ text: below, x: toX(instant) })),
      rowOffsets.below,
    ),
    ...createLabelRow([{ text: title, x: box.x + box.width / 2 }], rowOffsets.title),
  ];

  function createLabelRow(texts: readonly { readonly text: string; readonly x: number }[], offset: number): Shape[] {
    let nextFreeX = 0;
    return texts.flatMap(({ text, x }): Shape[] => {
      const half = measure(text) / 2;
      const center = Math.max(edgeMargin + half, Math.min(width - edgeMargin - half, x));
      if (text === '' || center - half < nextFreeX || center + half > width) return [];
      nextFreeX = center + half + labelGap;
      const style = { color: muted, size: axisTextSize, anchor: 'middle' } as const;
      return [createText(text, center, bottom + offset, style)];
    });
  }
}
