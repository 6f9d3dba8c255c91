import assert from 'node:assert/strict';
import { mutantsOf } from '../../mutation/mutants.ts';

function changed(text: string): string[] {
  return mutantsOf(text).map(({ start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end));
}

describe('mutantsOf', () => {
  it('mutates one operator, number or condition at a time', () => {
    assert.deepEqual(changed('a < b'), ['a <= b']);
    assert.deepEqual(changed('a === b || c'), ['a === b && c', 'a !== b || c']);
    assert.deepEqual(changed('f(9)'), ['f((9 + 1))']);
    assert.deepEqual(changed('if (a) b();'), ['if (!(a)) b();']);
    assert.deepEqual(changed('a ? b : c'), ['!(a) ? b : c']);
  });

  it('leaves types, texts and defaults alone that only the compiler needs', () => {
    assert.deepEqual(changed("type A = 1 | 2; const b: 3 | 'a < b' = c; d[e] ?? 0;"), []);
  });
});
