import assert from 'node:assert/strict';
import '../../../support/fakeVscode.ts';

const { ignoreTreeItem } = await import('../../../../src/host/query/queryArgument.ts');

describe('withoutLine', () => {
  it('drops the tree items that title buttons pass', () => {
    assert.equal(ignoreTreeItem({ kind: 'connection', id: 'a' }), undefined);
    assert.equal(ignoreTreeItem({ kind: 'recentRun', id: 'a' }), undefined);
  });

  it('keeps the arguments of a caller', () => {
    const query = { dataset: 'gridStress', range: 'yesterday' };
    assert.equal(ignoreTreeItem(query), query);
    for (const argument of [undefined, null, 'selection', 3]) assert.equal(ignoreTreeItem(argument), argument);
  });
});
