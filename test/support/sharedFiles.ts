import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Returns the path of a shared file beside the checkout (real hours, the reference service), or undefined if it is missing, so that
 * tests can skip. GRID_DATA_SHARED overrides the folder.
 */
export function findSharedFile(...path: string[]): string | undefined {
  const folder = process.env['GRID_DATA_SHARED'] ?? resolve('..', 'shared');
  const file = join(folder, ...path);
  return existsSync(file) ? file : undefined;
}

/** Reads the cells of a shared CSV file without quotes, by line. Returns undefined if it is missing. */
export function readSharedCells(
  ...path: string[]
): { readonly heading: string[]; readonly rows: string[][] } | undefined {
  const file = findSharedFile(...path);
  if (file === undefined) return undefined;
  const lines = readFileSync(file, 'utf8').trim().split(/\r?\n/);
  const [heading = [], ...rows] = lines.map(line => line.split(','));
  return { heading, rows };
}
