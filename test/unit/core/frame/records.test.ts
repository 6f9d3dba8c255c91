import assert from 'node:assert/strict';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { createReceivedTimeFormatter } from '../../../../src/core/export/timeFormatters.ts';
import { createJsonLayout } from '../../../../src/core/export/jsonRecords.ts';
import { writeWholeText } from '../../../../src/core/export/cellWriter.ts';
import { ExactNumber } from '../../../../src/core/json/json.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';

describe('generateRecords', () => {
  it('returns plain objects in the shape in which they were received', () => {
    const records = [
      { ts: '2023-05-01T02:00:00+02:00', parts: { a: 1, b: { c: 'x' } }, tags: [1] },
      { ts: '2023-05-01T01:00:00Z', parts: { a: null, b: { c: 'y' } } },
    ];
    assert.deepEqual([...generateRecords(recordsToFrame(records))], records);
  });

  it('returns days of a zone as dates', () => {
    const bins = { size: 'day', timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' } as const;
    const values = Float64Array.of(Date.UTC(2026, 10, 15, 22), NaN);
    const time = { kind: 'time', name: 'ts', path: ['ts'], values, gaps: Uint8Array.of(0, 1), bins } as const;
    assert.deepEqual([...generateRecords({ rowCount: 2, columns: [time] })], [{ ts: '2026-11-16' }, { ts: null }]);
  });

  it('returns an integer beyond 2^53 as the nearest number', () => {
    const rows = [...generateRecords(recordsToFrame([{ id: new ExactNumber('9007199254740993') }]))];
    assert.deepEqual(rows, [{ id: 9007199254740992 }]);
  });

  it('returns both a value and the fields within it, like a JSON export', () => {
    const value = recordsToFrame([{ a: 1 }]);
    const within = recordsToFrame([{ a: { b: 2 } }]);
    for (const [frames, expected] of [
      [[value, within], { a: 1, 'a.b': 2 }],
      [[within, value], { a: { b: 2 }, 'a (2)': 1 }],
    ] as const) {
      const columns = frames.flatMap(frame => frame.columns);
      assert.deepEqual([...generateRecords({ rowCount: 1, columns })], [expected]);
      assert.deepEqual(
        JSON.parse(writeWholeText(createJsonLayout(columns, createReceivedTimeFormatter()), { rowCount: 1 })),
        [expected],
      );
    }
  });

  it('returns null in each field of a null parent, and no field of an absent one', () => {
    const rows = [...generateRecords(recordsToFrame([{ a: { x: 1, y: 2 } }, { a: null }, {}]))];
    assert.deepEqual(rows, [{ a: { x: 1, y: 2 } }, { a: { x: null, y: null } }, {}]);
  });

  it('creates each row on access, and a new one each time', () => {
    const frame = recordsToFrame([{ tags: [1] }, { tags: [1] }]);
    const [first, second] = generateRecords(frame);
    assert.notEqual(first?.['tags'], second?.['tags']);
  });
});
