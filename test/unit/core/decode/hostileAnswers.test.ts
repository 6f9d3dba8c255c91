import assert from 'node:assert/strict';
import { decode } from '../../../../src/core/decode/decode.ts';
import { parseJson } from '../../../../src/core/json/json.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import { tableLimits } from '../../../../src/shared/tableLimits.ts';
import { hostileAnswers } from '../../../hostile/answers.ts';

/** What is made of a text: a table, or why there is none. */
function shownOf(text: string): { readonly shown: string; readonly frame?: Frame | undefined } {
  const json = parseJson(text);
  if (!json.ok) return { shown: json.why === 'nested too deep' ? 'nestedTooDeep' : 'damaged' };
  const { frame, problem } = decode([json.value]);
  return { shown: problem ?? 'table', frame };
}

/** Runs the work and returns how many cells the arrays had that it made. */
function cellsMade(work: () => void): number {
  const made = globalThis.Array;
  let cells = 0;
  globalThis.Array = new Proxy(made, {
    construct: (target, [length]: [number], newTarget) => {
      cells += length;
      return Reflect.construct(target, [length], newTarget) as object;
    },
  });
  try {
    work();
  } finally {
    globalThis.Array = made;
  }
  return cells;
}

describe('hostile answers', () => {
  // The large ones are read in answerReader.long.test.ts.
  for (const { name, body, small = body, shown } of hostileAnswers)
    it(`ends within the limits for a hostile response: ${name}`, () => {
      const { shown: actual, frame } = shownOf(small());
      assert.equal(actual, shown);
      if (!frame) return;
      assert.ok(frame.columns.length <= tableLimits.columns && frame.rowCount <= tableLimits.rows);
      assert.ok(frame.columns.length * frame.rowCount <= tableLimits.cells);
    });

  it('creates no more cells than the limit while it decodes', () => {
    const records = Array.from({ length: 20_000 }, (_, row) => ({ [`c${row}`]: 1 }));
    let problem: string | undefined;
    const cells = cellsMade(() => (problem = decode([records]).problem));
    assert.equal(problem, 'tooManyCells');
    assert.ok(cells <= tableLimits.cells, `${cells} cells`);
  });

  it('decodes tables up to the limits, and text beyond them', () => {
    const columns = (count: number): unknown => [
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${at}`, at])),
    ];
    assert.equal(decode([columns(tableLimits.columns)]).frame?.columns.length, tableLimits.columns);
    assert.equal(decode([columns(tableLimits.columns + 1)]).problem, 'tooManyColumns');
    const named = (length: number): unknown => [{ ['n'.repeat(length)]: 1 }];
    assert.equal(decode([named(tableLimits.nameLength)]).frame?.columns.length, 1);
    assert.equal(decode([named(tableLimits.nameLength + 1)]).problem, 'nameTooLong');
  });

  it('leaves out envelope members that are too long to store with every month', () => {
    const note = 'x'.repeat(100_001);
    assert.deepEqual(decode([{ note, count: 1, data: [{ a: 1 }] }]).meta, { count: 1 });
  });

  it('counts the pages of a response together', () => {
    const page = Array.from({ length: tableLimits.rows / 2 + 1 }, () => ({}));
    assert.equal(decode([page]).frame?.rowCount, page.length);
    assert.equal(decode([page, page]).problem, 'tooManyRows');
  });
});
