import assert from 'node:assert/strict';
import { MaxRangeStore } from '../../../../src/service/query/maxRangeStore.ts';
import { FakeState } from '../storeFakes.ts';

const day = 24 * 3_600_000;

describe('MaxRangeStore', () => {
  let now: number;
  let state: FakeState;
  const open = (): MaxRangeStore => new MaxRangeStore(state, { now: () => now });

  beforeEach(() => {
    now = Date.UTC(2026, 10, 21);
    state = new FakeState();
  });

  it('stores a detected limit, also if another window stores one at the same time', async () => {
    // A window's state is as old as its last notification of changes.
    const stateBefore = {
      get: () => undefined,
      update: async (name: string, value: unknown) => state.update(name, value),
    };
    const windows = [1, 2].map(() => new MaxRangeStore(stateBefore, { now: () => now }));
    await windows[0]?.confirmLimit('a', 31 * day);
    await windows[1]?.confirmLimit('b', 7 * day);
    assert.deepEqual(
      [open().getLimit('a'), open().getLimit('b'), open().getLimit('c')],
      [31 * day, 7 * day, undefined],
    );
  });

  it('keeps a suspected limit for a day, or until more is known', async () => {
    const spans = open();
    await spans.confirmLimit('a', 31 * day);
    await spans.suspectLimit('a', 4 * day);
    assert.equal(open().getLimit('a'), 4 * day);
    now += day;
    assert.equal(open().getLimit('a'), 31 * day);
    await spans.suspectLimit('a', 4 * day);
    await spans.confirmLimit('a', 5 * day);
    assert.equal(open().getLimit('a'), 5 * day);
  });

  it('ignores damaged state', async () => {
    for (const damaged of ['soon', -1, [4], [day, now + day]]) {
      await state.update('spanLimit a', damaged);
      await state.update('suspectedSpanLimit a', damaged);
      assert.equal(open().getLimit('a'), undefined, JSON.stringify(damaged));
    }
  });
});
