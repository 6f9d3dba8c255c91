import assert from 'node:assert/strict';
import fc from 'fast-check';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import type { JsonObject } from '../../../../src/core/decode/envelope.ts';
import { describeFields } from '../../../../src/core/frame/describeFields.ts';
import { concatFrames, canConcatenate, mergeByTime, viewRows, sortByTime } from '../../../../src/core/frame/frames.ts';
import { parseInstant } from '../../../../src/core/time/instant.ts';
import { ExactNumber } from '../../../../src/core/json/json.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import type { Column, Frame } from '../../../../src/shared/frame.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const toInstant = (hour: number): string => `2023-05-01T${String(hour).padStart(2, '0')}:00:00Z`;

function readRows(frame: Frame): unknown[] {
  return [...generateRecords(frame)];
}

function getKind(frame: Frame, name: string): string | undefined {
  return frame.columns.find(column => column.name === name)?.kind;
}

/** Generates values of every kind, so that two responses may have different kinds for a field. */
const cell = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    1e-300,
    22_000.5,
    null,
    true,
    false,
    '',
    'v1',
    'n/a',
    '\ud800',
    toInstant(3),
    '2023-05-01T05:00:00+02:00',
  ),
  fc.array(fc.integer(), { maxLength: 2 }),
);
const field = fc.constantFrom('mw', 'note', '__proto__', 'a.b');
const record = fc
  .tuple(fc.integer({ min: 0, max: 7 }), fc.array(fc.tuple(field, cell), { maxLength: 3 }))
  .map(([hour, cells]): JsonObject => Object.fromEntries([['ts', toInstant(hour)], ...cells]));
const records = fc.array(record, { maxLength: 8 });

function getInstant(row: unknown): number {
  return parseInstant((row as { ts: string }).ts) ?? NaN;
}

/** Models the merge row by row. */
function mergeRows(older: readonly unknown[], newer: readonly unknown[]): unknown[] {
  const replacedInstants = new Set(newer.map(getInstant));
  return [...older.filter(row => !replacedInstants.has(getInstant(row))), ...newer].sort(
    (a, b) => getInstant(a) - getInstant(b),
  );
}

describe('mergeByTime', () => {
  it('merges like a row-by-row merge, whatever the kinds of the columns', () => {
    fc.assert(
      fc.property(fc.array(records, { minLength: 1, maxLength: 4 }), lists => {
        let frame: Frame = { rowCount: 0, columns: [] };
        let expected: unknown[] = [];
        for (const records of lists) {
          frame = mergeByTime(frame, recordsToFrame(records));
          expected = mergeRows(expected, readRows(recordsToFrame(records)));
          assert.deepEqual(readRows(frame), expected);
        }
      }),
      { numRuns: scaleRunCount(300) },
    );
  });

  it('gives each column the kind that it would have in a single response', () => {
    fc.assert(
      fc.property(records, records, (older, newer) => {
        const frame = mergeByTime(recordsToFrame(older), recordsToFrame(newer));
        const decodedTogether = recordsToFrame(readRows(frame) as JsonObject[]);
        for (const { name, kind, gaps } of frame.columns) {
          // A column without a value keeps its kind.
          if (gaps?.every(state => state !== 0)) continue;
          if (frame.rowCount > 0) assert.equal(kind, getKind(decodedTogether, name), name);
        }
      }),
      { numRuns: scaleRunCount(300) },
    );
  });

  it('takes all rows of an instant from the newer frame', () => {
    const older = recordsToFrame([
      { ts: toInstant(1), mw: 1 },
      { ts: toInstant(1), mw: 2 },
      { ts: toInstant(2), mw: 3 },
    ]);
    const newer = recordsToFrame([
      { ts: toInstant(3), mw: 6 },
      { ts: toInstant(1), mw: 4 },
      { ts: toInstant(1), mw: 5 },
    ]);
    assert.deepEqual(
      readRows(mergeByTime(older, newer)).map(row => (row as { mw: number }).mw),
      [4, 5, 3, 6],
    );
  });

  it('keeps rows without an instant, at the end', () => {
    const older = recordsToFrame([
      { ts: toInstant(5), mw: 1 },
      { ts: null, mw: 2 },
    ]);
    const newer = recordsToFrame([
      { ts: null, mw: 3 },
      { ts: toInstant(7), mw: 4 },
    ]);
    assert.deepEqual(
      readRows(mergeByTime(older, newer)).map(row => (row as { mw: number }).mw),
      [1, 4, 2, 3],
    );
  });

  it('leaves a field absent in rows that did not have it', () => {
    const frame = mergeByTime(recordsToFrame([{ ts: toInstant(1) }]), recordsToFrame([{ ts: toInstant(2), pv_mw: 5 }]));
    assert.deepEqual(readRows(frame), [{ ts: toInstant(1) }, { ts: toInstant(2), pv_mw: 5 }]);
    const pv = frame.columns.find(({ name }) => name === 'pv_mw');
    assert.ok(pv?.kind === 'number');
    assert.deepEqual([...pv.values], [NaN, 5], 'gaps are NaN, even if the gap states are ignored');
  });

  it('keeps the field descriptions of either frame', () => {
    const described = describeFields(recordsToFrame([{ ts: toInstant(1), wind_mw: 1 }]), systemStateFields);
    const undescribed = recordsToFrame([{ ts: toInstant(2), wind_mw: 2 }]);
    for (const frame of [mergeByTime(described, undescribed), mergeByTime(undescribed, described)])
      assert.equal(frame.columns[1]?.field?.unit?.text, 'MW');
  });

  it('returns a number column once its only text is replaced', () => {
    const mixed = mergeByTime(
      recordsToFrame([{ ts: toInstant(1), mw: 1.5 }]),
      recordsToFrame([{ ts: toInstant(2), mw: 'n/a' }]),
    );
    assert.equal(getKind(mixed, 'mw'), 'nested');
    const mended = mergeByTime(mixed, recordsToFrame([{ ts: toInstant(2), mw: 2.5 }]));
    assert.equal(getKind(mended, 'mw'), 'number');
    assert.deepEqual(readRows(mended), [
      { ts: toInstant(1), mw: 1.5 },
      { ts: toInstant(2), mw: 2.5 },
    ]);
  });

  it('keeps numbers beyond double precision', () => {
    const exact = recordsToFrame([{ ts: toInstant(1), id: new ExactNumber('9007199254740993') }]);
    const frame = mergeByTime(exact, recordsToFrame([{ ts: toInstant(2), id: 5 }]));
    const id = frame.columns.find(({ name }) => name === 'id');
    assert.ok(id?.kind === 'nested');
    assert.deepEqual(id.texts.entries, ['9007199254740993', '5']);
  });

  it('gives each column a unique name', () => {
    const frame = mergeByTime(
      recordsToFrame([{ ts: toInstant(1), 'a.b': 1 }]),
      recordsToFrame([{ ts: toInstant(2), a: { b: 2 } }]),
    );
    assert.deepEqual(
      frame.columns.map(({ name }) => name),
      ['ts', 'a.b', '"a"."b"'],
    );
    assert.deepEqual(readRows(frame), [
      { ts: toInstant(1), 'a.b': 1 },
      { ts: toInstant(2), a: { b: 2 } },
    ]);
  });

  it('shares no array with the merged frames', () => {
    const older = recordsToFrame([{ ts: toInstant(1), mw: 1 }]);
    const newer = recordsToFrame([{ ts: toInstant(2), mw: 2 }]);
    const frame = mergeByTime(older, newer);
    for (const column of [...older.columns, ...newer.columns]) if ('values' in column) column.values.fill(0);
    assert.deepEqual(readRows(frame), [
      { ts: toInstant(1), mw: 1 },
      { ts: toInstant(2), mw: 2 },
    ]);
  });
});

