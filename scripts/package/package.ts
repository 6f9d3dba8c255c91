// Builds the extension for people and packs it: grid-data-inspector-<version>.vsix, with nothing inside that they do not need.
// `vsce` builds, by `vscode:prepublish`: whoever calls it by itself packs the same.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateAsync } from '@gfx/zopfli';
import { strFromU8, strToU8, unzipSync, Zip, ZipPassThrough, type Unzipped } from 'fflate';
import { root } from '../paths.ts';
import { brokenLinks } from './packedReadme.ts';
import { isPreRelease } from './releases.ts';
import { findMissing, findStrangers } from './vsixFiles.ts';
import { vsixPath } from './vsixPath.ts';

const { repository, version } = JSON.parse(readText('package.json') ?? '') as {
  repository: { url: string };
  version: string;
};
/** Of the package, so that it stays one that is installed in a moment. */
const mostBytes = 3_000_000;
const developmentKeys = new Set(['scripts', 'devDependencies', 'allowScripts']);

/** A file of a zip that is compressed already. */
class DeflatedFile extends ZipPassThrough {
  override readonly compression = 8;
  readonly #deflated: Uint8Array;

  constructor(name: string, deflated: Uint8Array) {
    super(name);
    this.#deflated = deflated;
  }

  protected override process(_bytes: Uint8Array, isLast: boolean): void {
    this.ondata(null, new Uint8Array(this.#deflated), isLast);
  }
}

process.exitCode = await pack();

async function pack(): Promise<number> {
  const file = vsixPath();
  rmSync(file, { force: true });
  const channel = isPreRelease(version) ? ['--pre-release'] : [];
  const vsce = runVsce(['package', '--no-dependencies', ...channel, '--out', file]);
  // `vsce` ends well in spite of warnings; a person who installs the file would meet what they warn of.
  if (vsce.status !== 0 || /warning/i.test(vsce.output)) {
    console.error(`vsce is not content:\n${vsce.output}`);
    rmSync(file, { force: true });
    return 1;
  }
  const packed = unzipSync(readFileSync(file));
  const files = Object.keys(packed);
  const [strangers, missing] = [findStrangers(files), findMissing(files)];
  const broken = brokenLinks(strFromU8(packed['extension/readme.md'] ?? new Uint8Array()), repository.url, readText);
  writeFileSync(file, await compressBetter(packed));
  console.log(files.map(name => `  ${name}`).join('\n'));
  const { size } = statSync(file);
  console.log(`${file} (${files.length} files, ${Math.ceil(size / 1000)} kB)`);
  if (strangers.length > 0)
    console.error(
      `These files do not belong in the package: ${strangers.join(', ')}. Leave them out by .vscodeignore.`,
    );
  if (missing.length > 0) console.error(`The package lacks ${missing.join(', ')}. Let them in by .vscodeignore.`);
  if (broken.length > 0) console.error(`Links and pictures of the packed README lead nowhere: ${broken.join(', ')}.`);
  if (size > mostBytes)
    console.error(`The package is larger than ${mostBytes / 1000} kB. dist/meta.json says what each file is made of.`);
  if (strangers.length + missing.length + broken.length === 0 && size <= mostBytes) return 0;
  rmSync(file);
  return 1;
}

/** JSON without blanks, and of the manifest without what only development reads. */
function compactJson(text: string): string {
  return JSON.stringify(JSON.parse(text), (key, value: unknown) => (developmentKeys.has(key) ? undefined : value));
}

/** The files as a zip, compressed by Zopfli: it takes seconds, and a twenty-fifth off the package. */
async function compressBetter(files: Unzipped): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  for (const [name, bytes] of Object.entries(files)) {
    const needed = name.endsWith('.json') ? strToU8(compactJson(strFromU8(bytes))) : bytes;
    const file = new DeflatedFile(name, await deflateAsync(needed, { numiterations: 5 }));
    zip.add(file);
    file.push(needed, true);
  }
  zip.end();
  return Buffer.concat(chunks);
}

/** The text of a file of the project, empty of a folder; undefined without one. */
function readText(path: string): string | undefined {
  const stat = statSync(join(root, path), { throwIfNoEntry: false });
  return stat && (stat.isFile() ? readFileSync(join(root, path), 'utf8') : '');
}

/** By its file: Windows runs the command of a package in a shell, which takes a path with spaces for two. */
function runVsce(args: readonly string[]): { status: number; output: string } {
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [vsce, ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: `${join(root, 'node_modules', '.bin')}${process.platform === 'win32' ? ';' : ':'}${process.env['PATH'] ?? ''}`,
    },
  });
  const output = error ? error.message : `${stdout}${stderr}`;
  return { status: status ?? 1, output };
}
