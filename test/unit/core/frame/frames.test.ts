import assert from 'node:assert/strict';
import fc from 'fast-check';
import { frameOf } from '../../../../src/core/decode/decode.ts';
import type { JsonObject } from '../../../../src/core/decode/envelope.ts';
import { describeFields } from '../../../../src/core/frame/describeFields.ts';
import { concatFrames, canConcatenate, mergeByTime, viewRows, sortByTime } from '../../../../src/core/frame/frames.ts';
import { parseInstant } from '../../../../src/core/time/instant.ts';
import { ExactNumber } from '../../../../src/core/json/json.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import type { Column, Frame } from '../../../../src/shared/frame.ts';
import { manyRuns } from '../../../support/manyRuns.ts';

const at = (hour: number): string => `2023-05-01T${String(hour).padStart(2, '0')}:00:00Z`;

function rows(frame: Frame): unknown[] {
  return [...generateRecords(frame)];
}

function kindOf(frame: Frame, name: string): string | undefined {
  return frame.columns.find(column => column.name === name)?.kind;
}

/** Values of every kind, so that any two responses may have different kinds for a field. */
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
    at(3),
    '2023-05-01T05:00:00+02:00',
  ),
  fc.array(fc.integer(), { maxLength: 2 }),
);
const field = fc.constantFrom('mw', 'note', '__proto__', 'a.b');
const record = fc
  .tuple(fc.integer({ min: 0, max: 7 }), fc.array(fc.tuple(field, cell), { maxLength: 3 }))
  .map(([hour, cells]): JsonObject => Object.fromEntries([['ts', at(hour)], ...cells]));
const answer = fc.array(record, { maxLength: 8 });

function instant(row: unknown): number {
  return parseInstant((row as { ts: string }).ts) ?? NaN;
}

/** Models the merge row by row. */
function merged(kept: readonly unknown[], newer: readonly unknown[]): unknown[] {
  const replaced = new Set(newer.map(instant));
  return [...kept.filter(row => !replaced.has(instant(row))), ...newer].sort((a, b) => instant(a) - instant(b));
}

describe('mergeByTime', () => {
  it('merges like a row-by-row merge, whatever the kinds of the columns', () => {
    fc.assert(
      fc.property(fc.array(answer, { minLength: 1, maxLength: 4 }), answers => {
        let frame: Frame = { rowCount: 0, columns: [] };
        let expected: unknown[] = [];
        for (const records of answers) {
          frame = mergeByTime(frame, frameOf(records));
          expected = merged(expected, rows(frameOf(records)));
          assert.deepEqual(rows(frame), expected);
        }
      }),
      { numRuns: manyRuns(300) },
    );
  });

  it('gives each column the kind it would have in one response', () => {
    fc.assert(
      fc.property(answer, answer, (kept, newer) => {
        const frame = mergeByTime(frameOf(kept), frameOf(newer));
        const whole = frameOf(rows(frame) as JsonObject[]);
        for (const { name, kind, gaps } of frame.columns) {
          // A column without a value keeps its kind.
          if (gaps?.every(state => state !== 0)) continue;
          if (frame.rowCount > 0) assert.equal(kind, kindOf(whole, name), name);
        }
      }),
      { numRuns: manyRuns(300) },
    );
  });

  it('takes all rows of an instant from the newer frame', () => {
    const kept = frameOf([
      { ts: at(1), mw: 1 },
      { ts: at(1), mw: 2 },
      { ts: at(2), mw: 3 },
    ]);
    const newer = frameOf([
      { ts: at(3), mw: 6 },
      { ts: at(1), mw: 4 },
      { ts: at(1), mw: 5 },
    ]);
    assert.deepEqual(
      rows(mergeByTime(kept, newer)).map(row => (row as { mw: number }).mw),
      [4, 5, 3, 6],
    );
  });

  it('keeps rows without an instant, at the end', () => {
    const kept = frameOf([
      { ts: at(5), mw: 1 },
      { ts: null, mw: 2 },
    ]);
    const newer = frameOf([
      { ts: null, mw: 3 },
      { ts: at(7), mw: 4 },
    ]);
    assert.deepEqual(
      rows(mergeByTime(kept, newer)).map(row => (row as { mw: number }).mw),
      [1, 4, 2, 3],
    );
  });

  it('leaves a field absent in rows that did not have it', () => {
    const frame = mergeByTime(frameOf([{ ts: at(1) }]), frameOf([{ ts: at(2), pv_mw: 5 }]));
    assert.deepEqual(rows(frame), [{ ts: at(1) }, { ts: at(2), pv_mw: 5 }]);
    const pv = frame.columns.find(({ name }) => name === 'pv_mw');
    assert.ok(pv?.kind === 'number');
    assert.deepEqual([...pv.values], [NaN, 5], 'no number, even for who does not look at the gaps');
  });

  it('keeps the field information of either frame', () => {
    const known = describeFields(frameOf([{ ts: at(1), wind_mw: 1 }]), systemStateFields);
    const unknown = frameOf([{ ts: at(2), wind_mw: 2 }]);
    for (const frame of [mergeByTime(known, unknown), mergeByTime(unknown, known)])
      assert.equal(frame.columns[1]?.field?.unit?.text, 'MW');
  });

  it('returns to numbers once the only text is replaced', () => {
    const mixed = mergeByTime(frameOf([{ ts: at(1), mw: 1.5 }]), frameOf([{ ts: at(2), mw: 'n/a' }]));
    assert.equal(kindOf(mixed, 'mw'), 'nested');
    const mended = mergeByTime(mixed, frameOf([{ ts: at(2), mw: 2.5 }]));
    assert.equal(kindOf(mended, 'mw'), 'number');
    assert.deepEqual(rows(mended), [
      { ts: at(1), mw: 1.5 },
      { ts: at(2), mw: 2.5 },
    ]);
  });

  it('keeps numbers beyond double precision', () => {
    const exact = frameOf([{ ts: at(1), id: new ExactNumber('9007199254740993') }]);
    const frame = mergeByTime(exact, frameOf([{ ts: at(2), id: 5 }]));
    const id = frame.columns.find(({ name }) => name === 'id');
    assert.ok(id?.kind === 'nested');
    assert.deepEqual(id.texts.entries, ['9007199254740993', '5']);
  });

  it('never gives two columns one name', () => {
    const frame = mergeByTime(frameOf([{ ts: at(1), 'a.b': 1 }]), frameOf([{ ts: at(2), a: { b: 2 } }]));
    assert.deepEqual(
      frame.columns.map(({ name }) => name),
      ['ts', 'a.b', '"a"."b"'],
    );
    assert.deepEqual(rows(frame), [
      { ts: at(1), 'a.b': 1 },
      { ts: at(2), a: { b: 2 } },
    ]);
  });

  it('shares no array with its frames', () => {
    const [kept, newer] = [frameOf([{ ts: at(1), mw: 1 }]), frameOf([{ ts: at(2), mw: 2 }])];
    const frame = mergeByTime(kept, newer);
    for (const column of [...kept.columns, ...newer.columns]) if ('values' in column) column.values.fill(0);
    assert.deepEqual(rows(frame), [
      { ts: at(1), mw: 1 },
      { ts: at(2), mw: 2 },
    ]);
  });
});

