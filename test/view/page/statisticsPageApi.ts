import type { DisplayZone } from '../../../src/shared/protocol.ts';
import type { AxeRules } from './eyesApi.ts';

export type StatisticsFrame = 'week' | 'autumn' | 'mix' | 'daily' | 'gaps' | 'texts' | 'untimed' | 'long' | 'million';

/** How a frame is shown; arguments are JSON. */
export interface StatisticsShown {
  readonly frame: StatisticsFrame;
  /** Only every n-th row, and how many filters are said to do it. */
  readonly every?: number;
  readonly filterCount?: number;
  readonly chosen?: string;
  /** The interval asked for, in milliseconds. */
  readonly step?: number;
  readonly zone?: DisplayZone;
}

/** What a test can call in the page. */
export interface StatisticsPageApi {
  /** Makes the page as it is when it has just been opened. */
  empty(): void;
  show(shown: StatisticsShown): void;
  /** Sentences announced, and columns the person chose, in order. */
  announced(): readonly string[];
  chosen(): readonly string[];
  /** Breaches of the policy and errors. */
  troubles(): readonly string[];
  /** Shows in a view beside, until all is there: how often the work paused. */
  pauses(shown: StatisticsShown): Promise<number>;
  axe(rules?: AxeRules): Promise<readonly string[]>;
}
