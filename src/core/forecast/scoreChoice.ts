import { findTimeColumn } from '../frame/clip.ts';
import { demandField, forecastField } from '../../shared/fields.ts';
import type { Frame, NumberColumn } from '../../shared/frame.ts';
import { listCycles, isCycle } from '../../shared/resampling.ts';
import { scoreGroupings, type ScoreChoice, type ScoreGrouping } from '../../shared/scorecard.ts';
import { columnsWithSameUnit } from '../frame/chartColumns.ts';

/** The selection as it applies to a frame. */
export interface ResolvedScoreChoice {
  readonly actual: NumberColumn;
  readonly forecast: NumberColumn;
  readonly by: ScoreGrouping;
  /** The options to choose from. */
  readonly actuals: readonly NumberColumn[];
  readonly forecasts: readonly NumberColumn[];
  readonly groupings: readonly ScoreGrouping[];
}

/** Whether the frame has instants that are not calendar bins, and two columns with the same unit. */
export function canScore(frame: Frame): boolean {
  const time = findTimeColumn(frame);
  return time !== undefined && !time.bins && columnsWithSameUnit(frame).size > 0;
}

/**
 * Applies the selection to rows of this length in milliseconds. If the frame lacks a selected column, uses residual demand or residual
 * forecast, or else the first column of the unit.
 */
export function resolveScoreChoice(
  frame: Frame,
  intervalMs: number,
  choice: ScoreChoice,
): ResolvedScoreChoice | undefined {
  const byUnit = columnsWithSameUnit(frame);
  const actuals = [...byUnit.keys()];
  const findByName = (columns: readonly NumberColumn[], name: string | undefined) =>
    columns.find(column => column.name === name);
  const actual = findByName(actuals, choice.actual) ?? findByName(actuals, demandField) ?? actuals[0];
  const forecasts = actual ? (byUnit.get(actual) ?? []).filter(column => column !== actual) : [];
  const forecast = findByName(forecasts, choice.forecast) ?? findByName(forecasts, forecastField) ?? forecasts[0];
  if (!actual || !forecast) return undefined;
  const cycles = listCycles(intervalMs);
  const groupings = scoreGroupings.filter(by => !isCycle(by) || cycles.includes(by));
  const by = groupings.includes(choice.by) ? choice.by : 'all';
  return { actual, forecast, by, actuals, forecasts, groupings };
}
