import type { TableToWrite } from '../../core/export/exportTable.ts';
import type { ExportOptions, ExportProvenance } from '../../shared/exportOptions.ts';
import { translateField } from '../../core/bins/binSums.ts';
import type { Column } from '../../shared/frame.ts';

/** A chunk of a file. `rowsDone`: the number of rows in this and all earlier chunks. */
export interface ByteChunk {
  readonly bytes: Uint8Array;
  readonly rowsDone: number;
}

/** Writes a file in chunks, each of which takes a few milliseconds. */
export type FileWriter = (
  table: TableToWrite,
  options: ExportOptions,
  provenance: ExportProvenance | undefined,
) => Iterable<ByteChunk> | AsyncIterable<ByteChunk>;

/** Returns the metadata of a column besides its type: kind, JSON path, label, meaning, source and unit. */
export function createColumnMetadata({ kind, path, field: fieldInfo }: Column): Record<string, string> {
  const field = fieldInfo && translateField(fieldInfo);
  return {
    kind,
    path: JSON.stringify(path),
    ...(field && { label: field.label, meaning: field.meaning }),
    ...(field?.source !== undefined && { source: field.source }),
    ...(field?.unit?.text && { unit: field.unit.text }),
  };
}

/** The metadata key of a file's provenance, which is JSON. */
export const provenanceKey = 'grid_data.provenance';
/** The metadata key in a Parquet file for the metadata of its columns, by name. The columns themselves cannot have metadata. */
export const columnsKey = 'grid_data.columns';

export function createProvenanceMetadata(provenance: ExportProvenance | undefined): Record<string, string> {
  return provenance ? { [provenanceKey]: JSON.stringify(provenance) } : {};
}
