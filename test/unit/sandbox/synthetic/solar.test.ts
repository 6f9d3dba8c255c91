import assert from 'node:assert/strict';
import { toLocalHour } from '../../../../src/sandbox/synthetic/localHour.ts';
import { computeSolarElevation } from '../../../../src/sandbox/synthetic/renewables.ts';
import { toHour } from '../fakes.ts';

const toDegrees = (instant: number) => (computeSolarElevation(toLocalHour(toHour(instant))) * 180) / Math.PI;

describe('computeSolarElevation', () => {
  // At 29° S the elevation at noon is 90° − 29° + 23.4° at the summer solstice and 90° − 29° − 23.4° in winter. Noon is at
  // 12:30 SAST, the middle of the hour from 12:00.
  for (const [name, month, day, expected] of [
    ['summer solstice', 11, 21, 84.4],
    ['winter solstice', 5, 21, 37.6],
    ['equinox', 2, 20, 61],
  ] as const)
    it(`returns ${expected}° at noon of the ${name}`, () => {
      assert.ok(Math.abs(toDegrees(Date.UTC(2023, month, day, 10)) - expected) < 1.2);
    });

  it('raises the sun after six and sets it before six in winter, and the reverse in summer', () => {
    const isUp = (month: number, sast: number) => toDegrees(Date.UTC(2023, month, 21, sast - 2)) > 0;
    assert.deepEqual(
      [6, 7, 17, 18].map(hour => isUp(5, hour)),
      [false, true, true, false],
    );
    assert.deepEqual(
      [4, 6, 18, 20].map(hour => isUp(11, hour)),
      [false, true, true, false],
    );
  });
});
