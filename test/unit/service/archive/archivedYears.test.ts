import assert from 'node:assert/strict';
import * as fsPromises from 'node:fs/promises';
import fc from 'fast-check';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { concatFrames, sliceByTime, sortByTime } from '../../../../src/core/frame/frames.ts';
import { joinYears } from '../../../../src/service/archive/archivedYears.ts';
import { decodeYear, encodeYear } from '../../../../src/service/archive/yearFile.ts';
import { listYears } from '../../../../src/service/archive/years.ts';
import type { StorageFs } from '../../../../src/service/files/fileSystem.ts';
import { cellState, type Frame } from '../../../../src/shared/frame.ts';
import {
  createHourlyResponse,
  hourMs,
  listValues,
  toComparable,
  series,
  createTestArchive,
  unsyncedFs,
} from './archiveSetUp.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const start = Date.UTC(2010, 0, 1);
const end = Date.UTC(2023, 0, 1);
const years = listYears({ start, end });

/** Writes years and returns them as read from the archive. */
function joined(frames: readonly Frame[], span: { start: number; end: number }): Frame {
  const archived = frames.map((frame, index) => {
    const year = years[index];
    assert.ok(year);
    const requestedAt = new Float64Array((year.end - year.start) / hourMs);
    const content = { frame, unitMs: hourMs, requestedAt, meta: {}, metaRequestedAt: 0 };
    const decoded = decodeYear(encodeYear(content), year);
    assert.ok(decoded.kind === 'year');
    return { ...decoded.content, year };
  });
  return joinYears(archived, hourMs, span).frame;
}

describe('reading several archived years', () => {
  it('reads only as many years as the limit of column names allows, and treats other years as not archived', () => {
    const frames = years.slice(0, 12).map(({ start: ms }, year) => {
      const names = Object.fromEntries(Array.from({ length: 190 }, (_, index) => [`field_${year}_${index}`, index]));
      return recordsToFrame([{ ts: new Date(ms).toISOString(), ...names }]);
    });
    const { rowCount, columns } = joined(frames, { start, end });
    assert.deepEqual([rowCount, columns.length], [10, 1 + 10 * 190]);
  });

  it('equals the concatenated frames of the years, for any range', () => {
    const cell = fc.constantFrom<unknown>(1, -0, 0.25, null, true, 'n/a', '', '⚡', '2023-05-01T05:00:00+02:00', [1]);
    const row = fc.dictionary(fc.constantFrom('a', 'b'), cell, { maxKeys: 2, noNullPrototype: true });
    const year = fc.array(row, { maxLength: 6 });
    const hour = fc.integer({ min: 0, max: 12 });
    fc.assert(
      fc.property(fc.array(year, { maxLength: 4 }), hour, hour, (generatedYears, a, b) => {
        const frames = generatedYears.map((rows, index) => {
          const first = years[index]?.start ?? 0;
          return recordsToFrame(
            rows.map((cells, hour) => ({ ts: new Date(first + hour * hourMs).toISOString(), ...cells })),
          );
        });
        const last = years[Math.max(0, frames.length - 1)]?.start ?? 0;
        const span = { start: start + a * hourMs, end: Math.max(last, start + a * hourMs) + b * hourMs };
        // The fields that only rows outside the range have are removed.
        const parts = frames.map(frame => {
          const { rowCount, columns } = sliceByTime(sortByTime(frame), span);
          return { rowCount, columns: columns.filter(({ gaps }) => !gaps?.every(state => state === cellState.absent)) };
        });
        const expected = concatFrames(parts.filter(({ rowCount }) => rowCount > 0));
        const frame = joined(frames, span);
        assert.equal(frame.rowCount, expected.rowCount);
        if (expected.rowCount > 0) assert.deepEqual(toComparable(frame), toComparable(expected));
      }),
      { numRuns: scaleRunCount(200) },
    );
  });

  it('keeps a gap among many values, for any range', () => {
    const values = Array.from({ length: 100 }, (_, hour) => (hour % 29 === 28 || hour % 32 === 16 ? null : hour));
    for (const from of [0, 3, 8, 21]) {
      const frame = joined([createHourlyResponse(start, values).frame], { start: start + from * hourMs, end });
      assert.deepEqual(
        toComparable(frame),
        toComparable(createHourlyResponse(start + from * hourMs, values.slice(from)).frame),
      );
    }
  });

  it('returns arrays that are not views, since a view would send the whole file to the page', () => {
    const createHours = (count: number, from: number): Frame =>
      createHourlyResponse(from, [null, ...Array<number>(count - 1).fill(1)]).frame;
    for (const [frames, rows] of [
      [[createHours(3, start), createHours(2, years[1]?.start ?? 0)], 5],
      [[createHours(3, start)], 3],
    ] as const)
      for (const column of joined(frames, { start, end }).columns) {
        assert.ok('values' in column);
        assert.equal(column.values.buffer.byteLength, rows * column.values.BYTES_PER_ELEMENT);
        if (column.gaps) assert.equal(column.gaps.buffer.byteLength, rows);
      }
  });
});

describe('FileArchive with many files', () => {
  const span = { start: Date.UTC(2020, 0, 1), end };
  const values = Array.from({ length: (span.end - span.start) / hourMs }, (_, hour) => hour);

  it('returns the rows of each year, also from files that are read in several chunks', async () => {
    const fs: StorageFs = {
      ...unsyncedFs,
      open: async (...args) => {
        const handle = await fsPromises.open(...args);
        const read = handle.read.bind(handle) as (...args: unknown[]) => Promise<{ bytesRead: number }>;
        const readPiece = async (
          bytes: Uint8Array,
          offset: number,
          length: number,
          position: number,
        ): Promise<unknown> => read(bytes, offset, Math.min(5_000, length), position);
        return Object.assign(handle, { read: readPiece as unknown as typeof handle.read });
      },
    };
    const test = createTestArchive({ fs });
    assert.equal(await test.archive.merge(series, hourMs, span, createHourlyResponse(span.start, values)), true);
    assert.deepEqual(listValues(await test.archive.read(series, hourMs, span)), values);
    assert.deepEqual(test.errors, []);
  });

  it('keeps long texts', async () => {
    const test = createTestArchive();
    const records = Array.from({ length: 59 * 24 }, (_, hour) => {
      const ts = new Date(start + hour * hourMs).toISOString();
      return { ts, mw: hour, note: `${hour} `.repeat(400) };
    });
    const months = { start, end: Date.UTC(2010, 2, 1) };
    const frame = recordsToFrame(records);
    assert.equal(await test.archive.merge(series, hourMs, months, { frame, requestedAt: 1, meta: {} }), true);
    assert.deepEqual(toComparable((await test.archive.read(series, hourMs, months)).frame), toComparable(frame));
  });
});
