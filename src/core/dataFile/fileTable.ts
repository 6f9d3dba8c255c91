import type { ExportProvenance } from '../../shared/exportOptions.ts';
import type { Frame } from '../../shared/frame.ts';
import type { TableProblem } from '../../shared/tableLimits.ts';
import type { Unit } from '../../shared/units.ts';
import type { ImportOptions } from './importOptions.ts';
import { energy, power, share } from '../../shared/units.ts';

/** The forms of data files that are read. */
export const dataFileForms = ['delimited', 'json', 'ndjson', 'parquet', 'arrow'] as const;
export type DataFileForm = (typeof dataFileForms)[number];

/** How the zone of a file's times is known: from an offset in each or its schema, its heading, the portal, or the person. */
export type ZoneSource = 'file' | 'heading' | 'portal' | 'person';

/** The part of an `ExportProvenance` that a file is read for. */
export type FileProvenance = Partial<Omit<ExportProvenance, 'params'>> & Pick<ExportProvenance, 'source'>;

/** The table of a file, as much of it as fits the limits. */
export interface FileTable {
  /** Undefined for JSON that is not a table. */
  readonly frame: Frame | undefined;
  readonly problem?: TableProblem;
  readonly rowsOfFile: number;
  /** Columns that are not in the frame: beyond the limits, or of a type that a table has no cells for. */
  readonly leftOut: readonly string[];
  /** Undefined where there are no times. `timeZone`: of times without an offset, an IANA name. */
  readonly zone: { readonly source: ZoneSource; readonly timeZone?: string } | undefined;
  /** As an export of ours wrote it. */
  readonly provenance: FileProvenance | undefined;
  /** Sentences about how the numbers were read, in English. */
  readonly notes: readonly string[];
  /** How a text or a workbook was read; undefined for files that leave no choice. `sheets`: the names of a workbook's. */
  readonly importedAs?: ImportOptions & { readonly sheets?: readonly string[] };
  /** Hours are written 1 to 24 without saying whether they begin or end at their time. */
  readonly offersHourEnd?: boolean;
  /** JSON: of a JSON file its own, else what the file says about itself. */
  readonly text: string;
}

/** A file, or what has to be known before its times can be read: their zone, or whether the day or the month comes first. */
export type ReadFile =
  | { readonly kind: 'table'; readonly table: FileTable }
  | { readonly kind: 'needsZone' | 'needsDateOrder'; readonly example: string };

/** The unit of a text after a number; undefined for none. */
export function unitOfText(text: string | undefined): Unit | undefined {
  if (!text) return undefined;
  return [power, energy, share].find(unit => unit.text === text) ?? { kind: 'none', text };
}
