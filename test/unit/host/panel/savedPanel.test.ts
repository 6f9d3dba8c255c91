import assert from 'node:assert/strict';
import { parseSavedPanel, serializePanel } from '../../../../src/host/panel/savedPanel.ts';

const query = {
  dataset: 'systemState',
  range: 'last 7 days',
  interval: '1h',
  params: { components: 'true' },
  timeZone: 'UTC',
};
const johannesburg = { timeZone: 'Africa/Johannesburg', label: 'Africa/Johannesburg' };

const savedPanel = {
  query,
  connection: 'id-1',
  zone: johannesburg,
  savedId: 'personal/a',
  board: { id: 'personal/f', isLinked: true },
  comparison: undefined,
  join: undefined,
};
const savedPanelWithoutExtras = { ...savedPanel, zone: undefined, savedId: undefined, board: undefined };

describe('a saved panel', () => {
  it('parses a serialized panel without loss', () => {
    assert.deepEqual(parseSavedPanel({ question: serializePanel(savedPanel), view: { tab: 'chart' } }), savedPanel);
    const unlinked = { ...savedPanel, board: { id: 'personal/f', isLinked: false } };
    assert.deepEqual(parseSavedPanel({ question: serializePanel(unlinked) }), unlinked);
    assert.deepEqual(parseSavedPanel({ question: serializePanel(savedPanelWithoutExtras) }), savedPanelWithoutExtras);
  });

  it('parses each kind of serialized comparison without loss', () => {
    for (const comparison of [
      { kind: 'previousPeriod', align: 'hourOfWeek' },
      { kind: 'lastYear', align: 'position' },
      { kind: 'range', range: 'last 7 days' },
    ] as const)
      assert.deepEqual(parseSavedPanel({ question: serializePanel({ ...savedPanel, comparison }) }), {
        ...savedPanel,
        comparison,
      });
  });

  it('parses serialized sources of joined columns without loss, and ignores invalid ones', () => {
    const join = [{ kind: 'file', path: 'plant.csv', sha256: 'a'.repeat(64) }, { kind: 'installedCapacity' }] as const;
    assert.deepEqual(parseSavedPanel({ question: serializePanel({ ...savedPanel, join }) }), { ...savedPanel, join });
    const invalid = { ...serializePanel(savedPanel), join: [{ kind: 'file', path: '//host/plant.csv' }] };
    assert.deepEqual(parseSavedPanel({ question: invalid }), savedPanel);
  });

  it('returns undefined for an invalid stored value', () => {
    const storedQuery = serializePanel(savedPanelWithoutExtras);
    for (const state of [undefined, null, 7, 'text', {}, { question: [] }, { question: { ...storedQuery, range: 7 } }])
      assert.equal(parseSavedPanel(state), undefined);
    assert.equal(parseSavedPanel({ question: { ...storedQuery, params: { a: 1 } } }), undefined);
    assert.equal(parseSavedPanel({ question: { ...storedQuery, range: 'x'.repeat(2_000) } }), undefined);
  });

  it('ignores an unknown time zone', () => {
    const storedQuery = { ...serializePanel(savedPanelWithoutExtras), zone: 'Mars/Olympus' };
    assert.deepEqual(parseSavedPanel({ question: storedQuery }), savedPanelWithoutExtras);
  });

  it('ignores an invalid comparison', () => {
    for (const comparison of [7, null, {}, { kind: 'range' }, { kind: 'lastYear', align: 'dice' }])
      assert.deepEqual(
        parseSavedPanel({ question: { ...serializePanel(savedPanelWithoutExtras), comparison } }),
        savedPanelWithoutExtras,
      );
  });
});
