import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { computeCoverage, joinCoverage } from '../../../../src/core/frame/coverage.ts';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import { intervalState } from '../../../../src/shared/result.ts';
import { findSharedFile } from '../../../support/sharedFiles.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.parse('2023-05-01T00:00Z');
const lateNow = start + 1000 * day;

/** Creates a row at each of these hours after the start. */
function createRows(...hours: number[]): Frame {
  return recordsToFrame(hours.map(hours => ({ ts: new Date(start + hours * hour).toISOString() })));
}

function countStates(frame: Frame, hours: number, intervalMs: number, now: number): readonly (number | undefined)[] {
  const coverage = computeCoverage(frame, { start, end: start + hours * hour }, intervalMs, { now });
  return [coverage?.expected, coverage?.present, coverage?.missing, coverage?.notPublished];
}

describe('computeCoverage', () => {
  it('counts an interval once, however often and in whatever order its rows came', () => {
    assert.deepEqual(countStates(createRows(3, 0, 3, 1), 4, hour, lateNow), [4, 3, 1, 0]);
  });

  it('assigns a half-hour row to its hour', () => {
    assert.deepEqual(countStates(createRows(0, 0.5, 1.5), 3, hour, lateNow), [3, 2, 1, 0]);
  });

  it('excludes rows outside the range', () => {
    assert.deepEqual(countStates(createRows(-1, 0, 2, 5), 2, hour, lateNow), [2, 1, 1, 0]);
  });

  it('distinguishes missing intervals from intervals that are not yet published', () => {
    const now = start + 2.5 * hour;
    assert.deepEqual(countStates(createRows(0), 5, hour, now), [5, 1, 1, 3]);
    assert.deepEqual(countStates(createRows(0, 4), 5, hour, now), [5, 2, 1, 2]);
    assert.deepEqual(countStates(createRows(), 5, hour, start - hour), [5, 0, 0, 5]);
  });

  it('counts an interval as published exactly at its end', () => {
    assert.deepEqual(countStates(createRows(), 1, hour, start + hour - 1), [1, 0, 0, 1]);
    assert.deepEqual(countStates(createRows(), 1, hour, start + hour), [1, 0, 1, 0]);
  });

  it('counts today as unpublished until it ends', () => {
    assert.deepEqual(countStates(createRows(0), 48, day, start + 30 * hour), [2, 1, 0, 1]);
    assert.deepEqual(countStates(createRows(0, 24), 48, day, start + 30 * hour), [2, 2, 0, 0]);
    assert.deepEqual(countStates(createRows(), 30, day, lateNow), [2, 0, 2, 0]);
  });

  it('joins adjacent missing intervals, and lists the first five', () => {
    const toInstant = (hours: number): number => start + hours * hour;
    const span = { start, end: toInstant(14) };
    const coverage = computeCoverage(createRows(2, 4, 6, 8, 10, 12), span, hour, { now: lateNow });
    assert.deepEqual(coverage?.missingRanges, [
      [toInstant(0), toInstant(2)],
      [toInstant(3), toInstant(4)],
      [toInstant(5), toInstant(6)],
      [toInstant(7), toInstant(8)],
      [toInstant(9), toInstant(10)],
    ]);
    assert.equal(coverage.missing, 8);
  });

  it('reports unknown coverage when the interval or the times are unknown', () => {
    const span = { start, end: start + day };
    assert.equal(computeCoverage(createRows(0), span, undefined, { now: lateNow }), undefined);
    assert.equal(computeCoverage(recordsToFrame([{ a: 1 }]), span, hour, { now: lateNow }), undefined);
    // Without any rows, all intervals are missing.
    assert.equal(computeCoverage(recordsToFrame([]), span, hour, { now: lateNow })?.missing, 24);
  });

  it('does not report unpublished intervals as failed', () => {
    const span = { start, end: start + 4 * hour };
    const coverage = computeCoverage(createRows(0), span, hour, { now: start + 2 * hour, failed: [span] });
    assert.deepEqual([coverage?.present, coverage?.failed, coverage?.notPublished], [1, 1, 2]);
  });

  it('ignores rows whose instant is a gap', () => {
    const frame = recordsToFrame([{ ts: null }, { ts: new Date(start).toISOString() }]);
    assert.deepEqual(countStates(frame, 2, hour, lateNow), [2, 1, 1, 0]);
  });

  it('always adds up, and agrees with a check of each interval', () => {
    const rows = fc.array(fc.integer({ min: -90, max: 400 }), { maxLength: 40 });
    const intervalsPerDay = fc.constantFrom(1, 4, 12, 96);
    fc.assert(
      fc.property(
        rows,
        intervalsPerDay,
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: -50, max: 400 }),
        (rowHours, intervalQuarters, intervalCount, now) => {
          const quarter = hour / 4;
          const intervalMs = intervalQuarters * quarter;
          const span = { start, end: start + intervalCount * quarter };
          const coverage = computeCoverage(createRows(...rowHours.map(index => index / 4)), span, intervalMs, {
            now: start + now * quarter,
          });
          assert.ok(coverage);
          const { expected, present, missing, notPublished, missingRanges } = coverage;
          assert.equal(expected, Math.ceil(intervalCount / intervalQuarters));
          assert.equal(present + missing + notPublished, expected);
          const states = Array.from({ length: expected }, (_, interval) => {
            if (
              rowHours.some(index => index >= interval * intervalQuarters && index < (interval + 1) * intervalQuarters)
            )
              return 'present';
            return (interval + 1) * intervalQuarters <= now ? 'missing' : 'notPublished';
          });
          assert.equal(present, states.filter(state => state === 'present').length);
          assert.equal(missing, states.filter(state => state === 'missing').length);
          const listedMissing = missingRanges.reduce((sum, [from, to]) => sum + (to - from) / intervalMs, 0);
          assert.ok(missingRanges.length < 5 ? listedMissing === missing : listedMissing <= missing);
        },
      ),
      { numRuns: scaleRunCount(300) },
    );
  });

  it('gives each interval the state that follows from rows, requests, failures and delay', () => {
    const position = fc.integer({ min: -8, max: 40 });
    const facts = fc.record({
      rows: fc.array(position, { maxLength: 12 }),
      failed: fc.array(fc.tuple(position, fc.nat(12)), { maxLength: 2 }),
      asked: fc.array(fc.boolean(), { minLength: 32, maxLength: 32 }),
      lastAvailable: fc.option(position),
      now: position,
    });
    const toInstant = (quarters: number): number => start + (quarters * hour) / 4;
    fc.assert(
      fc.property(facts, fc.constantFrom(1, 4), ({ rows, failed, asked: requested, lastAvailable, now }, length) => {
        const intervalCount = 32 / length;
        const coverage = computeCoverage(
          createRows(...rows.map(row => row / 4)),
          { start, end: toInstant(32) },
          toInstant(length) - start,
          {
            now: toInstant(now),
            failed: failed.map(([from, long]) => ({ start: toInstant(from), end: toInstant(from + long) })),
            requestedAt: Float64Array.from({ length: intervalCount }, (_, interval) =>
              requested[interval] ? start : 0,
            ),
            ...(lastAvailable !== null && {
              meta: { data_delay: true, last_available: new Date(toInstant(lastAvailable)).toISOString() },
            }),
          },
        );
        const expected = Array.from({ length: intervalCount }, (_, interval) => {
          const from = interval * length;
          const end = (interval + 1) * length;
          if (rows.some(row => row >= from && row < end)) return 'present';
          if (end > now) return 'notPublished';
          if (failed.some(([first, long]) => from >= first && from < first + long)) return 'failed';
          if (!requested[interval]) return 'notRequested';
          return lastAvailable !== null && from > lastAvailable ? 'late' : 'missing';
        });
        const formatState = (state: number) => Object.entries(intervalState).find(([, code]) => code === state)?.[0];
        assert.deepEqual(
          Array.from(coverage?.states ?? [], state => formatState(state)),
          expected,
        );
      }),
      { numRuns: scaleRunCount(500) },
    );
  });

  it('agrees with a model over real hours, some of them removed', function () {
    const file = findSharedFile('data', 'eskom-hourly-2022-06_2024-03.csv');
    if (!file) return this.skip();
    const [, ...lines] = readFileSync(file, 'utf8').trim().split(/\r?\n/);
    const published = lines.map(line => {
      const [date = '', clock = ''] = line.split(',');
      return Date.parse(`${date}T${clock}+02:00`);
    });
    assert.ok(published.length > 10_000);
    const remaining = published.filter((_, row) => row % 97 !== 5 && row % 1000 > 6);
    const frame = recordsToFrame(remaining.map(ms => ({ ts: new Date(ms).toISOString() })));
    const span = { start: Date.parse('2022-05-30T00:00Z'), end: Date.parse('2024-04-03T00:00Z') };
    for (const intervalMs of [hour, 3 * hour, day]) {
      const now = span.end - 30 * hour;
      const coverage = computeCoverage(frame, span, intervalMs, { now });
      const present = new Set(remaining.map(ms => Math.floor((ms - span.start) / intervalMs)));
      const expected = Array.from({ length: (span.end - span.start) / intervalMs }, (_, interval) => {
        if (present.has(interval)) return intervalState.present;
        return span.start + (interval + 1) * intervalMs > now ? intervalState.notPublished : intervalState.missing;
      });
      assert.deepEqual([...(coverage?.states ?? [])], expected);
      const count = (state: number): number => expected.filter(candidate => candidate === state).length;
      assert.deepEqual(
        [coverage?.present, coverage?.missing, coverage?.notPublished],
        [count(intervalState.present), count(intervalState.missing), count(intervalState.notPublished)],
      );
    }
  });
});

