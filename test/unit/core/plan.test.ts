import assert from 'node:assert/strict';
import fc from 'fast-check';
import { halve, planRequests } from '../../../src/core/plan.ts';

const hour = 3_600_000;

describe('planRequests', () => {
  it('asks for nothing when nothing is due', () => {
    assert.deepEqual(planRequests(new Uint8Array(24), 0, hour, 100), []);
  });

  it('joins gaps into one request, from the first due step to the last', () => {
    const due = Uint8Array.from([0, 1, 1, 0, 0, 1, 0]);
    assert.deepEqual(planRequests(due, 0, hour, 100), [{ start: hour, end: 6 * hour }]);
  });

  it('takes a year of hours in one request where the service takes it', () => {
    assert.equal(planRequests(new Uint8Array(8760).fill(1), 0, hour, 87_840).length, 1);
  });

  it('covers every due step with as few requests as an exhaustive search finds', () => {
    const scenario = fc.tuple(fc.array(fc.nat(1), { maxLength: 12 }), fc.integer({ min: 1, max: 6 }));
    fc.assert(
      fc.property(scenario, ([bits, maxSteps]) => {
        const due = Uint8Array.from(bits);
        const plan = planRequests(due, 7 * hour, hour, maxSteps);
        const steps = plan.map(({ start, end }) => [start / hour - 7, end / hour - 7] as const);
        for (const [from, to] of steps) {
          assert.ok(to - from <= maxSteps && to > from);
          assert.ok(due[from] === 1 && due[to - 1] === 1, 'begins and ends with a due step');
        }
        bits.forEach((bit, step) => assert.ok(bit === 0 || steps.some(([from, to]) => from <= step && step < to)));
        assert.equal(plan.length, fewest(bits, maxSteps));
      }),
    );
  });

  /** By trying every set of windows, smallest first. */
  function fewest(bits: readonly number[], maxSteps: number): number {
    const dueSteps = bits.flatMap((bit, step) => (bit ? [step] : []));
    const search = (rest: readonly number[]): number => {
      const [first] = rest;
      if (first === undefined) return 0;
      const options = Array.from({ length: maxSteps }, (_, shift) => first - shift);
      return 1 + Math.min(...options.map(from => search(rest.filter(step => step < from || step >= from + maxSteps))));
    };
    return search(dueSteps);
  }
});

describe('halve', () => {
  it('cuts on whole steps and loses none', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 10_000 }), steps => {
        const halves = halve({ start: 0, end: steps * hour }, hour);
        assert.ok(halves);
        const [first, second] = halves;
        assert.deepEqual([first.start, second.end, first.end], [0, steps * hour, second.start]);
        assert.ok(first.end % hour === 0 && first.end > 0 && first.end < second.end);
      }),
    );
  });

  it('leaves a single step whole', () => {
    assert.equal(halve({ start: 0, end: hour }, hour), undefined);
  });
});
