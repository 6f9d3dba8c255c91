import assert from 'node:assert/strict';
import { energy, hourCount, power, powerDifference } from '../../../../src/shared/units.ts';
import { initialScore, type ScoreChoice } from '../../../../src/shared/scorecard.ts';
import { resolveScoreChoice, canScore } from '../../../../src/core/forecast/scoreChoice.ts';
import { frameOf, numberColumn, textColumn, timeColumn } from '../filter/columns.ts';

const [hourMs, dayMs] = [3_600_000, 86_400_000];
const time = timeColumn('ts', [0]);
const column = (name: string, unit = power) => numberColumn(name, [1], unit);
const system = frameOf(
  time,
  column('wind_mw'),
  column('forecast_error_mw', powerDifference),
  column('residual_forecast_mw'),
  column('hydro_mwh', energy),
  column('residual_demand_mw'),
);

describe('choice of a forecast to score', () => {
  const applied = (frame = system, choice: Partial<ScoreChoice> = {}, stepMs = hourMs) => {
    const { actual, forecast, actuals, forecasts, by, groupings } =
      resolveScoreChoice(frame, stepMs, { ...initialScore, ...choice }) ?? assert.fail();
    const names = (columns: typeof actuals): string => columns.map(({ name }) => name.replace(/_mw$/, '')).join(' ');
    return {
      pair: names([actual, forecast]),
      actuals: names(actuals),
      forecasts: names(forecasts),
      by,
      ways: groupings,
    };
  };

  it('is residual forecast against residual demand where both are there, among all columns of a unit that another has', () => {
    const { pair, actuals, forecasts } = applied();
    assert.equal(pair, 'residual_demand residual_forecast');
    assert.equal(actuals, 'wind residual_forecast residual_demand');
    assert.equal(forecasts, 'wind residual_forecast');
  });

  it('is the selection if the frame has its columns, and never compares a column with itself or another unit', () => {
    assert.equal(applied(system, { actual: 'wind_mw', forecast: 'residual_demand_mw' }).pair, 'wind residual_demand');
    for (const forecast of ['wind_mw', 'hydro_mwh', 'nothing'])
      assert.equal(applied(system, { actual: 'wind_mw', forecast }).pair, 'wind residual_forecast');
    assert.equal(applied(system, { actual: 'hydro_mwh' }).pair, 'residual_demand residual_forecast');
  });

  it('is the first two columns of a unit, or without one, in a frame of other names', () => {
    const frame = frameOf(time, column('a', energy), numberColumn('b', [1]), column('c'), numberColumn('d', [1]));
    assert.equal(applied(frame).pair, 'b d');
  });

  it('groups days by weekday and month, but not by the hours of the day', () => {
    assert.equal(applied(system, { by: 'hourOfDay' }).by, 'hourOfDay');
    assert.equal(applied(system, { by: 'hourOfDay' }, dayMs).by, 'all');
    assert.deepEqual(applied(system, {}, dayMs).ways, ['all', 'weekday', 'monthOfYear', 'season', 'band', 'worst']);
    assert.deepEqual(applied(system, {}, 7 * dayMs).ways, ['all', 'band', 'worst']);
  });

  it('is offered only for instants of rows of equal length, and two numbers of a unit that do not count hours', () => {
    const bins = { size: 'day', timeZone: 'UTC', label: 'UTC' } as const;
    const two = [column('a'), column('b')];
    assert.equal(canScore(frameOf(time, ...two)), true);
    assert.equal(canScore(frameOf({ ...time, bins }, ...two)), false);
    assert.equal(canScore(frameOf(...two)), false);
    assert.equal(canScore(frameOf(time, column('a'), column('b', energy), textColumn('c', ['x']))), false);
    assert.equal(canScore(frameOf(time, column('hours', hourCount), column('of_hours', hourCount))), false);
  });
});
