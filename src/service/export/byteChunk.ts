import type { WrittenTable } from '../../core/export/exportTable.ts';
import type { ExportOptions, ExportProvenance } from '../../shared/exportOptions.ts';
import { fieldInWords } from '../../core/bins/binSums.ts';
import type { Column } from '../../shared/frame.ts';

/** A piece of a file, and how many rows are in it and the ones before. */
export interface ByteChunk {
  readonly bytes: Uint8Array;
  readonly rowsDone: number;
}

/** Makes a file in pieces of a few milliseconds each. */
export type FileWriter = (
  table: WrittenTable,
  options: ExportOptions,
  provenance: ExportProvenance | undefined,
) => Iterable<ByteChunk> | AsyncIterable<ByteChunk>;

/** The metadata of a column besides its type: kind, JSON path, unit and meaning. */
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
/** The key under which a Parquet file holds the metadata of its columns by their names: columns have none of their own. */
export const columnsKey = 'grid_data.columns';

export function provenanceNote(provenance: ExportProvenance | undefined): Record<string, string> {
  return provenance ? { [provenanceKey]: JSON.stringify(provenance) } : {};
}
