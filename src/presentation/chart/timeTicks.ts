import { firstMonday, months, multiples } from '../../core/bins/binEdges.ts';
import { RepeatedHours } from '../../core/time/repeatedHours.ts';
import { timeFormatter } from '../../core/time/timeFormatter.ts';
import type { ZoneOffsets } from '../../core/time/zoneOffsets.ts';
import { dayMs, hourMs, minuteMs } from '../../shared/durations.ts';
import type { TimeRange } from './chartModel.ts';
import type { Palette } from './palette.ts';
import { textShape, type Box, type Shape } from './scene.ts';

/** A mark on the time axis. `below` is the day or the year, where it begins or is first seen. */
export interface TimeTick {
  readonly instant: number;
  readonly label: string;
  readonly below: string;
}

interface TickStep {
  readonly unit: 'clock' | 'day' | 'month' | 'year';
  /** Milliseconds for the clock, else how many of the unit. */
  readonly size: number;
  /** Milliseconds, at least about. */
  readonly length: number;
}

const steps: readonly TickStep[] = [
  ...[1, 5, 15, 30].map(minutes => clockStep(minutes * minuteMs)),
  ...[1, 2, 3, 6, 12].map(hours => clockStep(hours * hourMs)),
  ...[1, 2, 7, 14].map(size => ({ unit: 'day', size, length: size * dayMs }) as const),
  ...[1, 3, 6].map(size => ({ unit: 'month', size, length: size * 30 * dayMs }) as const),
  ...[1, 2, 5, 10, 20, 50, 100, 1000].map(size => ({ unit: 'year', size, length: size * 365 * dayMs }) as const),
];

/** At most about `most` marks at full hours (those that the clock shows twice say which of the two they are), local midnights, months or years of the zone; in one row all stands in `label`. */
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
    // Pairs of days start anew each month.
    if (step.unit === 'day' && step.size === 2 && new Date(wall).getUTCDate() % 2 === 0) continue;
    const instants = zone.instantsOf(wall);
    const first = step.unit === 'clock' && wall % dayMs !== 0 ? instants[0] : zone.firstInstantFrom(wall);
    // A repeated hour is marked twice only where every hour is marked.
    const marked = step.unit === 'clock' && step.size <= hourMs ? instants : [];
    found.push(...new Set(first === undefined ? marked : [first, ...marked]));
  }
  return found.filter(instant => instant >= window.start && instant <= window.end).sort((a, b) => a - b);
}

/** Tells what clocks show at each mark, from the one at or before a time on; of pairs of days, at each day. */
function wallsFrom({ unit, size }: TickStep, from: number): (at: number) => number {
  const date = new Date(from);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (unit) {
    case 'clock':
      // An hour back, since a repeated hour lies before what the clocks show at the start.
      return multiples(from - hourMs, size, 0);
    case 'day':
      return size === 2
        ? multiples(from - dayMs, dayMs, 0)
        : multiples(from, size * dayMs, size % 7 === 0 ? firstMonday * dayMs : 0);
    case 'month':
      return months(year, month - (month % size), size);
    case 'year':
      return months(Math.floor(year / size) * size, 0, 12 * size);
  }
}

interface Writers {
  readonly label: (wall: number) => string;
  /** `first`: with everything, as nothing before it says the year. */
  readonly below: (wall: number, first: boolean) => string;
  /** Both in one row. */
  readonly together: (label: string, below: string) => string;
}

/** Wall times are written as if they were UTC, which is what they are made of. */
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
        // Where a day begins, the day says it.
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

/** The plot and what it stands in, CSS pixels. */
interface LabelRoom {
  readonly box: Box;
  /** Of the whole drawing: no label leaves it. */
  readonly width: number;
  readonly toX: (instant: number) => number;
  readonly measure: (text: string, size: number) => number;
}

/** CSS pixels. */
export const axisTextSize = 11;
/** How far the middle of a row is under the plot, CSS pixels. */
const rows = { label: 12, below: 27, title: 47 } as const;
const edge = 2;
const gap = 6;

/**
 * The labels of the marks, each under its own where there is room: at the edges they move inside, and one that would stand on the
 * label before it is left out. Under them the first of the titles that fits.
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
