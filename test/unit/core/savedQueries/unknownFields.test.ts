import assert from 'node:assert/strict';
import { addItems, changeQuery, duplicateItems, withFreshIds } from '../../../../src/core/savedQueries/edit.ts';
import { parseQueriesFile } from '../../../../src/core/savedQueries/file/queriesFile.ts';
import { editQueriesFile } from '../../../../src/core/savedQueries/file/queriesFileEdits.ts';
import { decodeRecords, encodeRecords, type Records } from '../../../../src/core/savedQueries/records/records.ts';
import { editRecords, buildTree } from '../../../../src/core/savedQueries/records/recordEdit.ts';
import type { SavedTree } from '../../../../src/core/savedQueries/savedItem.ts';
import { copyName, createIdGenerator } from './trees.ts';

const query = { name: 'Wind', dataset: 'systemState', range: 'last 24 hours', interval: '1h' };
const future = { x: null, list: [1, { deep: [] }], 'a "b"': 'c' };
const folder = {
  folder: 'Later',
  color: 'red',
  sizes: [],
  id: 'f',
  queries: [{ ...query, future, pinned: true, id: 'q' }],
};
const queries = [folder, { ...query, name: 'Plain', id: 'p' }];

describe('unknown fields of a saved query or folder, written by a later version', () => {
  it('keeps unknown fields from a file to personal records and back', () => {
    const { tree } = parseQueriesFile(JSON.stringify({ queries }));
    const stored = encodeRecords(createRecords(tree)) as { items: Record<string, { item: Record<string, unknown> }> };
    assert.deepEqual(stored.items['q']?.item['future'], future);
    assert.equal(stored.items['f']?.item['color'], 'red');
    const moved = buildTree(decodeRecords(JSON.parse(JSON.stringify(stored))).records);
    assert.deepEqual(moved, tree);
    assert.deepEqual(
      readEntries(undefined, () => moved),
      queries,
    );
  });

  it('copies unknown fields with a duplicate of a folder, in a file and in personal records', () => {
    const text = JSON.stringify({ queries });
    const [, copy] = readEntries(text, tree => duplicateItems(tree, ['f'], createIdGenerator(), copyName));
    const copied = { ...folder, folder: 'Later copy', id: 'n1', queries: [{ ...folder.queries[0], id: 'n2' }] };
    assert.deepEqual(copy, copied);
    const records = createRecords(parseQueriesFile(text).tree);
    const duplicated = duplicateItems(buildTree(records), ['f'], createIdGenerator(), copyName);
    assert.deepEqual(
      readEntries(undefined, () => buildTree(editRecords(records, duplicated, createStamp(2), 2)))[1],
      copied,
    );
  });

  it('keeps the unknown fields of a query without an id when its range changes', () => {
    const { tree } = parseQueriesFile(JSON.stringify({ queries }));
    const changed = changeQuery(tree, 'q', { connection: 'Prod' });
    const [fresh] = withFreshIds(changed, new Set(['q']), createIdGenerator());
    assert.deepEqual(readEntries(undefined, () => addItems([], fresh ? [fresh] : [], {}))[0], {
      ...folder,
      queries: [{ ...folder.queries[0], connection: 'Prod', id: 'n1' }],
    });
  });

  it('does not copy fields that look like a key, are too large, or have the name of another field there', () => {
    const long = 'x'.repeat(20_001);
    const secret = { ...folder, auth: { token: 1 }, note: ['sb_live_abcdefgh12345678'], kind: 'x', query: [1] };
    const text = `{ "queries": [${JSON.stringify(secret).replace('"auth"', '"__proto__": { "y": 1 }, "auth"')}] }`;
    const [item] = parseQueriesFile(text).tree;
    assert.deepEqual(item?.unknownFields, { color: 'red', sizes: [] });
    const [large] = parseQueriesFile(JSON.stringify({ queries: [{ ...query, long }] })).tree;
    assert.equal(large?.unknownFields, undefined);

    const stored = encodeRecords(createRecords([{ kind: 'folder', id: 'f', name: 'F', items: [] }])) as {
      items: Record<string, { item: object }>;
    };
    const unknownFields = { later: { token: 'x' }, dataset: 'x', queries: 'x', fine: 1 };
    const { item: itemRecord = {}, ...otherFields } = stored.items['f'] ?? {};
    const { records } = decodeRecords({
      ...stored,
      items: { f: { ...otherFields, item: { ...itemRecord, ...unknownFields } } },
    });
    assert.deepEqual(buildTree(records)[0]?.unknownFields, { fine: 1 });
  });
});

function createRecords(tree: SavedTree): Records {
  return editRecords(new Map(), tree, createStamp(1), 1);
}

function createStamp(n: number): string {
  return `00000000${n}.window`;
}

/** Returns the entries of the file after a change. */
function readEntries(text: string | undefined, change: (tree: SavedTree) => SavedTree): unknown[] {
  const edited = editQueriesFile(text, change);
  assert.ok(edited.ok);
  return (JSON.parse(edited.text) as { queries: unknown[] }).queries;
}
