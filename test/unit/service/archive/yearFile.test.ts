import assert from 'node:assert/strict';
import { tableFromIPC, Type } from '@uwdata/flechette';
import fc from 'fast-check';
import { describeFields } from '../../../../src/core/frame/describeFields.ts';
import { sliceByTime } from '../../../../src/core/frame/frames.ts';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { decodeYear, encodeYear, type ReadYear, type YearContent } from '../../../../src/service/archive/yearFile.ts';
import { listYears, type Year } from '../../../../src/service/archive/years.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import { newerYearFile } from '../../../hostile/yearFiles.ts';
import { recordsWithExact } from '../../core/decode/records.ts';
import { hourMs, toComparable } from './archiveSetUp.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const start = Date.UTC(2023, 4, 1);
const [year] = listYears({ start, end: start + 1 }) as [Year];

const records = [
  { ts: '2023-05-01T05:00:00Z', mw: -0, on: true, who: 'v1 ⚡', list: [1, 'x'], ['__proto__']: 1e-300, late: null },
  { ts: '2023-05-01T06:00:00Z', mw: null, on: null, who: null, list: null, ['__proto__']: 0.1, late: 5 },
  { ts: '2023-05-01T07:00:00Z', mw: 22_000.5, on: false, who: '\ud800', list: {}, ['__proto__']: 2 },
];

function encode(frame: Frame, more: Partial<YearContent> = {}): Uint8Array {
  const content = { frame, unitMs: hourMs, requestedAt: new Float64Array(8760), meta: {}, metaRequestedAt: 0, ...more };
  return encodeYear(content);
}

function readYear(file: Uint8Array): ReadYear {
  return decodeYear(file, year);
}

function decodeContent(file: Uint8Array): YearContent {
  const result = readYear(file);
  assert.equal(result.kind, 'year');
  return (result as { content: YearContent }).content;
}

/** Decodes a file to a value that can be compared. */
function decodeComparable(file: Uint8Array): unknown {
  const { frame, ...rest } = decodeContent(file);
  return { frame: toComparable(frame), ...rest };
}

