import assert from 'node:assert/strict';
import { decode } from '../../../../src/core/decode/decode.ts';
import { parseJson } from '../../../../src/core/json/json.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import { tableLimits } from '../../../../src/shared/tableLimits.ts';
import { hostileResponses } from '../../../hostile/responses.ts';

/** Returns how a text is displayed: as a table, or as the reason why there is no table. */
function describeResponse(text: string): { readonly displayed: string; readonly frame?: Frame | undefined } {
  const json = parseJson(text);
  if (!json.ok) return { displayed: json.why === 'nested too deep' ? 'nestedTooDeep' : 'damaged' };
  const { frame, problem } = decode([json.value]);
  return { displayed: problem ?? 'table', frame };
}

/** Runs a function and returns the number of array cells that it creates. */
function countCreatedCells(work: () => void): number {
  const OriginalArray = globalThis.Array;
  let cells = 0;
  globalThis.Array = new Proxy(OriginalArray, {
    construct: (target, [length]: [number], newTarget) => {
      cells += length;
      return Reflect.construct(target, [length], newTarget) as object;
    },
  });
  try {
    work();
  } finally {
    globalThis.Array = OriginalArray;
  }
  return cells;
}

describe('hostile responses', () => {
  // responseReader.long.test.ts tests the large responses.
  for (const { name, body, small = body, expected } of hostileResponses)
    it(`are decoded within the limits: ${name}`, () => {
      const { displayed: actual, frame } = describeResponse(small());
      assert.equal(actual, expected);
      if (!frame) return;
      assert.ok(frame.columns.length <= tableLimits.columns && frame.rowCount <= tableLimits.rows);
      assert.ok(frame.columns.length * frame.rowCount <= tableLimits.cells);
    });

  it('create no more cells than the limit while they are decoded', () => {
    const records = Array.from({ length: 20_000 }, (_, row) => ({ [`c${row}`]: 1 }));
    let problem: string | undefined;
    const cellCount = countCreatedCells(() => (problem = decode([records]).problem));
    assert.equal(problem, 'tooManyCells');
    assert.ok(cellCount <= tableLimits.cells, `${cellCount} cells`);
  });

  it('are decoded to a table within the limits, and displayed as text beyond them', () => {
    const createRowWithColumns = (count: number): unknown => [
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, index])),
    ];
    assert.equal(decode([createRowWithColumns(tableLimits.columns)]).frame?.columns.length, tableLimits.columns);
    assert.equal(decode([createRowWithColumns(tableLimits.columns + 1)]).problem, 'tooManyColumns');
    const createRowWithLongName = (length: number): unknown => [{ ['n'.repeat(length)]: 1 }];
    assert.equal(decode([createRowWithLongName(tableLimits.nameLength)]).frame?.columns.length, 1);
    assert.equal(decode([createRowWithLongName(tableLimits.nameLength + 1)]).problem, 'nameTooLong');
  });

  it('omits envelope members that are too long to be stored with every month', () => {
    const note = 'x'.repeat(100_001);
    assert.deepEqual(decode([{ note, count: 1, data: [{ a: 1 }] }]).meta, { count: 1 });
  });

  it('share one limit if they are pages of the same response', () => {
    const page = Array.from({ length: tableLimits.rows / 2 + 1 }, () => ({}));
    assert.equal(decode([page]).frame?.rowCount, page.length);
    assert.equal(decode([page, page]).problem, 'tooManyRows');
  });
});
