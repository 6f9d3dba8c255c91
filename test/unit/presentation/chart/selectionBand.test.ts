import assert from 'node:assert/strict';
import { ZoneOffsets } from '../../../../src/core/time/zoneOffsets.ts';
import type { SelectedInterval } from '../../../../src/presentation/chart/chartModel.ts';
import {
  createBackgroundShapes,
  createSelectionEdges,
  describeSelection,
  listFreeDays,
} from '../../../../src/presentation/chart/selectionBand.ts';
import type { Shape } from '../../../../src/presentation/chart/scene.ts';
import { PlotFormatter } from '../../../../src/presentation/chart/plotFormatter.ts';
import { dayMs, createFrame, hourMs, createRecordingSink, numbers, palette, createPlot, start } from './chartWorld.ts';

const frame = createFrame([
  numbers(
    'wind_mw',
    Array.from({ length: 11 }, (_, row) => row),
  ),
]);
const box = { x: 0, y: 0, width: 100, height: 50 };
const plotFrame = { box, window: { start, end: start + 10 * hourMs }, axes: [] };
const selectHours = (from: number, to: number): SelectedInterval => ({
  start: start + from * hourMs,
  end: start + to * hourMs,
  rows: to - from + 1,
});
const createPlotWithSelection = (...selected: SelectedInterval[]) => createPlot(frame, {}, { selected });

function listPathCommands(shapes: readonly Shape[]): string[] {
  return shapes.flatMap(shape => {
    if (shape.kind === 'clip') return listPathCommands(shape.shapes);
    const sink = createRecordingSink();
    if (shape.kind === 'path') shape.trace(sink);
    return sink.commands;
  });
}

describe('the band of the selection', () => {
  it('draws the selection as a shade from the first to the last instant, and a bracket over the layers', () => {
    const plot = createPlotWithSelection(selectHours(2, 5));
    assert.deepEqual(listPathCommands(createBackgroundShapes(plot, plotFrame, palette, new ZoneOffsets('UTC'))), [
      'M20,0',
      'L50,0',
      'L50,50',
      'L20,50',
      'Z',
    ]);
    assert.deepEqual(listPathCommands(createSelectionEdges(plot, plotFrame, palette)), [
      'M20,50',
      'L20,1',
      'L50,1',
      'L50,50',
    ]);
  });

  it('draws only the edges of the selection in high contrast', () => {
    const plot = createPlotWithSelection(selectHours(2, 5));
    const highContrastPalette = { ...palette, highContrast: true };
    assert.deepEqual(
      listPathCommands(createBackgroundShapes(plot, plotFrame, highContrastPalette, new ZoneOffsets('UTC'))),
      [],
    );
    assert.equal(createSelectionEdges(plot, plotFrame, highContrastPalette).length, 1);
  });

  it('includes the whole last interval if values are drawn over their intervals', () => {
    const days = [0, 1, 2, 3].map(day => start + day * dayMs);
    const selected = [{ start: days[1] ?? 0, end: days[2] ?? 0, rows: 2 }];
    const plot = createPlot(createFrame([numbers('wind_mw', [1, 2, 3, 4])], days), {}, { intervalMs: dayMs, selected });
    const window = { start, end: start + 4 * dayMs };
    assert.deepEqual(listPathCommands(createSelectionEdges(plot, { ...plotFrame, window }, palette)), [
      'M25,50',
      'L25,1',
      'L75,1',
      'L75,50',
    ]);
  });

  it('omits the part of the selection outside the window', () => {
    const window = { start: start + 6 * hourMs, end: start + 10 * hourMs };
    assert.deepEqual(
      createSelectionEdges(createPlotWithSelection(selectHours(2, 5)), { ...plotFrame, window }, palette),
      [],
    );
    assert.deepEqual(createSelectionEdges(createPlotWithSelection(), plotFrame, palette), []);
  });

  it('describes the selection in words', () => {
    const describe = (...selected: SelectedInterval[]) => {
      const plot = createPlotWithSelection(...selected);
      return describeSelection(plot, new PlotFormatter(plot, 'en'));
    };
    assert.deepEqual(describe(), []);
    assert.deepEqual(describe(selectHours(2, 5)), [
      'Selected in the table: 01 May 02:00 UTC to 01 May 06:00 UTC, 4 hours.',
    ]);
    assert.deepEqual(describe(selectHours(0, 1), selectHours(4, 4)), [
      'Selected in the table: 01 May 00:00 UTC to 01 May 05:00 UTC, 3 hours in 2 ranges.',
    ]);
  });
});

