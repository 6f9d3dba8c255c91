import type * as fsPromises from 'node:fs/promises';
import type { Clock } from '../../core/ports.ts';

/** The file system as exports use it: `node:fs/promises`, or a test's with faults. */
export type ExportFs = Pick<typeof fsPromises, 'mkdir' | 'open' | 'rename' | 'unlink'>;

export interface WriteExportArguments {
  /** Where the file goes; its folder must be there. */
  readonly file: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly signal?: AbortSignal | undefined;
  /** The text of `<file>.meta.json`; left out for none. */
  readonly sidecar?: string | undefined;
  readonly fs?: ExportFs | undefined;
}

/**
 * Writes a file whole or not at all: beside its place first, synced, then renamed over what was there. Returns its bytes.
 * Throws a GridError ("cancelled") when stopped, what the chunks throw, and what the file system throws.
 */
export async function writeExport(args: WriteExportArguments): Promise<number> {
  throw new Error(`not yet ${args.file}`);
}
