import { timeColumnOf } from '../frame/clip.ts';
import { demandField, forecastField } from '../../shared/fields.ts';
import type { Frame, NumberColumn } from '../../shared/frame.ts';
import { cyclesOf, isCycle } from '../../shared/resampling.ts';
import { scoredBy, type ScoreChoice, type ScoredBy } from '../../shared/scorecard.ts';
import { columnsWithSameUnit } from '../frame/chartColumns.ts';

/** The selection as it applies to a frame. */
export interface AppliedScore {
  readonly actual: NumberColumn;
  readonly forecast: NumberColumn;
  readonly by: ScoredBy;
  /** The options to choose from. */
  readonly actuals: readonly NumberColumn[];
  readonly forecasts: readonly NumberColumn[];
  readonly ways: readonly ScoredBy[];
}

/** Whether the frame has instants that are not calendar bins, and two columns with the same unit. */
export function canScore(frame: Frame): boolean {
  const time = timeColumnOf(frame);
  return time !== undefined && !time.bins && columnsWithSameUnit(frame).size > 0;
}

/**
 * Applies the selection to rows of this length in milliseconds. If the frame lacks a selected column, uses residual demand or residual
 * forecast, or else the first column of the unit.
 */
export function appliedScore(frame: Frame, stepMs: number, choice: ScoreChoice): AppliedScore | undefined {
  const byUnit = columnsWithSameUnit(frame);
  const actuals = [...byUnit.keys()];
  const named = (columns: readonly NumberColumn[], name: string | undefined) =>
    columns.find(column => column.name === name);
  const actual = named(actuals, choice.actual) ?? named(actuals, demandField) ?? actuals[0];
  const forecasts = actual ? (byUnit.get(actual) ?? []).filter(column => column !== actual) : [];
  const forecast = named(forecasts, choice.forecast) ?? named(forecasts, forecastField) ?? forecasts[0];
  if (!actual || !forecast) return undefined;
  const cycles = cyclesOf(stepMs);
  const ways = scoredBy.filter(by => !isCycle(by) || cycles.includes(by));
  const by = ways.includes(choice.by) ? choice.by : 'all';
  return { actual, forecast, by, actuals, forecasts, ways };
}
