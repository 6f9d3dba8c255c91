import assert from 'node:assert/strict';
import type { GridHour } from '../../../../src/sandbox/data/gridHour.ts';
import { SyntheticSource } from '../../../../src/sandbox/synthetic/syntheticSource.ts';
import { scaleRunCount } from '../../../support/runCount.ts';
import { toHour, collectHours } from '../fakes.ts';
import { farFrom, fields, realHours, statisticsOf } from './realHours.ts';

const yearOf = async (seed: number, year: number) =>
  collectHours(new SyntheticSource(seed), toHour(Date.UTC(year, 0)), toHour(Date.UTC(year + 1, 0)));

describe('a year of the synthetic grid', () => {
  it('matches the mean, deviation and extremes of the real hours within 10 % in each field', async () => {
    const year = await yearOf(1, 2023);
    for (const field of fields) assert.deepEqual(farFrom(field, statisticsOf(year, field), 0.1), []);
  });

  it('detects a wrong mean of any field except three differences with means near zero', () => {
    const unseen = fields.filter(field => {
      const { mean, ...others } = realHours[field];
      return farFrom(field, { mean: mean * 1.2, ...others }, 0.1).length === 0;
    });
    assert.deepEqual(unseen, ['net_import_mw', 'ocgt_ramp_mw', 'forecast_error_mw']);
  });

  it('matches the real hours over their period, too', async () => {
    const [from, to] = [toHour(Date.UTC(2022, 5, 22, 22)), toHour(Date.UTC(2024, 2, 31, 22))];
    const hours = await collectHours(new SyntheticSource(1), from, to);
    for (const field of fields) assert.deepEqual(farFrom(field, statisticsOf(hours, field), 0.1), []);
  });

  it('matches nearly all statistics with other seeds and years', async () => {
    const far: string[] = [];
    const cases = [
      [77, 2030],
      [1, 2018],
      [1, 2026],
      [2, 2025],
      [3, 2020],
    ] as const;
    const runs = cases.slice(0, scaleRunCount(cases.length));
    for (const [seed, year] of runs) {
      const hours = await yearOf(seed, year);
      for (const field of fields) {
        const found = statisticsOf(hours, field);
        far.push(...farFrom(field, found, 0.1).map(figure => `${seed} ${year} ${figure}`));
        const { lowest, highest } = realHours[field];
        const { mean, deviation } = found;
        assert.deepEqual(farFrom(field, { mean, deviation, lowest, highest }, 0.2), []);
      }
    }
    assert.ok(far.length <= 0.04 * runs.length * fields.length * 4, far.join('\n'));
  });

  it('dispatches in merit order: diesel at high demand, load shedding last', async () => {
    const hours = await yearOf(3, 2024);
    const byNeed = hours.toSorted((a, b) => reading(a) - reading(b));
    const quarter = Math.floor(hours.length / 4);
    const [low, high] = [byNeed.slice(0, quarter), byNeed.slice(-quarter)];
    const ocgtOf = (some: readonly GridHour[]) => statisticsOf(some, 'eskom_ocgt_mw').mean;
    const shedOf = (some: readonly GridHour[]) => some.reduce((sum, hour) => sum + (hour.shedMw ?? 0), 0) / some.length;
    assert.ok(ocgtOf(high) > 4 * ocgtOf(low), `${ocgtOf(high)} and ${ocgtOf(low)}`);
    assert.ok(shedOf(high) > 2 * shedOf(low), `${shedOf(high)} and ${shedOf(low)}`);
  });
});

function reading({ record }: GridHour): number {
  return record.residual_demand_mw ?? 0;
}
