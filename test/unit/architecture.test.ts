import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { parse } from 'jsonc-parser';
import { importsOf, type Import } from './imports.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

const root = dirname(dirname(import.meta.dirname));

/** The types of the public API for other extensions. */
const publicTypes = 'grid-data-inspector.d.ts';

/** The layers. Each may import its own files, and the listed layers or folders. */
const layers: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  core: ['shared'],
  service: ['shared', 'core'],
  sandbox: ['shared', 'core', 'service/files'],
  presentation: ['shared', 'core'],
  host: ['shared', 'core', 'presentation', 'service', 'sandbox', publicTypes],
  webview: ['shared', 'core', 'presentation'],
  cli: ['shared', 'core', 'presentation', 'service', 'sandbox', 'host'],
  'background.ts': ['service', 'host'],
  'app.ts': ['core', 'service', 'host', 'background.ts', publicTypes],
  'extension.ts': ['core', 'host', 'app.ts', 'background.ts', publicTypes],
  [publicTypes]: [],
};

/** The layers that may import each package. */
const packages: Readonly<Record<string, readonly string[]>> = {
  vscode: ['host', 'app.ts', 'background.ts', 'extension.ts'],
  axios: ['service'],
  'axios-retry': ['service'],
  '@uwdata/flechette': ['service'],
  lz4js: ['service'],
  hyparquet: ['service'],
  'hyparquet-compressors': ['service'],
  'hyparquet-writer': ['service'],
  'read-excel-file': ['core'],
  'csv-parse': ['core'],
  hono: ['sandbox'],
  '@hono/node-server': ['sandbox'],
  tmcp: ['cli'],
  '@tmcp/transport-stdio': ['cli'],
  '@resvg/resvg-wasm': ['service'],
  lit: ['webview'],
  '@vscode-elements/elements': ['webview'],
};

const files = [...listSourceFiles('src'), ...listSourceFiles('api')];
const imports = new Map(files.map(file => [file, importsOf(join(root, file))]));

/**
 * The features of the host, in the order of docs/architecture.md. Each may import only earlier features. Files outside the folders
 * precede all features.
 */
const [, featureList = ''] =
  /import only from those before them in this list: ([^.]*)\./.exec(readSource('docs/architecture.md')) ?? [];
const features = Array.from(featureList.matchAll(/`(\w+)`/g), ([, name]) => name);

/** Returns the index of the file's feature, or -1 if it has none. Throws if a folder is not listed. */
function getFeatureIndex(file: string): number {
  const [, name] = /^src\/host\/(\w+)\//.exec(file) ?? [];
  assert.ok(name === undefined || features.includes(name), file);
  return name === undefined ? -1 : features.indexOf(name);
}