describe('joinCoverage', () => {
  const { present, missing, notPublished, failed, notRequested, late } = intervalState;
  const bySeriousness: readonly number[] = [failed, missing, late, notRequested, notPublished, present];
  const createPart = (states: readonly number[], archived: readonly number[]) => {
    const none = computeCoverage(createRows(), { start, end: start + states.length * hour }, hour, { now: start });
    assert.ok(none);
    return { title: '', coverage: { ...none, states: Uint8Array.from(states), archived: Uint8Array.from(archived) } };
  };

  it('gives each interval the most serious state of all parts, and counts it as archived only if all parts are', () => {
    const states = fc.array(fc.constantFrom(...bySeriousness), { minLength: 6, maxLength: 6 });
    const bits = fc.array(fc.nat(1), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(fc.tuple(states, bits), { minLength: 1, maxLength: 3 }), lists => {
        const parts = lists.map(([listed, archived]) => createPart(listed, archived));
        const coverage = joinCoverage(parts, { start, end: start + 6 * hour }, hour);
        const expected = Array.from({ length: 6 }, (_, interval) =>
          bySeriousness.find(state => lists.some(([listed]) => listed[interval] === state)),
        );
        assert.deepEqual([...(coverage?.states ?? [])], expected);
        assert.deepEqual(
          [...(coverage?.archived ?? [])],
          Array.from({ length: 6 }, (_, interval) => Number(lists.every(([, archived]) => archived[interval] === 1))),
        );
        assert.equal(coverage?.missing, expected.filter(state => state === missing).length);
        assert.equal(coverage.parts, parts);
      }),
    );
    assert.equal(joinCoverage([], { start, end: start + hour }, hour), undefined);
  });
});
