import { t } from '@vscode/l10n';
import type { ZoneOffsets } from '../../core/time/zoneOffsets.ts';
import { holidayOn } from '../../core/calendar/holidays.ts';
import { dayMs, hourMs, weekMs } from '../../shared/durations.ts';
import type { TimeRange } from './chartModel.ts';
import { bandShapes, scaleX, type PlotFrame } from './marks.ts';
import type { Palette } from './palette.ts';
import { hasDays, type Plot } from './plot.ts';
import { boxesTrace, stroked, type Shape, type Sink, filled } from './scene.ts';
import type { PlotWords } from './words.ts';

const shadeOpacity = 0.12;
const freeDayOpacity = 0.06;
/** CSS pixels. */
const freeDayBar = 4;
/** In a longer window, weekends would be too narrow to see. */
const mostDays = 124;

/** Draws the background: the bands of the left axis, and the shades of weekends, holidays and the table's selection. */
export function groundShapes(plot: Plot, place: PlotFrame, palette: Palette, zone: ZoneOffsets): Shape[] {
  const bands = bandShapes(plot, place, palette);
  const { box } = place;
  const toX = scaleX(place);
  const freeDays = freeDaysIn(plot, place.window, zone).map(({ start, end }) => ({ start: toX(start), end: toX(end) }));
  // High contrast has no shades: free days are bars on the axis, and the selection has only its edges.
  const bar = { ...box, y: box.y + box.height - freeDayBar, height: freeDayBar };
  const shades = palette.highContrast
    ? [{ within: bar, spans: freeDays, opacity: 1 }]
    : [
        { within: box, spans: freeDays, opacity: freeDayOpacity },
        { within: box, spans: spansIn(plot, place), opacity: shadeOpacity },
      ];
  const shapes = shades.flatMap(({ within, spans, opacity }): Shape[] => {
    const boxes = spans.map(({ start, end }) => ({ ...within, x: start, width: end - start }));
    return spans.length > 0 ? [filled(boxesTrace(boxes), palette.foreground, opacity)] : [];
  });
  return [...bands, { kind: 'clip', box, shapes }];
}

/**
 * Lists the Saturdays, Sundays and South African public holidays of a zone, from midnight to midnight; none if days are too narrow or too wide
 * to be marked.
 */
export function freeDaysIn(plot: Plot, { start, end }: TimeRange, zone: ZoneOffsets): TimeRange[] {
  const { axis, cells } = plot;
  if (cells || !hasDays(plot) || end - start > mostDays * dayMs || end - start < dayMs) return [];
  if (axis) {
    const weekend = { start: Math.max(start, 5 * dayMs), end: Math.min(end, weekMs) };
    return axis.isWeek && weekend.end > weekend.start ? [weekend] : [];
  }
  const spans: TimeRange[] = [];
  let day = Math.floor(zone.wallAt(start) / dayMs);
  for (let from = start; from < end; day++) {
    const to = Math.min(end, zone.firstInstantFrom((day + 1) * dayMs));
    const last = spans.at(-1);
    if (!isFree(day)) {
      from = Math.max(from, to);
      continue;
    }
    if (last?.end === from) spans[spans.length - 1] = { ...last, end: to };
    else spans.push({ start: from, end: to });
    from = to;
  }
  return spans;
}

/** Whether a day is a weekend or holiday. Day 0, 1 January 1970, is a Thursday. */
function isFree(day: number): boolean {
  return (day + 4) % 7 === 0 || (day + 4) % 7 === 6 || holidayOn(day) !== undefined;
}

/** Draws a bracket around each selected range, since areas cover the shade and high contrast has none. */
export function selectionEdges(plot: Plot, place: PlotFrame, palette: Palette): Shape[] {
  const spans = spansIn(plot, place);
  if (spans.length === 0) return [];
  const { box } = place;
  const trace = (sink: Sink): void => {
    for (const { start, end } of spans) {
      sink.moveTo(start, box.y + box.height);
      sink.lineTo(start, box.y + 1);
      sink.lineTo(end, box.y + 1);
      sink.lineTo(end, box.y + box.height);
    }
  };
  return [{ kind: 'clip', box, shapes: [stroked(trace, palette.foreground, 2, [4, 3])] }];
}

/**
 * Describes the selection: "Selected in the table: 03 May 02:00 SAST to 03 May 06:00 SAST, 4 hours." The range includes the last interval if
 * its length is known. Empty if nothing is selected.
 */
export function selectionSentence({ selected, timeline, daily, axis }: Plot, words: PlotWords): string[] {
  const [first, last] = [selected[0], selected.at(-1)];
  if (!first || !last) return [];
  const rows = selected.reduce((sum, interval) => sum + interval.rows, 0);
  const count = words.count(rows);
  const size =
    axis === undefined && timeline.step === hourMs && !timeline.endOf
      ? t('{0} hours', count)
      : timeline.step === dayMs && !timeline.endOf
        ? t('{0} days', count)
        : t('{0} rows', count);
  const { endOf = (instant: number) => instant + (timeline.step ?? 0) } = timeline;
  const range = words.range({ start: first.start, end: daily && !axis ? last.end : endOf(last.end) });
  if (selected.length === 1) return [t('Selected in the table: {0}, {1}.', range, size)];
  return [t('Selected in the table: {0}, {1} in {2} ranges.', range, size, words.count(selected.length))];
}

/** Lists the visible selected ranges in pixels. */
function spansIn({ selected, stepped, timeline }: Plot, place: PlotFrame): TimeRange[] {
  const { window } = place;
  const toX = scaleX(place);
  const held = stepped ? (timeline.step ?? 0) : 0;
  return selected
    .filter(({ start, end }) => start <= window.end && end + held >= window.start)
    .map(({ start, end }) => ({ start: toX(start), end: toX(end + held) }));
}
