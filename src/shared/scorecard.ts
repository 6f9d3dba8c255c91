import { cycles, type Resampling } from './resampling.ts';

/**
 * The groupings of a forecast's hours. `band`: five bands of the actual value with equally many hours each. `worst`: no groups, but the hours
 * with the largest errors.
 */
export const scoreGroupings = ['all', ...cycles, 'band', 'worst'] as const;
export type ScoreGrouping = (typeof scoreGroupings)[number];

/** How a forecast is scored: plain data, so that page and host compute the same scores. Hours that are not counted are in no group. */
export interface Scorecard extends Omit<Resampling, 'by'> {
  /** Names of number columns of one unit. */
  readonly actual: string;
  readonly forecast: string;
  readonly by: ScoreGrouping;
  /** The names of the bins of a cycle, in their order, followed by the name for all hours. */
  readonly names: readonly string[];
  /** The locale for the limits of bands. */
  readonly locale: string;
}

/** The forecast and the grouping that the user has selected. */
export interface ScoreChoice {
  /** Names of number columns; undefined if none is selected. */
  readonly actual: string | undefined;
  readonly forecast: string | undefined;
  readonly by: ScoreGrouping;
}

export const initialScore: ScoreChoice = { actual: undefined, forecast: undefined, by: 'all' };
