import type { DerivedColumn } from './derivedColumns.ts';
import type { EventRule } from './eventSearch.ts';
import type { BinSize, Cycle, ResampledFigures } from './resampling.ts';
import type { ScoreGrouping } from './scorecard.ts';
import type { SummaryFigure } from './summaryFigures.ts';

/** A sort key. The first key of a list has precedence. */
export interface SortKey {
  /** Field name. */
  readonly column: string;
  readonly descending: boolean;
}

/** An interval [start, end) in UTC milliseconds. */
export interface TimeRange {
  readonly start: number;
  readonly end: number;
}

/** The maximum length of a filter, in characters. */
export const maxFilterLength = 10_000;

/**
 * How the rows of a query are processed: plain data that the panel, exports and programs share. The properties are applied in the order in which
 * they are declared; each is optional. `resample`, `find` and `score` exclude each other, since each of them replaces the received rows.
 * `summarize` replaces received or resampled rows by one row for each column.
 */
export interface Analysis {
  /** Another period to compare with. It is requested too, and its columns are joined to the rows before anything else is applied. */
  readonly compare?: ComparedPeriod;
  /** Columns to compute from these rows. */
  readonly derive?: readonly DerivedColumn[];
  /** The filters by column, as the user typed them. */
  readonly where?: Readonly<Record<string, string>>;
  /** The bins that the rows are resampled to. */
  readonly resample?: BinSize | Cycle;
  /** The figures of resampled rows; all figures if omitted. It does not apply to received rows. */
  readonly figures?: ResampledFigures;
  /** Replaces the rows by the events found in them. */
  readonly find?: EventFinder;
  /** Replaces the rows by the accuracy of a forecast. */
  readonly score?: ForecastScore;
  /** Adds an empty row for each missing interval. It applies to received rows only. */
  readonly missing?: true;
  /** Keeps only the rows of this window. */
  readonly within?: TimeRange;
  /** Replaces the rows by one row for each column, with these figures. */
  readonly summarize?: readonly SummaryFigure[];
  readonly sort?: readonly SortKey[];
  /** The names of the columns to return, in this order. Copies and tool results use it; the panel has its own arrangement of columns. */
  readonly columns?: readonly string[];
  /** The maximum number of rows. */
  readonly limit?: number;
}

/** A period relative to that of the query, or a range text whose rows are paired by position. */
export type ComparedPeriod = PeriodRelation | { readonly kind: 'range'; readonly range: string };

/** The maximum number of compared periods: each takes requests of its own, and more would be unreadable. */
export const maxPeriods = 10;

export interface PeriodRelation {
  readonly kind: 'previousPeriod' | 'lastYear';
  /** How its rows are paired with the rows of the query's period: see `createPairing`. */
  readonly align: 'position' | 'hourOfWeek';
  /** The number of consecutive periods, 2 to `maxPeriods`; omitted for one. */
  readonly count?: number;
}

/** A rule and the number column that is searched with it. */
export interface EventFinder {
  readonly rule: EventRule;
  readonly column: string;
}

/** The forecast to score: the names of two number columns with the same unit. */
export interface ForecastScore {
  readonly actual: string;
  readonly forecast: string;
  readonly by: ScoreGrouping;
}
