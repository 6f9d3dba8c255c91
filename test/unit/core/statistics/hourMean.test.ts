import assert from 'node:assert/strict';
import { createScorecard } from '../../../../src/core/forecast/scorecard.ts';
import type { NumberColumn } from '../../../../src/shared/frame.ts';
import { power } from '../../../../src/shared/units.ts';
import { computeSelectionStats } from '../../../../src/webview/rows/selectionStats.ts';
import { describeColumn } from '../../../../src/core/statistics/columnStatistics.ts';
import { createSeededRandom } from '../../../support/seededRandom.ts';
import { createFrame, numberColumn, timeColumn } from '../filter/columns.ts';

const dayMs = 86_400_000;
const random = createSeededRandom(23);
const days = Array.from({ length: 60 }, (_, day) => day);
/** Most days are complete, some have a few known hours, and one has none. */
const hours = Float64Array.from(days, day => (day === 7 ? 0 : random() < 0.6 ? 24 : Math.ceil(random() * 23)));
const createColumn = (name: string): NumberColumn => ({
  ...numberColumn(
    name,
    days.map(() => (random() < 0.1 ? null : Math.round(random() * 4_000_000) / 1000)),
    power,
  ),
  hours,
});
const actual = createColumn('actual_mw');
const forecast = createColumn('forecast_mw');
const time = timeColumn(
  'ts',
  days.map(day => day * dayMs),
);

/** Computes mean and energy of these rows, each value multiplied by its hours. */
function computeExpected(columns: readonly NumberColumn[], rows: readonly number[]) {
  const cells = columns.flatMap(({ values: columnValues, gaps }) =>
    rows.filter(row => !gaps?.[row]).map(row => ({ value: columnValues[row] ?? NaN, hours: hours[row] ?? NaN })),
  );
  const energy = cells.reduce((sum, { value, hours: cellHours }) => sum + value * cellHours, 0);
  return { energy, mean: energy / cells.reduce((sum, cell) => sum + cell.hours, 0) };
}

function assertNear(mean: number | undefined, expectedValue: number): void {
  assert.ok(Math.abs((mean ?? NaN) - expectedValue) <= 1e-9 * Math.abs(expectedValue), `${mean}, not ${expectedValue}`);
}

describe('the mean of rows that cover different hours', () => {
  it('matches the energy of the rows, in statistics and in the footer', () => {
    const rows = days.filter(day => day % 3 !== 1);
    const { mean, energy } = computeExpected([actual], rows);
    const statistics = describeColumn(actual, time, Uint32Array.from(rows));
    assertNear(statistics.summary?.mean, mean);
    assertNear(statistics.energy?.mwh, energy);
    const { figures } = computeSelectionStats([actual], rows);
    assertNear(figures?.mean, mean);
    assertNear(figures?.energy?.mwh, energy);
    const selectionOfTwo = computeSelectionStats([actual, forecast], rows);
    assertNear(selectionOfTwo.figures?.mean, computeExpected([actual, forecast], rows).mean);
    assertNear(describeColumn(actual, time).summary?.mean, computeExpected([actual], days).mean);
  });

  it('returns the plain mean if all rows cover equal hours, if a column has no hours, and for overlapping windows', () => {
    const { hours: _, ...withoutHours } = actual;
    const alike = { ...actual, hours: hours.map(() => 24) };
    const overlapping = { ...actual, field: { label: '', meaning: '', unit: { ...power, overlaps: true } } } as const;
    const knownDays = days.filter(day => !actual.gaps?.[day]);
    const mean = knownDays.reduce((sum, day) => sum + (actual.values[day] ?? NaN), 0) / knownDays.length;
    for (const column of [withoutHours, alike, overlapping]) assertNear(describeColumn(column).summary?.mean, mean);
  });

  it("returns a forecast's bias that, multiplied by the hours, equals the difference of energies", () => {
    const span = { start: 0, end: 60 * dayMs, intervalMs: dayMs };
    const scoreOptions = {
      actual: 'actual_mw',
      forecast: 'forecast_mw',
      by: 'all',
      names: ['All'],
      locale: 'en',
    } as const;
    const zone = { timeZone: 'UTC', label: 'UTC' };
    const scorecard = createScorecard(createFrame(time, actual, forecast), { ...scoreOptions, ...zone, ...span });
    const readCell = (name: string): number => {
      const column = scorecard.columns.find(candidate => candidate.name === name);
      return column?.kind === 'number' ? (column.values[0] ?? NaN) : NaN;
    };
    const commonDays = days.filter(day => !actual.gaps?.[day] && !forecast.gaps?.[day]);
    const errors = commonDays.map(day => (actual.values[day] ?? NaN) - (forecast.values[day] ?? NaN));
    const sumWeighted = (numbers: readonly number[]): number =>
      numbers.reduce((sum, number, index) => sum + number * (hours[commonDays[index] ?? -1] ?? NaN), 0);
    const totalHours = sumWeighted(commonDays.map(() => 1));
    assertNear(readCell('hours'), totalHours);
    assertNear(
      readCell('bias_mw') * readCell('hours'),
      computeExpected([actual], commonDays).energy - computeExpected([forecast], commonDays).energy,
    );
    assertNear(readCell('mae_mw'), sumWeighted(errors.map(Math.abs)) / totalHours);
    assertNear(readCell('rmse_mw'), Math.sqrt(sumWeighted(errors.map(error => error ** 2)) / totalHours));
  });
});
