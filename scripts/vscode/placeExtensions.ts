import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeFolders } from './folders.ts';
import { root } from '../paths.ts';

const packagedFiles = [
  'package.json',
  'package.nls.json',
  'dist',
  'media',
  'l10n',
  'skills',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
];

/** Installs the built extension and a companion by copying them into the folder that the server scans at startup. */
export function installExtensions(folders: CodeFolders, companion: string): void {
  const extensionFolder = join(folders.extensions, `grid-data.grid-data-inspector-${readVersion(root)}`);
  for (const path of packagedFiles)
    if (existsSync(join(root, path))) cpSync(join(root, path), join(extensionFolder, path), { recursive: true });
  const { name, version } = readManifest(companion);
  cpSync(companion, join(folders.extensions, `grid-data.${name}-${version}`), { recursive: true });
}

/** Adds an extension to an existing installation, including its list of extensions. */
export function addExtension({ extensions }: CodeFolders, folder: string): void {
  const { name, version } = readManifest(folder);
  const relativeLocation = `grid-data.${name}-${version}`;
  const location = join(extensions, relativeLocation);
  cpSync(folder, location, { recursive: true });
  const listFile = join(extensions, 'extensions.json');
  const installed = JSON.parse(readFileSync(listFile, 'utf8')) as unknown[];
  const identifier = { id: `grid-data.${name}` };
  installed.push({ identifier, version, relativeLocation, location: { $mid: 1, path: location, scheme: 'file' } });
  writeFileSync(listFile, JSON.stringify(installed));
}

function readVersion(folder: string): string {
  return readManifest(folder).version;
}

function readManifest(folder: string): { readonly name: string; readonly version: string } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name: string; version: string };
}
