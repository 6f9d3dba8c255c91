import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import * as nodeFs from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { GridError } from '../core/errors.ts';
import { InputError } from '../host/inputError.ts';
import { readFileInReader } from '../service/dataFile/dataFileReader.ts';
import { maxSidecarBytes } from '../service/export/writeExport.ts';
import { readRegularTextFile } from '../service/files/regularFile.ts';
import type { SourceLoader } from '../service/query/joinSources.ts';
import type { ReaderProcesses } from '../service/reader/readerProcess.ts';
import type { FileSource } from '../shared/analysis.ts';

/** Reads a joined file with the options that are stored with its query. Throws GridError, and InputError if the options do not suffice. */
export async function readJoinedFile(
  readers: ReaderProcesses,
  { path, options = {} }: FileSource,
  workspace: string,
  signal: AbortSignal,
): ReturnType<SourceLoader['readFile']> {
  const file = path.startsWith('file:') ? fileURLToPath(path) : resolve(workspace, path);
  const name = basename(file);
  const sidecar = await readRegularTextFile(`${file}.meta.json`, maxSidecarBytes, nodeFs).catch(() => undefined);
  const reply = await readFileInReader(readers, { name, options, sidecar, location: { path: file } }, { signal });
  if (reply.kind !== 'table')
    throw new InputError(
      `'${name}' needs a choice of how its times are read. Add its columns again in VS Code, which asks.`,
    );
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(file), hash, { signal });
  } catch {
    throw new GridError(signal.aborted ? 'cancelled' : 'fileMissing', { file: name });
  }
  const { result, table } = reply.fileTable;
  return { result, sha256: hash.digest('hex'), remarks: table.notes };
}
