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

function createHourWith(overrides: Partial<SystemStateRecord>, shedMw: number | null): GridHour {
  const hourData = new SyntheticSource(1).hour(toHour(noon));
  assert.ok(hourData);
  return { ...hourData, shedMw, record: { ...hourData.record, ...overrides } };
}

describe('computeStress', () => {
  it('weighs its four components', () => {
    const hour = createHourWith({ residual_demand_mw: 25_000, ocgt_ramp_mw: 300, renewable_share_pct: 5 }, 1_000);
    assert.deepEqual(computeStress(hour, true), {
      ts: '2023-06-15T12:00:00Z',
      value: 0.395,
      version: 'v1',
      components: { residual_demand: 0.5, ocgt_ramp: 0.2, reserve_margin: 0.2, renewable_shortfall: 0.8 },
    });
  });

  it('stays between 0 and 1', () => {
    const calm = createHourWith({ residual_demand_mw: 9_000, ocgt_ramp_mw: -900, renewable_share_pct: 60 }, 0);
    const worst = createHourWith({ residual_demand_mw: 39_000, ocgt_ramp_mw: 2_000, renewable_share_pct: 0 }, 8_000);
    assert.equal(computeStress(calm, false).value, 0);
    assert.equal(computeStress(worst, false).value, 1);
  });

  it('returns null when a reading or the ramp is missing', () => {
    const unknown = computeStress(createHourWith({ residual_demand_mw: null }, 0), true);
    assert.equal(unknown.value, null);
    assert.equal(unknown.components?.residual_demand, null);
    assert.equal(computeStress(createHourWith({}, null), true).value, null);
    const first = computeStress(createHourWith({ ocgt_ramp_mw: null }, 0), true);
    assert.deepEqual([first.value, first.components?.ocgt_ramp], [null, null]);
    assert.equal(computeStress(createHourWith({ ocgt_ramp_mw: 0 }, 0), true).components?.ocgt_ramp, 0);
  });

  it('matches its documented formula for any hour', () => {
    const computeFigure = (pattern: RegExp): number => Number(pattern.exec(stressNote)?.[1]);
    const clamp = (value: number): number => Math.min(1, Math.max(0, value));
    const anyPower = { min: -5_000, max: 40_000 };
    fc.assert(
      fc.property(
        fc.integer(anyPower),
        fc.integer(anyPower),
        fc.integer(anyPower),
        fc.integer({ max: 100 }),
        (demand, ramp, shed, share) => {
          const record = { residual_demand_mw: demand, ocgt_ramp_mw: ramp, renewable_share_pct: share };
          const expected =
            computeFigure(/([\d.]+) × residual demand/) *
              clamp((demand - computeFigure(/residual_demand_mw − (\d+)/)) / computeFigure(/\) ÷ (\d+)/)) +
            computeFigure(/([\d.]+) × OCGT ramp/) * clamp(ramp / computeFigure(/ocgt_ramp_mw ÷ (\d+)/)) +
            computeFigure(/([\d.]+) × reserve margin/) * clamp(shed / computeFigure(/in MW ÷ (\d+)/)) +
            computeFigure(/([\d.]+) × renewable shortfall/) *
              clamp(1 - share / computeFigure(/renewable_share_pct ÷ (\d+)/));
          const { value } = computeStress(createHourWith(record, shed), false);
          assert.ok(Math.abs((value ?? NaN) - expected) <= 1e-4, `${value} ≠ ${expected}`);
        },
      ),
    );
  });
});
