/**
 * The API of the VS Code extension Grid Data Inspector (grid-data.grid-data-inspector), version 1.
 *
 * Copy this file into your extension, and activate the API when you need it:
 *
 *     const extension = vscode.extensions.getExtension<GridDataApi>('grid-data.grid-data-inspector');
 *     const grid = await extension?.activate();
 *
 * Version 1 may get new fields, columns and reasons, but nothing is changed or removed, so ignore values that you do not know.
 * An incompatible version would be offered under another name, in addition to this one.
 *
 * Requests use the key and the rate limit of the user, which all windows share. Archived data needs no request. The API neither
 * exposes nor accepts keys. All instants are UTC milliseconds.
 */
export interface GridDataApi {
  readonly version: 1;
  /** Returns the datasets with their documented fields. A service may send other fields, too. Sends no request. */
  datasets(): readonly GridDataDataset[];
  /** Returns the connections of the user. */
  connections(): readonly GridDataConnection[];
  /** Returns the number of requests that a query needs now, including a compared period. Sends no request. Rejects like `query`. */
  price(query: GridDataQuery, options?: { readonly analysis?: GridDataAnalysis }): Promise<GridDataPrice>;
  /**
   * Returns the remaining requests for a dataset; undefined before the first request, without a key, and for joined datasets. Sends no
   * request.
   */
  budget(dataset: string, connection?: string): Promise<GridDataBudget | undefined>;
  /** Runs a query without opening a panel. Rejects with a `GridDataError`. */
  query(query: GridDataQuery, options?: GridDataQueryOptions): Promise<GridDataAnswer>;
  /** Opens the query in a panel. Sends no request unless `refresh` is set: the user can then request what is not in the archive. */
  open(query: GridDataQuery, options?: { readonly refresh?: GridDataRefresh }): Promise<void>;
}

/** A query with a `range`, or with `start` (inclusive) and `end` (exclusive): ISO strings with a zone, or UTC milliseconds. */
export interface GridDataQuery {
  /** The id of a dataset, such as "systemState" or "gridStress"; "stateAndStress" joins both on the hour. */
  readonly dataset: string;
  /**
   * "last 36 hours", "2023-05", "May 2023", "month to date", "2023-01-01..2023-01-31", or two ISO instants with a zone. The README lists
   * all forms under Ranges. An ambiguous range, such as "01/05/2023", is rejected.
   */
  readonly range?: string;
  readonly start?: string | number | Date;
  readonly end?: string | number | Date;
  /** The time zone of the range's days and months: "UTC", "SAST" or an IANA name. Default: the setting `gridData.timeZone`. */
  readonly timeZone?: string;
  /**
   * Default: "1h". "1d" are the days of the service, which are UTC days: `hours` of `of_hours` have data; a gap if this is unknown.
   * "1d@SAST" or "1d@Europe/Berlin" are days of that zone, computed from hours; the range is in that zone, too: `hours` of
   * `of_hours` have data, a power `x_mw` is their mean, and `x_mwh` (energy), `x_min_mw` and `x_max_mw` are added. These days need
   * as many requests as their hours.
   */
  readonly interval?: string;
  readonly params?: Readonly<Record<string, string | number | boolean>>;
  /** The name of a connection. Default: the active connection. */
  readonly connection?: string;
}

/**
 * `ifStale` requests hours that are missing or may have changed, `always` requests all hours, and `never` returns archived hours and
 * sends no request.
 */
export type GridDataRefresh = 'ifStale' | 'always' | 'never';

export interface GridDataQueryOptions {
  /** Cancels the query, which then rejects with the reason `cancelled`. */
  readonly signal?: AbortSignal;
  /** Default: `ifStale`. */
  readonly refresh?: GridDataRefresh;
  /** The analysis to apply. The result then has the analyzed rows, and the coverage of the received ones. */
  readonly analysis?: GridDataAnalysis;
}

/**
 * An analysis of the rows of a query, as in the panel. The members are applied in this order. Only one of `find`, `score`, and `resample`
 * or `summarize` may be used, because each replaces the rows. A member that does not apply to the rows rejects with the reason
 * `badInput`.
 */
