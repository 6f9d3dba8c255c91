import assert from 'node:assert/strict';
import fc from 'fast-check';
import { computeDispatch, computePlannedStage } from '../../../../src/sandbox/synthetic/dispatch.ts';
import { Noise } from '../../../../src/sandbox/synthetic/noise.ts';
import { toHour } from '../fakes.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const anyHour = fc.integer({ min: toHour(Date.UTC(2018, 0)), max: toHour(Date.UTC(2033, 0)) });

describe('computeDispatch', () => {
  it('meets demand in every hour within plant limits, for any seed', () => {
    fc.assert(
      fc.property(anyHour, fc.integer({ min: 0, max: 4_294_967_295 }), (hour, seed) => {
        const d = computeDispatch(hour, new Noise(seed));
        const generated = d.thermal + d.nuclear + d.gas + d.ocgt + d.ippOcgt + d.hydro + d.pumped;
        assert.ok(Math.abs(generated - d.pumping + d.imports + d.shed - d.residualDemand) < 0.001);
        // A nuclear station that is off consumes a little power.
        for (const [name, value] of Object.entries(d))
          assert.ok(value >= (name === 'nuclear' ? -36 : 0), `${name} ${value}`);
        assert.ok(d.thermal > 5_000 && d.thermal < 32_000, `thermal ${d.thermal}`);
        assert.ok(d.ocgt <= 2_070 && d.nuclear < 1_900 && d.hydro <= 612 && d.gas <= 330 && d.wind < 6_000);
        assert.ok(d.totalRenewable >= d.wind + d.pv);
        // Eskom's turbines start before those of the independent producers.
        assert.ok(d.ippOcgt === 0 || d.ocgt > 0);
      }),
      { numRuns: scaleRunCount(3_000) },
    );
  });
});

describe('computePlannedStage', () => {
  it('applies the planned stage from 05:00 to 16:00, to 22:00 and to 05:00 SAST', () => {
    const noise = new Noise(1);
    const stages = new Set<number>();
    for (let day = 0; day < 400; day++) {
      const five = toHour(Date.UTC(2022, 8, 1, 3)) + 24 * day;
      for (const [from, to] of [
        [0, 11],
        [11, 17],
        [17, 24],
      ] as const) {
        const stage = computePlannedStage(five + from, noise);
        stages.add(stage);
        for (let hour = from; hour < to; hour++) assert.equal(computePlannedStage(five + hour, noise), stage);
      }
    }
    assert.ok(stages.size >= 5, `stages ${[...stages].join(' ')}`);
    assert.ok(Math.min(...stages) === 0 && Math.max(...stages) <= 8);
  });
});
