import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let base: string | undefined;

/**
 * A new, empty folder, which goes with this process: what a test began may still write into it when the test is over, and a
 * folder that is written into cannot be removed.
 */
export function temporaryFolder(): string {
  base ??= folderOfThisProcess();
  return mkdtempSync(join(base, 'folder-'));
}

function folderOfThisProcess(): string {
  const folder = mkdtempSync(join(realpathSync.native(tmpdir()), 'grid-data-test-'));
  process.once('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // Another process still uses a file of it: no fault of what was tested.
    }
  });
  return folder;
}
