import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { computeCoverage, joinCoverage } from '../../../../src/core/frame/coverage.ts';
import { frameOf } from '../../../../src/core/decode/decode.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import { intervalState } from '../../../../src/shared/result.ts';
import { sharedFile } from '../../../support/shared.ts';
import { manyRuns } from '../../../support/manyRuns.ts';

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.parse('2023-05-01T00:00Z');
const late = start + 1000 * day;

/** Creates a row at each of these hours after the start. */
function rowsAt(...hours: number[]): Frame {
  return frameOf(hours.map(hours => ({ ts: new Date(start + hours * hour).toISOString() })));
}

function counts(frame: Frame, hours: number, stepMs: number, now: number): readonly (number | undefined)[] {
  const coverage = computeCoverage(frame, { start, end: start + hours * hour }, stepMs, { now });
  return [coverage?.expected, coverage?.present, coverage?.missing, coverage?.notPublished];
}

describe('coverageOf', () => {
  it('counts a step once, however often and in whatever order it came', () => {
    assert.deepEqual(counts(rowsAt(3, 0, 3, 1), 4, hour, late), [4, 3, 1, 0]);
  });

  it('counts a half-hour row to its hour', () => {
    assert.deepEqual(counts(rowsAt(0, 0.5, 1.5), 3, hour, late), [3, 2, 1, 0]);
  });

  it('excludes rows outside the range', () => {
    assert.deepEqual(counts(rowsAt(-1, 0, 2, 5), 2, hour, late), [2, 1, 1, 0]);
  });

  it('distinguishes missing steps from steps not yet published', () => {
    const now = start + 2.5 * hour;
    assert.deepEqual(counts(rowsAt(0), 5, hour, now), [5, 1, 1, 3]);
    assert.deepEqual(counts(rowsAt(0, 4), 5, hour, now), [5, 2, 1, 2]);
    assert.deepEqual(counts(rowsAt(), 5, hour, start - hour), [5, 0, 0, 5]);
  });

  it('counts a step as published exactly at its end', () => {
    assert.deepEqual(counts(rowsAt(), 1, hour, start + hour - 1), [1, 0, 0, 1]);
    assert.deepEqual(counts(rowsAt(), 1, hour, start + hour), [1, 0, 1, 0]);
  });

  it('counts today as not published until it ends', () => {
    assert.deepEqual(counts(rowsAt(0), 48, day, start + 30 * hour), [2, 1, 0, 1]);
    assert.deepEqual(counts(rowsAt(0, 24), 48, day, start + 30 * hour), [2, 2, 0, 0]);
    assert.deepEqual(counts(rowsAt(), 30, day, late), [2, 0, 2, 0]);
  });

  it('joins missing steps into intervals, and lists the first five', () => {
    const at = (hours: number): number => start + hours * hour;
    const span = { start, end: at(14) };
    const coverage = computeCoverage(rowsAt(2, 4, 6, 8, 10, 12), span, hour, { now: late });
    assert.deepEqual(coverage?.missingStretches, [
      [at(0), at(2)],
      [at(3), at(4)],
      [at(5), at(6)],
      [at(7), at(8)],
      [at(9), at(10)],
    ]);
    assert.equal(coverage.missing, 8);
  });

  it('reports unknown coverage when the step or the times are unknown', () => {
    const span = { start, end: start + day };
    assert.equal(computeCoverage(rowsAt(0), span, undefined, { now: late }), undefined);
    assert.equal(computeCoverage(frameOf([{ a: 1 }]), span, hour, { now: late }), undefined);
    // Without any rows, all intervals are missing.
    assert.equal(computeCoverage(frameOf([]), span, hour, { now: late })?.missing, 24);
  });

  it('reports no unpublished step as failed', () => {
    const span = { start, end: start + 4 * hour };
    const coverage = computeCoverage(rowsAt(0), span, hour, { now: start + 2 * hour, failed: [span] });
    assert.deepEqual([coverage?.present, coverage?.failed, coverage?.notPublished], [1, 1, 2]);
  });

  it('ignores rows whose instant is a gap', () => {
    const frame = frameOf([{ ts: null }, { ts: new Date(start).toISOString() }]);
    assert.deepEqual(counts(frame, 2, hour, late), [2, 1, 1, 0]);
  });

  it('always adds up, and agrees with a check of each step', () => {
    const rows = fc.array(fc.integer({ min: -90, max: 400 }), { maxLength: 40 });
    const steps = fc.constantFrom(1, 4, 12, 96);
    fc.assert(
      fc.property(
        rows,
        steps,
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: -50, max: 400 }),
        (at, s, long, now) => {
          const quarter = hour / 4;
          const stepMs = s * quarter;
          const span = { start, end: start + long * quarter };
          const coverage = computeCoverage(rowsAt(...at.map(n => n / 4)), span, stepMs, { now: start + now * quarter });
          assert.ok(coverage);
          const { expected, present, missing, notPublished, missingStretches } = coverage;
          assert.equal(expected, Math.ceil(long / s));
          assert.equal(present + missing + notPublished, expected);
          const looked = Array.from({ length: expected }, (_, step) => {
            if (at.some(n => n >= step * s && n < (step + 1) * s)) return 'present';
            return (step + 1) * s <= now ? 'missing' : 'notPublished';
          });
          assert.equal(present, looked.filter(state => state === 'present').length);
          assert.equal(missing, looked.filter(state => state === 'missing').length);
          const shown = missingStretches.reduce((sum, [from, to]) => sum + (to - from) / stepMs, 0);
          assert.ok(missingStretches.length < 5 ? shown === missing : shown <= missing);
        },
      ),
      { numRuns: manyRuns(300) },
    );
  });

  it('gives each step the state that rows, requests, failures and delay call for', () => {
    const place = fc.integer({ min: -8, max: 40 });
    const facts = fc.record({
      rows: fc.array(place, { maxLength: 12 }),
      failed: fc.array(fc.tuple(place, fc.nat(12)), { maxLength: 2 }),
      asked: fc.array(fc.boolean(), { minLength: 32, maxLength: 32 }),
      lastAvailable: fc.option(place),
      now: place,
    });
    const at = (quarters: number): number => start + (quarters * hour) / 4;
    fc.assert(
      fc.property(facts, fc.constantFrom(1, 4), ({ rows, failed, asked, lastAvailable, now }, length) => {
        const steps = 32 / length;
        const coverage = computeCoverage(
          rowsAt(...rows.map(row => row / 4)),
          { start, end: at(32) },
          at(length) - start,
          {
            now: at(now),
            failed: failed.map(([from, long]) => ({ start: at(from), end: at(from + long) })),
            askedAt: Float64Array.from({ length: steps }, (_, step) => (asked[step] ? start : 0)),
            ...(lastAvailable !== null && {
              meta: { data_delay: true, last_available: new Date(at(lastAvailable)).toISOString() },
            }),
          },
        );
        const expected = Array.from({ length: steps }, (_, step) => {
          const [from, end] = [step * length, (step + 1) * length];
          if (rows.some(row => row >= from && row < end)) return 'present';
          if (end > now) return 'notPublished';
          if (failed.some(([first, long]) => from >= first && from < first + long)) return 'failed';
          if (!asked[step]) return 'notAsked';
          return lastAvailable !== null && from > lastAvailable ? 'late' : 'missing';
        });
        const nameOf = (state: number) => Object.entries(intervalState).find(([, code]) => code === state)?.[0];
        assert.deepEqual(
          Array.from(coverage?.states ?? [], state => nameOf(state)),
          expected,
        );
      }),
      { numRuns: manyRuns(500) },
    );
  });

  it('agrees with a model over real hours, some of them withdrawn', function () {
    const file = sharedFile('data', 'eskom-hourly-2022-06_2024-03.csv');
    if (!file) return this.skip();
    const [, ...lines] = readFileSync(file, 'utf8').trim().split(/\r?\n/);
    const published = lines.map(line => {
      const [date = '', clock = ''] = line.split(',');
      return Date.parse(`${date}T${clock}+02:00`);
    });
    assert.ok(published.length > 10_000);
    const there = published.filter((_, row) => row % 97 !== 5 && row % 1000 > 6);
    const frame = frameOf(there.map(ms => ({ ts: new Date(ms).toISOString() })));
    const span = { start: Date.parse('2022-05-30T00:00Z'), end: Date.parse('2024-04-03T00:00Z') };
    for (const stepMs of [hour, 3 * hour, day]) {
      const now = span.end - 30 * hour;
      const coverage = computeCoverage(frame, span, stepMs, { now });
      const present = new Set(there.map(ms => Math.floor((ms - span.start) / stepMs)));
      const expected = Array.from({ length: (span.end - span.start) / stepMs }, (_, step) => {
        if (present.has(step)) return intervalState.present;
        return span.start + (step + 1) * stepMs > now ? intervalState.notPublished : intervalState.missing;
      });
      assert.deepEqual([...(coverage?.states ?? [])], expected);
      const count = (state: number): number => expected.filter(one => one === state).length;
      assert.deepEqual(
        [coverage?.present, coverage?.missing, coverage?.notPublished],
        [count(intervalState.present), count(intervalState.missing), count(intervalState.notPublished)],
      );
    }
  });
});

