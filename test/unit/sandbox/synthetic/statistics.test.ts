import assert from 'node:assert/strict';
import type { GridHour } from '../../../../src/sandbox/data/gridHour.ts';
import { SyntheticSource } from '../../../../src/sandbox/synthetic/syntheticSource.ts';
import { scaleRunCount } from '../../../support/runCount.ts';
import { toHour, collectHours } from '../fakes.ts';
import { farFrom, fields, realHours, statisticsOf } from './realHours.ts';

const generateYear = async (seed: number, year: number) =>
  collectHours(new SyntheticSource(seed), toHour(Date.UTC(year, 0)), toHour(Date.UTC(year + 1, 0)));

describe('a year of the synthetic grid', () => {
  it('matches the mean, deviation and extremes of the real hours within 10 % in each field', async () => {
    const year = await generateYear(1, 2023);
    for (const field of fields) assert.deepEqual(farFrom(field, statisticsOf(year, field), 0.1), []);
  });

  it('detects a wrong mean of any field except three differences with means near zero', () => {
    const undetected = fields.filter(field => {
      const { mean, ...others } = realHours[field];
      return farFrom(field, { mean: mean * 1.2, ...others }, 0.1).length === 0;
    });
    assert.deepEqual(undetected, ['net_import_mw', 'ocgt_ramp_mw', 'forecast_error_mw']);
  });

  it('matches the real hours over the same period', async () => {
    const from = toHour(Date.UTC(2022, 5, 22, 22));
    const to = toHour(Date.UTC(2024, 2, 31, 22));
    const hours = await collectHours(new SyntheticSource(1), from, to);
    for (const field of fields) assert.deepEqual(farFrom(field, statisticsOf(hours, field), 0.1), []);
  });

  it('matches nearly all statistics with other seeds and years', async () => {
    const deviations: string[] = [];
    const cases = [
      [77, 2030],
      [1, 2018],
      [1, 2026],
      [2, 2025],
      [3, 2020],
    ] as const;
    const runs = cases.slice(0, scaleRunCount(cases.length));
    for (const [seed, year] of runs) {
      const hours = await generateYear(seed, year);
      for (const field of fields) {
        const statistics = statisticsOf(hours, field);
        deviations.push(...farFrom(field, statistics, 0.1).map(figure => `${seed} ${year} ${figure}`));
        const { lowest, highest } = realHours[field];
        const { mean, deviation } = statistics;
        assert.deepEqual(farFrom(field, { mean, deviation, lowest, highest }, 0.2), []);
      }
    }
    assert.ok(deviations.length <= 0.04 * runs.length * fields.length * 4, deviations.join('\n'));
  });

  it('dispatches in merit order: diesel at high demand, load shedding last', async () => {
    const hours = await generateYear(3, 2024);
    const byDemand = hours.toSorted((a, b) => getResidualDemand(a) - getResidualDemand(b));
    const quarter = Math.floor(hours.length / 4);
    const low = byDemand.slice(0, quarter);
    const high = byDemand.slice(-quarter);
    const computeMeanOcgt = (selected: readonly GridHour[]) => statisticsOf(selected, 'eskom_ocgt_mw').mean;
    const computeMeanShedding = (selected: readonly GridHour[]) =>
      selected.reduce((sum, hour) => sum + (hour.shedMw ?? 0), 0) / selected.length;
    assert.ok(computeMeanOcgt(high) > 4 * computeMeanOcgt(low), `${computeMeanOcgt(high)} and ${computeMeanOcgt(low)}`);
    assert.ok(
      computeMeanShedding(high) > 2 * computeMeanShedding(low),
      `${computeMeanShedding(high)} and ${computeMeanShedding(low)}`,
    );
  });
});

function getResidualDemand({ record }: GridHour): number {
  return record.residual_demand_mw ?? 0;
}
