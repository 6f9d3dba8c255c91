/**
 * The API of the VS Code extension Grid Data Inspector (grid-data.grid-data-inspector), version 1.
 *
 * Copy this file into your extension, and ask for the API when you need it:
 *
 *     const extension = vscode.extensions.getExtension<GridDataApi>('grid-data.grid-data-inspector');
 *     const grid = await extension?.activate();
 *
 * Versions: within version 1 things are added and never changed or taken away, so ignore what you do not know: new fields,
 * columns, reasons. Anything else is version 2, which would be offered beside this one under another name.
 *
 * All requests are those of the person, within the one budget that all windows share; what is in the archive costs none. No
 * member shows, takes or changes a key. All instants are UTC milliseconds.
 */
export interface GridDataApi {
  readonly version: 1;
  /** What can be asked for, with the fields that are documented. A service may send other fields too. Asks nobody. */
  datasets(): readonly GridDataDataset[];
  /** The person's connections by name. */
  connections(): readonly GridDataConnection[];
  /** What a query would cost now, with that of another period which its analysis compares. Sends nothing. Rejects as `query` does. */
  price(query: GridDataQuery, options?: { readonly analysis?: GridDataAnalysis }): Promise<GridDataPrice>;
  /** What is left for a dataset; undefined before the first request, or without a key. Sends nothing. Joined datasets have no budget. */
  budget(dataset: string, connection?: string): Promise<GridDataBudget | undefined>;
  /** Asks without opening a panel. Rejects with a `GridDataError`. */
  query(query: GridDataQuery, options?: GridDataQueryOptions): Promise<GridDataAnswer>;
  /** Opens the query in a panel. Sends no request unless `refresh` says so: what is not in the archive is offered to the person. */
  open(query: GridDataQuery, options?: { readonly refresh?: GridDataRefresh }): Promise<void>;
}

/** A range, or `start` and `end`: [start, end). A text is an instant with its zone, a number UTC milliseconds. */
export interface GridDataQuery {
  /** The id of a dataset, such as "systemState" or "gridStress"; "stateAndStress" joins both on the hour. */
  readonly dataset: string;
  /**
   * "last 36 hours", "2023-05", "May 2023", "month to date", "2023-01-01..2023-01-31", or two ISO instants with a zone, as the README says
   * under Ranges. One that could be two ranges, such as "01/05/2023", is refused.
   */
  readonly range?: string;
  readonly start?: string | number | Date;
  readonly end?: string | number | Date;
  /** Whose days and months the range has: "UTC", "SAST" or an IANA name; that of the setting `gridData.timeZone` where left out. */
  readonly timeZone?: string;
  /**
   * "1h" where left out; "1d" are the service's own days, which are days of UTC: `hours` of `of_hours` are known to have
   * data, a gap where nobody knows. "1d@SAST", "1d@Europe/Berlin" are days of that zone, made from hours, the range read in that
   * zone: `hours` of `of_hours` have data, a power `x_mw` is their mean, beside it `x_mwh` (energy), `x_min_mw` and `x_max_mw`.
   * It costs what the hours cost.
   */
  readonly interval?: string;
  readonly params?: Readonly<Record<string, string | number | boolean>>;
  /** The name of a connection; the one in use where left out. */
  readonly connection?: string;
}

/** `ifStale` asks for what may have changed, `always` for all anew, `never` answers with what is kept and sends nothing. */
export type GridDataRefresh = 'ifStale' | 'always' | 'never';

export interface GridDataQueryOptions {
  /** Ends the query; it then rejects with the reason `cancelled`. */
  readonly signal?: AbortSignal;
  /** `ifStale` where left out. */
  readonly refresh?: GridDataRefresh;
  /** What to make of the rows; the answer then has those rows, and the coverage of the rows they are made of. */
  readonly analysis?: GridDataAnalysis;
}

/**
 * What is made of the rows of a query, as the panel does. The steps are taken in this order. `find`, `score`, and `resample` with `summarise` exclude
 * each other: they put other rows in place of those received. A step that the rows cannot have rejects with the reason `badInput`.
 */
export interface GridDataAnalysis {
  /**
   * Another period beside this one, which is requested, too: the one before, last year's or a range as text, paired by position or by weekday and
   * hour. A number `x` that is received then has `x · compared`, `x · difference` and, for power and energy, `x · percent` beside it.
   */
  readonly compare?:
    | {
        readonly kind: 'previousPeriod' | 'lastYear';
        readonly align: 'position' | 'hourOfWeek';
        /** So many of them, one before the other, 2 to 10: each further one adds `x · compared 2` and so on alone. */
        readonly count?: number;
      }
    | { readonly kind: 'range'; readonly range: string };
  /** Columns that are added, by formulas such as `mean(wind_mw, 24h)` or `share(pv_mw, total)`. */
  readonly derive?: readonly { readonly name: string; readonly formula: string }[];
  /** Filters as in the panel, by column: `{ "ts": "Mon-Fri 17:00-20:00", "wind_mw": ">1500" }`. Decimals have a point. */
  readonly where?: Readonly<Record<string, string>>;
  /** Longer rows: means, with energies, extremes and how many hours have data. By the clocks of the query's `timeZone`. */
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
  /** What the longer rows say of each column; left out for all. */
  readonly figures?: 'energy' | 'mean' | 'extremes';
  /** Events in place of rows. */
  readonly find?: { readonly column: string; readonly rule: GridDataEventRule };
  /** How good a forecast is, in place of rows. */
  readonly score?: {
    readonly actual: string;
    readonly forecast: string;
    readonly by: 'all' | 'hourOfDay' | 'weekday' | 'monthOfYear' | 'season' | 'tariffPeriod' | 'band' | 'worst';
  };
  /** A row for each interval without one. */
  readonly missing?: true;
  /** Only rows of [start, end), UTC milliseconds. */
  readonly within?: { readonly start: number; readonly end: number };
  /**
   * A row for each column in place of the rows, with these figures: energy with its share of total generation, mean and load factor, lowest and
   * highest with their times, quantiles, rows without a value.
   */
  readonly summarise?: readonly ('energy' | 'mean' | 'extremes' | 'quantiles' | 'gaps')[];
  readonly sort?: readonly { readonly column: string; readonly descending: boolean }[];
  readonly columns?: readonly string[];
  readonly limit?: number;
}

