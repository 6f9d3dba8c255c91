import assert from 'node:assert/strict';
import { ZoneOffsets } from '../../../../src/core/time/zoneOffsets.ts';
import { findPlotCommand, resolvePlotMove } from '../../../../src/presentation/chart/plotMove.ts';
import { berlin, createFrame, hourMs, numbers, createPlot } from './chartWorld.ts';

/** Three days from 24 October 2026, 00:00 in Berlin; the second has 25 hours. */
const first = Date.UTC(2026, 9, 23, 22);
const hours = Array.from({ length: 73 }, (_, hour) => first + hour * hourMs);
const plot = createPlot(
  createFrame(
    [
      numbers(
        'a',
        hours.map((_, hour) => hour),
      ),
    ],
    hours,
  ),
  {},
  { zone: berlin },
);
const zone = new ZoneOffsets('Europe/Berlin');
const none = { ctrlKey: false, metaKey: false, altKey: false };

describe('the keys of the plot', () => {
  it('maps keys to moves, with Ctrl or Cmd to pan the window', () => {
    assert.equal(findPlotCommand({ key: 'ArrowRight', ...none }), 'next');
    assert.equal(findPlotCommand({ key: 'ArrowRight', ...none, ctrlKey: true }), 'panRight');
    assert.equal(findPlotCommand({ key: 'ArrowLeft', ...none, metaKey: true }), 'panLeft');
    assert.equal(findPlotCommand({ key: '0', ...none }), 'reset');
  });

  it('ignores keys of other shortcuts', () => {
    assert.equal(findPlotCommand({ key: 'c', ...none, ctrlKey: true }), undefined);
    assert.equal(findPlotCommand({ key: '+', ...none, ctrlKey: true }), undefined);
    assert.equal(findPlotCommand({ key: 'ArrowLeft', ...none, altKey: true }), undefined);
    assert.equal(findPlotCommand({ key: 'Tab', ...none }), undefined);
  });
});

describe('moves on the plot', () => {
  const window = { start: first + 10 * hourMs, end: first + 20 * hourMs };
  const move = (command: Parameters<typeof resolvePlotMove>[0], point?: number) =>
    resolvePlotMove(command, plot, zone, { window, point });

  it("starts at the window's first point, and then moves point by point", () => {
    assert.deepEqual(move('next'), { to: 'point', point: 10 });
    assert.deepEqual(move('next', 10), { to: 'point', point: 11 });
    assert.deepEqual(move('previous', 10), { to: 'point', point: 9 });
    assert.deepEqual(move('first', 10), { to: 'point', point: 0 });
    assert.deepEqual(move('last', 10), { to: 'point', point: 72 });
  });

  it('moves by a day to the same local hour, across 25 hours', () => {
    assert.deepEqual(move('nextDay', 10), { to: 'point', point: 35 });
    assert.deepEqual(move('nextDay', 35), { to: 'point', point: 59 });
    assert.deepEqual(move('previousDay', 59), { to: 'point', point: 35 });
  });

  it('zooms around the visible point, else around the center, and pans by a tenth', () => {
    assert.deepEqual(move('zoomIn', 10), { to: 'window', window: { start: window.start, end: first + 15 * hourMs } });
    const around = { start: first + 12.5 * hourMs, end: first + 17.5 * hourMs };
    assert.deepEqual(move('zoomIn'), { to: 'window', window: around });
    assert.deepEqual(move('zoomIn', 50), { to: 'window', window: around });
    const right = { start: window.start + hourMs, end: window.end + hourMs };
    assert.deepEqual(move('panRight'), { to: 'window', window: right });
    assert.deepEqual(move('reset'), { to: 'window', window: undefined });
    assert.deepEqual(move('leave', 3), { to: 'nothing' });
  });
});
