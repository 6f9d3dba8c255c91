import assert from 'node:assert/strict';
import { readSavedPanel, savedPanelQuery } from '../../../../src/host/panel/savedPanel.ts';

const query = {
  dataset: 'systemState',
  range: 'last 7 days',
  interval: '1h',
  params: { components: 'true' },
  timeZone: 'UTC',
};
const johannesburg = { timeZone: 'Africa/Johannesburg', label: 'Africa/Johannesburg' };

const kept = {
  query,
  connection: 'id-1',
  zone: johannesburg,
  saved: 'personal/a',
  board: { id: 'personal/f', isLinked: true },
  comparison: undefined,
};
const plain = { ...kept, zone: undefined, saved: undefined, board: undefined };

describe('a saved panel', () => {
  it('restores a saved panel unchanged', () => {
    assert.deepEqual(readSavedPanel({ question: savedPanelQuery(kept), view: { tab: 'chart' } }), kept);
    const unlinked = { ...kept, board: { id: 'personal/f', isLinked: false } };
    assert.deepEqual(readSavedPanel({ question: savedPanelQuery(unlinked) }), unlinked);
    assert.deepEqual(readSavedPanel({ question: savedPanelQuery(plain) }), plain);
  });

  it('restores a comparison', () => {
    for (const comparison of [
      { kind: 'previousPeriod', align: 'hourOfWeek' },
      { kind: 'lastYear', align: 'position' },
      { kind: 'range', range: 'last 7 days' },
    ] as const)
      assert.deepEqual(readSavedPanel({ question: savedPanelQuery({ ...kept, comparison }) }), { ...kept, comparison });
  });

  it('returns nothing for any other stored value', () => {
    const question = savedPanelQuery(plain);
    for (const state of [undefined, null, 7, 'text', {}, { question: [] }, { question: { ...question, range: 7 } }])
      assert.equal(readSavedPanel(state), undefined);
    assert.equal(readSavedPanel({ question: { ...question, params: { a: 1 } } }), undefined);
    assert.equal(readSavedPanel({ question: { ...question, range: 'x'.repeat(2_000) } }), undefined);
  });

  it('drops an unknown time zone, and keeps the query', () => {
    const question = { ...savedPanelQuery(plain), zone: 'Mars/Olympus' };
    assert.deepEqual(readSavedPanel({ question }), plain);
  });

  it('drops an unknown comparison, and keeps the query', () => {
    for (const comparison of [7, null, {}, { kind: 'range' }, { kind: 'lastYear', align: 'dice' }])
      assert.deepEqual(readSavedPanel({ question: { ...savedPanelQuery(plain), comparison } }), plain);
  });
});
