import { firstMondayDay, createMonths, createMultiples } from '../../core/bins/binEdges.ts';
import { RepeatedHours } from '../../core/time/repeatedHours.ts';
import { timeFormatter } from '../../core/time/timeFormatter.ts';
import type { ZoneOffsets } from '../../core/time/zoneOffsets.ts';
import { dayMs, hourMs, minuteMs } from '../../shared/durations.ts';
import type { TimeRange } from './chartModel.ts';
import type { Palette } from './palette.ts';
import { textShape, type Box, type Shape } from './scene.ts';

/** A tick of the time axis. `below` is the day or the year, at its first tick. */
export interface TimeTick {
  readonly instant: number;
  readonly label: string;
  readonly below: string;
}

interface TickStep {
  readonly unit: 'clock' | 'day' | 'month' | 'year';
  /** Milliseconds for the clock, else how many of the unit. */
  readonly size: number;
  /** The approximate minimum length in milliseconds. */
  readonly length: number;
}

const steps: readonly TickStep[] = [
  ...[1, 5, 15, 30].map(minutes => clockStep(minutes * minuteMs)),
  ...[1, 2, 3, 6, 12].map(hours => clockStep(hours * hourMs)),
  ...[1, 2, 7, 14].map(size => ({ unit: 'day', size, length: size * dayMs }) as const),
  ...[1, 3, 6].map(size => ({ unit: 'month', size, length: size * 30 * dayMs }) as const),
  ...[1, 2, 5, 10, 20, 50, 100, 1000].map(size => ({ unit: 'year', size, length: size * 365 * dayMs }) as const),
];

/**
 * Lists at most about `most` ticks at full hours, local midnights, months or years of the zone. An hour that the clock repeats has a suffix. With
 * one row, `label` includes the text that would be in `below`.
 */
export function timeTicks(
  window: TimeRange,
  zone: ZoneOffsets,
  most: number,
  locale: string,
  least = 0,
  rows: 1 | 2 = 2,
): TimeTick[] {
  const span = window.end - window.start;
  const fitting = steps.find(({ length }) => length >= least && span / length <= Math.max(1, most)) ?? steps.at(-1);
  if (!fitting || span <= 0) return [];
  const instants = instantsOf(fitting, window, zone);
  const { label, below, together } = writers(fitting, locale);
  const repeated = new RepeatedHours(zone.timeZone, locale);
  const suffixOf = (instant: number) => (fitting.unit === 'clock' ? repeated.suffix(instant) : undefined);
  let shown: string | undefined;
  return instants.map(instant => {
    const wall = zone.wallAt(instant);
    const group = below(wall, true);
    const isNew = group !== shown;
    const written = [label(wall), suffixOf(instant)].filter(Boolean).join(' ');
    const tick = { instant, label: written, below: isNew ? below(wall, shown === undefined) : '' };
    shown = group;
    return rows === 2 || !tick.below ? tick : { instant, label: together(tick.label, tick.below), below: '' };
  });
}

function instantsOf(step: TickStep, window: TimeRange, zone: ZoneOffsets): number[] {
  const last = zone.wallAt(window.end);
  const found: number[] = [];
  const wallAt = wallsFrom(step, zone.wallAt(window.start));
  for (let at = 0, wall = wallAt(0); wall <= last + dayMs; wall = wallAt(++at)) {
    // Ticks every two days restart each month.
    if (step.unit === 'day' && step.size === 2 && new Date(wall).getUTCDate() % 2 === 0) continue;
    const instants = zone.instantsOf(wall);
    const first = step.unit === 'clock' && wall % dayMs !== 0 ? instants[0] : zone.firstInstantFrom(wall);
    // A repeated hour is marked twice only where every hour is marked.
    const marked = step.unit === 'clock' && step.size <= hourMs ? instants : [];
    found.push(...new Set(first === undefined ? marked : [first, ...marked]));
  }
  return found.filter(instant => instant >= window.start && instant <= window.end).sort((a, b) => a - b);
}