describe('the shade of weekends and holidays', () => {
  const days = Array.from({ length: 60 }, (_, day) => start + day * dayMs);
  const hourly = createPlot(createFrame([numbers('wind_mw', [1, 2, 3])]));
  const daily = createPlot(createFrame([numbers('wind_mw', days)], days), {}, { intervalMs: dayMs });

  it('covers Saturdays, Sundays and holidays in local time, also at clock changes', () => {
    for (const timeZone of ['UTC', 'Africa/Johannesburg', 'Europe/Berlin', 'America/St_Johns']) {
      const window = { start: Date.UTC(2026, 2, 20, 5), end: Date.UTC(2026, 3, 14, 17) };
      const dates = new Intl.DateTimeFormat('en-CA', { timeZone, weekday: 'short', day: '2-digit', month: '2-digit' });
      // The holidays are Human Rights Day, which is a Saturday, Good Friday and Family Day.
      const isFree = (instant: number): boolean => /Sat|Sun|04-03|04-06/.test(dates.format(instant));
      const spans = listFreeDays(hourly, window, new ZoneOffsets(timeZone));
      for (let instant = window.start; instant < window.end; instant += hourMs / 2) {
        const isInside = spans.some(span => instant >= span.start && instant < span.end);
        assert.equal(isInside, isFree(instant), new Date(instant).toISOString());
      }
    }
  });

  it('is a bar on the axis in high contrast, where shades are invisible', () => {
    // The rows start on Friday 8 May 2026.
    const window = { start: Date.UTC(2026, 4, 8), end: Date.UTC(2026, 4, 12) };
    const drawMarks = (highContrast: boolean) =>
      listPathCommands(
        createBackgroundShapes(hourly, { ...plotFrame, window }, { ...palette, highContrast }, new ZoneOffsets('UTC')),
      );
    assert.deepEqual(drawMarks(false), ['M25,0', 'L75,0', 'L75,50', 'L25,50', 'Z']);
    assert.deepEqual(drawMarks(true), ['M25,46', 'L75,46', 'L75,50', 'L25,50', 'Z']);
  });

  it('covers the last two days in an overlay of weeks, and is absent in overlays of days and years', () => {
    const zone = new ZoneOffsets('Africa/Johannesburg');
    const listFreeDaysInOverlay = (period: string) => {
      const options = { mode: 'overlay', picked: { 'overlay.period': period } };
      const plot = createPlot(createFrame([numbers('wind_mw', [1, 2, 3])]), options);
      return listFreeDays(plot, { start: 0, end: 7 * dayMs }, zone);
    };
    assert.deepEqual(listFreeDaysInOverlay('week'), [{ start: 5 * dayMs, end: 7 * dayMs }]);
    assert.deepEqual([...listFreeDaysInOverlay('day'), ...listFreeDaysInOverlay('year')], []);
  });

  it('is drawn for hours and days, but not for longer rows or if a weekend is too narrow to see', () => {
    const zone = new ZoneOffsets('UTC');
    const month = { start, end: start + 30 * dayMs };
    assert.equal(listFreeDays(daily, month, zone).length, 5);
    assert.deepEqual(listFreeDays(hourly, { start, end: start + 200 * dayMs }, zone), []);
    const weeks = createPlot(
      createFrame([numbers('wind_mw', [1, 2])], [start, start + 7 * dayMs]),
      {},
      { intervalMs: 7 * dayMs },
    );
    assert.deepEqual(listFreeDays(weeks, month, zone), []);
  });
});
