import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let base: string | undefined;

/**
 * Creates an empty folder, which is removed when this process exits: work that a test started may still write into it after the test,
 * and a folder in use cannot be removed.
 */
export function createTemporaryFolder(): string {
  base ??= createProcessFolder();
  return mkdtempSync(join(base, 'folder-'));
}

function createProcessFolder(): string {
  const folder = mkdtempSync(join(realpathSync.native(tmpdir()), 'grid-data-test-'));
  process.once('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // Another process may still use a file, which is not a failure of the test.
    }
  });
  return folder;
}
