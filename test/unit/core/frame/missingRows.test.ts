import assert from 'node:assert/strict';
import fc from 'fast-check';
import { computeCoverage } from '../../../../src/core/frame/coverage.ts';
import { frameOf } from '../../../../src/core/decode/decode.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';
import { intervalState } from '../../../../src/shared/result.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import { addMissingRows } from '../../../../src/core/frame/frames.ts';
import { manyRuns } from '../../../support/manyRuns.ts';

const hour = 3_600_000;
const start = Date.parse('2023-05-01T00:00Z');
const iso = (hours: number): string => new Date(start + hours * hour).toISOString().replace('.000Z', 'Z');

function filled(frame: Frame, hours: number, now = hours) {
  const coverage = computeCoverage(frame, { start, end: start + hours * hour }, hour, { now: start + now * hour });
  assert.ok(coverage);
  const { frame: all, rowStates } = addMissingRows(frame, coverage, start, hour);
  return { rows: [...generateRecords(all)], notes: [...rowStates], all };
}

describe('withMissingRows', () => {
  it('adds a row with only the time for each missing step, and its reason', () => {
    const frame = frameOf([
      { a: 1, ts: iso(0) },
      { a: null, ts: iso(2) },
    ]);
    const { rows, notes, all } = filled(frame, 5, 4);
    assert.deepEqual(rows, [
      { a: 1, ts: iso(0) },
      { ts: iso(1) },
      { a: null, ts: iso(2) },
      { ts: iso(3) },
      { ts: iso(4) },
    ]);
    const { present, missing, notPublished } = intervalState;
    assert.deepEqual(notes, [present, missing, present, missing, notPublished]);
    assert.deepEqual(
      all.columns.map(({ name }) => name),
      ['a', 'ts'],
    );
  });

  it('keeps rows without an instant at the end, and the texts of the service', () => {
    const frame = frameOf([
      { ts: null, a: 7 },
      { ts: '2023-05-01T04:00:00+02:00', a: 1 },
    ]);
    const { rows, notes } = filled(frame, 3);
    assert.deepEqual(rows, [
      { ts: iso(0) },
      { ts: iso(1) },
      { ts: '2023-05-01T04:00:00+02:00', a: 1 },
      { ts: null, a: 7 },
    ]);
    assert.deepEqual(notes, [1, 1, 0, 0]);
  });

  it('changes nothing when nothing is missing, or when rows have no time', () => {
    const whole = frameOf([{ ts: iso(0) }, { ts: iso(1) }]);
    assert.equal(filled(whole, 2).all, whole);
    const none = frameOf([]);
    assert.equal(filled(none, 2).all, none);
  });

  it('never replaces a row that the coverage does not list', () => {
    const frame = frameOf([{ ts: iso(1), a: 1 }]);
    const coverage = computeCoverage(frameOf([]), { start, end: start + 2 * hour }, hour, { now: start + 9 * hour });
    assert.ok(coverage);
    const result = addMissingRows(frame, coverage, start, hour);
    assert.deepEqual([...generateRecords(result.frame)], [{ ts: iso(0) }, { ts: iso(1), a: 1 }]);
    assert.deepEqual([...result.rowStates], [1, 0]);
  });

  it('adds no rows beyond the limit of cells, whatever a small response requests', () => {
    const names = Object.fromEntries(Array.from({ length: 1_999 }, (_, at) => [`n${at}`, at]));
    const frame = frameOf([{ ts: iso(0), ...names }]);
    const coverage = { states: new Uint8Array(876_000).fill(intervalState.missing) };
    const result = addMissingRows(frame, coverage, start, hour);
    assert.equal(result.frame, frame);
    assert.deepEqual([...result.rowStates], [intervalState.present]);
  });

  it('restores the original rows, in order, and a row for every step', () => {
    const records = fc.array(fc.record({ h: fc.integer({ min: -8, max: 80 }), a: fc.option(fc.integer()) }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(records, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 25 }), (list, hours, now) => {
        const ordered = list
          .map(({ h, a }) => ({ ts: iso(h / 4), a }))
          .sort((x, y) => (x.ts < y.ts ? -1 : +(x.ts > y.ts)));
        const frame = frameOf([{ ts: iso(0), a: 0 }, ...ordered].sort((x, y) => (x.ts < y.ts ? -1 : +(x.ts > y.ts))));
        const { rows, notes } = filled(frame, hours, now);
        const kept = rows.filter((_, row) => notes[row] === intervalState.present);
        assert.deepEqual(kept, [...generateRecords(frame)]);
        const times = rows.map(({ ts }) => Date.parse(String(ts)));
        assert.deepEqual(
          times,
          times.toSorted((x, y) => x - y),
        );
        const steps = new Set(times.map(ms => Math.floor((ms - start) / hour)));
        for (let step = 0; step < hours; step++) assert.ok(steps.has(step));
      }),
      { numRuns: manyRuns(200) },
    );
  });
});
