import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * A file of the material kept beside the checkout (real hours, the reference service), or undefined where it is not
 * there: tests that want it skip. GRID_DATA_SHARED names another place.
 */
export function sharedFile(...path: string[]): string | undefined {
  const folder = process.env['GRID_DATA_SHARED'] ?? resolve('..', 'shared');
  const file = join(folder, ...path);
  return existsSync(file) ? file : undefined;
}
