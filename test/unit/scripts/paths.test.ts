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
    .flatMap(file => pathsIn(readFileSync(join(root, file), 'utf8')).map(path => ({ file, path })));

  it('point to an existing file or folder', () => {
    assert.ok(named.length >= 10, `${named.length} are found`);
    assert.deepEqual(
      named.filter(({ path }) => !existsSync(join(root, path))),
      [],
    );
  });

  it('are found if they are joined from the root or begin with a source folder', () => {
    const code =
      "join(root, 'a', 'b.ts'), [join('test', 'host', 'c.ts')], ['node', 'scripts/d.mjs', join(root, 'out')]";
    assert.deepEqual(pathsIn(code).toSorted(), ['a/b.ts', 'scripts/d.mjs', 'test/host/c.ts']);
  });
});

function pathsIn(code: string): string[] {
  const joined = [...code.matchAll(/join\((?:root, )?((?:'[^']*'(?:, )?)+)\)/g)].map(([whole, names = '']) => ({
    path: names.replaceAll("'", '').split(', ').join('/'),
    isOfRoot: whole.startsWith('join(root'),
  }));
  const written = [...code.matchAll(/'((?:src|test|scripts)\/[^'$*% ]*\.\w+)'/g)].map(([, path = '']) => path);
  return [
    ...joined.filter(({ path, isOfRoot }) => isOfRoot || /^(src|test|scripts)\//.test(path)).map(({ path }) => path),
    ...written,
  ].filter(path => !generatedPaths.includes(path.split('/')[0] ?? ''));
}
