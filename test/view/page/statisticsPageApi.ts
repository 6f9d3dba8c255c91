import type { DisplayZone } from '../../../src/shared/protocol.ts';

export type StatisticsFrame = 'week' | 'autumn' | 'daily' | 'gaps' | 'texts' | 'untimed' | 'long' | 'million';

/** How a frame is shown; arguments are JSON. */
export interface StatisticsShown {
  readonly frame: StatisticsFrame;
  /** Only every n-th row, and how many filters are said to do it. */
  readonly every?: number;
  readonly filterCount?: number;
  readonly chosen?: string;
  readonly zone?: DisplayZone;
}

/** What a test can call in the page. */
export interface StatisticsPageApi {
  show(shown: StatisticsShown): void;
  setZone(zone: DisplayZone): void;
  dispose(): void;
  /** Sentences announced, and columns the person chose, in order. */
  announced(): readonly string[];
  chosen(): readonly string[];
  /** Breaches of the policy and errors. */
  troubles(): readonly string[];
  /** Shows and waits until all is there: the whole time and the longest gap between two frames in milliseconds, and the frames drawn. */
  measure(
    shown: StatisticsShown,
  ): Promise<{ readonly total: number; readonly longest: number; readonly frames: number }>;
  axe(): Promise<readonly string[]>;
}