export interface GridDataAnalysis {
  /**
   * Compares with another period, which is requested, too: the previous period, last year, or a range as text. Rows are paired by position
   * or by weekday and hour. For each received number `x`, the columns `x · compared`, `x · difference` and, for power and energy,
   * `x · percent` are added.
   */
  readonly compare?:
    | {
        readonly kind: 'previousPeriod' | 'lastYear';
        readonly align: 'position' | 'hourOfWeek';
        /** The number of compared periods, 2 to 10. Each period after the first adds only one column, such as `x · compared 2`. */
        readonly count?: number;
      }
    | { readonly kind: 'range'; readonly range: string };
  /** Adds columns with formulas such as `mean(wind_mw, 24h)` or `share(pv_mw, total)`. `source` says where their numbers come from. */
  readonly derive?: readonly { readonly name: string; readonly formula: string; readonly source?: string }[];
  /** Filters columns, as in the panel: `{ "ts": "Mon-Fri 17:00-20:00", "wind_mw": ">1500" }`. The decimal separator is a point. */
  readonly where?: Readonly<Record<string, string>>;
  /** Aggregates rows into means, energies, extremes and the number of hours with data, in the time zone of the query. */
  readonly resample?:
    | '3h'
    | 'day'
    | 'week'
    | 'month'
    | 'quarter'
    | 'year'
    | 'hourOfDay'
    | 'weekday'
    | 'monthOfYear'
    | 'season'
    | 'tariffPeriod';
  /** The figures of each column after resampling. Default: all. */
  readonly figures?: 'energy' | 'mean' | 'extremes';
  /** Replaces the rows by events. */
  readonly find?: { readonly column: string; readonly rule: GridDataEventRule };
  /** Replaces the rows by scores of a forecast. */
  readonly score?: {
    readonly actual: string;
    readonly forecast: string;
    readonly by: 'all' | 'hourOfDay' | 'weekday' | 'monthOfYear' | 'season' | 'tariffPeriod' | 'band' | 'worst';
  };
  /** Adds a row for each missing interval. */
  readonly missing?: true;
  /** Limits the rows to [start, end), UTC milliseconds. */
  readonly within?: { readonly start: number; readonly end: number };
  /**
   * Replaces the rows by one row for each column, with these figures: energy and its share of total generation, mean and load factor,
   * minimum and maximum with their times, quantiles, and the number of rows without a value.
   */
  readonly summarize?: readonly ('energy' | 'mean' | 'extremes' | 'quantiles' | 'gaps')[];
  readonly sort?: readonly { readonly column: string; readonly descending: boolean }[];
  readonly columns?: readonly string[];
  readonly limit?: number;
}

/** A rule that finds events. The value of a ramp is in the unit of the column. A condition is a boolean formula, such as `wind_mw < 500`. */
export type GridDataEventRule =
  | { readonly kind: 'peak' }
  | { readonly kind: 'ramp'; readonly value: number; readonly hours: number }
  | { readonly kind: 'condition'; readonly condition: string }
  /**
   * Finds unusual rows, days, weeks or months, the most unusual first. Each is ranked among archived rows of the same time of the week, in
   * the 8 weeks before and around the same week of earlier years; a month is ranked among the same months.
   */
  | { readonly kind: 'unusual'; readonly by: 'row' | 'day' | 'week' | 'month' };

export interface GridDataAnswer {
  readonly columns: readonly GridDataColumnInfo[];
  readonly rowCount: number;
  /** Returns a copy of a column as typed arrays; undefined if no column has this name. */
  column(name: string): GridDataColumn | undefined;
  /** Iterates over the rows as plain objects, keyed by the field names of the service. `ts` is as received, or the date of a day of a zone. */
  rows(): IterableIterator<Record<string, unknown>>;
  /** The coverage of the range; undefined if the rows have no time. */
  readonly coverage: GridDataCoverage | undefined;
  /** The rows that the service has changed since they were last requested; absent if there are none. */
  readonly revisions?: GridDataRevisions;
  readonly provenance: GridDataProvenance;
}

export type GridDataKind = 'time' | 'number' | 'text' | 'boolean' | 'nested';

export interface GridDataColumnInfo {
  readonly name: string;
  readonly kind: GridDataKind;
  /** The unit, such as "MW" or "%"; absent if it is unknown. */
  readonly unit?: string;
}

/**
 * A column with one value per row. `gaps` has 0 for a value, 1 for null and 2 for a record without the field, and is absent if all rows
 * have a value. Ignore the value of a gap. Times are UTC milliseconds, booleans are 0 or 1, and nested values are JSON strings.
 */
