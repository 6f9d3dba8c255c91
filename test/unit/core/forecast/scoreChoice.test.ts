import assert from 'node:assert/strict';
import { energy, hourCount, power, powerDifference } from '../../../../src/shared/units.ts';
import { initialScore, type ScoreChoice } from '../../../../src/shared/scorecard.ts';
import { resolveScoreChoice, canScore } from '../../../../src/core/forecast/scoreChoice.ts';
import { createFrame, numberColumn, textColumn, timeColumn } from '../filter/columns.ts';

const hourMs = 3_600_000;
const dayMs = 86_400_000;
const time = timeColumn('ts', [0]);
const createColumn = (name: string, unit = power) => numberColumn(name, [1], unit);
const system = createFrame(
  time,
  createColumn('wind_mw'),
  createColumn('forecast_error_mw', powerDifference),
  createColumn('residual_forecast_mw'),
  createColumn('hydro_mwh', energy),
  createColumn('residual_demand_mw'),
);

describe('resolveScoreChoice', () => {
  const resolveChoice = (frame = system, choice: Partial<ScoreChoice> = {}, intervalMs = hourMs) => {
    const { actual, forecast, actuals, forecasts, by, groupings } =
      resolveScoreChoice(frame, intervalMs, { ...initialScore, ...choice }) ?? assert.fail();
    const joinNames = (columns: typeof actuals): string =>
      columns.map(({ name }) => name.replace(/_mw$/, '')).join(' ');
    return {
      pair: joinNames([actual, forecast]),
      actuals: joinNames(actuals),
      forecasts: joinNames(forecasts),
      by,
      groupings,
    };
  };

  it('selects residual demand and its forecast by default, and offers the columns whose unit occurs more than once', () => {
    const { pair, actuals, forecasts } = resolveChoice();
    assert.equal(pair, 'residual_demand residual_forecast');
    assert.equal(actuals, 'wind residual_forecast residual_demand');
    assert.equal(forecasts, 'wind residual_forecast');
  });

  it("keeps the user's selection unless a column is missing, is selected twice or has another unit", () => {
    assert.equal(
      resolveChoice(system, { actual: 'wind_mw', forecast: 'residual_demand_mw' }).pair,
      'wind residual_demand',
    );
    for (const forecast of ['wind_mw', 'hydro_mwh', 'nothing'])
      assert.equal(resolveChoice(system, { actual: 'wind_mw', forecast }).pair, 'wind residual_forecast');
    assert.equal(resolveChoice(system, { actual: 'hydro_mwh' }).pair, 'residual_demand residual_forecast');
  });

  it('selects the first two columns with equal units if there is no residual demand', () => {
    const frame = createFrame(
      time,
      createColumn('a', energy),
      numberColumn('b', [1]),
      createColumn('c'),
      numberColumn('d', [1]),
    );
    assert.equal(resolveChoice(frame).pair, 'b d');
  });

  it('offers groupings that are longer than a row: days by weekday, but not by hour of the day', () => {
    assert.equal(resolveChoice(system, { by: 'hourOfDay' }).by, 'hourOfDay');
    assert.equal(resolveChoice(system, { by: 'hourOfDay' }, dayMs).by, 'all');
    assert.deepEqual(resolveChoice(system, {}, dayMs).groupings, [
      'all',
      'weekday',
      'monthOfYear',
      'season',
      'band',
      'worst',
    ]);
    assert.deepEqual(resolveChoice(system, {}, 7 * dayMs).groupings, ['all', 'band', 'worst']);
  });

  it('canScore requires times of rows of equal length, and two numeric columns with one unit that is not hours', () => {
    const bins = { size: 'day', timeZone: 'UTC', label: 'UTC' } as const;
    const twoColumns = [createColumn('a'), createColumn('b')];
    assert.equal(canScore(createFrame(time, ...twoColumns)), true);
    assert.equal(canScore(createFrame({ ...time, bins }, ...twoColumns)), false);
    assert.equal(canScore(createFrame(...twoColumns)), false);
    assert.equal(
      canScore(createFrame(time, createColumn('a'), createColumn('b', energy), textColumn('c', ['x']))),
      false,
    );
    assert.equal(
      canScore(createFrame(time, createColumn('hours', hourCount), createColumn('of_hours', hourCount))),
      false,
    );
  });
});
