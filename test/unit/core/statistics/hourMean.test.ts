import assert from 'node:assert/strict';
import { createScorecard } from '../../../../src/core/forecast/scorecard.ts';
import type { NumberColumn } from '../../../../src/shared/frame.ts';
import { power } from '../../../../src/shared/units.ts';
import { selectionStats } from '../../../../src/webview/rows/selectionStats.ts';
import { describeColumn } from '../../../../src/core/statistics/columnStatistics.ts';
import { seeded } from '../../../support/seeded.ts';
import { frameOf, numberColumn, timeColumn } from '../filter/columns.ts';

const dayMs = 86_400_000;
const random = seeded(23);
const days = Array.from({ length: 60 }, (_, day) => day);
/** Most days are complete, some have a few known hours, and one has none. */
const hours = Float64Array.from(days, day => (day === 7 ? 0 : random() < 0.6 ? 24 : Math.ceil(random() * 23)));
const values = (name: string): NumberColumn => ({
  ...numberColumn(
    name,
    days.map(() => (random() < 0.1 ? null : Math.round(random() * 4_000_000) / 1000)),
    power,
  ),
  hours,
});
const [actual, forecast] = [values('actual_mw'), values('forecast_mw')];
const time = timeColumn(
  'ts',
  days.map(day => day * dayMs),
);

/** Computes mean and energy of these rows, each value multiplied by its hours. */
function expected(columns: readonly NumberColumn[], rows: readonly number[]) {
  const cells = columns.flatMap(({ values: all, gaps }) =>
    rows.filter(row => !gaps?.[row]).map(row => ({ value: all[row] ?? NaN, hours: hours[row] ?? NaN })),
  );
  const energy = cells.reduce((sum, { value, hours: own }) => sum + value * own, 0);
  return { energy, mean: energy / cells.reduce((sum, cell) => sum + cell.hours, 0) };
}

function assertNear(made: number | undefined, wanted: number): void {
  assert.ok(Math.abs((made ?? NaN) - wanted) <= 1e-9 * Math.abs(wanted), `${made}, not ${wanted}`);
}

describe('the mean of rows that count for different hours', () => {
  it('is the one that belongs to their energy: in statistics and in the footer', () => {
    const rows = days.filter(day => day % 3 !== 1);
    const { mean, energy } = expected([actual], rows);
    const statistics = describeColumn(actual, time, Uint32Array.from(rows));
    assertNear(statistics.summary?.mean, mean);
    assertNear(statistics.energy?.mwh, energy);
    const { figures } = selectionStats([actual], rows);
    assertNear(figures?.mean, mean);
    assertNear(figures?.energy?.mwh, energy);
    const both = selectionStats([actual, forecast], rows);
    assertNear(both.figures?.mean, expected([actual, forecast], rows).mean);
    assertNear(describeColumn(actual, time).summary?.mean, expected([actual], days).mean);
  });

  it('is the plain mean if all rows count alike, if a column has no hours, and for overlapping windows', () => {
    const { hours: _, ...plain } = actual;
    const alike = { ...actual, hours: hours.map(() => 24) };
    const overlapping = { ...actual, field: { label: '', meaning: '', unit: { ...power, overlaps: true } } } as const;
    const known = days.filter(day => !actual.gaps?.[day]);
    const mean = known.reduce((sum, day) => sum + (actual.values[day] ?? NaN), 0) / known.length;
    for (const column of [plain, alike, overlapping]) assertNear(describeColumn(column).summary?.mean, mean);
  });

  it('multiplied by the hours gives the difference of energies, for the bias of a forecast', () => {
    const span = { start: 0, end: 60 * dayMs, stepMs: dayMs };
    const of = { actual: 'actual_mw', forecast: 'forecast_mw', by: 'all', names: ['All'], locale: 'en' } as const;
    const zone = { timeZone: 'UTC', label: 'UTC' };
    const made = createScorecard(frameOf(time, actual, forecast), { ...of, ...zone, ...span });
    const cell = (name: string): number => {
      const column = made.columns.find(one => one.name === name);
      return column?.kind === 'number' ? (column.values[0] ?? NaN) : NaN;
    };
    const both = days.filter(day => !actual.gaps?.[day] && !forecast.gaps?.[day]);
    const errors = both.map(day => (actual.values[day] ?? NaN) - (forecast.values[day] ?? NaN));
    const weigh = (numbers: readonly number[]): number =>
      numbers.reduce((sum, number, at) => sum + number * (hours[both[at] ?? -1] ?? NaN), 0);
    const all = weigh(both.map(() => 1));
    assertNear(cell('hours'), all);
    assertNear(cell('bias_mw') * cell('hours'), expected([actual], both).energy - expected([forecast], both).energy);
    assertNear(cell('mae_mw'), weigh(errors.map(Math.abs)) / all);
    assertNear(cell('rmse_mw'), Math.sqrt(weigh(errors.map(error => error ** 2)) / all));
  });
});
