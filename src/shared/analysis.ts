import type { DerivedColumn } from './derivedColumns.ts';
import type { EventRule } from './eventSearch.ts';
import type { BinSize, Cycle, ResampledFigures } from './resampling.ts';
import type { ScoredBy } from './scorecard.ts';
import type { SummaryFigure } from './summaryFigures.ts';

/** One key of a sort; the first of several decides first. */
export interface SortKey {
  /** Field name. */
  readonly column: string;
  readonly descending: boolean;
}

/** An interval [start, end) in UTC milliseconds. */
export interface TimeWindow {
  readonly start: number;
  readonly end: number;
}

/** Characters of one filter. */
export const longestFilter = 10_000;

/**
 * What is made of the rows of a query: plain data, the same for the panel, exports and programs. The steps are taken in this order; each may be
 * left out. `resample`, `find` and `score` exclude each other: they put other rows in place of those received. `summarise` puts a row for each
 * column in place of them, also of those that are resampled.
 */
export interface Analysis {
  /** The period that is requested beside the query's own, and whose rows stand beside those of the same hours, before all else. */
  readonly compare?: ComparedPeriod;
  /** Columns that are added to these rows. */
  readonly derive?: readonly DerivedColumn[];
  /** Filters as typed, by column. */
  readonly where?: Readonly<Record<string, string>>;
  /** What the rows are resampled by. */
  readonly resample?: BinSize | Cycle;
  /** What longer rows say; left out for all figures. Of rows as received it says nothing. */
  readonly figures?: ResampledFigures;
  /** Events in place of the rows. */
  readonly find?: EventFinder;
  /** How good a forecast is, in place of the rows. */
  readonly score?: ForecastScore;
  /** A row for each interval without one; of rows as received alone. */
  readonly missing?: true;
  /** Only rows of this window. */
  readonly within?: TimeWindow;
  /** A row for each column in place of the rows, with these figures. */
  readonly summarise?: readonly SummaryFigure[];
  readonly sort?: readonly SortKey[];
  /** Names of the columns to have, in this order; of copies and answers, not of what a screen arranges. */
  readonly columns?: readonly string[];
  /** The most rows to have. */
  readonly limit?: number;
}

/** One in relation to the period of the query, which follows it, or another range as text, by position. */
export type ComparedPeriod = PeriodRelation | { readonly kind: 'range'; readonly range: string };

/** More periods than this are no comparison any more, and as many requests. */
export const mostPeriods = 10;

export interface PeriodRelation {
  readonly kind: 'previousPeriod' | 'lastYear';
  /** How to pair its steps with those of the base: see `partnerOf`. */
  readonly align: 'position' | 'hourOfWeek';
  /** How many such periods, one before the other, 2 to `mostPeriods`; left out for one. */
  readonly count?: number;
}

/** Which events are searched for, in which number column. */
export interface EventFinder {
  readonly rule: EventRule;
  readonly column: string;
}

/** Which forecast is scored: names of number columns of one unit. */
export interface ForecastScore {
  readonly actual: string;
  readonly forecast: string;
  readonly by: ScoredBy;
}
