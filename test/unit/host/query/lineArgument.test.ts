import assert from 'node:assert/strict';
import '../../../support/fakeVscode.ts';

const { withoutLine } = await import('../../../../src/host/query/queryArgument.ts');

describe('withoutLine', () => {
  it('drops the tree items that title buttons pass', () => {
    assert.equal(withoutLine({ kind: 'connection', id: 'a' }), undefined);
    assert.equal(withoutLine({ kind: 'recentRun', id: 'a' }), undefined);
  });

  it('keeps the arguments of a caller', () => {
    const query = { dataset: 'gridStress', range: 'yesterday' };
    assert.equal(withoutLine(query), query);
    for (const argument of [undefined, null, 'selection', 3]) assert.equal(withoutLine(argument), argument);
  });
});
