import assert from 'node:assert/strict';
import { resampleFrame } from '../../../../src/core/bins/resampleFrame.ts';
import { fillPreset, listPresets } from '../../../../src/core/pack/presets.ts';
import { inferUnit, unitOf } from '../../../../src/shared/units.ts';
import { createFrame, numberColumn, timeColumn } from '../filter/columns.ts';
import { deriveInFrame, hourMs, readCells } from '../formula/derive.ts';
import { findPreset } from './findPreset.ts';

const days = 31;

/** Creates a meter of 31 days: 100 kWh in each hour, and 150 kWh in the hour of each day that begins at `busyHour` SAST. */
function createMeter(firstDay: string, busyHour: number) {
  const start = Date.parse(`${firstDay}T00:00+02:00`);
  const hours = Array.from({ length: days * 24 }, (_, hour) => hour);
  const time = timeColumn(
    'ts',
    hours.map(hour => start + hour * hourMs),
  );
  const energies = hours.map(hour => (hour % 24 === busyHour ? 150 : 100));
  return createFrame(time, numberColumn('meter_kwh', energies, inferUnit('meter_kwh')));
}

const columns = fillPreset(findPreset('Time-of-use cost'), {
  energy: 'meter_kwh',
  prices: [650, 200, 110, 300, 180, 115],
});
const columnsOf2024 = columns.map(({ name, formula }) => ({
  name,
  formula: formula.replaceAll(/\b(peak|standard)\b/g, '$1(2024)'),
}));

/** Returns the cost in R of all hours. */
function sumCost(frame: ReturnType<typeof createMeter>, derived = columns): number {
  const [cost] = deriveInFrame(frame, derived, hourMs);
  assert.ok(cost);
  assert.equal(unitOf(cost.field).text, 'R');
  return readCells(cost).reduce<number>((sum, value) => sum + (value ?? NaN), 0);
}

function assertClose(actual: number | null | undefined, expected: number): void {
  assert.ok(Math.abs((actual ?? NaN) - expected) < 1e-6, `${actual} instead of ${expected}`);
}

/**
 * July 2025 begins on a Tuesday: 5 each of Tuesday, Wednesday and Thursday, 4 each of Monday and Friday are 23 weekdays; 4 Saturdays and 4
 * Sundays; no holiday.
 *
 * Tariff of April 2025, June to August. Weekday: peak 06–08 and 17–20 = 5 h, standard 08–17 and 20–22 = 11 h, off-peak 8 h. Saturday:
 * standard 07–12 and 17–19 = 7 h, off-peak 17 h. Sunday: standard 17–19 = 2 h, off-peak 22 h.
 * Peak: 23 × 5 = 115 h. Standard: 23 × 11 + 4 × 7 + 4 × 2 = 253 + 28 + 8 = 289 h. Off-peak: 23 × 8 + 4 × 17 + 4 × 22 = 184 + 68 + 88 = 340 h.
 * 115 + 289 + 340 = 744 h = 31 × 24 h.
 * The hour at 08:00 adds 50 kWh: on 23 weekdays and 4 Saturdays in standard, 27 × 50 = 1 350 kWh; on 4 Sundays in off-peak, 200 kWh.
 * Energy: peak 11 500, standard 28 900 + 1 350 = 30 250, off-peak 34 000 + 200 = 34 200 kWh.
 * Cost: 11 500 × 6.50 + 30 250 × 2.00 + 34 200 × 1.10 = 74 750 + 60 500 + 37 620 = 172 870 R.
 */
const july2025 = { peak: 74_750, standard: 60_500, offPeak: 37_620, total: 172_870 };

/**
 * The same load under the tariff before. Weekday: peak 06–09 and 17–19 = 5 h, standard 09–17 and 19–22 = 11 h, off-peak 8 h. Saturday: standard
 * 07–12 and 18–20 = 7 h, off-peak 17 h. Sunday: off-peak 24 h.
 * Peak: 115 h. Standard: 253 + 28 = 281 h. Off-peak: 184 + 68 + 96 = 348 h. 115 + 281 + 348 = 744 h.
 * The hour at 08:00 is in peak on 23 weekdays, 1 150 kWh; in standard on 4 Saturdays, 200 kWh; in off-peak on 4 Sundays, 200 kWh.
 * Energy: 12 650, 28 300 and 35 000 kWh. Cost: 82 225 + 56 600 + 38 500 = 177 325 R.
 */
const july2025AsIn2024 = 177_325;