describe('concatFrames', () => {
  it('concatenates frames in order', () => {
    fc.assert(
      fc.property(fc.array(records, { maxLength: 4 }), lists => {
        const frames = lists.map(list => recordsToFrame(list));
        assert.deepEqual(readRows(concatFrames(frames)), frames.flatMap(readRows));
      }),
      { numRuns: scaleRunCount(500) },
    );
  });
});

describe('canConcatenate', () => {
  it('allows exactly as many cells as the limit of a joined table', () => {
    const columns = Array.from({ length: 32 }, (_, index): Column => {
      return { kind: 'number', name: `c${index}`, path: [`c${index}`], values: new Float64Array() };
    });
    const half = { rowCount: 500_000, columns };
    assert.equal(canConcatenate([half, half]), true);
    assert.equal(canConcatenate([half, { ...half, rowCount: half.rowCount + 1 }]), false);
  });
});

describe('viewRows', () => {
  it('returns the selected rows without copying', () => {
    const frame = recordsToFrame(
      [1, 2, 3].map(hour => ({ ts: toInstant(hour), mw: hour === 1 ? null : hour, who: `v${hour}` })),
    );
    const part = viewRows(frame, 1, 3);
    assert.deepEqual(readRows(part), readRows(frame).slice(1));
    const wholeColumn = frame.columns[1];
    const viewColumn = part.columns[1];
    assert.ok(wholeColumn?.kind === 'number' && viewColumn?.kind === 'number');
    assert.equal(viewColumn.values.buffer, wholeColumn.values.buffer);
    assert.equal(viewColumn.gaps, undefined);
  });
});

describe('sortByTime', () => {
  it('leaves an ascending frame unchanged, and sorts others stably', () => {
    const ascending = recordsToFrame([{ ts: toInstant(1) }, { ts: toInstant(2) }]);
    assert.equal(sortByTime(ascending), ascending);
    const mixed = recordsToFrame([3, 1, 3, 2].map((hour, n) => ({ ts: toInstant(hour), n })));
    assert.deepEqual(
      readRows(sortByTime(mixed)).map(row => (row as { n: number }).n),
      [1, 3, 0, 2],
    );
  });

  it('sorts any rows stably by instant', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 }), hours => {
        const frame = recordsToFrame(hours.map((hour, n) => ({ ts: toInstant(hour), n })));
        const expected = hours
          .map((hour, n) => ({ ts: toInstant(hour), n }))
          .sort((a, b) => getInstant(a) - getInstant(b));
        assert.deepEqual(readRows(sortByTime(frame)), expected);
      }),
    );
  });
});
