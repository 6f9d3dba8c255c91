import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Noise, streams } from '../../../../src/sandbox/synthetic/noise.ts';

const noise = new Noise(5);
const start = 450_000;
const generateSeries = (persistence: number, length = 60_000) =>
  Array.from({ length }, (_, index) => noise.persistent(streams.wind, start + index, persistence));

describe('persistent noise', () => {
  it('generates a first-order autoregression: mean 0, deviation 1, correlation persistence ** lag', () => {
    for (const persistence of [0.6, 0.9, 0.95]) {
      const values = generateSeries(persistence);
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      const computeCorrelation = (lag: number) =>
        values.slice(lag).reduce((sum, value, index) => sum + (value - mean) * ((values[index] ?? 0) - mean), 0) /
        (values.length - lag);
      assert.ok(Math.abs(mean) < 0.06, `mean ${mean}`);
      assert.ok(Math.abs(computeCorrelation(0) - 1) < 0.06, `variance ${computeCorrelation(0)}`);
      for (const lag of [1, 3, 12])
        assert.ok(
          Math.abs(computeCorrelation(lag) / computeCorrelation(0) - persistence ** lag) < 0.05,
          `lag ${lag}: ${computeCorrelation(lag)} for ${persistence ** lag}`,
        );
    }
  });

  it('computes the value of each hour alone, before 1970 as well', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000, max: 600_000 }), hour => {
        const value = noise.persistent(streams.wind, hour, 0.95);
        assert.equal(new Noise(5).persistent(streams.wind, hour, 0.95), value);
        assert.notEqual(noise.persistent(streams.wind, hour + 1, 0.95), value);
        assert.ok(Math.abs(value) < 8);
      }),
    );
  });
});
