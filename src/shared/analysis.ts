import type { DerivedColumn } from './derivedColumns.ts';
import type { EventRule } from './eventSearch.ts';
import type { ImportOptions } from './importOptions.ts';
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
 * How the rows of a query are processed. The panel, exports and programs share this plain data. The properties are applied in the order of
 * their declaration. At most one of `resample`, `find` and `score` may be set, since each of them replaces the received rows.
 */
export interface Analysis {
  /** The sources whose columns are joined to the rows by time, before the rows of another period. */
  readonly join?: readonly JoinSource[];
  /** The period to compare with. Its columns are joined to the rows first. */
  readonly compare?: ComparedPeriod;
  /** Columns to compute from these rows. */
  readonly derive?: readonly DerivedColumn[];
  /** The filter texts by column name, as the user typed them. */
  readonly where?: Readonly<Record<string, string>>;
  /** The bins to resample the rows to. */
  readonly resample?: BinSize | Cycle;
  /** The figures of resampled rows; all figures by default. */
  readonly figures?: ResampledFigures;
  /** Replaces the rows by the events found in them. */
  readonly find?: EventFinder;
  /** Replaces the rows by the accuracy of a forecast. */
  readonly score?: ForecastScore;
  /** Adds an empty row for each missing interval. Applies only to received rows. */
  readonly missing?: true;
  /** Keeps only the rows of this window. */
  readonly within?: TimeRange;
  /** Replaces received or resampled rows by one row for each column, with these figures. */
  readonly summarize?: readonly SummaryFigure[];
  readonly sort?: readonly SortKey[];
  /** The names of the columns to return, in this order. The panel ignores it, since it has an arrangement of columns. */
  readonly columns?: readonly string[];
  /** The maximum number of rows. */
  readonly limit?: number;
}

/** A source of columns that are joined to the rows of a query by time. */
export type JoinSource =
  | FileSource
  | QuerySource
  /** The extension's table of the installed capacity of South Africa's wind and solar plants. */
  | { readonly kind: 'installedCapacity' };

/** A data file. */
export interface FileSource {
  readonly kind: 'file';
  /** The path relative to the workspace folder, with `/`, or the `file:` URI of a file outside. */
  readonly path: string;
  /** The SHA-256 of the content that the user added, in hexadecimal digits. */
  readonly sha256: string;
  /** How the file is read, if the user chose more than what it says itself. */
  readonly options?: ImportOptions;
}

/** Another query, which is run for the same range. */
export interface QuerySource {
  readonly kind: 'query';
  /** The displayed name, such as that of the saved query. */
  readonly name: string;
  readonly dataset: string;
  readonly interval: string;
  readonly params: Readonly<Record<string, string>>;
  /** The name of the connection; omitted for that of the query itself. */
  readonly connection?: string;
  /** Columns to compute from its rows. */
  readonly derive?: readonly DerivedColumn[];
}

/** The maximum number of joined sources. */
export const maxJoinSources = 5;

type SourcePart = 'join' | 'compare';

/** Returns the parts of an analysis for which a run gets rows of other sources. */
export function pickSourceParts({
  join,
  compare,
}: { readonly [Part in SourcePart]?: Analysis[Part] | undefined } = {}): Pick<Analysis, SourcePart> {
  return { ...(join && { join }), ...(compare && { compare }) };
}

/** A period relative to the query's, or a range text. The rows of a range are paired by position. */
export type ComparedPeriod = PeriodRelation | { readonly kind: 'range'; readonly range: string };

/** The maximum number of compared periods. Each one needs more requests, and a chart of more would be unreadable. */
export const maxPeriods = 10;

export interface PeriodRelation {
  readonly kind: 'previousPeriod' | 'lastYear';
  /** How the rows of the periods are paired: see `createPairing`. */
  readonly align: 'position' | 'hourOfWeek';
  /** The number of consecutive periods, from 2 to `maxPeriods`; omitted for one. */
  readonly count?: number;
}

/** A rule and the number column to search with it. */
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
