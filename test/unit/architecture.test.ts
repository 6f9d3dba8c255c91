import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { parse } from 'jsonc-parser';
import { importsOf, type Import } from './imports.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const root = dirname(dirname(import.meta.dirname));

/** What other extensions are told of us; types alone. */
const publicTypes = 'grid-data-inspector.d.ts';

/** The floors, and which floors, or folders of them, each may import beside its own files. */
const floors: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  core: ['shared'],
  service: ['shared', 'core'],
  sandbox: ['shared', 'core', 'service/files'],
  presentation: ['shared', 'core'],
  host: ['shared', 'core', 'presentation', 'service', 'sandbox', publicTypes],
  webview: ['shared', 'core', 'presentation'],
  'background.ts': ['service', 'host'],
  'app.ts': ['core', 'service', 'host', 'background.ts', publicTypes],
  'extension.ts': ['core', 'host', 'app.ts', 'background.ts', publicTypes],
  [publicTypes]: [],
};

/** Packages that only these floors may reach. */
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
  '@resvg/resvg-wasm': ['service'],
  lit: ['webview'],
  '@vscode-elements/elements': ['webview'],
};

const files = [...sourceFiles('src'), ...sourceFiles('api')];
const imports = new Map(files.map(file => [file, importsOf(join(root, file))]));

/** The features of the host as the guide lists them: each imports from those before it alone. Files beside the folders come first. */
const [, listed = ''] = /import only from those to their left: ([^.]*)\./.exec(text('docs/architecture.md')) ?? [];
const features = Array.from(listed.matchAll(/`(\w+)`/g), ([, name]) => name);

/** Its place among them; -1 for a file of none. Throws where a folder is not listed. */
function featureOf(file: string): number {
  const [, name] = /^src\/host\/(\w+)\//.exec(file) ?? [];
  assert.ok(name === undefined || features.includes(name), file);
  return name === undefined ? -1 : features.indexOf(name);
}