describe('concatFrames', () => {
  it('concatenates frames in order', () => {
    fc.assert(
      fc.property(fc.array(answer, { maxLength: 4 }), answers => {
        const frames = answers.map(answer => frameOf(answer));
        assert.deepEqual(rows(concatFrames(frames)), frames.flatMap(rows));
      }),
      { numRuns: manyRuns(500) },
    );
  });
});

describe('fitTogether', () => {
  it('allows as many cells as a joined table may have, and not a row more', () => {
    const columns = Array.from({ length: 32 }, (_, at): Column => {
      return { kind: 'number', name: `c${at}`, path: [`c${at}`], values: new Float64Array() };
    });
    const half = { rowCount: 500_000, columns };
    assert.equal(canConcatenate([half, half]), true);
    assert.equal(canConcatenate([half, { ...half, rowCount: half.rowCount + 1 }]), false);
  });
});

describe('viewRows', () => {
  it('returns the selected rows without copies', () => {
    const frame = frameOf([1, 2, 3].map(hour => ({ ts: at(hour), mw: hour === 1 ? null : hour, who: `v${hour}` })));
    const part = viewRows(frame, 1, 3);
    assert.deepEqual(rows(part), rows(frame).slice(1));
    const [whole, view] = [frame.columns[1], part.columns[1]];
    assert.ok(whole?.kind === 'number' && view?.kind === 'number');
    assert.equal(view.values.buffer, whole.values.buffer);
    assert.equal(view.gaps, undefined);
  });
});

describe('sortByTime', () => {
  it('leaves an ascending frame unchanged, and orders others stably', () => {
    const ascending = frameOf([{ ts: at(1) }, { ts: at(2) }]);
    assert.equal(sortByTime(ascending), ascending);
    const mixed = frameOf([3, 1, 3, 2].map((hour, n) => ({ ts: at(hour), n })));
    assert.deepEqual(
      rows(sortByTime(mixed)).map(row => (row as { n: number }).n),
      [1, 3, 0, 2],
    );
  });

  it('orders any rows stably by instant', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 }), hours => {
        const frame = frameOf(hours.map((hour, n) => ({ ts: at(hour), n })));
        const expected = hours.map((hour, n) => ({ ts: at(hour), n })).sort((a, b) => instant(a) - instant(b));
        assert.deepEqual(rows(sortByTime(frame)), expected);
      }),
    );
  });
});
