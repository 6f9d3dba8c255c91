import { existsSync, readFileSync } from 'node:fs';
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

/** The cells of a CSV file without quotes in that material, by line; undefined where it is not there. */
export function sharedCells(...path: string[]): { readonly heading: string[]; readonly rows: string[][] } | undefined {
  const file = sharedFile(...path);
  if (file === undefined) return undefined;
  const lines = readFileSync(file, 'utf8').trim().split(/\r?\n/);
  const [heading = [], ...rows] = lines.map(line => line.split(','));
  return { heading, rows };
}
