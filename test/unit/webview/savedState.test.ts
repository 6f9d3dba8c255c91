import assert from 'node:assert/strict';
import { SavedPlace } from '../../../src/webview/savedPlace.ts';

function savedPlace(state?: unknown) {
  let kept = state;
  return new SavedPlace({ postMessage: () => undefined, getState: () => kept, setState: next => void (kept = next) });
}

describe('SavedPlace', () => {
  const place = { topRow: 12.5, row: 20, column: 'wind_mw' };

  it('finds the place of the same title only', () => {
    const saved = savedPlace();
    saved.save('System state', place);
    assert.deepEqual(saved.restore('System state'), place);
    assert.equal(saved.restore('Grid stress'), undefined);
  });

  it('refuses a state of another form', () => {
    for (const state of [
      undefined,
      null,
      7,
      {},
      { title: 't' },
      { title: 't', place: { topRow: -1, row: 0, column: 'a' } },
      { title: 't', place: { topRow: 1, row: 0.5, column: 'a' } },
    ])
      assert.equal(savedPlace(state).restore('t'), undefined);
  });
});
