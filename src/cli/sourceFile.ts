import * as nodeFs from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GridError } from '../core/errors.ts';
import { readFileInReader } from '../service/dataFile/dataFileReader.ts';
import { maxSidecarBytes } from '../service/export/writeExport.ts';
import { readRegularTextFile } from '../service/files/regularFile.ts';
import type { JoinedFile } from '../service/query/joinSources.ts';
import type { ReaderProcesses } from '../service/reader/readerProcess.ts';
import type { FileSource } from '../shared/analysis.ts';

/** Reads the file of a source with the options that are stored with its query. Throws GridError. */
export async function readSourceFile(
  readers: ReaderProcesses,
  source: FileSource,
  workspace: string,
  signal: AbortSignal,
): Promise<JoinedFile> {
  const { path, options = {} } = source;
  const file = path.startsWith('file:') ? fileURLToPath(path) : resolve(workspace, path);
  const name = basename(file);
  const sidecar = await readRegularTextFile(`${file}.meta.json`, maxSidecarBytes, nodeFs).catch(() => undefined);
  const job = { name, options, sidecar, location: { path: file }, isHashed: true } as const;
  const reply = await readFileInReader(readers, job, { signal });
  if (reply.kind !== 'table') throw new GridError('sourceUnusable', { file: name });
  const { result, table, sha256 = '' } = reply.fileTable;
  return { result, source: { ...source, sha256 }, remarks: table.notes };
}
