import assert from 'node:assert/strict';
import fc from 'fast-check';
import { aggregateHourRecords, type DailyRecord, type GridHour } from '../../../../src/sandbox/data/gridHour.ts';
import { SyntheticSource } from '../../../../src/sandbox/synthetic/syntheticSource.ts';
import { hourMs } from '../../../../src/shared/durations.ts';
import { parseResponse, fakeService, toHour, collectHours, noon, range, systemState } from '../fakes.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const source = new SyntheticSource(5);
const dayMs = 24 * hourMs;
const mwFields =
  'residual_demand_mw residual_forecast_mw thermal_mw nuclear_mw eskom_gas_mw eskom_ocgt_mw hydro_water_mw wind_mw pv_mw total_re_mw imports_mw exports_mw net_import_mw forecast_error_mw'.split(
    ' ',
  );

/** Computes a day from the hourly records and the total generation, which is not published. */
function computeExpectedDay(day: string, hours: readonly GridHour[]): Record<string, unknown> {
  const dayHours = hours.filter(({ record }) => record.ts.startsWith(day));
  const listValues = (field: string) =>
    dayHours
      .map(({ record }) => (record as unknown as Record<string, number | null>)[field] ?? null)
      .filter(value => value !== null);
  const expected: Record<string, unknown> = { ts: `${day}T00:00:00Z` };
  for (const field of mwFields) {
    const present = listValues(field);
    const total = present.reduce((sum, value) => sum + Math.round(value * 1000), 0);
    expected[field] = present.length === 0 ? null : total / present.length / 1000;
  }
  const hoursWithBoth = dayHours.filter(hour => hour.record.total_re_mw !== null && hour.totalMw !== null);
  expected['renewable_share_pct'] =
    (100 * hoursWithBoth.reduce((sum, hour) => sum + (hour.record.total_re_mw ?? 0), 0)) /
    hoursWithBoth.reduce((sum, hour) => sum + (hour.totalMw ?? 0), 0);
  const ramps = listValues('ocgt_ramp_mw').sort((a, b) => a - b);
  expected['ocgt_ramp_up_max_mw'] = ramps.at(-1);
  expected['ocgt_ramp_down_min_mw'] = ramps[0];
  return expected;
}

function assertDay(day: DailyRecord, hours: readonly GridHour[]): void {
  const expected = computeExpectedDay(String(day['ts']).slice(0, 10), hours);
  assert.deepEqual(Object.keys(day), Object.keys(expected));
  for (const [field, value] of Object.entries(expected))
    if (typeof value === 'number')
      assert.ok(Math.abs(Number(day[field]) - value) <= 0.000_501, `${String(day['ts'])} ${field}`);
    else assert.equal(day[field], value);
}

describe('aggregateHourRecords', () => {
  it('aggregates the hours of a year with gaps', async () => {
    const hours = await collectHours(source, toHour(Date.UTC(2023, 0)), toHour(Date.UTC(2024, 0)));
    const days = aggregateHourRecords(hours);
    assert.equal(days.length, 365);
    for (const day of days) assertDay(day, hours);
  });

  it('aggregates any run of days, for any seed', async () => {
    const anyDay = fc.integer({ min: Date.UTC(2018, 0) / dayMs, max: Date.UTC(2033, 0) / dayMs });
    await fc.assert(
      fc.asyncProperty(anyDay, fc.integer({ min: 1, max: 5 }), fc.nat(4_294_967_295), async (day, count, seed) => {
        const hours = await collectHours(new SyntheticSource(seed), day * 24, (day + count) * 24);
        const days = aggregateHourRecords(hours);
        assert.equal(days.length, count);
        for (const aggregated of days) assertDay(aggregated, hours);
      }),
      { numRuns: scaleRunCount(200) },
    );
  });

  it('omits nulls from a mean, and days without hours from the response', () => {
    const createHour = (instant: number, ocgt: number | null, ramp: number | null): GridHour => {
      const hour = source.hour(toHour(instant));
      assert.ok(hour);
      return { ...hour, record: { ...hour.record, eskom_ocgt_mw: ocgt, ocgt_ramp_mw: ramp } };
    };
    const days = aggregateHourRecords([
      createHour(noon, 100, null),
      createHour(noon + hourMs, null, null),
      createHour(noon + 2 * hourMs, 0, null),
      createHour(noon + 48 * hourMs, null, -20),
    ]);
    assert.deepEqual(
      days.map(day => [day['ts'], day['eskom_ocgt_mw'], day['ocgt_ramp_up_max_mw'], day['ocgt_ramp_down_min_mw']]),
      [
        ['2023-06-15T00:00:00Z', 50, null, null],
        ['2023-06-17T00:00:00Z', null, -20, -20],
      ],
    );
  });

  it('aggregates the hours published so far on the current day', async () => {
    const { request, clock } = fakeService();
    const today = systemState + range(noon - 12 * hourMs, noon + 12 * hourMs, '&interval=1d');
    const earlierResponse = await parseResponse(await request(today));
    clock.advance(6 * hourMs);
    const laterResponse = await parseResponse(await request(today));
    assert.equal(earlierResponse.data.length, 1);
    assert.equal(laterResponse.data.length, 1);
    assert.notEqual(earlierResponse.data[0]?.['pv_mw'], laterResponse.data[0]?.['pv_mw']);
  });
});
