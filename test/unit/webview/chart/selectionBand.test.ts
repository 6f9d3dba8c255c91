import assert from 'node:assert/strict';
import type { SelectedInterval } from '../../../../src/webview/chart/chartModel.ts';
import { groundShapes, selectionEdges, selectionSentence } from '../../../../src/webview/chart/selectionBand.ts';
import type { Shape } from '../../../../src/webview/chart/scene.ts';
import { PlotWords } from '../../../../src/webview/chart/words.ts';
import { dayMs, frameOf, hourMs, noting, numbers, palette, plotOf, start } from './chartWorld.ts';

const frame = frameOf([
  numbers(
    'wind_mw',
    Array.from({ length: 11 }, (_, row) => row),
  ),
]);
const box = { x: 0, y: 0, width: 100, height: 50 };
const place = { box, window: { start, end: start + 10 * hourMs }, axes: [] };
const hours = (from: number, to: number): SelectedInterval => ({
  ...{ start: start + from * hourMs, end: start + to * hourMs },
  rows: to - from + 1,
});
const marked = (...selected: SelectedInterval[]) => plotOf(frame, {}, { selected });

function steps(shapes: readonly Shape[]): string[] {
  return shapes.flatMap(shape => {
    if (shape.kind === 'clip') return steps(shape.shapes);
    const sink = noting();
    if (shape.kind === 'path') shape.trace(sink);
    return sink.steps;
  });
}

describe('the band of the selection', () => {
  it('draws the selection as a shade from the first to the last instant, and a bracket over the layers', () => {
    const plot = marked(hours(2, 5));
    assert.deepEqual(steps(groundShapes(plot, place, palette)), ['M20,0', 'L50,0', 'L50,50', 'L20,50', 'Z']);
    assert.deepEqual(steps(selectionEdges(plot, place, palette)), ['M20,50', 'L20,1', 'L50,1', 'L50,50']);
  });

  it('draws only the edges of the selection in high contrast', () => {
    const plot = marked(hours(2, 5));
    const contrast = { ...palette, highContrast: true };
    assert.deepEqual(groundShapes(plot, place, contrast), []);
    assert.equal(selectionEdges(plot, place, contrast).length, 1);
  });

  it('includes the whole last interval when values extend over theirs', () => {
    const days = [0, 1, 2, 3].map(day => start + day * dayMs);
    const selected = [{ start: days[1] ?? 0, end: days[2] ?? 0, rows: 2 }];
    const plot = plotOf(frameOf([numbers('wind_mw', [1, 2, 3, 4])], days), {}, { step: dayMs, selected });
    const window = { start, end: start + 4 * dayMs };
    assert.deepEqual(steps(selectionEdges(plot, { ...place, window }, palette)), [
      'M25,50',
      'L25,1',
      'L75,1',
      'L75,50',
    ]);
  });

  it('omits the part of the selection that is out of sight', () => {
    const window = { start: start + 6 * hourMs, end: start + 10 * hourMs };
    assert.deepEqual(selectionEdges(marked(hours(2, 5)), { ...place, window }, palette), []);
    assert.deepEqual(selectionEdges(marked(), place, palette), []);
  });

  it('describes the selection in words', () => {
    const said = (...selected: SelectedInterval[]) => {
      const plot = marked(...selected);
      return selectionSentence(plot, new PlotWords(plot, 'en'));
    };
    assert.deepEqual(said(), []);
    assert.deepEqual(said(hours(2, 5)), ['Selected in the table: 01 May 02:00 UTC to 01 May 06:00 UTC, 4 hours.']);
    assert.deepEqual(said(hours(0, 1), hours(4, 4)), [
      'Selected in the table: 01 May 00:00 UTC to 01 May 05:00 UTC, 3 hours in 2 ranges.',
    ]);
  });
});
