import type { Frame } from './frame.ts';
import type { DisplayZone } from './protocol.ts';

/** The formats a table leaves in. */
export const exportFormats = ['csv', 'tsv', 'json', 'ndjson', 'markdown', 'parquet', 'arrow', 'xlsx'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** `standard`: RFC 4180, UTF-8. `semicolon`: semicolons, decimal comma and a byte order mark, as Excel opens it in many locales. */
export const csvDialects = ['standard', 'semicolon'] as const;
export type CsvDialect = (typeof csvDialects)[number];

/**
 * How text formats write an instant: ISO 8601 with the offset of the zone, ISO 8601 in UTC (`Z`), or the service's own text.
 * Parquet and Arrow always hold UTC instants, Excel always dates of the zone.
 */
export const exportTimes = ['zone', 'utc', 'received'] as const;
export type ExportTimes = (typeof exportTimes)[number];

/** The heading of delimited text, Markdown and Excel: the service's names, the names with units, or none (Markdown: an empty one). */
export const exportHeadings = ['names', 'units', 'none'] as const;
export type ExportHeading = (typeof exportHeadings)[number];

/**
 * Where it is said whence the rows came. `comment`: in the file (comment lines; a second sheet in Excel; JSON has no place).
 * `sidecar`: in `<file>.meta.json` beside it. Parquet and Arrow hold it in their metadata in any case.
 */
export const exportProvenances = ['none', 'comment', 'sidecar'] as const;
export type ExportProvenanceChoice = (typeof exportProvenances)[number];

/** How a table is written. */
export interface ExportOptions {
  readonly format: ExportFormat;
  /** Of CSV alone. */
  readonly dialect: CsvDialect;
  readonly times: ExportTimes;
  readonly zone: DisplayZone;
  readonly heading: ExportHeading;
  readonly provenance: ExportProvenanceChoice;
}

/** The place of a column in the frame, or the end of each row's interval, reckoned from the frame's time column and `stepMs`. */
export type ExportColumn = number | 'intervalEnd';

/** What is written: as on screen, as received or the selection comes down to rows and columns in an order. */
export interface ExportTable {
  readonly frame: Frame;
  /** Places of rows, in the order written; left out for all as received. */
  readonly rows?: Uint32Array | undefined;
  /** In the order written; left out for all as received. */
  readonly columns?: readonly ExportColumn[] | undefined;
  /** The length of the interval in milliseconds; without it the end of an interval is not known and its cells are empty. */
  readonly stepMs?: number | undefined;
}

/** Whence the rows came, as it is written into files: plain JSON, never a key. Instants are ISO 8601 in UTC. */
export interface ExportProvenance {
  readonly source: string;
  /** Left out of what the archive kept: its hours belong to a service, whichever connection asked for them. */
  readonly connection?: string;
  /** Where the archive has the hours from: the origin of a service, or which sandbox. */
  readonly service?: string;
  /** That it is Sample Data, made up or replayed: "SAMPLE DATA (synthetic)"; left out for the hours of a real service. */
  readonly data?: string;
  /** The address asked, without its parameters; left out where it is not known. */
  readonly endpoint?: string;
  readonly dataset: string;
  readonly range: string;
  /** The other range of a comparison, whose columns stand beside: its name, "start/end", and what is there of it. */
  readonly comparedWith?: string;
  readonly start: string;
  /** The first instant that is not in the range any more. */
  readonly end: string;
  readonly interval: string;
  /** Of days: whose they are, and what they are made from. */
  readonly days?: string;
  /** Of days that are made from hours: "742 of 744", those that are there of those that there are. */
  readonly hours?: string | undefined;
  readonly params: Readonly<Record<string, string>>;
  /** How the times of this file are written: "UTC", "SAST (UTC+2)", "as received". */
  readonly zone: string;
  readonly fetchedAt?: string | undefined;
  readonly rows: number;
  /** Rows of the whole result, where not all are written. */
  readonly rowsOfResult?: number | undefined;
  /** Counts in steps of the interval; left out where they cannot be known. */
  readonly coverage?:
    | {
        readonly expected: number;
        readonly present: number;
        readonly missing: number;
        readonly notPublished: number;
        readonly failed: number;
        readonly notAsked: number;
        readonly late: number;
        /** "start/end", the end not included: the first of them, and how many more there are. */
        readonly missingStretches: readonly string[];
        readonly moreMissingStretches?: number | undefined;
      }
    | undefined;
}
