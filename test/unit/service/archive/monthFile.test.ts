import assert from 'node:assert/strict';
import { tableFromIPC } from 'apache-arrow';
import fc from 'fast-check';
import { describeFields } from '../../../../src/core/frame/describeFields.ts';
import { frameOf } from '../../../../src/core/decode/decode.ts';
import { ArrowLayouts } from '../../../../src/service/archive/arrowLayout.ts';
import { decodeMonth, encodeMonth, type MonthContent } from '../../../../src/service/archive/monthFile.ts';
import { monthsOf, type Month } from '../../../../src/service/archive/months.ts';
import { fileVersion, openSealed, seal, withNotes } from '../../../../src/service/archive/seal.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import { recordsWithExact } from '../../core/decode/records.ts';
import { hourMs, saidBy } from './archiveSetUp.ts';
import { manyRuns } from '../../../support/manyRuns.ts';

const start = Date.UTC(2023, 4, 1);
const [month] = monthsOf({ start, end: start + 1 }) as [Month];

const records = [
  { ts: '2023-05-01T05:00:00Z', mw: -0, on: true, who: 'v1 ⚡', list: [1, 'x'], ['__proto__']: 1e-300, late: null },
  { ts: '2023-05-01T06:00:00Z', mw: null, on: null, who: null, list: null, ['__proto__']: 0.1, late: 5 },
  { ts: '2023-05-01T07:00:00Z', mw: 22_000.5, on: false, who: '\ud800', list: {}, ['__proto__']: 2 },
];

function content(frame: Frame, more: Partial<MonthContent> = {}): MonthContent {
  return { frame, unitMs: hourMs, askedAt: new Float64Array(744), meta: {}, metaAskedAt: 0, ...more };
}

function encode(frame: Frame, more: Partial<MonthContent> = {}): Uint8Array {
  return encodeMonth(content(frame, more), new ArrowLayouts());
}

function decoded(file: Uint8Array): MonthContent {
  const read = decodeMonth(file, month);
  assert.equal(read.kind, 'month');
  return (read as { content: MonthContent }).content;
}

describe('a month file', () => {
  it('restores exactly the frame it was written from', () => {
    const layouts = new ArrowLayouts();
    fc.assert(
      fc.property(recordsWithExact, generated => {
        const frame = frameOf(generated.map(record => ({ ...record, ts: '2023-05-01T05:00:00Z' })));
        const back = decoded(encodeMonth(content(frame), layouts)).frame;
        assert.equal(back.rowCount, frame.rowCount);
        assert.deepEqual(saidBy(back), saidBy(frame));
      }),
      { numRuns: manyRuns(500) },
    );
  });

  it('restores request times and the envelope', () => {
    const askedAt = new Float64Array(744).map((_, hour) => (hour % 3 === 0 ? 0 : start + Math.floor(hour / 7)));
    const meta = { count: 3, note: 'as of 05:00 ⚡', nested: { a: [null] } };
    const back = decoded(encode(frameOf(records), { askedAt, meta, metaAskedAt: 17 }));
    assert.deepEqual(back.askedAt, askedAt);
    assert.deepEqual({ meta: back.meta, at: back.metaAskedAt }, { meta, at: 17 });
  });

  it('stores hours without rows', () => {
    const back = decoded(encode({ rowCount: 0, columns: [] }, { askedAt: new Float64Array(744).fill(5) }));
    assert.equal(back.frame.rowCount, 0);
    assert.deepEqual(new Set(back.askedAt), new Set([5]));
  });

  it('omits an envelope that is longer than the data', () => {
    const file = encode(frameOf(records), { meta: { log: 'x'.repeat(100_000) } });
    assert.ok(file.length < 20_000, `${file.length} bytes`);
    assert.deepEqual(decoded(file).meta, {});
  });

  it('writes a file that Arrow reads, with its own types', () => {
    for (const file of [encode(frameOf(records)), encode(frameOf(records)).subarray(8)]) {
      const table = tableFromIPC(file);
      assert.deepEqual(
        table.schema.fields.map(({ name, type }) => `${name}: ${String(type)}`),
        [
          'ts: Timestamp<MILLISECOND, UTC>',
          'mw: Float64',
          'on: Bool',
          'who: Dictionary<Int32, Utf8>',
          'list: Dictionary<Int32, Utf8>',
          '__proto__: Float64',
          'late: Float64',
        ],
      );
      const column = (index: number): unknown[] => [...(table.getChildAt(index) ?? [])];
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
    }
  });

  it('stores received time texts in a column beside them, and notes on its fields', () => {
    const answer = frameOf([{ ts: '2023-05-01T07:00:00+02:00', residual_demand_mw: 1, 'ts (received)': 2 }]);
    const frame = describeFields(answer, systemStateFields);
    const table = tableFromIPC(encode(frame));
    assert.deepEqual(table.schema.names, ['ts', 'ts (received)', 'residual_demand_mw', "ts (received)'"]);
    assert.equal(table.getChildAt(1)?.get(0), '2023-05-01T07:00:00+02:00');
    assert.deepEqual(Object.fromEntries(table.schema.fields[2]?.metadata ?? []), {
      kind: 'number',
      path: '["residual_demand_mw"]',
      unit: 'MW',
    });
  });

  it('reads bytes at any offset', () => {
    const file = encode(frameOf(records));
    const moved = Buffer.concat([Buffer.from('abc'), file]).subarray(3);
    assert.deepEqual(saidBy(decoded(moved).frame), saidBy(frameOf(records)));
  });

  it('writes data of one shape in one layout', () => {
    const layouts = new ArrowLayouts();
    const hours = (mw: number): Frame =>
      frameOf([
        { ts: '2023-05-01T05:00:00Z', mw },
        { ts: '2023-05-01T06:00:00Z', mw: null },
      ]);
    for (const mw of [1, 2, 3]) {
      const file = encodeMonth(content(hours(mw)), layouts);
      assert.deepEqual([...(tableFromIPC(file).getChild('mw') ?? [])], [mw, null]);
      assert.deepEqual(saidBy(decoded(file).frame), saidBy(hours(mw)));
    }
  });
});

describe('the checksum of a month file', () => {
  const file = new Uint8Array(encode(frameOf(records)));

  it('detects every flipped bit', () => {
    for (let at = 0; at < file.length; at++) {
      const flipped = file.slice();
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
      assert.equal(decodeMonth(flipped, month).kind, 'damaged', `byte ${at}`);
    }
  });

  it('detects every other length', () => {
    for (let length = 0; length < file.length; length++)
      assert.equal(decodeMonth(file.slice(0, length), month).kind, 'damaged', `${length} bytes`);
    assert.equal(decodeMonth(Buffer.concat([file, file]), month).kind, 'damaged');
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), bytes => openSealed(bytes).kind === 'damaged'));
  });

  it('distinguishes older and newer versions', () => {
    for (const [version, kind] of [
      [fileVersion - 1, 'older'],
      [fileVersion, 'whole'],
      [fileVersion + 1, 'newer'],
    ] as const) {
      const other = withNotes(file, '{}', version);
      seal(other);
      assert.equal(openSealed(other).kind, kind);
    }
  });
});