describe('architecture', () => {
  it('finds every source file', () => {
    assert.ok(files.length > 80, `${files.length} files`);
    assert.deepEqual(new Set(files.map(getLayer)), new Set(Object.keys(layers)));
    assert.ok(imports.get('src/extension.ts')?.some(({ target }) => target === 'vscode'));
  });

  it('resolves every relative import to a file of the source', () => {
    const knownFiles = new Set(files);
    assert.deepEqual(
      listRelativeImports().filter(({ to }) => !knownFiles.has(to)),
      [],
    );
  });

  it('imports only from the same layer and the allowed layers', () => {
    const wrong = listRelativeImports().filter(({ from, to }) => {
      const importerLayer = getLayer(from);
      return (
        getLayer(to) !== importerLayer &&
        !layers[importerLayer]?.some(part => getLayer(to) === part || to.startsWith(`src/${part}/`))
      );
    });
    assert.deepEqual(wrong, []);
  });

  it('imports in a feature of the host only from earlier features', () => {
    const wrong = listRelativeImports().filter(
      ({ from, to }) =>
        getLayer(from) === 'host' && getLayer(to) === 'host' && getFeatureIndex(to) > getFeatureIndex(from),
    );
    assert.deepEqual(wrong, []);
  });

  it('has no import cycle', () => {
    assert.deepEqual(findCycle(), undefined);
  });

  it('imports each package only in its allowed layers', () => {
    const wrong = listPackageImports().filter(({ from, name }) => packages[name]?.includes(getLayer(from)) === false);
    assert.deepEqual(wrong, []);
  });

  it('imports no package in the shared layer, and no Node module in core, presentation and webview', () => {
    const wrong = listPackageImports().filter(({ from, name }) => {
      const layer = getLayer(from);
      return layer === 'shared' || (name.startsWith('node:') && ['core', 'presentation', 'webview'].includes(layer));
    });
    assert.deepEqual(wrong, []);
  });

  it('loads only the VS Code API and less than 32,000 characters of code when the extension is activated', () => {
    const { files: loaded, packages: used } = listLoaded('src/extension.ts');
    assert.deepEqual(
      used.filter(name => name !== 'vscode' && !name.startsWith('node:')),
      [],
    );
    const characters = loaded.map(file => readSource(file).length).reduce((sum, length) => sum + length);
    assert.ok(characters < 32_000, `${characters} characters in ${loaded.join(', ')}`);
  });

  it('loads no VS Code API in the command line', () => {
    const { files: loaded, packages: used } = listLoaded('src/cli/main.ts', ['static', 'dynamic']);
    assert.ok(loaded.includes('src/service/query/queryEngine.ts'));
    assert.ok(!used.includes('vscode'), used.join());
  });

  it('loads no code of panels, commands, exports or snippets for background refreshes', () => {
    const { files: loaded } = listLoaded('src/background.ts');
    assert.ok(loaded.includes('src/service/query/queryEngine.ts') && loaded.includes('src/host/watch/watching.ts'));
    const foregroundFiles =
      /^src\/host\/(panel|export|snippets|tools)\/|^src\/core\/(snippets|compare|forecast|events|summary)\/|Commands|Tree/;
    assert.deepEqual(
      loaded.filter(file => foregroundFiles.test(file)),
      [],
    );
  });

  it('loads the libraries for the archive, exports and the sandbox on demand', () => {
    const lazy = ['@resvg/resvg-wasm', '@uwdata/flechette', 'hyparquet-writer', 'read-excel-file', 'csv-parse', 'hono'];
    const used = new Set(listPackageImports().map(({ name }) => name));
    assert.deepEqual(
      lazy.filter(name => !used.has(name)),
      [],
    );
    const loaded = listLoaded('src/app.ts').packages;
    assert.ok(loaded.includes('axios'));
    assert.deepEqual(
      lazy.filter(name => loaded.includes(name)),
      [],
    );
  });

  it('allows only named exports', () => {
    const wrong = files.filter(file => imports.get(file)?.some(({ kind }) => kind === 'default' || kind === 'star'));
    assert.deepEqual(wrong, []);
  });

  it('reports code that displays texts without the escaping helpers', () => {
    const rejectedCode = [
      'vscode.window.showErrorMessage(text);',
      "vscode.window['showErrorMessage'](text);",
      'vscode.window[name](text);',
      "vscode['window'].showErrorMessage(text);",
      'const { showErrorMessage } = vscode.window;',
      'const { window } = vscode;',
      'show(vscode.window);',
      'show(vscode);',
      "import { window } from 'vscode';",
      "import code, { MarkdownString } from 'vscode';",
      'new vscode.MarkdownString(text);',
      'vscode.window.createQuickPick();',
      'item.text = text;',
      'panel.title = text;',
      'this.panel.title = text;',
      'diagnostic.message = text;',
      'class Marks { #diagnostic; mark(text) { this.#diagnostic.message = text; } }',
      'vscode.window.createWebviewPanel(type, text, place);',
      'new vscode.Diagnostic(range, text);',
      'new vscode.CodeLens(range, command);',
    ];
    const allowed =
      "import * as vscode from 'vscode'; vscode.window.onDidChangeActiveTextEditor(show); vscode.Uri.parse(text);";
    assert.deepEqual(findRejected('inert', [...rejectedCode, allowed]), rejectedCode);
  });

  it('reads files only with readRegular or readUri', () => {
    // Files of the extension, and the sandbox's own keys.
    const allowedFiles = [
      'src/host/configuration.ts',
      'src/sandbox/keys/openKeyStore.ts',
      'src/service/reader/rasterize.ts',
    ];
    const filesThatRead =
      /\breadFileSync\(|\breadFile\b.*from 'node:|\.readFile\(|\bcreateReadStream\b|\bopenSync\(|\bopen\([^)]*, 'r/;
    assert.deepEqual(
      files.filter(file => filesThatRead.test(readSource(file))),
      [...allowedFiles, 'src/host/readUri.ts'].sort(),
    );
  });

  it('exports each name from only one file', () => {
    const byName = new Map<string, Set<string>>();
    const declared = /^export (?:abstract )?(?:async )?(?:function\*?|class|const|interface|type|enum) (\w+)/gm;
    for (const file of files)
      for (const [, name = ''] of readSource(file).matchAll(declared))
        byName.set(name, (byName.get(name) ?? new Set()).add(file));
    const duplicates = [...byName]
      .filter(([, declarations]) => declarations.size > 1)
      .map(([name, declarations]) => [name, ...declarations]);
    assert.deepEqual(duplicates, []);
  });

  it('reports banned names, and comments that begin with a sentence fragment', () => {
    const rejected = [
      'export const ownRows = 1;',
      'export function textOf(): string { return ""; }',
      'export function find(place: number): number { return place; }',
      'export const [mostRows] = [1];',
      'export interface Columns { readonly kept: number }',
      'export class Table { #asked = 1; get rows(): number { return this.#asked; } }',
      '// What the rows are.\nexport const rows = 1;',
      '/** Of each row. */\nexport const rows = 1;',
    ];
    const accepted = [
      'export const owner = 1;',
      '// The rows of\n// What continues a sentence.\nexport const rows = 1;',
      'export const options = { placeHolder: "" };',
    ];
    assert.deepEqual(findRejected('language', [...rejected, ...accepted]), rejected);
  });

  it('contains no name of a machine or registry', () => {
    // The words are split, so that this file does not contain them.
    const forbidden = [
      ['/wo', 'rk/'],
      ['/tmp/', 'lab'],
      ['registry.', 'npmjs'],
      ['registry.', 'yarnpkg'],
      ['npm.', 'pkg.'],
      ['arti', 'factory'],
      ['pypi', '.org'],
    ].map(parts => parts.join(''));
    const projectFiles = ['package.json', 'package.nls.json', 'esbuild.js', '.oxlintrc.json', 'tsconfig.json'];
    const otherFiles = ['scripts', 'test'].flatMap(folder =>
      listSourceFiles(folder, /\.(?:ts|js|mjs|cjs|json|sh|css|html)$/),
    );
    const searchedFiles = [...files, ...otherFiles, ...projectFiles];
    const matches = searchedFiles.flatMap(file =>
      forbidden.filter(word => readSource(file).includes(word)).map(word => `${file}: ${word}`),
    );
    assert.deepEqual(matches, []);
  });
});

/** Returns the pieces of code for which the linter reports a rule of this project. Each piece is checked as a file of the host. */
function findRejected(rule: 'inert' | 'language', pieces: readonly string[]): string[] {
  const folder = createTemporaryFolder();
  const getFileName = (index: number): string => `src/host/piece${index}.ts`;
  mkdirSync(join(folder, 'src/host'), { recursive: true });
  for (const [index, code] of pieces.entries()) writeFileSync(join(folder, getFileName(index)), code);
  const config = parse(readSource('.oxlintrc.json')) as object;
  const rules = join(root, 'scripts/lint/rules.ts');
  const hostConfig = { ...config, jsPlugins: [rules], options: {} };
  writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(hostConfig));
  const linter = join(root, 'node_modules/oxlint/bin/oxlint');
  const { stdout } = spawnSync(process.execPath, [linter, '--format', 'json'], { cwd: folder, encoding: 'utf8' });
  const flaggedFiles = (JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] }).diagnostics
    .filter(({ code }) => code === `grid-data(${rule})`)
    .map(({ filename }) => filename.replaceAll('\\', '/'));
  return pieces.filter((_, index) => flaggedFiles.includes(getFileName(index)));
}