describe('architecture', () => {
  it('finds every source file', () => {
    assert.ok(files.length > 80, `${files.length} files`);
    assert.deepEqual(new Set(files.map(floorOf)), new Set(Object.keys(floors)));
    assert.ok(imports.get('src/extension.ts')?.some(({ target }) => target === 'vscode'));
  });

  it('resolves every relative import to a file of the source', () => {
    const known = new Set(files);
    assert.deepEqual(
      relativeImports().filter(({ to }) => !known.has(to)),
      [],
    );
  });

  it('imports only from its own floor and from lower ones', () => {
    const wrong = relativeImports().filter(({ from, to }) => {
      const own = floorOf(from);
      return floorOf(to) !== own && !floors[own]?.some(part => floorOf(to) === part || to.startsWith(`src/${part}/`));
    });
    assert.deepEqual(wrong, []);
  });

  it('imports between the features of the host in one direction', () => {
    const wrong = relativeImports().filter(
      ({ from, to }) => floorOf(from) === 'host' && floorOf(to) === 'host' && featureOf(to) > featureOf(from),
    );
    assert.deepEqual(wrong, []);
  });

  it('has no import cycle', () => {
    assert.deepEqual(findCycle(), undefined);
  });

  it('imports each package only from its own part of the source', () => {
    const wrong = packageImports().filter(({ from, name }) => packages[name]?.includes(floorOf(from)) === false);
    assert.deepEqual(wrong, []);
  });

  it('keeps the shared floor free of packages, and the core free of Node', () => {
    const wrong = packageImports().filter(({ from, name }) => {
      const floor = floorOf(from);
      return floor === 'shared' || (name.startsWith('node:') && ['core', 'presentation', 'webview'].includes(floor));
    });
    assert.deepEqual(wrong, []);
  });

  it('loads in every window the API of VS Code, no other package and little of its own', () => {
    const { files: loaded, packages: used } = loadedWith('src/extension.ts');
    assert.deepEqual(
      used.filter(name => name !== 'vscode' && !name.startsWith('node:')),
      [],
    );
    const characters = loaded.map(file => text(file).length).reduce((sum, length) => sum + length);
    assert.ok(characters < 31_000, `${characters} characters in ${loaded.join(', ')}`);
  });

  it('loads where something is watched no panel, command, export or program', () => {
    const { files: loaded } = loadedWith('src/background.ts');
    assert.ok(loaded.includes('src/service/query/queryEngine.ts') && loaded.includes('src/host/watch/watching.ts'));
    const seen =
      /^src\/host\/(panel|export|snippets|tools)\/|^src\/core\/(snippets|compare|forecast|events|summary)\/|Commands|Tree/;
    assert.deepEqual(
      loaded.filter(file => seen.test(file)),
      [],
    );
  });

  it('loads the libraries of archive, exports and sandbox at their first use', () => {
    const lazy = ['@resvg/resvg-wasm', '@uwdata/flechette', 'hyparquet-writer', 'read-excel-file', 'csv-parse', 'hono'];
    const used = new Set(packageImports().map(({ name }) => name));
    assert.deepEqual(
      lazy.filter(name => !used.has(name)),
      [],
    );
    const loaded = loadedWith('src/app.ts').packages;
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

  it('shows untrusted texts only through the escaping message helpers', () => {
    const refused = [
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
    const usual =
      "import * as vscode from 'vscode'; vscode.window.onDidChangeActiveTextEditor(show); vscode.Uri.parse(text);";
    assert.deepEqual(notInert([...refused, usual]), refused);
  });

  it('reads files by readRegular or readUri alone', () => {
    // What comes with the extension, and the sandbox's own keys.
    const own = ['src/host/language.ts', 'src/sandbox/keys/openKeyStore.ts', 'src/service/reader/rasterize.ts'];
    const reading =
      /\breadFileSync\(|\breadFile\b.*from 'node:|\.readFile\(|\bcreateReadStream\b|\bopenSync\(|\bopen\([^)]*, 'r/;
    assert.deepEqual(
      files.filter(file => reading.test(text(file))),
      [...own, 'src/host/readUri.ts'].sort(),
    );
  });

  it('gives each exported name one meaning', () => {
    const byName = new Map<string, Set<string>>();
    const declared = /^export (?:abstract )?(?:async )?(?:function\*?|class|const|interface|type|enum) (\w+)/gm;
    for (const file of files)
      for (const [, name = ''] of text(file).matchAll(declared))
        byName.set(name, (byName.get(name) ?? new Set()).add(file));
    const twice = [...byName].filter(([, places]) => places.size > 1).map(([name, places]) => [name, ...places]);
    assert.deepEqual(twice, []);
  });

  it('names no machine and no registry', () => {
    // In pieces, so that this file does not name them either.
    const forbidden = [
      ['/wo', 'rk/'],
      ['/tmp/', 'lab'],
      ['registry.', 'npmjs'],
      ['registry.', 'yarnpkg'],
      ['npm.', 'pkg.'],
      ['arti', 'factory'],
      ['pypi', '.org'],
    ].map(parts => parts.join(''));
    const others = ['package.json', 'package.nls.json', 'esbuild.js', '.oxlintrc.json', 'tsconfig.json'];
    const besides = ['scripts', 'test'].flatMap(folder => sourceFiles(folder, /\.(?:ts|js|mjs|cjs|json|sh|css|html)$/));
    const all = [...files, ...besides, ...others];
    const found = all.flatMap(file =>
      forbidden.filter(word => text(file).includes(word)).map(word => `${file}: ${word}`),
    );
    assert.deepEqual(found, []);
  });
});

/** Those pieces of code that the linter refuses in a file of the host, because a text would be shown as it came. */
function notInert(pieces: readonly string[]): string[] {
  const folder = temporaryFolder();
  const nameOf = (index: number): string => `src/host/piece${index}.ts`;
  mkdirSync(join(folder, 'src/host'), { recursive: true });
  for (const [index, code] of pieces.entries()) writeFileSync(join(folder, nameOf(index)), code);
  const config = parse(text('.oxlintrc.json')) as object;
  const rules = join(root, 'scripts/lint/rules.ts');
  const own = { ...config, jsPlugins: [rules], options: {} };
  writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(own));
  const linter = join(root, 'node_modules/oxlint/bin/oxlint');
  const { stdout } = spawnSync(process.execPath, [linter, '--format', 'json'], { cwd: folder, encoding: 'utf8' });
  const found = (JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] }).diagnostics
    .filter(({ code }) => code === 'grid-data(inert)')
    .map(({ filename }) => filename.replaceAll('\\', '/'));
  return pieces.filter((_, index) => found.includes(nameOf(index)));
}

function sourceFiles(folder: string, wanted = /\.tsx?$/): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && wanted.test(entry.name))
    .map(entry => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

function text(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** `src/host/ids.ts` → `host`; a file of src itself is its own floor. */
function floorOf(file: string): string {
  return file.split('/')[1] ?? '';
}

function relativeImports(): { from: string; to: string; kind: Import['kind'] }[] {
  return [...imports].flatMap(([from, found]) =>
    found
      .filter(({ target }) => target.startsWith('.'))
      .map(({ target, kind }) => ({ from, to: posix.join(posix.dirname(from), target), kind })),
  );
}

function packageImports(): { from: string; name: string }[] {
  return [...imports].flatMap(([from, found]) =>
    found
      .filter(({ target }) => target !== '' && !target.startsWith('.'))
      .map(({ target }) => ({ from, name: packageOf(target) })),
  );
}

/** What is read with this file: files, and packages by their names. */
function loadedWith(entry: string): { files: string[]; packages: string[] } {
  const loaded = new Set([entry]);
  for (const from of loaded)
    for (const { target, kind } of imports.get(from) ?? [])
      if (kind === 'static')
        loaded.add(target.startsWith('.') ? posix.join(posix.dirname(from), target) : packageOf(target));
  const isFile = (name: string): boolean => imports.has(name);
  return { files: [...loaded].filter(isFile), packages: [...loaded].filter(name => !isFile(name)) };
}

/** `hono/compress` → `hono`; `@scope/name/file` → `@scope/name`. */
function packageOf(target: string): string {
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
}

/** One cycle, as the files on it; imports of types count like any other. */
function findCycle(): readonly string[] | undefined {
  const all = relativeImports();
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const { to } of all.filter(({ from }) => from === file)) {
      const cycle = visit(to, [...path, file]);
      if (cycle) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of files) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}
