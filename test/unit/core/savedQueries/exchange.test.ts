import assert from 'node:assert/strict';
import { parseQueriesFile } from '../../../../src/core/savedQueries/file/queriesFile.ts';
import { allQueries } from '../../../../src/core/savedQueries/walk.ts';
import { createFolder, createQuery, createIdGenerator, formatTree } from './trees.ts';
import { formatQueriesFile, importItems, withFreshIds } from '../../../../src/core/savedQueries/edit.ts';

const alerts = [{ id: 'x', kind: 'condition', condition: 'wind_mw > 1.5', on: false, snoozedUntil: 1000 } as const];
const personal = [createFolder('f', [createQuery('a', { alerts, connection: 'Prod' })]), createQuery('b')];
const workspace = [createFolder('g', [createQuery('a')], 'Folder f'), createQuery('c')];

describe('exchanging saved queries between stores', () => {
  it('assigns a new id only if it already exists', () => {
    assert.equal(formatTree(withFreshIds(personal, new Set(['a', 'f']), createIdGenerator())), 'n1(n2) b');
  });

  it('keeps both of two queries with the same name', () => {
    const imported = importItems(personal, workspace, createIdGenerator());
    assert.equal(formatTree(imported), 'f(a) b g(n1) c');
    assert.deepEqual(
      imported.map(({ name }) => name),
      ['Folder f', 'Query b', 'Folder f 2', 'Query c'],
    );
    assert.equal(allQueries(importItems(imported, imported, createIdGenerator('m'))).length, 8);
  });

  it('reads queries back from a file as written', () => {
    const text = formatQueriesFile([personal, workspace]);
    const { tree, problems } = parseQueriesFile(text);
    assert.deepEqual(problems, []);
    assert.equal(formatTree(tree), 'f(a) b g(copy-1) c');
    assert.deepEqual(tree.slice(0, 2), personal);
  });
});
