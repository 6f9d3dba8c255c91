import type { Frame } from './frame.ts';
import type { DisplayZone } from './protocol.ts';
import type { Coverage, stepState } from './result.ts';
import type { SavedView } from './savedView.ts';

/** The formats of an exported table. */
export const exportFormats = ['xlsx', 'csv', 'tsv', 'json', 'ndjson', 'markdown', 'parquet', 'arrow'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** `standard`: RFC 4180, UTF-8. `semicolon`: semicolons, decimal comma and a byte order mark, as Excel opens it in many locales. */
export const csvDialects = ['standard', 'semicolon'] as const;
export type CsvDialect = (typeof csvDialects)[number];

/**
 * How text formats write an instant: ISO 8601 with the offset of the zone, ISO 8601 in UTC (`Z`), or the service's own text.
 * Parquet and Arrow always hold UTC instants, Excel always dates of the zone.
 */
export type ExportTimes = 'zone' | 'utc' | 'received';

/** The heading of delimited text, Markdown and Excel: the service's names, the names with units, or none (Markdown: an empty one). */
type ExportHeading = 'names' | 'units' | 'none';

/**
 * Where to write the provenance of the rows. `comment`: in the file (comment lines; a second sheet in Excel; nowhere in JSON). `sidecar`:
 * in `<file>.meta.json`. Parquet and Arrow always have it in their metadata.
 */
export const exportProvenances = ['none', 'comment', 'sidecar'] as const;

/** How to write a table. */
export interface ExportOptions {
  readonly format: ExportFormat;
  /** Only for CSV. */
  readonly dialect: CsvDialect;
  readonly times: ExportTimes;
  readonly zone: DisplayZone;
  readonly heading: ExportHeading;
  readonly provenance: (typeof exportProvenances)[number];
}

/** The index of a column in the frame, or the end of each row's interval, from the frame's time column and `stepMs`. */
export type ExportColumn = number | 'intervalEnd';

/** The rows and columns to write: those on screen, as received, or selected. */
export interface ExportTable {
  readonly frame: Frame;
  /** Indexes of rows, in order; undefined for all as received. */
  readonly rows?: Uint32Array | undefined;
  /** In order; undefined for all as received. */
  readonly columns?: readonly ExportColumn[] | undefined;
  /** What the rows are, where they are resampled: "months of UTC, …". */
  readonly resampled?: string;
  /** What the rows are, where they are events: "runs of hours with …". */
  readonly events?: string;
  /** The formulas of columns that are derived here, by their names. */
  readonly derived?: Readonly<Record<string, string>>;
  /** What the rows are, where they score a forecast: "residual_forecast_mw as a forecast of …". */
  readonly scorecard?: string;
  /** What the rows are, where a chart draws them: "heatmap". */
  readonly chart?: string;
  /** How the panel shows these rows. */
  readonly view?: SavedView | undefined;
  /** The length of the interval in milliseconds; without it the ends of intervals are empty. */
  readonly stepMs?: number | undefined;
}

/** What to export of a result: the table on screen, all rows as received, or the selected cells. */
export const exportScopes = ['onScreen', 'asReceived', 'selection'] as const;
export type ExportScope = (typeof exportScopes)[number];

/** The table of each scope; an empty scope is left out. */
export type ExportTables = Readonly<Partial<Record<ExportScope, ExportTable>>>;

/** The provenance of rows as written into files: plain JSON, never a key. Instants are ISO 8601 in UTC. */
export interface ExportProvenance extends Pick<
  ExportTable,
  'resampled' | 'events' | 'derived' | 'scorecard' | 'chart' | 'view'
> {
  readonly source: string;
  /** Undefined for archived hours, which belong to a service, whichever connection fetched them. */
  readonly connection?: string;
  /** Of archived hours: the origin of the service, or the sandbox. */
  readonly service?: string;
  /** For Sample Data, generated or replayed: "SAMPLE DATA (synthetic)"; undefined for a real service. */
  readonly data?: string;
  /** The address of the requests, without parameters; undefined where unknown. */
  readonly endpoint?: string;
  readonly dataset: string;
  readonly range: string;
  /** The other range of a comparison: its name, "start/end", and its coverage. */
  readonly comparedWith?: string;
  readonly start: string;
  /** Exclusive. */
  readonly end: string;
  readonly interval: string;
  /** The zone of the range's days, an IANA name, where the range depends on it. */
  readonly timeZone?: string;
  /** Of days: their zone, and what they are made from. */
  readonly days?: string;
  /** Of rows that are bins of a zone, such as "day@SAST": what each stands for, as `BinsOfZone`. */
  readonly bins?: string;
  /** Of days that are made from hours: present hours of all, "742 of 744". */
  readonly hours?: string | undefined;
  readonly params: Readonly<Record<string, string>>;
  /** How the times of this file are written: "UTC", "SAST (UTC+2)", "as received". */
  readonly zone: string;
  readonly fetchedAt?: string | undefined;
  readonly rows: number;
  /** Rows of the whole result, where not all are exported: of computed rows, those that they are made from. */
  readonly rowsOfResult?: number | undefined;
  /** Of joined datasets: the steps of each, by its title. */
  readonly datasets?: Readonly<Record<string, string>> | undefined;
  /** Counts in steps of the interval; undefined where unknown. */
  readonly coverage?:
    | (Pick<Coverage, 'expected' | keyof typeof stepState> & {
        /** The first of them as "start/end", the end exclusive, and how many more there are. */
        readonly missingStretches: readonly string[];
        readonly moreMissingStretches?: number | undefined;
      })
    | undefined;
}
