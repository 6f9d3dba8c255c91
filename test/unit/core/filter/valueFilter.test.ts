import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cellState, getCellState, type Column } from '../../../../src/shared/frame.ts';
import { parseFilter, valueFilter } from '../../../../src/core/filter/parseFilter.ts';
import { booleanColumn, nestedColumn, numberColumn, textColumn, timeColumn, type Cell } from './columns.ts';
import { manyRuns } from '../../../support/manyRuns.ts';

const locales = ['en', 'de', 'af', 'en-ZA', 'fr', 'es', 'en-IN', 'de-CH', 'ar', 'pt-BR'] as const;
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.oneof({ weight: 5, arbitrary: value }, fc.constant(null), fc.constant(undefined));
const awkward = [
  'coal, mostly',
  'mostly x',
  'null',
  '"quoted"',
  ' coal',
  'coal ',
  '',
  'a or b',
  '!=x',
  '=',
  '""',
  '\0',
  '>5',
];
const texts = fc.oneof(fc.constantFrom(...awkward), fc.string({ unit: 'grapheme' }));
const numbers = fc.oneof(
  fc.constantFrom(0, -5, 1.234, 197.562, 1234, 1_234_567, 0.001, 1e21, 1e-300, -12.345),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** By row: whether the cells are the same value, written the plain way. */
function same(a: Cell, b: Cell): boolean {
  return typeof a === 'string' && typeof b === 'string' ? a.normalize() === b.normalize() : a === b;
}

describe('the filter for a value', () => {
  const kinds: readonly (readonly [string, fc.Arbitrary<Cell>, (cells: readonly Cell[]) => Column])[] = [
    ['text', texts, cells => textColumn('x', cells)],
    ['JSON', texts.map(text => JSON.stringify([text, { a: 1, b: text }])), cells => nestedColumn('x', cells)],
    ['numbers', numbers, cells => numberColumn('x', cells)],
    ['times', fc.integer({ min: -1e9, max: 4e9 }).map(s => s * 1000), cells => timeColumn('x', cells)],
    ['booleans', fc.boolean(), cells => booleanColumn('x', cells)],
  ];
  for (const [kind, value, columnOf] of kinds)
    it(`finds the rows with a value, and the others, in a column of ${kind}`, () => {
      fc.assert(
        fc.property(
          fc.array(maybe(value), { minLength: 1, maxLength: 8 }),
          fc.nat(),
          fc.constantFrom(...locales),
          (cells, at, locale) => {
            const column = columnOf(cells);
            const row = at % cells.length;
            const isThere = (each: number): boolean => getCellState(column, each) === cellState.value;
            for (const sign of ['=', '!='] as const) {
              const filter = valueFilter(column, row, sign, locale);
              const parsed = parseFilter(filter, column, { timeZone: 'Africa/Johannesburg', locale });
              assert.ok(parsed.ok, filter);
              for (const [each, cell] of cells.entries()) {
                const isSame = isThere(row) ? isThere(each) && same(cell, cells[row]) : !isThere(each);
                const isOther = isThere(row) ? isThere(each) && !same(cell, cells[row]) : isThere(each);
                assert.equal(parsed.test(each), sign === '=' ? isSame : isOther, `${filter} at ${String(cell)}`);
              }
            }
          },
        ),
        { numRuns: manyRuns(500) },
      );
    });

  it("writes a value filter in the locale's format", () => {
    const column = numberColumn('mw', [197.562, 1234.5]);
    assert.deepEqual(
      [valueFilter(column, 0, '=', 'de'), valueFilter(column, 0, '=', 'en'), valueFilter(column, 1, '!=', 'de')],
      ['=197,562', '=197.562', '!=1234.5'],
    );
  });
});
