import assert from 'node:assert/strict';
import fc from 'fast-check';
import { halve, selectRequests, planRequests, planTogether } from '../../../../src/core/query/requestPlan.ts';

const hour = 3_600_000;
const week = 7 * 24 * hour;

describe('planRequests', () => {
  it('plans no request if no interval is due', () => {
    assert.deepEqual(planRequests(new Uint8Array(24), 0, hour, 100), []);
  });

  it('plans one request from the first due interval to the last if it is within the maximum range', () => {
    const due = Uint8Array.from([0, 1, 1, 0, 0, 1, 0]);
    assert.deepEqual(planRequests(due, 0, hour, 100), [{ start: hour, end: 6 * hour }]);
  });

  it('plans one request for a year of hours if the maximum range allows it', () => {
    assert.equal(planRequests(new Uint8Array(8760).fill(1), 0, hour, 87_840).length, 1);
  });

  it('covers every due interval with as few requests as an exhaustive search finds', () => {
    const scenario = fc.tuple(fc.array(fc.nat(1), { maxLength: 12 }), fc.integer({ min: 1, max: 6 }));
    fc.assert(
      fc.property(scenario, ([bits, maxIntervals]) => {
        const due = Uint8Array.from(bits);
        const plan = planRequests(due, 7 * hour, hour, maxIntervals);
        const plannedRanges = plan.map(({ start, end }) => [start / hour - 7, end / hour - 7] as const);
        for (const [from, to] of plannedRanges) {
          assert.ok(to - from <= maxIntervals && to > from);
          assert.ok(due[from] === 1 && due[to - 1] === 1, 'each request begins and ends with a due interval');
        }
        bits.forEach((bit, interval) =>
          assert.ok(bit === 0 || plannedRanges.some(([from, to]) => from <= interval && interval < to)),
        );
        assert.equal(plan.length, findMinimum(bits, maxIntervals));
      }),
    );
  });

  /** Finds the minimum number of requests recursively: tries each request that covers the first uncovered interval. */
  function findMinimum(bits: readonly number[], maxIntervals: number): number {
    const dueIntervals = bits.flatMap((bit, interval) => (bit ? [interval] : []));
    const search = (uncovered: readonly number[]): number => {
      const [first] = uncovered;
      if (first === undefined) return 0;
      const options = Array.from({ length: maxIntervals }, (_, shift) => first - shift);
      return (
        1 +
        Math.min(
          ...options.map(from =>
            search(uncovered.filter(interval => interval < from || interval >= from + maxIntervals)),
          ),
        )
      );
    };
    return search(dueIntervals);
  }
});

describe('planTogether', () => {
  it('plans one request for several ranges, except for ranges whose intervals are aligned differently', () => {
    const due = Uint8Array.from([1, 0, 1]);
    const hours = [
      { start: -hour, due },
      { start: 4 * hour, due },
    ];
    assert.deepEqual(planTogether(hours, hour, 100), [{ start: -hour, end: 7 * hour }]);
    // Weeks starting on a Monday, and weeks starting on a Thursday.
    const weeks = [...hours, { start: 4 * hour + week, due }];
    assert.deepEqual(planTogether(weeks, week, 100), [
      { start: -hour, end: -hour + 3 * week },
      { start: 4 * hour, end: 4 * hour + 4 * week },
    ]);
    assert.deepEqual(planTogether([], hour, 100), []);
  });

  it('plans one request for ranges that are up to 31 days apart, in any order', () => {
    const due = new Uint8Array(24).fill(1);
    const addDays = (days: number) => [
      { start: (1 + days) * 24 * hour, due },
      { start: 0, due },
    ];
    assert.deepEqual(planTogether(addDays(31), hour, 10_000), [{ start: 0, end: 33 * 24 * hour }]);
    assert.deepEqual(planTogether(addDays(32), hour, 10_000), [
      { start: 0, end: 24 * hour },
      { start: 33 * 24 * hour, end: 34 * 24 * hour },
    ]);
    // The long range contains both shorter ones.
    const longRange = { start: -24 * hour, due: new Uint8Array(60 * 24).fill(1) };
    assert.equal(planTogether([...addDays(60), longRange], hour, 10_000).length, 1);
  });
});

describe('selectRequests', () => {
  it('keeps planned requests that cover a due interval, and adds requests for intervals that none covers', () => {
    const plan = [0, 10, 20].map(interval => ({ start: interval * hour, end: (interval + 5) * hour }));
    const due = Uint8Array.from({ length: 30 }, (_, interval) =>
      interval === 3 || interval === 7 || interval === 22 ? 1 : 0,
    );
    const parts = selectRequests(plan, { start: 0, due }, hour, 5);
    assert.deepEqual(parts, [plan[0], { start: 7 * hour, end: 8 * hour }, plan[2]]);
    assert.ok(parts[0] === plan[0] && parts[2] === plan[2]);
    assert.equal(
      due.reduce((sum, count) => sum + count, 0),
      3,
      'the input is unchanged',
    );
  });

  it('ignores a planned request whose intervals are aligned differently', () => {
    const due = Uint8Array.from([1]);
    const parts = selectRequests([{ start: 0, end: week }], { start: 24 * hour, due }, week, 5);
    assert.deepEqual(parts, [{ start: 24 * hour, end: 24 * hour + week }]);
  });
});

describe('halve', () => {
  it('splits a range at an interval boundary, without losing an interval', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 10_000 }), intervalCount => {
        const halves = halve({ start: 0, end: intervalCount * hour }, hour);
        assert.ok(halves);
        const [first, second] = halves;
        assert.deepEqual([first.start, second.end, first.end], [0, intervalCount * hour, second.start]);
        assert.ok(first.end % hour === 0 && first.end > 0 && first.end < second.end);
      }),
    );
  });

  it('returns undefined for a single interval', () => {
    assert.equal(halve({ start: 0, end: hour }, hour), undefined);
  });
});
