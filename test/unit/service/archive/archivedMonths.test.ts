import assert from 'node:assert/strict';
import * as fsPromises from 'node:fs/promises';
import fc from 'fast-check';
import { frameOf } from '../../../../src/core/decode/decode.ts';
import { concatSteps, rowsWithin, sortByTimeSteps } from '../../../../src/core/frame/frames.ts';
import type { StorageFs } from '../../../../src/service/files/fileSystem.ts';
import { ArrowLayouts } from '../../../../src/service/archive/arrowLayout.ts';
import { runSteps } from '../../../../src/core/time/steps.ts';
import { ArchivedMonths } from '../../../../src/service/archive/archivedMonths.ts';
import { encodeMonth, openMonth } from '../../../../src/service/archive/monthFile.ts';
import { monthsOf } from '../../../../src/service/archive/months.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import { hourly, hourMs, keptValues, saidBy, series, testArchive, unsyncedFs } from './archiveSetUp.ts';
import { manyRuns } from '../../../support/manyRuns.ts';

const start = Date.UTC(2021, 0, 1);
const end = Date.UTC(2023, 0, 1);
const months = monthsOf({ start, end });

/** What the archive gives of months whose files all lie in the same memory, one after the other. */
async function joined(frames: readonly Frame[], span: { start: number; end: number }): Promise<Frame> {
  const kept = new ArchivedMonths(hourMs, span);
  const layouts = new ArrowLayouts();
  const memory = new Uint8Array(1_000_000);
  frames.forEach((frame, index) => {
    const month = months[index];
    assert.ok(month);
    const content = { frame, unitMs: hourMs, askedAt: new Float64Array(744), meta: {}, metaAskedAt: 0 };
    const file = encodeMonth(content, layouts);
    memory.fill(0xaa).set(file);
    const opened = openMonth(memory.subarray(0, file.length), month);
    assert.ok(opened.kind === 'month');
    kept.add(month, opened.content, frames.length - 1 - index);
  });
  memory.fill(0xaa);
  return (await kept.all()).frame;
}

describe('reading several archived months', () => {
  it('reads only as many months as the limit of names allows; the others count as not archived', async () => {
    const frames = months.slice(0, 12).map(({ start: ms }, month) => {
      const names = Object.fromEntries(Array.from({ length: 190 }, (_, at) => [`odd_${month}_${at}`, at]));
      return frameOf([{ ts: new Date(ms).toISOString(), ...names }]);
    });
    const { rowCount, columns } = await joined(frames, { start, end });
    assert.deepEqual([rowCount, columns.length], [10, 1 + 10 * 190]);
  });

  it('equals the concatenated frames of the months, for any range', async () => {
    const cell = fc.constantFrom<unknown>(1, -0, 0.25, null, true, 'n/a', '', '⚡', '2023-05-01T05:00:00+02:00', [1]);
    const row = fc.dictionary(fc.constantFrom('a', 'b'), cell, { maxKeys: 2, noNullPrototype: true });
    // Months alike, so that neighbours mostly have the same columns; and odd ones between them.
    const alike = fc.record({ a: fc.constantFrom(1, 2, null), b: fc.constantFrom('v1', 'v2'), on: fc.boolean() });
    const month = fc.oneof(fc.array(alike, { minLength: 1, maxLength: 9 }), fc.array(row, { maxLength: 4 }));
    const place = fc.integer({ min: 0, max: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(month, { maxLength: 6 }), place, place, async (all, a, b) => {
        const frames = all.map((rows, index) => {
          const first = months[index]?.start ?? 0;
          return frameOf(rows.map((cells, hour) => ({ ts: new Date(first + hour * hourMs).toISOString(), ...cells })));
        });
        const last = months[Math.max(0, frames.length - 1)]?.start ?? 0;
        const span = { start: start + a * hourMs, end: Math.max(last, start + a * hourMs) + b * hourMs };
        const parts = frames.map(frame => rowsWithin(runSteps(sortByTimeSteps(frame)), span));
        const expected = runSteps(concatSteps(parts.filter(({ rowCount }) => rowCount > 0)));
        const frame = await joined(frames, span);
        assert.equal(frame.rowCount, expected.rowCount);
        if (expected.rowCount > 0) assert.deepEqual(saidBy(frame), saidBy(expected));
      }),
      { numRuns: manyRuns(200) },
    );
  });

  it('keeps a gap among many values, for any range', async () => {
    const values = Array.from({ length: 100 }, (_, hour) => (hour % 29 === 28 || hour % 32 === 16 ? null : hour));
    for (const from of [0, 3, 8, 21]) {
      const frame = await joined([hourly(start, values).frame], { start: start + from * hourMs, end });
      assert.deepEqual(saidBy(frame), saidBy(hourly(start + from * hourMs, values.slice(from)).frame));
    }
  });

  it('returns arrays of exact length', async () => {
    const hours = (count: number, from: number): Frame =>
      hourly(from, [null, ...Array<number>(count - 1).fill(1)]).frame;
    const frames = [hours(3, start), hours(2, months[1]?.start ?? 0)];
    for (const column of (await joined(frames, { start, end })).columns) {
      assert.ok('values' in column);
      assert.equal(column.values.buffer.byteLength, 5 * column.values.BYTES_PER_ELEMENT);
      if (column.gaps) assert.equal(column.gaps.buffer.byteLength, 5);
    }
  });
});

describe('FileArchive, reading many files', () => {
  const values = Array.from({ length: (end - start) / hourMs }, (_, hour) => hour);

  it("returns each month's own rows, although buffers are reused", async () => {
    const test = testArchive();
    assert.equal(await test.archive.merge(series, hourMs, { start, end }, hourly(start, values)), true);
    assert.deepEqual(keptValues(await test.archive.read(series, hourMs, { start, end })), values);
  });

  it('reads files longer than any before', async () => {
    const test = testArchive();
    const long = (from: number, count: number): Record<string, unknown>[] =>
      Array.from({ length: count }, (_, hour) => {
        const ts = new Date(from + hour * hourMs).toISOString();
        return { ts, mw: hour, note: `${hour} `.repeat(400) };
      });
    const span = { start, end: Date.UTC(2021, 2, 1) };
    const frame = frameOf(long(start, 59 * 24));
    assert.equal(await test.archive.merge(series, hourMs, span, { frame, askedAt: 1, meta: {} }), true);
    const kept = await test.archive.read(series, hourMs, span);
    assert.deepEqual(saidBy(kept.frame), saidBy(frame));
  });

  it('reads a file that arrives in pieces, and does not treat it as damaged', async () => {
    const fs: StorageFs = {
      ...unsyncedFs,
      open: async (...args) => {
        const handle = await fsPromises.open(...args);
        const read = handle.read.bind(handle) as (...all: unknown[]) => Promise<{ bytesRead: number }>;
        const piece = async (bytes: Uint8Array, at: number, length: number, from: number): Promise<unknown> =>
          read(bytes, at, Math.min(500, length), from);
        return Object.assign(handle, { read: piece as unknown as typeof handle.read });
      },
    };
    const test = testArchive({ fs });
    await test.archive.merge(series, hourMs, { start, end }, hourly(start, values));
    assert.deepEqual(keptValues(await test.archive.read(series, hourMs, { start, end })), values);
    assert.deepEqual(test.troubles, []);
  });
});
