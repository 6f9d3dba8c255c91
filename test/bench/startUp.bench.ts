import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { vsixPath } from '../../scripts/package/vsixPath.ts';
import { root } from '../../scripts/paths.ts';
import type { Bench } from './bench.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

const runs = 15;
const main = join(root, 'dist', 'extension.js');
const manifest = join(root, 'package.json');

/** The extension that Yeoman's generator creates. */
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

/** Runs an extension in a new process. Returns the milliseconds of the process and those that it printed. */
function startProcess(
  file: string,
  ...rest: readonly string[]
): { readonly process: number; readonly printed: number } {
  const startMs = performance.now();
  const script = join(import.meta.dirname, 'activateOnce.mjs');
  const printed = Number(execFileSync(process.execPath, [script, file, manifest, ...rest]));
  return { process: performance.now() - startMs, printed };
}

function readMetafiles(): readonly Metafile[] {
  return JSON.parse(readFileSync(join(root, 'dist', 'meta.json'), 'utf8')) as readonly Metafile[];
}

/** Returns the bytes that are loaded with a file of the build. */
function countLoadedBytes(entryFile: string): number {
  const outputs = new Map(readMetafiles().flatMap(measured => Object.entries(measured.outputs)));
  const loaded = new Set([`dist/${entryFile}`]);
  for (const name of loaded)
    for (const { path, kind } of outputs.get(name)?.imports ?? [])
      if (kind === 'import-statement' && outputs.has(path)) loaded.add(path);
  return [...loaded].reduce((sum, name) => sum + (outputs.get(name)?.bytes ?? NaN), 0);
}

/** Measures the start of the extension compared with a minimal one, each in a new process. */
export const bench: Bench = () => {
  execFileSync(process.execPath, ['scripts/package.mjs'], { cwd: root });
  const helloWorldFile = join(createTemporaryFolder(), 'extension.js');
  writeFileSync(helloWorldFile, helloWorld);
  // Alternates between both, so that other load affects them equally.
  const starts = Array.from({ length: runs }, () => ({
    theirs: startProcess(helloWorldFile),
    ours: startProcess(main),
  }));
  const firstUses = Array.from({ length: runs }, () => startProcess(main, 'first-use').printed);
  // The minimum of several runs is least affected by other programs.
  const helloWorldMs = Math.min(...starts.map(measured => measured.theirs.process));
  const extensionMs = Math.min(...starts.map(measured => measured.ours.process));
  return Promise.resolve([
    { label: 'the package', value: statSync(vsixPath()).size / 1000, unit: 'kB', atMost: 3000 },
    { label: 'the file that VS Code loads at the start', value: statSync(main).size / 1000, unit: 'kB', atMost: 10 },
    {
      label: '… and the additional file if alerts are on',
      value: countLoadedBytes('background.js') / 1000,
      unit: 'kB',
    },
    {
      label: '… and at the first use',
      value: (countLoadedBytes('app.js') - countLoadedBytes('background.js')) / 1000,
      unit: 'kB',
    },
    { label: 'a process that loads and activates hello-world', value: helloWorldMs, unit: 'ms' },
    { label: '… and one with this extension', value: extensionMs, unit: 'ms' },
    { label: '… against hello-world', value: extensionMs / helloWorldMs, unit: '×', atMost: 1.1 },
    {
      label: 'require and activate alone, hello-world',
      value: Math.min(...starts.map(measured => measured.theirs.printed)),
      unit: 'ms',
    },
    {
      label: '… this extension',
      value: Math.min(...starts.map(measured => measured.ours.printed)),
      unit: 'ms',
      atMost: 5,
    },
    { label: 'the first use, which loads the other files', value: Math.min(...firstUses), unit: 'ms', atMost: 200 },
  ]);
};