/** Returns the wall time of each tick, from the one at or before a time on. Ticks every two days have each day, to be filtered. */
function wallsFrom({ unit, size }: TickStep, from: number): (at: number) => number {
  const date = new Date(from);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (unit) {
    case 'clock':
      // Start an hour earlier, since a repeated hour may precede the wall time of the start.
      return createMultiples(from - hourMs, size, 0);
    case 'day':
      return size === 2
        ? createMultiples(from - dayMs, dayMs, 0)
        : createMultiples(from, size * dayMs, size % 7 === 0 ? firstMondayDay * dayMs : 0);
    case 'month':
      return createMonths(year, month - (month % size), size);
    case 'year':
      return createMonths(Math.floor(year / size) * size, 0, 12 * size);
  }
}

interface Writers {
  readonly label: (wall: number) => string;
  /** `first`: whether to include the year, since no earlier tick has it. */
  readonly below: (wall: number, first: boolean) => string;
  /** Combines both texts for a single row. */
  readonly together: (label: string, below: string) => string;
}

/** Creates the formats of labels. Wall times are formatted as if they were UTC. */
function writers(step: TickStep, locale: string): Writers {
  const weekday = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday: 'short' });
  const dated = (year: boolean): ((wall: number) => string) => {
    const write = timeFormatter(locale, 'UTC', { year });
    return wall => `${weekday.format(wall)} ${write(wall)}`;
  };
  const [date, fullDate] = [dated(false), dated(true)];
  const month = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', calendar: 'gregory', month: 'short' });
  const inOrder = (label: string, below: string): string => `${label} ${below}`;
  const year = (wall: number): string => String(new Date(wall).getUTCFullYear());
  switch (step.unit) {
    case 'clock':
      return {
        label: wall => new Date(wall).toISOString().slice(11, 16),
        below: (wall, first) => (first ? fullDate(wall) : date(wall)),
        // The date replaces the time at midnight.
        together: (label, below) => (label === '00:00' ? below : `${below} ${label}`),
      };
    case 'day':
      return { label: date, below: year, together: inOrder };
    case 'month':
      return { label: wall => month.format(wall), below: year, together: inOrder };
    case 'year':
      return { label: year, below: () => '', together: inOrder };
  }
}

function clockStep(length: number): TickStep {
  return { unit: 'clock', size: length, length };
}

/** The space for labels, CSS pixels. */
interface LabelRoom {
  readonly box: Box;
  /** The width of the whole drawing, which no label exceeds. */
  readonly width: number;
  readonly toX: (instant: number) => number;
  readonly measure: (text: string, size: number) => number;
}

/** CSS pixels. */
export const axisTextSize = 11;
/** The distance of the middle of each row from the plot, CSS pixels. */
const rows = { label: 12, below: 27, title: 47 } as const;
const edge = 2;
const gap = 6;

/**
 * Draws the labels of the ticks. Labels at the edges move inside, and one that would overlap the label before it is omitted. The first title that
 * fits is drawn below.
 */
export function timeLabels(
  ticks: readonly TimeTick[],
  titles: readonly string[],
  room: LabelRoom,
  { muted }: Palette,
): Shape[] {
  const { box, width, toX } = room;
  const measure = (text: string): number => room.measure(text, axisTextSize);
  const bottom = box.y + box.height;
  const title = titles.find(text => measure(text) <= width - 2 * edge) ?? '';
  return [
    ...row(
      ticks.map(({ instant, label }) => ({ text: label, x: toX(instant) })),
      rows.label,
    ),
    ...row(
      ticks.map(({ instant, below }) => ({ text: below, x: toX(instant) })),
      rows.below,
    ),
    ...row([{ text: title, x: box.x + box.width / 2 }], rows.title),
  ];

  function row(texts: readonly { readonly text: string; readonly x: number }[], under: number): Shape[] {
    let free = 0;
    return texts.flatMap(({ text, x }): Shape[] => {
      const half = measure(text) / 2;
      const at = Math.max(edge + half, Math.min(width - edge - half, x));
      if (text === '' || at - half < free || at + half > width) return [];
      free = at + half + gap;
      const look = { colour: muted, size: axisTextSize, anchor: 'middle' } as const;
      return [textShape(text, at, bottom + under, look)];
    });
  }
}
