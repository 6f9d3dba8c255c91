import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type GridHour,
  stressNote,
  computeStress,
  type SystemStateRecord,
} from '../../../../src/sandbox/data/gridHour.ts';
import { SyntheticSource } from '../../../../src/sandbox/synthetic/syntheticSource.ts';
import { toHour, noon } from '../fakes.ts';

function hourWith(overrides: Partial<SystemStateRecord>, shedMw: number | null): GridHour {
  const found = new SyntheticSource(1).hour(toHour(noon));
  assert.ok(found);
  return { ...found, shedMw, record: { ...found.record, ...overrides } };
}

describe('computeStress', () => {
  it('weighs its four components', () => {
    const hour = hourWith({ residual_demand_mw: 25_000, ocgt_ramp_mw: 300, renewable_share_pct: 5 }, 1_000);
    assert.deepEqual(computeStress(hour, true), {
      ts: '2023-06-15T12:00:00Z',
      value: 0.395,
      version: 'v1',
      components: { residual_demand: 0.5, ocgt_ramp: 0.2, reserve_margin: 0.2, renewable_shortfall: 0.8 },
    });
  });

  it('stays between 0 and 1', () => {
    const calm = hourWith({ residual_demand_mw: 9_000, ocgt_ramp_mw: -900, renewable_share_pct: 60 }, 0);
    const worst = hourWith({ residual_demand_mw: 39_000, ocgt_ramp_mw: 2_000, renewable_share_pct: 0 }, 8_000);
    assert.equal(computeStress(calm, false).value, 0);
    assert.equal(computeStress(worst, false).value, 1);
  });

  it('returns null when a reading or the ramp is missing', () => {
    const unknown = computeStress(hourWith({ residual_demand_mw: null }, 0), true);
    assert.equal(unknown.value, null);
    assert.equal(unknown.components?.residual_demand, null);
    assert.equal(computeStress(hourWith({}, null), true).value, null);
    const first = computeStress(hourWith({ ocgt_ramp_mw: null }, 0), true);
    assert.deepEqual([first.value, first.components?.ocgt_ramp], [null, null]);
    assert.equal(computeStress(hourWith({ ocgt_ramp_mw: 0 }, 0), true).components?.ocgt_ramp, 0);
  });

  it('matches its documented formula for any hour', () => {
    const figure = (pattern: RegExp): number => Number(pattern.exec(stressNote)?.[1]);
    const held = (value: number): number => Math.min(1, Math.max(0, value));
    const any = { min: -5_000, max: 40_000 };
    fc.assert(
      fc.property(
        fc.integer(any),
        fc.integer(any),
        fc.integer(any),
        fc.integer({ max: 100 }),
        (demand, ramp, shed, share) => {
          const record = { residual_demand_mw: demand, ocgt_ramp_mw: ramp, renewable_share_pct: share };
          const expected =
            figure(/([\d.]+) × residual demand/) *
              held((demand - figure(/residual_demand_mw − (\d+)/)) / figure(/\) ÷ (\d+)/)) +
            figure(/([\d.]+) × OCGT ramp/) * held(ramp / figure(/ocgt_ramp_mw ÷ (\d+)/)) +
            figure(/([\d.]+) × reserve margin/) * held(shed / figure(/in MW ÷ (\d+)/)) +
            figure(/([\d.]+) × renewable shortfall/) * held(1 - share / figure(/renewable_share_pct ÷ (\d+)/));
          const { value } = computeStress(hourWith(record, shed), false);
          assert.ok(Math.abs((value ?? NaN) - expected) <= 1e-4, `${value} ≠ ${expected}`);
        },
      ),
    );
  });
});
