import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  hasSubMillisecondTimes,
  findTimeColumn,
  clipFrame,
  takeRows,
  moveMainTimeFirst,
} from '../../../../src/core/frame/clip.ts';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';
import { recordsWithExact } from '../decode/records.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const span = { start: Date.parse('2023-05-01T00:00Z'), end: Date.parse('2023-05-01T03:00Z') };

function clipHours(...hours: (string | null)[]): { rows: unknown[]; rowsOutside: number } {
  const { frame, rowsOutside } = clipFrame(recordsToFrame(hours.map(ts => ({ ts }))), span);
  return { rows: [...generateRecords(frame)].map(({ ts }) => ts), rowsOutside };
}

describe('clipFrame', () => {
  it('drops the row at the end, which a service may include, and rows before the start', () => {
    const hours = [
      '2023-04-30T23:59:59.999Z',
      '2023-05-01T00:00:00Z',
      '2023-05-01T02:59:59.999Z',
      '2023-05-01T03:00:00Z',
    ];
    assert.deepEqual(clipHours(...hours), { rows: hours.slice(1, 3), rowsOutside: 2 });
  });

  it('compares instants, not texts', () => {
    const hours = ['2023-05-01T01:59:00+02:00', '2023-05-01T02:00:00+02:00', '2023-05-01T05:00:00+02:00'];
    assert.deepEqual(clipHours(...hours), { rows: hours.slice(1, 2), rowsOutside: 2 });
  });

  it('keeps rows in received order, with duplicates', () => {
    const hours = ['2023-05-01T02:00:00Z', '2023-05-01T09:00:00Z', '2023-05-01T01:00:00Z', '2023-05-01T02:00:00Z'];
    assert.deepEqual(clipHours(...hours), { rows: hours.filter((_, row) => row !== 1), rowsOutside: 1 });
  });

  it('keeps rows without an instant', () => {
    assert.deepEqual(clipHours(null, '2023-05-01T09:00:00Z'), { rows: [null], rowsOutside: 1 });
  });

  it('returns the same frame when no row is outside the range', () => {
    const frame = recordsToFrame([{ ts: '2023-05-01T01:00:00Z' }]);
    assert.equal(clipFrame(frame, span).frame, frame);
    const timeless = recordsToFrame([{ a: 1 }]);
    assert.deepEqual(clipFrame(timeless, span), { frame: timeless, rowsOutside: 0 });
  });

  it('keeps the columns when no row is left', () => {
    const { frame, rowsOutside } = clipFrame(
      recordsToFrame([{ ts: '2022-05-01T01:00:00Z', a: 1, b: 'x', c: true, d: [1] }]),
      span,
    );
    assert.deepEqual([frame.rowCount, frame.columns.length, rowsOutside], [0, 5, 1]);
    assert.deepEqual([...generateRecords(frame)], []);
  });
});

describe('moveMainTimeFirst', () => {
  it('moves the time column with the most distinct instants to the front, and leaves other frames unchanged', () => {
    const a = '2026-05-01T00:00:00Z';
    const b = '2026-05-01T01:00:00Z';
    const frame = recordsToFrame([
      { published: b, value: 1, delivery: a },
      { published: b, value: 2, delivery: b },
    ]);
    assert.deepEqual(
      moveMainTimeFirst(frame).columns.map(({ name }) => name),
      ['delivery', 'published', 'value'],
    );
    const ordered = recordsToFrame([{ from: a, to: b }]);
    assert.equal(moveMainTimeFirst(ordered), ordered);
  });
});

describe('findTimeColumn', () => {
  it('prefers ts to an earlier time column', () => {
    const frame = recordsToFrame([{ created: '2023-05-01T01:00:00Z', ts: '2023-05-01T00:00:00Z' }]);
    assert.equal(findTimeColumn(frame)?.name, 'ts');
  });

  it('selects the first time column if ts is not a time', () => {
    const frame = recordsToFrame([{ ts: 1, from: '2023-05-01T01:00:00Z', to: '2023-05-01T02:00:00Z' }]);
    assert.equal(findTimeColumn(frame)?.name, 'from');
    assert.equal(findTimeColumn(recordsToFrame([{ ts: 1 }])), undefined);
  });
});

describe('takeRows', () => {
  it('returns the selected rows with all their values', () => {
    fc.assert(
      fc.property(recordsWithExact, fc.array(fc.nat(5), { maxLength: 8 }), (records, selection) => {
        const frame = recordsToFrame(records);
        const selectedRows = selection.filter(row => row < records.length);
        const allRecords = [...generateRecords(frame)];
        assert.deepEqual(
          [...generateRecords(takeRows(frame, Uint32Array.from(selectedRows)))],
          selectedRows.map(row => allRecords[row]),
        );
      }),
      { numRuns: scaleRunCount(300) },
    );
  });
});

describe('hasSubMillisecondTimes', () => {
  const hasCutTime = (ts: string): boolean =>
    hasSubMillisecondTimes(recordsToFrame([{ ts: '2023-05-01T00:00:00Z' }, { ts }]));

  it('detects times finer than milliseconds, ignoring trailing zeros', () => {
    for (const ts of ['2023-05-01T00:00:01.123456Z', '2023-05-01T00:00:01.0000001+02:00'])
      assert.ok(hasCutTime(ts), ts);
    for (const ts of ['2023-05-01T01:00:00Z', '2023-05-01T00:00:01.123Z', '2023-05-01T00:00:01.123000Z'])
      assert.ok(!hasCutTime(ts), ts);
  });
});