describe('joinedCoverage', () => {
  const { present, missing, notPublished, failed, notAsked, late } = intervalState;
  const bySeriousness: readonly number[] = [failed, missing, late, notAsked, notPublished, present];
  const partOf = (states: readonly number[], archived: readonly number[]) => {
    const none = computeCoverage(rowsAt(), { start, end: start + states.length * hour }, hour, { now: start });
    assert.ok(none);
    return { title: '', coverage: { ...none, states: Uint8Array.from(states), archived: Uint8Array.from(archived) } };
  };

  it('gives each step the most serious state of all, and counts one as archived where it is in all', () => {
    const states = fc.array(fc.constantFrom(...bySeriousness), { minLength: 6, maxLength: 6 });
    const bits = fc.array(fc.nat(1), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(fc.tuple(states, bits), { minLength: 1, maxLength: 3 }), lists => {
        const parts = lists.map(([of, kept]) => partOf(of, kept));
        const coverage = joinCoverage(parts, { start, end: start + 6 * hour }, hour);
        const expected = Array.from({ length: 6 }, (_, step) =>
          bySeriousness.find(state => lists.some(([of]) => of[step] === state)),
        );
        assert.deepEqual([...(coverage?.states ?? [])], expected);
        assert.deepEqual(
          [...(coverage?.archived ?? [])],
          Array.from({ length: 6 }, (_, step) => Number(lists.every(([, kept]) => kept[step] === 1))),
        );
        assert.equal(coverage?.missing, expected.filter(state => state === missing).length);
        assert.equal(coverage.parts, parts);
      }),
    );
    assert.equal(joinCoverage([], { start, end: start + hour }, hour), undefined);
  });
});
