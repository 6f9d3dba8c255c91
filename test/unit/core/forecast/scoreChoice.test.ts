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

describe('the choice of a forecast to score', () => {
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
      ways: groupings,
    };
  };

  it('selects residual forecast and residual demand if both exist, among the columns whose unit occurs more than once', () => {
    const { pair, actuals, forecasts } = resolveChoice();
    assert.equal(pair, 'residual_demand residual_forecast');
    assert.equal(actuals, 'wind residual_forecast residual_demand');
    assert.equal(forecasts, 'wind residual_forecast');
  });

  it("keeps the user's selection if the frame has its columns, but never pairs a column with itself or with another unit", () => {
    assert.equal(
      resolveChoice(system, { actual: 'wind_mw', forecast: 'residual_demand_mw' }).pair,
      'wind residual_demand',
    );
    for (const forecast of ['wind_mw', 'hydro_mwh', 'nothing'])
      assert.equal(resolveChoice(system, { actual: 'wind_mw', forecast }).pair, 'wind residual_forecast');
    assert.equal(resolveChoice(system, { actual: 'hydro_mwh' }).pair, 'residual_demand residual_forecast');
  });

  it('selects the first two columns with the same unit, or without a unit, in any other frame', () => {
    const frame = createFrame(
      time,
      createColumn('a', energy),
      numberColumn('b', [1]),
      createColumn('c'),
      numberColumn('d', [1]),
    );
    assert.equal(resolveChoice(frame).pair, 'b d');
  });

  it('groups days by weekday and month, but not by hour of the day', () => {
    assert.equal(resolveChoice(system, { by: 'hourOfDay' }).by, 'hourOfDay');
    assert.equal(resolveChoice(system, { by: 'hourOfDay' }, dayMs).by, 'all');
    assert.deepEqual(resolveChoice(system, {}, dayMs).ways, [
      'all',
      'weekday',
      'monthOfYear',
      'season',
      'band',
      'worst',
    ]);
    assert.deepEqual(resolveChoice(system, {}, 7 * dayMs).ways, ['all', 'band', 'worst']);
  });

  it('requires instants of rows of equal length, and two numbers with the same unit that are not counts of hours', () => {
    const bins = { size: 'day', timeZone: 'UTC', label: 'UTC' } as const;
    const two = [createColumn('a'), createColumn('b')];
    assert.equal(canScore(createFrame(time, ...two)), true);
    assert.equal(canScore(createFrame({ ...time, bins }, ...two)), false);
    assert.equal(canScore(createFrame(...two)), false);
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
