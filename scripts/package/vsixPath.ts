import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.ts';

/** Returns the path where `npm run package` writes the VSIX. */
export function vsixPath(): string {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string; version: string };
  return join(root, `${manifest.name}-${manifest.version}.vsix`);
}
