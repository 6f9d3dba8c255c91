import assert from 'node:assert/strict';
import fc from 'fast-check';
import { computeCoverage } from '../../../../src/core/frame/coverage.ts';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';
import { intervalState } from '../../../../src/shared/result.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import { addMissingRows } from '../../../../src/core/frame/frames.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const hour = 3_600_000;
const start = Date.parse('2023-05-01T00:00Z');
const toIso = (hours: number): string => new Date(start + hours * hour).toISOString().replace('.000Z', 'Z');

function fillMissing(frame: Frame, hours: number, now = hours) {
  const coverage = computeCoverage(frame, { start, end: start + hours * hour }, hour, { now: start + now * hour });
  assert.ok(coverage);
  const { frame: filled, rowStates } = addMissingRows(frame, coverage, start, hour);
  return { rows: [...generateRecords(filled)], notes: [...rowStates], all: filled };
}

describe('addMissingRows', () => {
  it('adds a row with only the time for each missing interval, and its reason', () => {
    const frame = recordsToFrame([
      { a: 1, ts: toIso(0) },
      { a: null, ts: toIso(2) },
    ]);
    const { rows, notes, all: filled } = fillMissing(frame, 5, 4);
    assert.deepEqual(rows, [
      { a: 1, ts: toIso(0) },
      { ts: toIso(1) },
      { a: null, ts: toIso(2) },
      { ts: toIso(3) },
      { ts: toIso(4) },
    ]);
    const { present, missing, notPublished } = intervalState;
    assert.deepEqual(notes, [present, missing, present, missing, notPublished]);
    assert.deepEqual(
      filled.columns.map(({ name }) => name),
      ['a', 'ts'],
    );
  });

  it('keeps rows without an instant at the end, and the texts of the service', () => {
    const frame = recordsToFrame([
      { ts: null, a: 7 },
      { ts: '2023-05-01T04:00:00+02:00', a: 1 },
    ]);
    const { rows, notes } = fillMissing(frame, 3);
    assert.deepEqual(rows, [
      { ts: toIso(0) },
      { ts: toIso(1) },
      { ts: '2023-05-01T04:00:00+02:00', a: 1 },
      { ts: null, a: 7 },
    ]);
    assert.deepEqual(notes, [1, 1, 0, 0]);
  });

  it('returns the same frame if no rows are missing, or if rows have no time', () => {
    const complete = recordsToFrame([{ ts: toIso(0) }, { ts: toIso(1) }]);
    assert.equal(fillMissing(complete, 2).all, complete);
    const withoutTime = recordsToFrame([]);
    assert.equal(fillMissing(withoutTime, 2).all, withoutTime);
  });

  it('never replaces an existing row, even if the coverage is wrong', () => {
    const frame = recordsToFrame([{ ts: toIso(1), a: 1 }]);
    const coverage = computeCoverage(recordsToFrame([]), { start, end: start + 2 * hour }, hour, {
      now: start + 9 * hour,
    });
    assert.ok(coverage);
    const result = addMissingRows(frame, coverage, start, hour);
    assert.deepEqual([...generateRecords(result.frame)], [{ ts: toIso(0) }, { ts: toIso(1), a: 1 }]);
    assert.deepEqual([...result.rowStates], [1, 0]);
  });

  it('adds no rows beyond the limit of cells, however long the requested range is', () => {
    const names = Object.fromEntries(Array.from({ length: 1_999 }, (_, index) => [`n${index}`, index]));
    const frame = recordsToFrame([{ ts: toIso(0), ...names }]);
    const coverage = { states: new Uint8Array(876_000).fill(intervalState.missing) };
    const result = addMissingRows(frame, coverage, start, hour);
    assert.equal(result.frame, frame);
    assert.deepEqual([...result.rowStates], [intervalState.present]);
  });

  it('keeps the original rows in order, and has a row for every interval', () => {
    const records = fc.array(fc.record({ h: fc.integer({ min: -8, max: 80 }), a: fc.option(fc.integer()) }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(records, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 25 }), (list, hours, now) => {
        const ordered = list
          .map(({ h: hourIndex, a: value }) => ({ ts: toIso(hourIndex / 4), a: value }))
          .sort((a, b) => (a.ts < b.ts ? -1 : +(a.ts > b.ts)));
        const frame = recordsToFrame(
          [{ ts: toIso(0), a: 0 }, ...ordered].sort((x, y) => (x.ts < y.ts ? -1 : +(x.ts > y.ts))),
        );
        const { rows, notes } = fillMissing(frame, hours, now);
        const presentRows = rows.filter((_, row) => notes[row] === intervalState.present);
        assert.deepEqual(presentRows, [...generateRecords(frame)]);
        const times = rows.map(({ ts }) => Date.parse(String(ts)));
        assert.deepEqual(
          times,
          times.toSorted((x, y) => x - y),
        );
        const intervals = new Set(times.map(ms => Math.floor((ms - start) / hour)));
        for (let interval = 0; interval < hours; interval++) assert.ok(intervals.has(interval));
      }),
      { numRuns: scaleRunCount(200) },
    );
  });
});
