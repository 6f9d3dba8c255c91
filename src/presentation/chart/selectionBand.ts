import { t } from '@vscode/l10n';
import type { ZoneOffsets } from '../../core/time/zoneOffsets.ts';
import { findHoliday } from '../../core/calendar/holidays.ts';
import { dayMs, hourMs, weekMs } from '../../shared/durations.ts';
import type { TimeWindow } from './chartModel.ts';
import { createBandShapes, scaleX, type PlotFrame } from './marks.ts';
import type { Palette } from './palette.ts';
import { hasDailyOrShorterRows, type Plot } from './plot.ts';
import { boxesTrace, createStrokedPath, type Shape, type Sink, createFilledPath } from './scene.ts';
import type { PlotFormatter } from './plotFormatter.ts';

const shadeOpacity = 0.12;
const freeDayOpacity = 0.06;
/** The height of the bars of free days in high contrast, in CSS pixels. */
const freeDayBarHeight = 4;
/** The maximum length of a window with marked days; in a longer one, weekends would be too narrow to see. */
const maxMarkedDays = 124;

/** Draws the background: the bands of the left axis, and the shades of weekends, holidays and the table's selection. */
export function createBackgroundShapes(plot: Plot, frame: PlotFrame, palette: Palette, zone: ZoneOffsets): Shape[] {
  const bands = createBandShapes(plot, frame, palette);
  const { box } = frame;
  const toX = scaleX(frame);
  const freeDays = listFreeDays(plot, frame.window, zone).map(({ start, end }) => ({
    start: toX(start),
    end: toX(end),
  }));
  // High contrast has no shades: free days are bars on the axis, and the selection has only its edges.
  const bar = { ...box, y: box.y + box.height - freeDayBarHeight, height: freeDayBarHeight };
  const shades = palette.highContrast
    ? [{ area: bar, ranges: freeDays, opacity: 1 }]
    : [
        { area: box, ranges: freeDays, opacity: freeDayOpacity },
        { area: box, ranges: listSelectedRanges(plot, frame), opacity: shadeOpacity },
      ];
  const shapes = shades.flatMap(({ area, ranges, opacity }): Shape[] => {
    const boxes = ranges.map(({ start, end }) => ({ ...area, x: start, width: end - start }));
    return ranges.length > 0 ? [createFilledPath(boxesTrace(boxes), palette.foreground, opacity)] : [];
  });
  return [...bands, { kind: 'clip', box, shapes }];
}

/**
 * Lists the Saturdays, Sundays and South African public holidays of a zone, from midnight to midnight. Returns an empty list if days are too narrow
 * or too wide to be marked.
 */
export function listFreeDays(plot: Plot, { start, end }: TimeWindow, zone: ZoneOffsets): TimeWindow[] {
  const { axis, cells } = plot;
  if (cells || !hasDailyOrShorterRows(plot) || end - start > maxMarkedDays * dayMs || end - start < dayMs) return [];
  if (axis) {
    const weekend = { start: Math.max(start, 5 * dayMs), end: Math.min(end, weekMs) };
    return axis.isWeek && weekend.end > weekend.start ? [weekend] : [];
  }
  const ranges: TimeWindow[] = [];
  let day = Math.floor(zone.getLocalTime(start) / dayMs);
  for (let dayStart = start; dayStart < end; day++) {
    const dayEnd = Math.min(end, zone.firstInstantFrom((day + 1) * dayMs));
    const last = ranges.at(-1);
    if (!isFreeDay(day)) {
      dayStart = Math.max(dayStart, dayEnd);
      continue;
    }
    if (last?.end === dayStart) ranges[ranges.length - 1] = { ...last, end: dayEnd };
    else ranges.push({ start: dayStart, end: dayEnd });
    dayStart = dayEnd;
  }
  return ranges;
}

/** Whether a day is a weekend or holiday. Day 0, 1 January 1970, is a Thursday. */
function isFreeDay(day: number): boolean {
  return (day + 4) % 7 === 0 || (day + 4) % 7 === 6 || findHoliday(day) !== undefined;
}

/** Draws a bracket around each selected range, because areas cover the shade, and high contrast has no shade. */
export function createSelectionEdges(plot: Plot, frame: PlotFrame, palette: Palette): Shape[] {
  const ranges = listSelectedRanges(plot, frame);
  if (ranges.length === 0) return [];
  const { box } = frame;
  const trace = (sink: Sink): void => {
    for (const { start, end } of ranges) {
      sink.moveTo(start, box.y + box.height);
      sink.lineTo(start, box.y + 1);
      sink.lineTo(end, box.y + 1);
      sink.lineTo(end, box.y + box.height);
    }
  };
  return [{ kind: 'clip', box, shapes: [createStrokedPath(trace, palette.foreground, 2, [4, 3])] }];
}

/**
 * Describes the selection: "Selected in the table: 03 May 02:00 SAST to 03 May 06:00 SAST, 4 hours." The range includes the last interval if
 * its length is known. Empty if nothing is selected.
 */
export function describeSelection({ selected, timeline, isDaily, axis }: Plot, formatter: PlotFormatter): string[] {
  const first = selected[0];
  const last = selected.at(-1);
  if (!first || !last) return [];
  const rows = selected.reduce((sum, interval) => sum + interval.rows, 0);
  const count = formatter.formatCount(rows);
  const size =
    axis === undefined && timeline.intervalMs === hourMs && !timeline.endOf
      ? t('{0} hours', count)
      : timeline.intervalMs === dayMs && !timeline.endOf
        ? t('{0} days', count)
        : t('{0} rows', count);
  const { endOf = (instant: number) => instant + (timeline.intervalMs ?? 0) } = timeline;
  const range = formatter.formatRange({ start: first.start, end: isDaily && !axis ? last.end : endOf(last.end) });
  if (selected.length === 1) return [t('Selected in the table: {0}, {1}.', range, size)];
  return [t('Selected in the table: {0}, {1} in {2} ranges.', range, size, formatter.formatCount(selected.length))];
}

/** Lists the visible selected ranges in pixels. */
function listSelectedRanges({ selected, isStepped, timeline }: Plot, frame: PlotFrame): TimeWindow[] {
  const { window } = frame;
  const toX = scaleX(frame);
  const lastIntervalMs = isStepped ? (timeline.intervalMs ?? 0) : 0;
  return selected
    .filter(({ start, end }) => start <= window.end && end + lastIntervalMs >= window.start)
    .map(({ start, end }) => ({ start: toX(start), end: toX(end + lastIntervalMs) }));
}
