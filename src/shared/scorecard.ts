import { cycles, type Resampling } from './resampling.ts';

/**
 * What the hours of a forecast are grouped by; `band`: five bands of the actual with equally many hours each. `worst`: no groups, but the
 * hours with the greatest errors.
 */
export const scoredBy = ['all', ...cycles, 'band', 'worst'] as const;
export type ScoredBy = (typeof scoredBy)[number];

/** How a forecast is scored: plain data, so that page and host make the same of the same rows. Hours that do not count are in no group. */
export interface Scorecard extends Omit<Resampling, 'by'> {
  /** Names of number columns of one unit. */
  readonly actual: string;
  readonly forecast: string;
  readonly by: ScoredBy;
  /** What the bins of a cycle are called, in their order, and then all hours. */
  readonly names: readonly string[];
  /** In which the limits of bands are written. */
  readonly locale: string;
}

/** Which forecast a person scores, and how. */
export interface ScoreChoice {
  /** Names of number columns; undefined while none is chosen. */
  readonly actual: string | undefined;
  readonly forecast: string | undefined;
  readonly by: ScoredBy;
}

export const initialScore: ScoreChoice = { actual: undefined, forecast: undefined, by: 'all' };
