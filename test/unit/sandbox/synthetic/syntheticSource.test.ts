import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { GridHour } from '../../../../src/sandbox/data/gridHour.ts';
import { SyntheticSource } from '../../../../src/sandbox/synthetic/syntheticSource.ts';
import { toHour, collectHours } from '../fakes.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const source = new SyntheticSource(1);
const first = toHour(Date.UTC(2018, 0));
const anyHour = fc.integer({ min: first, max: toHour(Date.UTC(2031, 0)) });
const thousandths = (value: number) => Math.round(value * 1000);

describe('SyntheticSource', () => {
  it('returns the same value of an hour for any query', async () => {
    await fc.assert(
      fc.asyncProperty(anyHour, fc.nat(60), fc.nat(60), async (hour, hoursBefore, hoursAfter) => {
        const alone = new SyntheticSource(1).hour(hour);
        const among = await collectHours(source, hour - hoursBefore, hour + 1 + hoursAfter);
        assert.deepEqual(
          among.find(found => found.hour === hour),
          alone,
        );
        assert.deepEqual(source.hour(hour), alone);
      }),
      { numRuns: scaleRunCount(60) },
    );
  });

  it('depends only on the seed', () => {
    assert.deepEqual(new SyntheticSource(7).hour(450_000), new SyntheticSource(7).hour(450_000));
    assert.notDeepEqual(new SyntheticSource(8).hour(450_000), new SyntheticSource(7).hour(450_000));
    assert.equal(new SyntheticSource(8).identity, 'synthetic-2-seed-8');
  });

  it('keeps the arithmetic of the fields exact to the last published digit', () => {
    fc.assert(
      fc.property(anyHour, hour => {
        const hourData = source.hour(hour);
        if (!hourData) return;
        const { record, totalMw } = hourData;
        const previous = source.hour(hour - 1)?.record.eskom_ocgt_mw ?? null;
        const isDifferent = (a: number | null, b: number | null, expected: number | null) =>
          assert.equal(
            expected === null ? null : thousandths(expected),
            a === null || b === null ? null : thousandths(a) - thousandths(b),
          );
        isDifferent(record.imports_mw, record.exports_mw, record.net_import_mw);
        isDifferent(record.residual_demand_mw, record.residual_forecast_mw, record.forecast_error_mw);
        isDifferent(record.eskom_ocgt_mw, previous, record.ocgt_ramp_mw);
        if (record.total_re_mw !== null && totalMw !== null)
          assert.ok(Math.abs((record.renewable_share_pct ?? -1) - (100 * record.total_re_mw) / totalMw) <= 0.000_501);
        else assert.equal(record.renewable_share_pct, null);
        for (const [name, value] of Object.entries(record))
          if (typeof value === 'number') assert.equal(value, Number(value.toFixed(3)), name);
      }),
      { numRuns: scaleRunCount(2_000) },
    );
  });

  it('omits a few hours and a few readings', async () => {
    const from = toHour(Date.UTC(2019, 0));
    const to = toHour(Date.UTC(2019 + scaleRunCount(7), 0));
    const hours = await collectHours(source, from, to);
    const missing = 1 - hours.length / (to - from);
    assert.ok(missing > 0.001 && missing < 0.003, `missing ${missing}`);
    const nulls = hours.filter(hour => hour.record.wind_mw === null).length / hours.length;
    assert.ok(nulls > 0.0005 && nulls < 0.002, `null ${nulls}`);
  });

  it('follows the levels, days, seasons and sun of South Africa', async () => {
    // Means of the Eskom Data Portal over 2022-07 to 2024-03, in MW.
    const real = { residual_demand_mw: 23_550, thermal_mw: 18_960, wind_mw: 1_282, pv_mw: 585, total_re_mw: 2_060 };
    const hours = await collectHours(source, toHour(Date.UTC(2022, 6)), toHour(Date.UTC(2024, 3)));
    for (const [field, expected] of Object.entries(real) as [keyof typeof real, number][]) {
      const share = computeMean(hours, field) / expected;
      assert.ok(share > 0.87 && share < 1.13, `${field} is ${share} of the real mean`);
    }
    const listHoursAtSast = (hour: number) => hours.filter(found => (found.hour + 2) % 24 === hour);
    assert.ok(
      computeMean(listHoursAtSast(18), 'residual_demand_mw') >
        1.25 * computeMean(listHoursAtSast(2), 'residual_demand_mw'),
    );
    assert.ok(
      computeMean(listHoursAtSast(8), 'residual_demand_mw') > computeMean(listHoursAtSast(12), 'residual_demand_mw'),
    );
    assert.ok(computeMean(listHoursAtSast(18), 'eskom_ocgt_mw') > 2 * computeMean(listHoursAtSast(2), 'eskom_ocgt_mw'));
    assert.ok(listHoursAtSast(23).every(found => (found.record.pv_mw ?? 0) === 0));
    const listHoursOfMonth = (month: string) => hours.filter(found => found.record.ts.slice(5, 7) === month);
    assert.ok(
      computeMean(listHoursOfMonth('07'), 'residual_demand_mw') >
        computeMean(listHoursOfMonth('01'), 'residual_demand_mw') + 1_000,
    );
    assert.ok(computeMean(listHoursOfMonth('01'), 'pv_mw') > 1.3 * computeMean(listHoursOfMonth('06'), 'pv_mw'));
  });

  it('sheds load in episodes of hours to days, in every year alike', async () => {
    const listShedding = async (year: number) => {
      const hours = await collectHours(source, toHour(Date.UTC(year, 0)), toHour(Date.UTC(year + 1, 0)));
      const shed = hours.filter(hour => (hour.shedMw ?? 0) > 0);
      const episodes = shed.filter(hour => (source.hour(hour.hour - 1)?.shedMw ?? 0) === 0).length;
      return { share: shed.length / hours.length, length: shed.length / episodes };
    };
    // Load was shed in 74 % of the real hours. The years have no trend, so each must be like those hours.
    const years = [2023, 2019, 2026];
    for (const year of years.slice(0, scaleRunCount(years.length))) {
      const { share, length } = await listShedding(year);
      assert.ok(share > 0.55 && share < 0.85, `share ${share}`);
      assert.ok(length > 6 && length < 72, `length ${length}`);
    }
  });
});

function computeMean(
  hours: readonly GridHour[],
  field: 'residual_demand_mw' | 'thermal_mw' | 'eskom_ocgt_mw' | 'wind_mw' | 'pv_mw' | 'total_re_mw',
): number {
  const values = hours.map(hour => hour.record[field]).filter(value => value !== null);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
