import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/paths.ts';

/** Paths that the build or npm creates. */
const generatedPaths = ['node_modules', 'dist', 'out', '.vscode-test', 'ThirdPartyNotices.txt'];

describe('the paths in scripts, hosts and benches', () => {
  const files = ['scripts', 'test/bench', 'test/host'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  );
  const named = files
    .filter(file => /\.m?[jt]s$/.test(file))
    .flatMap(file => listPaths(readFileSync(join(root, file), 'utf8')).map(path => ({ file, path })));

  it('finds an existing file or folder for each path', () => {
    assert.ok(named.length >= 10, `${named.length} are found`);
    assert.deepEqual(
      named.filter(({ path }) => !existsSync(join(root, path))),
      [],
    );
  });

  it('finds paths that are joined from the root or begin with a source folder', () => {
    const code =
      "join(root, 'a', 'b.ts'), [join('test', 'host', 'c.ts')], ['node', 'scripts/d.mjs', join(root, 'out')]";
    assert.deepEqual(listPaths(code).toSorted(), ['a/b.ts', 'scripts/d.mjs', 'test/host/c.ts']);
  });
});

function listPaths(code: string): string[] {
  const joined = [...code.matchAll(/join\((?:root, )?((?:'[^']*'(?:, )?)+)\)/g)].map(([whole, names = '']) => ({
    path: names.replaceAll("'", '').split(', ').join('/'),
    isOfRoot: whole.startsWith('join(root'),
  }));
  const paths = [...code.matchAll(/'((?:src|test|scripts)\/[^'$*% ]*\.\w+)'/g)].map(([, path = '']) => path);
  return [
    ...joined.filter(({ path, isOfRoot }) => isOfRoot || /^(src|test|scripts)\//.test(path)).map(({ path }) => path),
    ...paths,
  ].filter(path => !generatedPaths.includes(path.split('/')[0] ?? ''));
}
