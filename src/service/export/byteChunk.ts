import type { WrittenTable } from '../../core/export/exportTable.ts';
import type { ExportOptions, ExportProvenance } from '../../shared/exportOptions.ts';

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
