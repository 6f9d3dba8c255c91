import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SlotMap } from '../../../../src/webview/grid/slotMap.ts';

describe('SlotMap', () => {
  const windows = fc.array(
    fc.record({ first: fc.nat(50), count: fc.nat(12), extra: fc.integer({ min: -1, max: 60 }) }),
    { maxLength: 30 },
  );

  it('assigns a slot to every needed key, and keeps it while the key is needed', () => {
    fc.assert(
      fc.property(windows, views => {
        const map = new SlotMap();
        let previousSlots = new Map<number, number>();
        for (const { first, count, extra } of views) {
          map.assign(first, first + count, extra);
          const needed = new Set(Array.from({ length: count }, (_, index) => first + index));
          if (extra >= 0) needed.add(extra);
          const currentSlots = new Map<number, number>();
          map.keys.forEach((key, slot) => key >= 0 && currentSlots.set(key, slot));
          assert.deepEqual(
            [...currentSlots.keys()].sort((a, b) => a - b),
            [...needed].sort((a, b) => a - b),
          );
          assert.equal(map.keys.filter(key => key >= 0).length, needed.size);
          for (const [key, slot] of previousSlots) if (needed.has(key)) assert.equal(map.findSlot(key), slot);
          previousSlots = currentSlots;
        }
      }),
    );
  });

  it('uses no more slots than the largest window plus the extra', () => {
    const map = new SlotMap();
    for (let first = 0; first < 1000; first += 7) map.assign(first, first + 30, 3);
    assert.equal(map.keys.length, 31);
  });
});
