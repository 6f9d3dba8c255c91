import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { lexer } from 'marked';
import { findUnknownCommands } from './unknownCommands.ts';

const root = dirname(dirname(import.meta.dirname));
const guides = ['CONTRIBUTING.md', 'docs/architecture.md', 'test/README.md'];
/** The output folders of builds and test runs. */
const outputFolders = ['dist', 'out', 'node_modules', '.vscode-test'];
const sources = ['src', 'test', 'scripts', 'l10n', 'media', 'api', '.vscode'];
const layers = ['core', 'presentation', 'service', 'sandbox', 'host', 'webview'];

const names = new Set(
  sources
    .flatMap(folder => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }))
    .map(path => basename(path)),
);

describe('the guides', () => {
  for (const guide of guides) {
    it(`${guide} names files that exist`, () => {
      const paths = [...listCode(guide).flatMap(listPaths), ...listLinks(guide)];
      assert.ok(paths.length > 5, `${paths.length} paths`);
      assert.deepEqual(
        paths.filter(path => !pathExists(path, guide)),
        [],
      );
    });

    it(`${guide} names scripts and stages that exist`, () => {
      assert.deepEqual(listCode(guide).flatMap(findUnknownCommands), []);
    });
  }

  it('finds a path that does not exist', () => {
    const text = 'npx mocha test/unit/gone.test.ts src/gone/ gone.ts *.test.ts src/….ts dist/extension.js package.json';
    assert.deepEqual(
      listPaths(text).filter(path => !pathExists(path, 'CONTRIBUTING.md')),
      ['test/unit/gone.test.ts', 'src/gone/', 'gone.ts'],
    );
    assert.deepEqual(findUnknownCommands('npm run gone && npm test -- unit gone'), ['gone', 'gone']);
  });

  it('lists the folders of each layer, and no others', () => {
    const listed = new Map(layers.map(layer => [layer, [] as string[]]));
    for (const [folders = '', on = ''] of readTableBelow('docs/architecture.md', 'Features'))
      for (const layer of on.split(', ')) listed.get(layer)?.push(...listCodeSpans(folders));
    for (const layer of layers) {
      const existing = readdirSync(join(root, 'src', layer), { withFileTypes: true }).filter(entry =>
        entry.isDirectory(),
      );
      assert.deepEqual(listed.get(layer)?.sort(), existing.map(({ name }) => name).sort(), layer);
    }
  });

  it('links every guide from the README, and only to existing files and headings', () => {
    const links = listLinks('README.md');
    const pages = readdirSync(join(root, 'docs'))
      .filter(name => name.endsWith('.md'))
      .map(name => `docs/${name}`);
    assert.deepEqual(
      [...guides, ...pages].filter(guide => !links.includes(guide)),
      [],
    );
    for (const page of ['README.md', ...guides, ...pages]) assert.deepEqual(findDeadLinks(page), [], page);
  });
});

describe('the README', () => {
  it('has at most 120 lines', () => {
    const { length } = read('README.md').trimEnd().split('\n');
    assert.ok(length <= 120, `${length} lines`);
  });
});

describe('the tasks of the editor', () => {
  const { tasks } = parse(read('.vscode/tasks.json')) as {
    tasks: { label: string; script?: string; command?: string }[];
  };

  it('runs only scripts and stages that exist', () => {
    assert.deepEqual(
      tasks.flatMap(({ script, command }) => findUnknownCommands(script ? `npm run ${script}` : (command ?? ''))),
      [],
    );
  });

  it('defines the tasks that F5 waits for', () => {
    const launch = parse(read('.vscode/launch.json')) as { configurations: { preLaunchTask?: string }[] };
    const requiredTasks = launch.configurations.flatMap(({ preLaunchTask }) => preLaunchTask ?? []);
    assert.ok(requiredTasks.length > 0);
    assert.deepEqual(
      requiredTasks.filter(label => !tasks.some(task => task.label === label)),
      [],
    );
  });
});

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Lists the code blocks and code spans. */
function listCode(file: string): string[] {
  const text = read(file);
  const fence = /^```\w*\n([\s\S]*?)^```$/gm;
  return [...[...text.matchAll(fence)].map(([, code = '']) => code), ...listCodeSpans(text.replace(fence, ''))];
}

function listCodeSpans(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

/** Lists words that look like a path of the project: in one of its folders, or with the extension of a source file. */
function listPaths(code: string): string[] {
  return code
    .split(/[\s'"(),;:]+/)
    .filter(word => /^[\w.@-]+(?:\/[\w.@-]+)*\/?$/.test(word))
    .filter(word => sources.includes(word.split('/')[0] ?? '') || /\w\.(?:ts|mjs|js|json|md|css|py|sh)$/.test(word));
}

function listLinks(file: string): string[] {
  return [...read(file).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, target = '']) => target)
    .filter(target => !/^\w+:/.test(target));
}

/** Lists links and images whose file or heading does not exist, relative to the folder of the page. */
function findDeadLinks(page: string): string[] {
  const targets = [...read(page).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter(target => {
    const [file = '', heading] = target.split('#');
    const path = file === '' ? page : join(dirname(page), file);
    if (!existsSync(join(root, path))) return true;
    return heading !== undefined && !listHeadingIds(read(path)).has(heading);
  });
}

/** Returns the anchors that GitHub and the marketplace give to headings. */
function listHeadingIds(markdown: string): Set<string> {
  const ids = new Set<string>();
  for (const token of lexer(markdown)) {
    if (token.type !== 'heading') continue;
    const id = String(token['text'])
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
    let unique = id;
    for (let copy = 1; ids.has(unique); copy++) unique = `${id}-${copy}`;
    ids.add(unique);
  }
  return ids;
}

/** Whether the path exists in the root, in the folder of the guide, or anywhere if it has no folder. */
function pathExists(path: string, guide: string): boolean {
  if (outputFolders.includes(path.split('/')[0] ?? '')) return true;
  return ['.', dirname(guide)].some(folder => existsSync(join(root, folder, path))) || names.has(path);
}

/** Returns the cells of the table below a heading, without its header. */
function readTableBelow(file: string, heading: string): string[][] {
  const section = read(file).split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter(line => line.startsWith('|'));
  return rows.slice(2).map(row =>
    row
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim()),
  );
}
