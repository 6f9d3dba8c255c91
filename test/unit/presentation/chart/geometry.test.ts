import assert from 'node:assert/strict';
import {
  traceArea,
  traceBars,
  traceLine,
  traceIsolated,
  type Points,
} from '../../../../src/presentation/chart/traces.ts';
import { createRecordingSink } from './chartWorld.ts';

const identity = (value: number): number => value;
const createPoints = (x: readonly number[], hold?: number): Points => ({
  from: 0,
  to: x.length,
  x: Float64Array.from(x),
  toX: identity,
  toY: identity,
  hold,
});

function traceToText(draw: (sink: ReturnType<typeof createRecordingSink>) => void): string {
  const sink = createRecordingSink();
  draw(sink);
  return sink.commands.join(' ');
}

describe('the path of a line', () => {
  const values = Float64Array.of(5, 6, NaN, 8, 9);

  it('is interrupted at a gap', () => {
    const points = createPoints([0, 1, 2, 3, 4]);
    assert.equal(
      traceToText(sink => traceLine(sink, points, values)),
      'M0,5 L1,6 M3,8 L4,9',
    );
  });

  it('draws a step to the end of each interval and no further', () => {
    const points = createPoints([0, 1, 2, 3, 4], 1);
    assert.equal(
      traceToText(sink => traceLine(sink, points, values)),
      'M0,5 L1,5 L1,6 L2,6 M3,8 L4,8 L4,9 L5,9',
    );
  });

  it('draws a value between two gaps as a dot', () => {
    const isolated = traceToText(sink =>
      traceIsolated(sink, createPoints([0, 1, 2, 3]), Float64Array.of(4, 4, NaN, 7)),
    );
    assert.equal(isolated, 'M1.5,5.5 L4.5,5.5 L4.5,8.5 L1.5,8.5 Z');
  });
});

describe('the outline of an area', () => {
  const lower = Float64Array.of(0, 0, NaN, 0);
  const upper = Float64Array.of(2, 3, NaN, 4);

  it('draws one shape per run, and a single point as wide as a line', () => {
    assert.equal(
      traceToText(sink => traceArea(sink, createPoints([0, 10, 20, 30]), lower, upper)),
      'M0,2 L0,2 L10,3 L10,0 L0,0 Z M29,4 L31,4 L31,0 L29,0 Z',
    );
  });

  it('extends each value to the end of its interval', () => {
    assert.equal(
      traceToText(sink => traceArea(sink, createPoints([0, 10, 20, 30], 10), lower, upper)),
      'M0,2 L0,2 L10,2 L10,3 L20,3 L20,0 L10,0 L10,0 L0,0 Z M30,4 L30,4 L40,4 L40,0 L30,0 Z',
    );
  });
});

describe('bars', () => {
  it('centers bars in their interval, up or down from zero, and draws none without a value', () => {
    const points = createPoints([0, 10, 20], 10);
    assert.equal(
      traceToText(sink => traceBars(sink, points, Float64Array.of(0, NaN, -5), Float64Array.of(5, NaN, 0), 0.8)),
      'M1,5 L9,5 L9,0 L1,0 Z M21,0 L29,0 L29,-5 L21,-5 Z',
    );
  });

  it('draws several side by side within their interval, whatever its length', () => {
    const points = createPoints([0, 10], 30);
    const lower = Float64Array.of(-5, 0);
    const upper = Float64Array.of(3, 4);
    const bars = (index: number) =>
      traceToText(sink => traceBars(sink, points, lower, upper, 0.8, { index, count: 2 }));
    assert.equal(bars(0), 'M1,3 L5,3 L5,-5 L1,-5 Z M13,4 L25,4 L25,0 L13,0 Z');
    assert.equal(bars(1), 'M5,3 L9,3 L9,-5 L5,-5 Z M25,4 L37,4 L37,0 L25,0 Z');
  });
});
