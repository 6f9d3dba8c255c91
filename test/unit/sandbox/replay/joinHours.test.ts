import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Measurements } from '../../../../src/sandbox/data/gridHour.ts';
import { joinHours, readingColumns } from '../../../../src/sandbox/replay/replaySource.ts';
import { toHour } from '../fakes.ts';

const start = toHour(Date.UTC(2022, 5, 23));

function createRowAt(hour: number, wind = 800) {
  const zeros = Object.fromEntries(Object.keys(readingColumns).map(name => [name, 0])) as unknown as Measurements;
  return { hour: start + hour, measured: { ...zeros, wind } };
}

describe('joinHours', () => {
  it('sorts hours by time, and reports nothing when all are complete', () => {
    const { hours, notices } = joinHours([createRowAt(2), createRowAt(0), createRowAt(1)]);
    assert.deepEqual(
      hours.map(({ hour }) => hour - start),
      [0, 1, 2],
    );
    assert.deepEqual(notices, []);
  });

  it('takes the last row of a repeated hour, and reports it', () => {
    const { hours, notices } = joinHours([
      createRowAt(0, 1),
      createRowAt(1, 1),
      createRowAt(1, 2),
      createRowAt(0, 1),
      createRowAt(1, 3),
    ]);
    assert.deepEqual(
      hours.map(({ measured }) => measured.wind),
      [1, 3],
    );
    assert.deepEqual(notices, [
      '2 hours are listed more than once, 1 of them with different readings (the first is 2022-06-23T01:00:00Z): the last row is used, from the file that was named last.',
    ]);
    assert.deepEqual(joinHours([createRowAt(0), createRowAt(0)]).notices, [
      '1 hour is listed more than once, each time with the same readings.',
    ]);
  });

  it('counts the hours that are missing, and names the longest gap', () => {
    assert.deepEqual(joinHours([createRowAt(0), createRowAt(2)]).notices, [
      '1 hour is missing (from 2022-06-23T01:00:00Z): responses omit them.',
    ]);
    assert.deepEqual(joinHours([createRowAt(0), createRowAt(2), createRowAt(9), createRowAt(11)]).notices, [
      '8 hours are missing (in 3 gaps, 6 from 2022-06-23T03:00:00Z): responses omit them.',
    ]);
  });

  it('keeps each hour once for any input', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(40), { minLength: 1 }), givenHours => {
        const { hours } = joinHours(givenHours.map((hour, index) => createRowAt(hour, index)));
        const expected = [...new Set(givenHours)].sort((a, b) => a - b);
        assert.deepEqual(
          hours.map(({ hour, measured }) => [hour - start, measured.wind]),
          expected.map(hour => [hour, givenHours.lastIndexOf(hour)]),
        );
      }),
    );
  });
});