export type GridDataColumn = GridDataColumnInfo & { readonly gaps?: Uint8Array } & (
    | { readonly kind: 'time' | 'number'; readonly values: Float64Array }
    | { readonly kind: 'boolean'; readonly values: Uint8Array }
    | { readonly kind: 'text' | 'nested'; readonly values: readonly string[] }
  );

/** The number of intervals in the range, by state. */
export interface GridDataCoverage {
  readonly expected: number;
  readonly present: number;
  /** Intervals that have ended and have no row. */
  readonly missing: number;
  /** The first missing ranges, each [start, end). */
  readonly missingRanges: readonly (readonly [number, number])[];
  readonly notPublished: number;
  readonly failed: number;
  readonly notRequested: number;
  readonly late: number;
}

/** Changes of intervals that had ended when they were last requested. Only the result that received the changes has them. */
export interface GridDataRevisions {
  /** The number of intervals whose values changed. */
  readonly revised: number;
  /** The number of intervals that no longer have a row. */
  readonly withdrawn: number;
  /** The earliest time at which one of these intervals was last requested. */
  readonly since: number;
}

export interface GridDataProvenance {
  readonly connection: string;
  /**
   * Present if a sandbox replays measured hours: `REPLAYED HOURS (2023.csv)` and how they were moved in time. The stress index is computed
   * by the sandbox.
   */
  readonly replayed?: string;
  /** Present if the rows are Sample Data: they were not measured, and their stress index uses another formula. */
  readonly isSample?: true;
  readonly dataset: string;
  readonly range: string;
  /** [start, end). */
  readonly start: number;
  readonly end: number;
  readonly interval: string;
  /** The IANA zone of the days, if they were computed from hours; then `archivedIntervals` and the revisions count hours. */
  readonly days?: string;
  readonly fetchedAt: number | undefined;
  readonly requestsSpent: number;
  /** The number of intervals whose row came from the archive. */
  readonly archivedIntervals: number;
  /** The time before which the same query returns nothing new. */
  readonly nextPublication: number;
  /** The reason why a part of the range is missing or outdated. */
  readonly failure?: { readonly reason: string; readonly ranges: readonly (readonly [number, number])[] };
}

export interface GridDataDataset {
  readonly id: string;
  readonly title: string;
  /** The intervals of the dataset, beginning with the default. */
  readonly intervals: readonly string[];
  readonly fields: readonly GridDataField[];
  readonly params: readonly { readonly name: string; readonly value: string; readonly meaning: string }[];
}

export interface GridDataField {
  readonly name: string;
  readonly label: string;
  readonly meaning: string;
  readonly unit?: string;
}

export interface GridDataConnection {
  readonly name: string;
  /** Whether queries without a connection use this one. */
  readonly isActive: boolean;
  /** The state of the key according to the last response. */
  readonly state: 'unchecked' | 'works' | 'rejected' | 'forbidden';
}

export interface GridDataPrice {
  readonly requests: number;
  /** The requests that can be sent now. */
  readonly now: number;
  /** The approximate time until the last request is sent, in milliseconds; 0 if all can be sent now. */
  readonly waitMs: number;
  /** The requests per dataset id, if the query uses several rate limits. */
  readonly byDataset?: readonly (readonly [dataset: string, requests: number])[];
}

export interface GridDataBudget {
  /** The number of requests that can be sent now. */
  readonly left: number;
  /** The number of requests that the rate limit allows per window of time. */
  readonly allowed: number;
  /** The time until the next request can be sent, in milliseconds; 0 while requests are left. */
  readonly nextFreeInMs: number;
}

/** The error of every rejection. Reasons may be added: treat an unknown reason as a failure. */
export interface GridDataError extends Error {
  readonly reason: GridDataReason | (string & {});
}

export type GridDataReason =
  | 'badInput'
  | 'noConnection'
  | 'noKey'
  | 'keyRejected'
  | 'forbidden'
  | 'badRequest'
  | 'throttled'
  | 'notFound'
  | 'serverError'
  | 'unreachable'
  | 'timeout'
  | 'damagedResponse'
  | 'responseTooLarge'
  | 'redirected'
  | 'noReader'
  | 'cancelled';
