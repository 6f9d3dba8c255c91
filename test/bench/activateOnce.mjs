// `node activateOnce.mjs <main file> <package.json>`: loads and activates an extension in this process, with a `vscode` that does
// nothing, and prints the milliseconds of that; with `first-use` behind, those of a processor in the first call of its API.
// startUp.bench.ts runs it.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import Module, { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

const [main, manifest, what] = process.argv.slice(2);

/** Has every member, can be called and constructed, and is empty as a list or a text. */
const nothing = new Proxy(function () {}, {
  get: (_, name) => {
    if (name === 'then') return undefined;
    if (name === Symbol.toPrimitive) return () => '';
    return name === Symbol.iterator ? () => [].values() : nothing;
  },
  set: () => true,
  apply: () => nothing,
  construct: () => nothing,
});
// With the names of the real one, which a bundle may copy.
const types = readFileSync(createRequire(import.meta.url).resolve('@types/vscode/index.d.ts'), 'utf8');
const names = [...types.matchAll(/^\texport (?:class|enum|namespace) (\w+)/gm)].map(([, name]) => name);
const vscode = Object.fromEntries(names.map(name => [name, nothing]));
vscode.Uri = { joinPath: ({ fsPath }, ...parts) => ({ fsPath: join(fsPath, ...parts) }) };
const load = Module._load;
Module._load = (request, ...rest) => (request === 'vscode' ? vscode : load(request, ...rest));

const state = { get: (_, otherwise) => otherwise, update: async () => {}, setKeysForSync: () => {} };
const context = {
  extension: { packageJSON: JSON.parse(readFileSync(manifest, 'utf8')) },
  subscriptions: [],
  secrets: nothing,
  globalState: state,
  workspaceState: state,
  globalStorageUri: { fsPath: join(tmpdir(), 'grid-data-bench-none') },
};
console.log = () => {};
// An extension host has read files before.
await readFile(manifest);

const began = performance.now();
const api = createRequire(main)(main).activate(context);
const activation = performance.now() - began;
if (what === 'first-use') {
  const before = process.cpuUsage();
  api.datasets();
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`${(user + system) / 1000}`);
} else process.stdout.write(`${activation}`);
process.exit();
