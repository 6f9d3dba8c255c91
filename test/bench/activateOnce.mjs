// `node activateOnce.mjs <main file> <package.json> [first-use]`: loads and activates an extension in this process with a stub of
// `vscode`, and prints the milliseconds that took. With `first-use`, prints the CPU milliseconds of the first call of its API.
// startUp.bench.ts runs it.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import Module, { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

const [main, manifest, mode] = process.argv.slice(2);

/** A stub that has every member, can be called and constructed, and is empty as a list or a string. */
const stub = new Proxy(function () {}, {
  get: (_, name) => {
    if (name === 'then') return undefined;
    if (name === Symbol.toPrimitive) return () => '';
    return name === Symbol.iterator ? () => [].values() : stub;
  },
  set: () => true,
  apply: () => stub,
  construct: () => stub,
});
// The stub has the exports of the real module, since a bundle may copy them.
const types = readFileSync(createRequire(import.meta.url).resolve('@types/vscode/index.d.ts'), 'utf8');
const names = [...types.matchAll(/^\texport (?:class|enum|namespace) (\w+)/gm)].map(([, name]) => name);
const vscode = Object.fromEntries(names.map(name => [name, stub]));
vscode.Uri = { joinPath: ({ fsPath }, ...parts) => ({ fsPath: join(fsPath, ...parts) }) };
const load = Module._load;
Module._load = (request, ...rest) => (request === 'vscode' ? vscode : load(request, ...rest));

const state = { get: (_, otherwise) => otherwise, update: async () => {}, setKeysForSync: () => {} };
const context = {
  extension: { packageJSON: JSON.parse(readFileSync(manifest, 'utf8')) },
  subscriptions: [],
  secrets: stub,
  globalState: state,
  workspaceState: state,
  globalStorageUri: { fsPath: join(tmpdir(), 'grid-data-bench-none') },
};
console.log = () => {};
// Warms up file access, as in an extension host that has read files before.
await readFile(manifest);

const start = performance.now();
const api = createRequire(main)(main).activate(context);
const activation = performance.now() - start;
if (mode === 'first-use') {
  const cpuBefore = process.cpuUsage();
  api.datasets();
  const { user, system } = process.cpuUsage(cpuBefore);
  process.stdout.write(`${(user + system) / 1000}`);
} else process.stdout.write(`${activation}`);
process.exit();
