import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { vsixPath } from '../../scripts/package/vsixPath.ts';
import { root } from '../../scripts/paths.ts';
import type { Bench } from './bench.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const runs = 15;
const main = join(root, 'dist', 'extension.js');
const manifest = join(root, 'package.json');

/** As Yeoman's generator for extensions makes it. */
const helloWorld = `const vscode = require('vscode');
function activate(context) {
  console.log('Congratulations, your extension "hello-world" is now active!');
  const disposable = vscode.commands.registerCommand('hello-world.helloWorld', function () {
    vscode.window.showInformationMessage('Hello World from hello-world!');
  });
  context.subscriptions.push(disposable);
}
function deactivate() {}
module.exports = { activate, deactivate };
`;

/** Milliseconds of the whole process, and what it prints. */
function start(file: string, ...rest: readonly string[]): { readonly process: number; readonly printed: number } {
  const began = performance.now();
  const script = join(import.meta.dirname, 'activateOnce.mjs');
  const printed = Number(execFileSync(process.execPath, [script, file, manifest, ...rest]));
  return { process: performance.now() - began, printed };
}

function builds(): readonly Metafile[] {
  return JSON.parse(readFileSync(join(root, 'dist', 'meta.json'), 'utf8')) as readonly Metafile[];
}

/** Bytes that are loaded with a part of the build. */
function loadedWith(part: string): number {
  const outputs = new Map(builds().flatMap(one => Object.entries(one.outputs)));
  const loaded = new Set([`dist/${part}`]);
  for (const name of loaded)
    for (const { path, kind } of outputs.get(name)?.imports ?? [])
      if (kind === 'import-statement' && outputs.has(path)) loaded.add(path);
  return [...loaded].reduce((sum, name) => sum + (outputs.get(name)?.bytes ?? NaN), 0);
}

/** What every window pays for the extension, beside the smallest extension that there is; both begin in a process of their own. */
export const bench: Bench = () => {
  execFileSync(process.execPath, ['scripts/package.mjs'], { cwd: root });
  const hello = join(temporaryFolder(), 'extension.js');
  writeFileSync(hello, helloWorld);
  // By turns, so that a busy moment does not meet one of them alone.
  const starts = Array.from({ length: runs }, () => ({ theirs: start(hello), ours: start(main) }));
  const firstUses = Array.from({ length: runs }, () => start(main, 'first-use').printed);
  // The least of several runs, which other programs disturb least.
  const theirs = Math.min(...starts.map(one => one.theirs.process));
  const ours = Math.min(...starts.map(one => one.ours.process));
  return Promise.resolve([
    { what: 'the package', value: statSync(vsixPath()).size / 1000, unit: 'kB', atMost: 3000 },
    { what: 'the file that VS Code loads at the start', value: statSync(main).size / 1000, unit: 'kB', atMost: 10 },
    { what: '… and what it adds where something is watched', value: loadedWith('background.js') / 1000, unit: 'kB' },
    { what: '… and at the first use', value: (loadedWith('app.js') - loadedWith('background.js')) / 1000, unit: 'kB' },
    { what: 'a process that loads and activates hello-world', value: theirs, unit: 'ms' },
    { what: '… and one with this extension', value: ours, unit: 'ms' },
    { what: '… against hello-world', value: ours / theirs, unit: '×', atMost: 1.1 },
    {
      what: 'require and activate alone, hello-world',
      value: Math.min(...starts.map(one => one.theirs.printed)),
      unit: 'ms',
    },
    { what: '… this extension', value: Math.min(...starts.map(one => one.ours.printed)), unit: 'ms', atMost: 5 },
    { what: 'the first use, which loads the rest', value: Math.min(...firstUses), unit: 'ms', atMost: 200 },
  ]);
};
