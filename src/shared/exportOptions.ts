import type { Frame } from './frame.ts';
import type { DisplayZone } from './protocol.ts';
import type { Coverage, intervalState } from './result.ts';
import type { SerializedView } from './view.ts';

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

/** The index of a column in the frame, or the end of each row's interval, from the frame's time column and `intervalMs`. */
export type ExportColumn = number | 'intervalEnd';

/** The rows and columns to write: those on screen, those received, or the selected cells. */
export interface ExportTable {
  readonly frame: Frame;
  /** Row indexes in the order of the file; undefined for all received rows. */
  readonly rows?: Uint32Array | undefined;
  /** Columns in the order of the file; undefined for all received columns. */
  readonly columns?: readonly ExportColumn[] | undefined;
  /** Describes resampled rows: "months of UTC, …". */
  readonly resampled?: string;
  /** Describes rows that are events: "runs of hours with …". */
  readonly events?: string;
  /** The formulas of derived columns, by column name. */
  readonly derived?: Readonly<Record<string, string>>;
  /** Describes rows that score a forecast: "residual_forecast_mw as a forecast of …". */
  readonly scorecard?: string;
  /** The kind of chart whose data the rows are: "heatmap". */
  readonly chart?: string;
  /** The view of the panel that shows these rows. */
  readonly view?: SerializedView | undefined;
  /** The length of the interval in milliseconds; if undefined, the ends of intervals are empty. */
  readonly intervalMs?: number | undefined;
}

/** The parts of a result that can be exported: the table on screen, all received rows, or the selected cells. */
export const exportScopes = ['onScreen', 'asReceived', 'selection'] as const;
export type ExportScope = (typeof exportScopes)[number];

/** The table of each scope; empty scopes are omitted. */
export type ExportTables = Readonly<Partial<Record<ExportScope, ExportTable>>>;

/** The provenance of rows as written into files: plain JSON, never a key. Instants are ISO 8601 in UTC. */
export interface ExportProvenance extends Pick<
  ExportTable,
  'resampled' | 'events' | 'derived' | 'scorecard' | 'chart' | 'view'
> {
  readonly source: string;
  /** Undefined for archived hours, because the archive stores them by service and not by connection. */
  readonly connection?: string;
  /** For archived hours: the origin of the service, or the sandbox. */
  readonly service?: string;
  /** For Sample Data, generated or replayed: "SAMPLE DATA (synthetic)"; undefined for a real service. */
  readonly data?: string;
  /** The address of the requests, without parameters; undefined if unknown. */
  readonly endpoint?: string;
  readonly dataset: string;
  readonly range: string;
  /** The compared range: its name, "start/end", and its coverage. */
  readonly comparedWith?: string;
  /** The sources whose columns were joined: `plant.csv (SHA-256 …)`. */
  readonly joinedWith?: string;
  readonly start: string;
  /** Exclusive. */
  readonly end: string;
  readonly interval: string;
  /** The zone of the range's days, an IANA name; undefined if the range does not depend on it. */
  readonly timeZone?: string;
  /** For days: their zone, and the interval that they are aggregated from. */
  readonly days?: string;
  /** For rows that are bins of a zone: a `ZonedBins`, such as "day@SAST". */
  readonly bins?: string;
  /** For days that are aggregated from hours: the number of hours present, "742 of 744". */
  readonly hours?: string | undefined;
  readonly params: Readonly<Record<string, string>>;
  /** How the times of this file are written: "UTC", "SAST (UTC+2)", "as received". */
  readonly zone: string;
  readonly fetchedAt?: string | undefined;
  readonly rows: number;
  /** The number of rows of the whole result if not all are exported; for computed rows, the number of rows they are computed from. */
  readonly rowsOfResult?: number | undefined;
  /** For joined datasets: the coverage of each, by its title. */
  readonly datasets?: Readonly<Record<string, string>> | undefined;
  /** The coverage, counted in intervals; undefined if unknown. */
  readonly coverage?:
    | (Pick<Coverage, 'expected' | keyof typeof intervalState> & {
        /** The first missing ranges as "start/end", the end exclusive, and the number of further ones. */
        readonly missingRanges: readonly string[];
        readonly moreMissingRanges?: number | undefined;
      })
    | undefined;
}
