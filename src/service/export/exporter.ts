import type { ExportOptions, ExportProvenance, ExportTable } from '../../shared/exportOptions.ts';

/** How an export is watched and stopped. */
export interface ExportRun {
  /** Aborted: the export throws a GridError ("cancelled") at the next chunk. */
  readonly signal?: AbortSignal | undefined;
  /** Rows whose bytes have been made so far. */
  readonly onProgress?: ((rowsDone: number) => void) | undefined;
}

/**
 * The table as the bytes of a file, chunk by chunk; other work goes on between chunks. The frame's arrays must stay as they
 * are until the end. Throws a GridError ("cancelled") when stopped.
 */
export async function* exportChunks(
  table: ExportTable,
  options: ExportOptions,
  provenance?: ExportProvenance,
  run: ExportRun = {},
): AsyncGenerator<Uint8Array> {
  throw new Error(`not yet ${[table, options, provenance, run].length}`);
}

/** The table as one text without a byte order mark, for the clipboard or an editor. For text formats alone. */
export async function exportText(
  table: ExportTable,
  options: ExportOptions,
  provenance?: ExportProvenance,
  run: ExportRun = {},
): Promise<string> {
  throw new Error(`not yet ${[table, options, provenance, run].length}`);
}

/** About how many bytes the export will have, from some of its rows. */
export async function estimateSize(table: ExportTable, options: ExportOptions): Promise<number> {
  throw new Error(`not yet ${[table, options].length}`);
}
