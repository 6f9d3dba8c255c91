import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeFolders } from './folders.ts';
import { root } from '../paths.ts';

const parts = ['package.json', 'package.nls.json', 'dist', 'media', 'l10n', 'README.md', 'CHANGELOG.md', 'LICENSE'];

/** Installs the built extension and a companion, as far as the server can tell: a folder each, which it finds when it starts. */
export function placeExtensions(folders: CodeFolders, companion: string): void {
  const product = join(folders.extensions, `grid-data.grid-data-inspector-${versionIn(root)}`);
  for (const part of parts)
    if (existsSync(join(root, part))) cpSync(join(root, part), join(product, part), { recursive: true });
  const { name, version } = manifestIn(companion);
  cpSync(companion, join(folders.extensions, `grid-data.${name}-${version}`), { recursive: true });
}

/** Adds an extension to those that VS Code has installed, whose list it must be in. */
export function addExtension({ extensions }: CodeFolders, folder: string): void {
  const { name, version } = manifestIn(folder);
  const relativeLocation = `grid-data.${name}-${version}`;
  const location = join(extensions, relativeLocation);
  cpSync(folder, location, { recursive: true });
  const list = join(extensions, 'extensions.json');
  const installed = JSON.parse(readFileSync(list, 'utf8')) as unknown[];
  const identifier = { id: `grid-data.${name}` };
  installed.push({ identifier, version, relativeLocation, location: { $mid: 1, path: location, scheme: 'file' } });
  writeFileSync(list, JSON.stringify(installed));
}

function versionIn(folder: string): string {
  return manifestIn(folder).version;
}

function manifestIn(folder: string): { readonly name: string; readonly version: string } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name: string; version: string };
}
