import { join } from 'node:path';
import type { Clock } from '../../core/ports.ts';
import { replaceFile } from '../files/temporaryFile.ts';
import { forget, writeTemporary, type ArchiveFs } from './archiveFs.ts';
import type { StillOurs } from './folderLock.ts';

/**
 * Replaces a small file as a whole, under the lock of its folder: a write that breaks off leaves the old one. Throws what
 * the file system throws, and an Error with the code ELOST where the lock went to another window meanwhile.
 */
export async function replaceText(
  { fs, clock }: { readonly fs: ArchiveFs; readonly clock: Pick<Clock, 'sleep'> },
  { folder, name }: { readonly folder: string; readonly name: string },
  text: string,
  stillOurs: StillOurs,
): Promise<void> {
  const temporary = await writeTemporary(fs, folder, name, text);
  try {
    // Too slow, and taken for dead: another may have written meanwhile.
    if (!(await stillOurs())) throw Object.assign(new Error('the lock was lost'), { code: 'ELOST' });
    await replaceFile(fs, temporary, join(folder, name), clock);
  } catch (error) {
    await forget(fs, [temporary]);
    throw error;
  }
}
