import type { ExportProvenance } from '../../shared/exportOptions.ts';
import type { Frame } from '../../shared/frame.ts';
import type { TableProblem } from '../../shared/tableLimits.ts';
import type { Unit } from '../../shared/units.ts';
import type { ImportOptions } from '../../shared/importOptions.ts';
import { knownUnits } from '../../shared/units.ts';

/** The supported formats of data files. */
export const dataFileFormats = ['delimited', 'json', 'ndjson', 'parquet', 'arrow'] as const;
export type DataFileFormat = (typeof dataFileFormats)[number];

/** The source of the zone of a file's times: offsets or the schema in the file, a heading, the portal, or the user's choice. */
export type ZoneSource = 'file' | 'heading' | 'portal' | 'user';

/** The parts of an `ExportProvenance` that could be read from a file. */
export type FileProvenance = Partial<Omit<ExportProvenance, 'params'>> & Pick<ExportProvenance, 'source'>;

/** The table of a file, cut to the table limits. */
export interface FileTable {
  /** Undefined for JSON that is not a table. */
  readonly frame: Frame | undefined;
  readonly problem?: TableProblem;
  readonly fileRowCount: number;
  /** The names of columns that are not in the frame: they exceed the limits, or their type cannot be shown in a table. */
  readonly omitted: readonly string[];
  /** Undefined if there are no times. `timeZone` is the IANA name of the zone of times without an offset. */
  readonly zone: { readonly source: ZoneSource; readonly timeZone?: string } | undefined;
  /** The provenance that our own export wrote into the file. */
  readonly provenance: FileProvenance | undefined;
  /** Sentences about how the numbers were read, in English. */
  readonly notes: readonly string[];
  /** The options that a text or a workbook was read with; undefined for formats without options. `sheets` names all sheets of a workbook. */
  readonly importedAs?: ImportOptions & { readonly sheets?: readonly string[] };
  /** Whether hours are numbered 1 to 24 and it is unknown if the number is the beginning or the end of the hour. */
  readonly offersHourEnd?: boolean;
  /** The JSON of the file, or for other formats, JSON that describes its layout. */
  readonly text: string;
}

/** The table of a file, or which option is needed before its times can be read: their zone, or the order of day and month. */
export type FileReadResult =
  | { readonly kind: 'table'; readonly table: FileTable }
  | { readonly kind: 'needsZone' | 'needsDateOrder'; readonly example: string };

/** The unit that a text names; undefined without a text. */
export function parseUnit(text: string | undefined): Unit | undefined {
  if (!text) return undefined;
  return knownUnits.find(unit => unit.text === text) ?? { kind: 'none', text };
}
