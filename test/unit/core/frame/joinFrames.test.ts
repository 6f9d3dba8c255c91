import assert from 'node:assert/strict';
import fc from 'fast-check';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import type { JsonObject } from '../../../../src/core/decode/envelope.ts';
import { joinFrames } from '../../../../src/core/frame/joinFrames.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';

const toInstant = (hour: number): string => `2023-05-01T${String(hour).padStart(2, '0')}:00:00Z`;

interface Row extends JsonObject {
  readonly ts: string | null;
}

function joinLists(...lists: readonly (readonly JsonObject[])[]): unknown[] {
  const frames = lists.map((list, index) => ({ id: `d${index}`, frame: recordsToFrame([...list]) }));
  return [...generateRecords(joinFrames(frames))];
}

/** Models the outer join hour by hour. */
function modelJoin(lists: readonly (readonly Row[])[]): unknown[] {
  const selectRows = (list: readonly Row[], ts: string | null): readonly Row[] => list.filter(row => row.ts === ts);
  const nameCells = (row: Row, index: number): object =>
    Object.fromEntries(
      Object.entries(row).flatMap(([name, cell]): [string, unknown][] => {
        if (name === 'ts') return [];
        const isTaken = lists.slice(0, index).some(list => list.some(earlierRow => name in earlierRow));
        return [[isTaken ? `${name} · d${index}` : name, cell]];
      }),
    );
  const instants = [...new Set(lists.flat().flatMap(({ ts }) => ts ?? []))].sort();
  const timed = instants.flatMap(ts => {
    const maxRows = Math.max(...lists.map(list => selectRows(list, ts).length));
    return Array.from({ length: maxRows }, (_, position): object =>
      lists.reduce<object>(
        (joinedRow, list, index) => {
          const row = selectRows(list, ts)[position];
          return { ...joinedRow, ...(row && nameCells(row, index)) };
        },
        { ts },
      ),
    );
  });
  const untimed = lists.flatMap((list, index) =>
    selectRows(list, null).map(row => ({ ts: null, ...nameCells(row, index) })),
  );
  return [...timed, ...untimed];
}

const record: fc.Arbitrary<Row> = fc.record(
  {
    ts: fc.oneof({ weight: 8, arbitrary: fc.nat(9).map(toInstant) }, fc.constant(null)),
    value: fc.constantFrom<number | string | null>(0, -1.5, null, 7),
    extra: fc.nat(3),
  },
  { requiredKeys: ['ts'] },
);
/** Adds an instant to each list, so that `ts` is a time column. */
const list = fc.array(record, { maxLength: 12 }).map(rows => [...rows, { ts: toInstant(5) }]);

describe('joinFrames', () => {
  it('puts rows with the same instant side by side, with missing, null, repeated, unordered and untimed rows', () => {
    fc.assert(
      fc.property(fc.array(list, { minLength: 1, maxLength: 3 }), lists => {
        assert.deepEqual(joinLists(...lists), modelJoin(lists));
      }),
    );
  });

  it('never pairs rows by their position', () => {
    const state = [
      { ts: toInstant(1), mw: 10 },
      { ts: toInstant(3), mw: 30 },
    ];
    const stress = [
      { ts: toInstant(2), index: 0.2 },
      { ts: toInstant(3), index: 0.3 },
    ];
    assert.deepEqual(joinLists(state, stress), [
      { ts: toInstant(1), mw: 10 },
      { ts: toInstant(2), index: 0.2 },
      { ts: toInstant(3), mw: 30, index: 0.3 },
    ]);
  });

  it('joins the other frames if one is missing or empty', () => {
    const frame = recordsToFrame([{ ts: toInstant(1), mw: 0 }]);
    for (const emptyFrame of [undefined, { rowCount: 0, columns: [] }]) {
      const parts = [
        { id: 'a', frame: emptyFrame },
        { id: 'b', frame },
      ];
      assert.deepEqual([...generateRecords(joinFrames(parts))], [{ ts: toInstant(1), mw: 0 }]);
    }
  });
});
