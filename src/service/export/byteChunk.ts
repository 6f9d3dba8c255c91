import type { WrittenTable } from '../../core/export/exportTable.ts';
import type { ExportOptions, ExportProvenance } from '../../shared/exportOptions.ts';
import { fieldInWords } from '../../core/bins/binSums.ts';
import type { Column } from '../../shared/frame.ts';

/** A piece of a file, and how many rows are in it and the pieces before. */
export interface ByteChunk {
  readonly bytes: Uint8Array;
  readonly rowsDone: number;
}

/** Makes a file piece by piece; each piece takes a few milliseconds. One that can stop between them takes the signal. */
export type FileWriter = (
  table: WrittenTable,
  options: ExportOptions,
  provenance: ExportProvenance | undefined,
  signal: AbortSignal | undefined,
) => Iterable<ByteChunk> | AsyncIterable<ByteChunk>;

/** What a file says of a column beside its type: its way into a record, kind, unit and meaning. */
export function columnNotes({ kind, path, field: known }: Column): Record<string, string> {
  const field = known && fieldInWords(known);
  return {
    kind,
    path: JSON.stringify(path),
    ...(field && { label: field.label, meaning: field.meaning }),
    ...(field?.unit?.text && { unit: field.unit.text }),
  };
}

/** The key under which a file holds its provenance, as JSON. */
export const provenanceKey = 'grid_data.provenance';
/** The key under which a Parquet file holds the notes of its columns by their names: its columns have none of their own. */
export const columnsKey = 'grid_data.columns';

export function provenanceNote(provenance: ExportProvenance | undefined): Record<string, string> {
  return provenance ? { [provenanceKey]: JSON.stringify(provenance) } : {};
}