/** The value of a ramp is in the unit of the column. A condition is a formula that is true or false in a row, such as `wind_mw < 500`. */
export type GridDataEventRule =
  | { readonly kind: 'peak' }
  | { readonly kind: 'ramp'; readonly value: number; readonly hours: number }
  | { readonly kind: 'condition'; readonly condition: string }
  /**
   * What was unusual, the most unusual first: rows, days, weeks or months, each ranked among those of the same time of the week of the 8 weeks
   * before and around the same week of earlier years, or among the same months, as far as the archive has them.
   */
  | { readonly kind: 'unusual'; readonly by: 'row' | 'day' | 'week' | 'month' };

export interface GridDataAnswer {
  readonly columns: readonly GridDataColumnInfo[];
  readonly rowCount: number;
  /** A column by name, as typed arrays: copies, yours to keep. Undefined where there is none of that name. */
  column(name: string): GridDataColumn | undefined;
  /** Plain objects keyed by the service's own field names: numbers as numbers, null as null, `ts` as received; of days of a zone, their dates. */
  rows(): IterableIterator<Record<string, unknown>>;
  /** Undefined where the rows have no time. */
  readonly coverage: GridDataCoverage | undefined;
  /** Left out where the service changed nothing that was known. */
  readonly revisions?: GridDataRevisions;
  readonly provenance: GridDataProvenance;
}

export type GridDataKind = 'time' | 'number' | 'text' | 'boolean' | 'nested';

export interface GridDataColumnInfo {
  readonly name: string;
  readonly kind: GridDataKind;
  /** "MW" or "%"; left out where none is known. */
  readonly unit?: string;
}

/**
 * One value a row; where `gaps` is not 0 it means nothing. `gaps`: 0 a value, 1 null, 2 a record without the field; left out
 * where all rows have a value. Times are UTC milliseconds, booleans 0 or 1, nested values JSON texts.
 */
export type GridDataColumn = GridDataColumnInfo & { readonly gaps?: Uint8Array } & (
    | { readonly kind: 'time' | 'number'; readonly values: Float64Array }
    | { readonly kind: 'boolean'; readonly values: Uint8Array }
    | { readonly kind: 'text' | 'nested'; readonly values: readonly string[] }
  );

/** Steps of the interval in the range, told apart. */
export interface GridDataCoverage {
  readonly expected: number;
  readonly present: number;
  /** Over, and without a row. */
  readonly missing: number;
  /** The first few missing stretches, each [start, end). */
  readonly missingStretches: readonly (readonly [number, number])[];
  readonly notPublished: number;
  readonly failed: number;
  readonly notAsked: number;
  readonly late: number;
}

/** What the service changed of steps that were over when they were last asked for; said once, by the answer that brought it. */
export interface GridDataRevisions {
  /** Steps that have other values now, and steps that have no row now. */
  readonly revised: number;
  readonly withdrawn: number;
  /** When these steps were last asked for: the earliest of them. */
  readonly since: number;
}

export interface GridDataProvenance {
  readonly connection: string;
  /** Only where a sandbox replays measured hours: `REPLAYED HOURS (2023.csv)`, with how they were moved in time. The stress index is the sandbox's. */
  readonly replayed?: string;
  /** Only where no grid was measured: the rows are Sample Data, of whatever connection, and their stress index is a formula of its own. */
  readonly isSample?: true;
  readonly dataset: string;
  readonly range: string;
  /** [start, end). */
  readonly start: number;
  readonly end: number;
  readonly interval: string;
  /** The IANA zone whose days the rows are, where they are made from hours; `stepsKept` and revisions count hours then. */
  readonly days?: string;
  readonly fetchedAt: number | undefined;
  readonly requestsSpent: number;
  /** Steps whose row came from the archive. */
  readonly stepsKept: number;
  /** Before it, asking the same again brings nothing new. */
  readonly nextPublication: number;
  /** Why a part of the range is not there, or not as fresh as it should be. */
  readonly failure?: { readonly reason: string; readonly stretches: readonly (readonly [number, number])[] };
}

export interface GridDataDataset {
  readonly id: string;
  readonly title: string;
  /** The first is the default. */
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
  /** It is asked where a query names none. */
  readonly isActive: boolean;
  /** What the last answer said of its key. */
  readonly state: 'unchecked' | 'works' | 'rejected' | 'forbidden';
}

export interface GridDataPrice {
  readonly requests: number;
  /** Those that can go at once. */
  readonly now: number;
  /** Milliseconds until the last of them starts, about; 0 where all go now. */
  readonly waitMs: number;
  /** The requests for each dataset, by its id, where the budgets of several are spent. */
  readonly byDataset?: readonly (readonly [dataset: string, requests: number])[];
}

export interface GridDataBudget {
  /** Requests that would start at once. */
  readonly left: number;
  /** Requests a window has room for. */
  readonly allowed: number;
  /** Milliseconds until a request asked for now would start; 0 while some are left. */
  readonly nextFreeInMs: number;
}

/** What every rejection is. New reasons may come: treat an unknown one as a failure. */
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
