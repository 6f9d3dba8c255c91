import assert from 'node:assert/strict';
import fc from 'fast-check';
import { frameOf } from '../../../../src/core/decode/decode.ts';
import type { JsonObject } from '../../../../src/core/decode/envelope.ts';
import { joinFrames } from '../../../../src/core/frame/joinFrames.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';

const at = (hour: number): string => `2023-05-01T${String(hour).padStart(2, '0')}:00:00Z`;

interface Row extends JsonObject {
  readonly ts: string | null;
}

function joined(...lists: readonly (readonly JsonObject[])[]): unknown[] {
  const frames = lists.map((list, index) => ({ id: `d${index}`, frame: frameOf([...list]) }));
  return [...generateRecords(joinFrames(frames))];
}

/** Models the outer join hour by hour. */
function expected(lists: readonly (readonly Row[])[]): unknown[] {
  const of = (list: readonly Row[], ts: string | null): readonly Row[] => list.filter(row => row.ts === ts);
  const named = (row: Row, index: number): object =>
    Object.fromEntries(
      Object.entries(row).flatMap(([name, cell]): [string, unknown][] => {
        if (name === 'ts') return [];
        const isTaken = lists.slice(0, index).some(list => list.some(one => name in one));
        return [[isTaken ? `${name} · d${index}` : name, cell]];
      }),
    );
  const instants = [...new Set(lists.flat().flatMap(({ ts }) => ts ?? []))].sort();
  const timed = instants.flatMap(ts => {
    const most = Math.max(...lists.map(list => of(list, ts).length));
    return Array.from({ length: most }, (_, place): object =>
      lists.reduce<object>(
        (sofar, list, index) => {
          const row = of(list, ts)[place];
          return { ...sofar, ...(row && named(row, index)) };
        },
        { ts },
      ),
    );
  });
  const untimed = lists.flatMap((list, index) => of(list, null).map(row => ({ ts: null, ...named(row, index) })));
  return [...timed, ...untimed];
}

const record: fc.Arbitrary<Row> = fc.record(
  {
    ts: fc.oneof({ weight: 8, arbitrary: fc.nat(9).map(at) }, fc.constant(null)),
    value: fc.constantFrom<number | string | null>(0, -1.5, null, 7),
    extra: fc.nat(3),
  },
  { requiredKeys: ['ts'] },
);
/** A list with an instant makes `ts` a time column. */
const list = fc.array(record, { maxLength: 12 }).map(rows => [...rows, { ts: at(5) }]);

describe('joinFrames', () => {
  it('puts rows of one instant side by side, whatever is missing, null, repeated, unordered or without an instant', () => {
    fc.assert(
      fc.property(fc.array(list, { minLength: 1, maxLength: 3 }), lists => {
        assert.deepEqual(joined(...lists), expected(lists));
      }),
    );
  });

  it('never pairs rows by their position', () => {
    const [state, stress] = [
      [
        { ts: at(1), mw: 10 },
        { ts: at(3), mw: 30 },
      ],
      [
        { ts: at(2), index: 0.2 },
        { ts: at(3), index: 0.3 },
      ],
    ];
    assert.deepEqual(joined(state, stress), [
      { ts: at(1), mw: 10 },
      { ts: at(2), index: 0.2 },
      { ts: at(3), mw: 30, index: 0.3 },
    ]);
  });

  it('joins the other frames if one is missing or empty', () => {
    const frame = frameOf([{ ts: at(1), mw: 0 }]);
    for (const other of [undefined, { rowCount: 0, columns: [] }]) {
      const parts = [
        { id: 'a', frame: other },
        { id: 'b', frame },
      ];
      assert.deepEqual([...generateRecords(joinFrames(parts))], [{ ts: at(1), mw: 0 }]);
    }
  });
});
