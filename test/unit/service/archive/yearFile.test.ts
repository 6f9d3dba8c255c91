import assert from 'node:assert/strict';
import { tableFromIPC, Type } from '@uwdata/flechette';
import fc from 'fast-check';
import { describeFields } from '../../../../src/core/frame/describeFields.ts';
import { sliceByTime } from '../../../../src/core/frame/frames.ts';
import { frameOf } from '../../../../src/core/decode/decode.ts';
import { decodeYear, encodeYear, type ReadYear, type YearContent } from '../../../../src/service/archive/yearFile.ts';
import { listYears, type Year } from '../../../../src/service/archive/years.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import { newerYearFile } from '../../../hostile/yearFiles.ts';
import { recordsWithExact } from '../../core/decode/records.ts';
import { hourMs, saidBy } from './archiveSetUp.ts';
import { manyRuns } from '../../../support/manyRuns.ts';

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

function decoded(file: Uint8Array): YearContent {
  const read = readYear(file);
  assert.equal(read.kind, 'year');
  return (read as { content: YearContent }).content;
}

/** All that a file says. */
function saidByFile(file: Uint8Array): unknown {
  const { frame, ...rest } = decoded(file);
  return { frame: saidBy(frame), ...rest };
}

describe('a year file', () => {
  it('restores exactly the frame it was written from', () => {
    fc.assert(
      fc.property(recordsWithExact, generated => {
        const frame = frameOf(generated.map(record => ({ ...record, ts: '2023-05-01T05:00:00Z' })));
        const back = decoded(encode(frame)).frame;
        assert.equal(back.rowCount, frame.rowCount);
        assert.deepEqual(saidBy(back), saidBy(frame));
      }),
      { numRuns: manyRuns(500) },
    );
  });

  it('restores request times and the envelope', () => {
    const requestedAt = new Float64Array(8760).map((_, hour) => (hour % 3 === 0 ? 0 : start + Math.floor(hour / 7)));
    const meta = { count: 3, note: 'as of 05:00 ⚡', nested: { a: [null] } };
    const back = decoded(encode(frameOf(records), { requestedAt, meta, metaRequestedAt: 17 }));
    assert.deepEqual(back.requestedAt, requestedAt);
    assert.deepEqual({ meta: back.meta, at: back.metaRequestedAt }, { meta, at: 17 });
  });

  it('stores hours without rows', () => {
    const back = decoded(encode({ rowCount: 0, columns: [] }, { requestedAt: new Float64Array(8760).fill(5) }));
    assert.equal(back.frame.rowCount, 0);
    assert.deepEqual(new Set(back.requestedAt), new Set([5]));
  });

  it('restores the columns of a year without a row', () => {
    const empty = sliceByTime(frameOf(records), { start: 0, end: 1 });
    assert.deepEqual(saidBy(decoded(encode(empty)).frame), saidBy(empty));
    assert.equal(empty.columns.length, 7);
  });

  it('omits an envelope that is longer than the data', () => {
    const file = encode(frameOf(records), { meta: { log: 'x'.repeat(100_000) } });
    assert.ok(file.length < 20_000, `${file.length} bytes`);
    assert.deepEqual(decoded(file).meta, {});
  });

  it('is one that Arrow reads, with its own types', () => {
    const table = tableFromIPC(encode(frameOf(records)));
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
    const column = (index: number): unknown[] => [...table.getChildAt(index)];
    assert.deepEqual(
      column(0),
      [5, 6, 7].map(hour => start + hour * hourMs),
    );
    assert.deepEqual(column(1), [-0, null, 22_000.5]);
    assert.deepEqual(column(2), [true, null, false]);
    assert.deepEqual(column(3), ['v1 ⚡', null, '"\\ud800"']);
    assert.deepEqual(column(4), ['[1,"x"]', null, '{}']);
    assert.deepEqual(column(5), [1e-300, 0.1, 2]);
    assert.deepEqual(column(6), [null, 5, null]);
  });

  it('stores received time texts in a column beside them, and notes on its fields', () => {
    const answer = frameOf([{ ts: '2023-05-01T07:00:00+02:00', residual_demand_mw: 1, 'ts (received)': 2 }]);
    const frame = describeFields(answer, systemStateFields);
    const table = tableFromIPC(encode(frame));
    assert.deepEqual(table.names, ['ts', 'ts (received)', 'residual_demand_mw', "ts (received)'"]);
    assert.equal(table.getChildAt(1).get(0), '2023-05-01T07:00:00+02:00');
    assert.deepEqual(Object.fromEntries(table.schema.fields[2]?.metadata ?? []), {
      kind: 'number',
      path: '["residual_demand_mw"]',
      unit: 'MW',
    });
  });

  it('of a later version is told from a damaged one', () => {
    assert.equal(readYear(newerYearFile(encode(frameOf(records)))).kind, 'newerVersion');
  });
});

describe('a year file that was damaged', () => {
  const file = new Uint8Array(
    encode(frameOf(records), { requestedAt: new Float64Array(8760).fill(5), meta: { a: 1 } }),
  );

  it('is noticed, whichever bit is flipped, unless that says nothing', () => {
    const said = saidByFile(file);
    let damaged = 0;
    for (let at = 0; at < file.length; at++) {
      const flipped = file.slice();
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
      const { kind } = readYear(flipped);
      if (kind === 'year') assert.deepEqual(saidByFile(flipped), said, `byte ${at}`);
      else damaged++;
    }
    // The schema is there twice, and names of columns for others.
    assert.ok(damaged > file.length / 4, `${damaged} of ${file.length}`);
  });

  it('is noticed when it has another length', () => {
    for (let length = 0; length < file.length; length++)
      assert.equal(readYear(file.slice(0, length)).kind, 'damaged', `${length} bytes`);
  });

  it('is read in no time, whatever any of its numbers says', () => {
    const said = saidByFile(file);
    const view = new DataView(file.slice().buffer);
    for (let at = 0; at + 4 <= file.length; at++) {
      const before = view.getInt32(at, true);
      for (const number of [0x7fffffff, 0x10000, -1, file.length - at]) {
        view.setInt32(at, number, true);
        const changed = new Uint8Array(view.buffer);
        if (readYear(changed).kind === 'year') assert.deepEqual(saidByFile(changed), said, `${number} at ${at}`);
      }
      view.setInt32(at, before, true);
    }
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), bytes => readYear(bytes).kind === 'damaged'));
  });
});
