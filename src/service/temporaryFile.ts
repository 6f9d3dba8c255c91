import { randomUUID } from 'node:crypto';
import * as nodeFs from 'node:fs/promises';
import { join } from 'node:path';

const marker = 'grid-data';
const temporary = new RegExp(String.raw`\.${marker}-\d{1,10}-[0-9a-f]{8}\.tmp$`);

/** Where a file is written before it takes its place: beside it, under a name that nobody else uses. */
export function temporaryName(file: string): string {
  return `${file}.${marker}-${process.pid}-${randomUUID().slice(0, 8)}.tmp`;
}

/**
 * Removes the temporary files of writers that died, by their names below the folder: those last written before an instant (UTC
 * milliseconds). Others' files stay, whatever they are called, and so does what cannot be removed.
 */
export async function removeTemporaries(
  folder: string,
  names: readonly string[],
  before: number,
  fs: Pick<typeof nodeFs, 'lstat' | 'unlink'> = nodeFs,
  pattern = temporary,
): Promise<void> {
  for (const name of names) {
    if (!pattern.test(name)) continue;
    const path = join(folder, name);
    const found = await fs.lstat(path).catch(() => undefined);
    if (found?.isFile() && found.mtimeMs < before) await fs.unlink(path).catch(() => undefined);
  }
}

/** No write of ours into our own storage takes so long. */
const leftoverMs = 60_000;
/** Nobody else writes there, and earlier versions had other names. */
const anyTemporary = /\.tmp$/;

/**
 * Closes our storage to everybody else, also where an earlier version made its folders, and clears it of what writers that died
 * left.
 */
export async function sweepStorage(folder: string, now: number): Promise<void> {
  await nodeFs.chmod(folder, 0o700).catch(() => undefined);
  const names = await nodeFs.readdir(folder, { recursive: true }).catch(() => []);
  await removeTemporaries(folder, names, now - leftoverMs, nodeFs, anyTemporary);
}
