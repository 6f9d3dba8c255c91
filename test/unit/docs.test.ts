import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { lexer } from 'marked';
import { unknownCommands } from './unknownCommands.ts';

const root = dirname(dirname(import.meta.dirname));
const guides = ['CONTRIBUTING.md', 'docs/architecture.md', 'test/README.md'];
/** The output folders of builds and test runs. */
const made = ['dist', 'out', 'node_modules', '.vscode-test'];
const sources = ['src', 'test', 'scripts', 'l10n', 'media', 'api', '.vscode'];
const floors = ['core', 'presentation', 'service', 'sandbox', 'host', 'webview'];

const names = new Set(
  sources
    .flatMap(folder => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }))
    .map(path => basename(path)),
);

describe('the guides', () => {
  for (const guide of guides) {
    it(`${guide} names files that exist`, () => {
      const paths = [...codeIn(guide).flatMap(pathsIn), ...linksIn(guide)];
      assert.ok(paths.length > 5, `${paths.length} paths`);
      assert.deepEqual(
        paths.filter(path => !isThere(path, guide)),
        [],
      );
    });

    it(`${guide} names scripts and stages that exist`, () => {
      assert.deepEqual(codeIn(guide).flatMap(unknownCommands), []);
    });
  }

  it('notices a path that is gone', () => {
    const text = 'npx mocha test/unit/gone.test.ts src/gone/ gone.ts *.test.ts src/….ts dist/extension.js package.json';
    assert.deepEqual(
      pathsIn(text).filter(path => !isThere(path, 'CONTRIBUTING.md')),
      ['test/unit/gone.test.ts', 'src/gone/', 'gone.ts'],
    );
    assert.deepEqual(unknownCommands('npm run gone && npm test -- unit gone'), ['gone', 'gone']);
  });

  it('list the folders of each floor, and no other', () => {
    const listed = new Map(floors.map(floor => [floor, [] as string[]]));
    for (const [folders = '', on = ''] of rowsBelow('docs/architecture.md', 'Features'))
      for (const floor of on.split(', ')) listed.get(floor)?.push(...codeSpans(folders));
    for (const floor of floors) {
      const there = readdirSync(join(root, 'src', floor), { withFileTypes: true }).filter(entry => entry.isDirectory());
      assert.deepEqual(listed.get(floor)?.sort(), there.map(({ name }) => name).sort(), floor);
    }
  });

  it('explain at most fifteen words of our own', () => {
    const { length } = rowsBelow('docs/architecture.md', 'Words');
    assert.ok(length > 5 && length <= 15, `${length} words`);
  });

  it('are linked from the README, and lead to files and headings that exist', () => {
    const links = linksIn('README.md');
    const pages = readdirSync(join(root, 'docs')).map(name => `docs/${name}`);
    assert.deepEqual(
      [...guides, ...pages].filter(guide => !links.includes(guide)),
      [],
    );
    for (const page of ['README.md', ...guides, ...pages]) assert.deepEqual(deadLinks(page), [], page);
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

  it('run scripts and stages that exist', () => {
    assert.deepEqual(
      tasks.flatMap(({ script, command }) => unknownCommands(script ? `npm run ${script}` : (command ?? ''))),
      [],
    );
  });

  it('are those that F5 waits for', () => {
    const launch = parse(read('.vscode/launch.json')) as { configurations: { preLaunchTask?: string }[] };
    const wanted = launch.configurations.flatMap(({ preLaunchTask }) => preLaunchTask ?? []);
    assert.ok(wanted.length > 0);
    assert.deepEqual(
      wanted.filter(label => !tasks.some(task => task.label === label)),
      [],
    );
  });
});

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** The blocks and the spans of code. */
function codeIn(file: string): string[] {
  const text = read(file);
  const fence = /^```\w*\n([\s\S]*?)^```$/gm;
  return [...[...text.matchAll(fence)].map(([, code = '']) => code), ...codeSpans(text.replace(fence, ''))];
}

function codeSpans(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

/** Words that look like a path of the project: below one of its folders, or with the extension of a source. */
function pathsIn(code: string): string[] {
  return code
    .split(/[\s'"(),;:]+/)
    .filter(word => /^[\w.@-]+(?:\/[\w.@-]+)*\/?$/.test(word))
    .filter(word => sources.includes(word.split('/')[0] ?? '') || /\w\.(?:ts|mjs|js|json|md|css|py|sh)$/.test(word));
}

function linksIn(file: string): string[] {
  return [...read(file).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, target = '']) => target)
    .filter(target => !/^\w+:/.test(target));
}

/** Links and pictures whose file, or heading in it, is not there; from the page's own folder. */
function deadLinks(page: string): string[] {
  const targets = [...read(page).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter(target => {
    const [file = '', heading] = target.split('#');
    const path = file === '' ? page : join(dirname(page), file);
    if (!existsSync(join(root, path))) return true;
    return heading !== undefined && !headingIds(read(path)).has(heading);
  });
}

/** The anchors that GitHub and the marketplace give to headings. */
function headingIds(markdown: string): Set<string> {
  const ids = new Set<string>();
  for (const token of lexer(markdown)) {
    if (token.type !== 'heading') continue;
    const id = String(token['text'])
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
    let unique = id;
    for (let again = 1; ids.has(unique); again++) unique = `${id}-${again}`;
    ids.add(unique);
  }
  return ids;
}

/** From the root, from the guide's own folder or, without a folder, anywhere. */
function isThere(path: string, guide: string): boolean {
  if (made.includes(path.split('/')[0] ?? '')) return true;
  return ['.', dirname(guide)].some(place => existsSync(join(root, place, path))) || names.has(path);
}

/** The cells of the table below a heading, without its head. */
function rowsBelow(file: string, heading: string): string[][] {
  const section = read(file).split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter(line => line.startsWith('|'));
  return rows.slice(2).map(row =>
    row
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim()),
  );
}