function listSourceFiles(folder: string, pattern = /\.tsx?$/): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && pattern.test(entry.name))
    .map(entry => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

function readSource(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Returns `host` for `src/host/ids.ts`. A file in src itself is its own layer. */
function getLayer(file: string): string {
  return file.split('/')[1] ?? '';
}

function listRelativeImports(): { from: string; to: string; kind: Import['kind'] }[] {
  return [...imports].flatMap(([from, fileImports]) =>
    fileImports
      .filter(({ target }) => target.startsWith('.'))
      .map(({ target, kind }) => ({ from, to: posix.join(posix.dirname(from), target), kind })),
  );
}

function listPackageImports(): { from: string; name: string }[] {
  return [...imports].flatMap(([from, fileImports]) =>
    fileImports
      .filter(({ target }) => target !== '' && !target.startsWith('.'))
      .map(({ target }) => ({ from, name: getPackageName(target) })),
  );
}

/** Lists the files and packages that are loaded with a file, by imports of these kinds. */
function listLoaded(
  entry: string,
  kinds: readonly Import['kind'][] = ['static'],
): { files: string[]; packages: string[] } {
  const loaded = new Set([entry]);
  for (const from of loaded)
    for (const { target, kind } of imports.get(from) ?? [])
      if (kinds.includes(kind))
        loaded.add(target.startsWith('.') ? posix.join(posix.dirname(from), target) : getPackageName(target));
  const isFile = (name: string): boolean => imports.has(name);
  return { files: [...loaded].filter(isFile), packages: [...loaded].filter(name => !isFile(name)) };
}

/** Returns `hono` for `hono/compress`, and `@scope/name` for `@scope/name/file`. */
function getPackageName(target: string): string {
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Returns the files of an import cycle, or undefined if there is none. Type imports count too. */
function findCycle(): readonly string[] | undefined {
  const allImports = listRelativeImports();
  const visited = new Set<string>();
  const visit = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (visited.has(file)) return undefined;
    for (const { to } of allImports.filter(({ from }) => from === file)) {
      const cycle = visit(to, [...path, file]);
      if (cycle) return cycle;
    }
    visited.add(file);
    return undefined;
  };
  for (const file of files) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}