describe('year files', () => {
  it('restores exactly the written frame', () => {
    fc.assert(
      fc.property(recordsWithExact, generated => {
        const frame = recordsToFrame(generated.map(record => ({ ...record, ts: '2023-05-01T05:00:00Z' })));
        const restored = decodeContent(encode(frame)).frame;
        assert.equal(restored.rowCount, frame.rowCount);
        assert.deepEqual(toComparable(restored), toComparable(frame));
      }),
      { numRuns: scaleRunCount(500) },
    );
  });

  it('restores request times and the envelope', () => {
    const requestedAt = new Float64Array(8760).map((_, hour) => (hour % 3 === 0 ? 0 : start + Math.floor(hour / 7)));
    const meta = { count: 3, note: 'as of 05:00 ⚡', nested: { a: [null] } };
    const restored = decodeContent(encode(recordsToFrame(records), { requestedAt, meta, metaRequestedAt: 17 }));
    assert.deepEqual(restored.requestedAt, requestedAt);
    assert.deepEqual({ meta: restored.meta, at: restored.metaRequestedAt }, { meta, at: 17 });
  });

  it('stores hours without rows', () => {
    const restored = decodeContent(
      encode({ rowCount: 0, columns: [] }, { requestedAt: new Float64Array(8760).fill(5) }),
    );
    assert.equal(restored.frame.rowCount, 0);
    assert.deepEqual(new Set(restored.requestedAt), new Set([5]));
  });

  it('restores the columns of a year without a row', () => {
    const empty = sliceByTime(recordsToFrame(records), { start: 0, end: 1 });
    assert.deepEqual(toComparable(decodeContent(encode(empty)).frame), toComparable(empty));
    assert.equal(empty.columns.length, 7);
  });

  it('omits an envelope that is longer than the data', () => {
    const file = encode(recordsToFrame(records), { meta: { log: 'x'.repeat(100_000) } });
    assert.ok(file.length < 20_000, `${file.length} bytes`);
    assert.deepEqual(decodeContent(file).meta, {});
  });

  it("writes a file that Arrow reads, with Arrow's types", () => {
    const table = tableFromIPC(encode(recordsToFrame(records)));
    assert.deepEqual(
      table.schema.fields.map(({ name, type }) => [name, type.typeId]),
      [
        ['ts', Type.Timestamp],
        ['mw', Type.Float],
        ['on', Type.Bool],
        ['who', Type.Dictionary],
        ['list', Type.Dictionary],
        ['__proto__', Type.Float],
        ['late', Type.Float],
      ],
    );
    const findColumn = (index: number): unknown[] => [...table.getChildAt(index)];
    assert.deepEqual(
      findColumn(0),
      [5, 6, 7].map(hour => start + hour * hourMs),
    );
    assert.deepEqual(findColumn(1), [-0, null, 22_000.5]);
    assert.deepEqual(findColumn(2), [true, null, false]);
    assert.deepEqual(findColumn(3), ['v1 ⚡', null, '"\\ud800"']);
    assert.deepEqual(findColumn(4), ['[1,"x"]', null, '{}']);
    assert.deepEqual(findColumn(5), [1e-300, 0.1, 2]);
    assert.deepEqual(findColumn(6), [null, 5, null]);
  });

  it('stores received texts in a column after their times, and field metadata', () => {
    const receivedFrame = recordsToFrame([
      { ts: '2023-05-01T07:00:00+02:00', residual_demand_mw: 1, 'ts (received)': 2 },
    ]);
    const frame = describeFields(receivedFrame, systemStateFields);
    const table = tableFromIPC(encode(frame));
    assert.deepEqual(table.names, ['ts', 'ts (received)', 'residual_demand_mw', "ts (received)'"]);
    assert.equal(table.getChildAt(1).get(0), '2023-05-01T07:00:00+02:00');
    assert.deepEqual(Object.fromEntries(table.schema.fields[2]?.metadata ?? []), {
      kind: 'number',
      path: '["residual_demand_mw"]',
      unit: 'MW',
    });
  });

  it('distinguishes a later version from a damaged file', () => {
    assert.equal(readYear(newerYearFile(encode(recordsToFrame(records)))).kind, 'newerVersion');
  });
});

describe('damaged year files', () => {
  const file = new Uint8Array(
    encode(recordsToFrame(records), { requestedAt: new Float64Array(8760).fill(5), meta: { a: 1 } }),
  );

  it('detects any flipped bit that changes the content', () => {
    const expectedContent = decodeComparable(file);
    let damaged = 0;
    for (let offset = 0; offset < file.length; offset++) {
      const flipped = file.slice();
      flipped[offset] = (flipped[offset] ?? 0) ^ (1 << (offset % 8));
      const { kind } = readYear(flipped);
      if (kind === 'year') assert.deepEqual(decodeComparable(flipped), expectedContent, `byte ${offset}`);
      else damaged++;
    }
    // The file contains the schema twice, and column names for other readers.
    assert.ok(damaged > file.length / 4, `${damaged} of ${file.length}`);
  });

  it('detects a file of another length', () => {
    for (let length = 0; length < file.length; length++)
      assert.equal(readYear(file.slice(0, length)).kind, 'damaged', `${length} bytes`);
  });

  it('reads a file quickly for any numbers', () => {
    const expectedContent = decodeComparable(file);
    const view = new DataView(file.slice().buffer);
    for (let offset = 0; offset + 4 <= file.length; offset++) {
      const oldNumber = view.getInt32(offset, true);
      for (const number of [0x7fffffff, 0x10000, -1, file.length - offset]) {
        view.setInt32(offset, number, true);
        const changed = new Uint8Array(view.buffer);
        if (readYear(changed).kind === 'year')
          assert.deepEqual(decodeComparable(changed), expectedContent, `${number} at ${offset}`);
      }
      view.setInt32(offset, oldNumber, true);
    }
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), bytes => readYear(bytes).kind === 'damaged'));
  });
});
