import assert from 'node:assert/strict';
import { initialView, serializeFullView } from '../../../src/shared/view.ts';
import { SavedState } from '../../../src/webview/savedState.ts';

function savedState(state?: unknown) {
  let storedState = state;
  return new SavedState({
    postMessage: () => undefined,
    getState: () => storedState,
    setState: next => void (storedState = next),
  });
}

describe('SavedState', () => {
  const position = { topRow: 12.5, row: 20, column: 'wind_mw', anchor: { row: 22, column: 'pv_mw' } };

  it('restores the position for the same title only', () => {
    const saved = savedState();
    saved.savePosition('System state', position);
    assert.deepEqual(saved.position('System state'), position);
    assert.equal(saved.position('Grid stress'), undefined);
  });

  it('ignores a stored state of another format', () => {
    for (const state of [
      undefined,
      null,
      7,
      {},
      { title: 't' },
      { title: 't', place: { topRow: -1, row: 0, column: 'a' } },
      { title: 't', place: { topRow: 1, row: 0.5, column: 'a' } },
      { title: 't', place: { topRow: 1, row: -2, column: 'a' } },
    ])
      assert.equal(savedState(state).position('t'), undefined);
  });

  it('ignores a corner of the selection in another format', () => {
    const state = { title: 't', place: { topRow: 1, row: 2, column: 'a', anchor: { row: 3, column: 1 } } };
    assert.deepEqual(savedState(state).position('t'), { topRow: 1, row: 2, column: 'a' });
  });

  it('stores query, view and position independently', () => {
    let storedState: unknown;
    const saved = new SavedState({
      postMessage: () => undefined,
      getState: () => storedState,
      setState: next => void (storedState = next),
    });
    saved.saveHostState({ range: 'today' });
    saved.saveView(serializeFullView({ ...initialView, tab: 'chart' }));
    saved.savePosition('System state', position);
    assert.deepEqual([saved.view().tab, saved.position('System state')], ['chart', position]);
    assert.deepEqual((storedState as { question: unknown }).question, { range: 'today' });
  });
});