/**
 * 15 March to 14 April 2025, low-demand season. March: Saturdays 15, 22 and 29; Sundays 16, 23 and 30; Friday 21 is Human Rights Day, which has
 * the hours of a Saturday; the other 10 days are weekdays. 10 + 4 + 3 = 17 days. April: weekdays 1–4, 7–11 and 14 are 10; Saturdays 5 and 12;
 * Sundays 6 and 13. 10 + 2 + 2 = 14 days.
 *
 * Tariff until March. Weekday: peak 07–10 and 18–20 = 5 h, standard 06–07, 10–18 and 20–22 = 11 h, off-peak 8 h. Saturday: standard 07–12 and
 * 18–20 = 7 h, off-peak 17 h. Sunday: off-peak 24 h.
 * Peak 10 × 5 = 50 h, standard 10 × 11 + 4 × 7 = 138 h, off-peak 10 × 8 + 4 × 17 + 3 × 24 = 220 h; 408 h = 17 × 24 h.
 * Tariff from April. Weekday: peak 07–09 and 18–21 = 5 h, standard 06–07, 09–18 and 21–22 = 11 h, off-peak 8 h. Saturday as before. Sunday:
 * standard 18–20 = 2 h, off-peak 22 h.
 * Peak 50 h, standard 110 + 14 + 4 = 128 h, off-peak 80 + 34 + 44 = 158 h; 336 h = 14 × 24 h.
 * The hour at 09:00 adds 50 kWh. March: 10 in peak, 500; 4 in standard, 200; 3 in off-peak, 150 kWh. April: 10 + 2 in standard, 600; 2 in
 * off-peak, 100 kWh.
 * Energy: peak 10 000 + 500 = 10 500, standard 26 600 + 200 + 600 = 27 400, off-peak 37 800 + 150 + 100 = 38 050 kWh; 75 950 kWh.
 * Cost: 10 500 × 3.00 + 27 400 × 1.80 + 38 050 × 1.15 = 31 500 + 49 320 + 43 757.50 = 124 577.50 R.
 */
const acrossTariffs = 124_577.5;

/**
 * The same load with the hours until March in April too: peak 50 + 50 h, standard 138 + 110 + 14 = 262 h, off-peak 220 + 80 + 34 + 48 = 382 h.
 * The hour at 09:00 in April: 10 in peak, 500; 2 in standard, 100; 2 in off-peak, 100 kWh.
 * Energy: 10 000 + 500 + 500 = 11 000, 26 200 + 200 + 100 = 26 500, 38 200 + 150 + 100 = 38 450 kWh; 75 950 kWh.
 * Cost: 33 000 + 47 700 + 44 217.50 = 124 917.50 R.
 */
const acrossTariffsAsIn2024 = 124_917.5;

describe('the preset of time-of-use cost', () => {
  it('computes the bill of July 2025', () => {
    assertClose(sumCost(createMeter('2025-07-01', 8)), july2025.total);
  });

  it('splits the bill of July 2025 and its mean prices by tariff period', () => {
    const frame = createMeter('2025-07-01', 8);
    const [time] = frame.columns;
    assert.ok(time?.kind === 'time');
    const start = time.values[0] ?? NaN;
    const resampled = resampleFrame(
      { ...frame, columns: [...frame.columns, ...deriveInFrame(frame, columns, hourMs)] },
      {
        by: 'tariffPeriod',
        start,
        end: start + days * 24 * hourMs,
        intervalMs: hourMs,
        timeZone: 'Africa/Johannesburg',
        label: 'SAST',
        names: ['Peak', 'Standard', 'Off-peak'],
      },
    );
    const readColumn = (name: string) => {
      const column = resampled.columns.find(candidate => candidate.name === name);
      assert.ok(column?.kind === 'number', name);
      return readCells(column);
    };
    const { peak, standard, offPeak } = july2025;
    for (const [index, cost] of [peak, standard, offPeak].entries()) assertClose(readColumn('cost')[index], cost);
    // 650, 200 and 110 c/kWh are 6,500, 2,000 and 1,100 R/MWh.
    for (const [index, price] of [6_500, 2_000, 1_100].entries()) assertClose(readColumn('mean_price')[index], price);
  });

  it('computes the bill of July 2025 under the hours of 2024', () => {
    assertClose(sumCost(createMeter('2025-07-01', 8), columnsOf2024), july2025AsIn2024);
  });

  it('computes a bill across a holiday and a change of the tariff', () => {
    assertClose(sumCost(createMeter('2025-03-15', 9)), acrossTariffs);
  });

  it('computes that bill as if the tariff had not changed', () => {
    assertClose(sumCost(createMeter('2025-03-15', 9), columnsOf2024), acrossTariffsAsIn2024);
  });

  it('is listed for a column of energy in hours, and not for days or without such a column', () => {
    const { columns: meterColumns } = createMeter('2025-07-01', 8);
    const listLabels = (...args: Parameters<typeof listPresets>) => listPresets(...args).map(({ label }) => label);
    assert.deepEqual(listLabels(meterColumns, true, hourMs), ['Time-of-use cost']);
    assert.deepEqual(listLabels(meterColumns, true, 24 * hourMs), []);
    assert.deepEqual(listLabels(meterColumns.slice(0, 1), true, hourMs), []);
  });
});
