import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cellState, getCellState, type Column } from '../../../../src/shared/frame.ts';
import { parseFilter, formatValueFilter } from '../../../../src/core/filter/parseFilter.ts';
import { booleanColumn, nestedColumn, numberColumn, textColumn, timeColumn, type Cell } from './columns.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const locales = ['en', 'de', 'af', 'en-ZA', 'fr', 'es', 'en-IN', 'de-CH', 'ar', 'pt-BR'] as const;
const orEmpty = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
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

/** Returns for each row whether its cell has the same value, by a simple comparison. */
function areSameCells(a: Cell, b: Cell): boolean {
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
  for (const [kind, value, createColumn] of kinds)
    it(`finds the rows with a value, and the other rows, in a column of ${kind}`, () => {
      fc.assert(
        fc.property(
          fc.array(orEmpty(value), { minLength: 1, maxLength: 8 }),
          fc.nat(),
          fc.constantFrom(...locales),
          (cells, index, locale) => {
            const column = createColumn(cells);
            const row = index % cells.length;
            const hasValue = (rowIndex: number): boolean => getCellState(column, rowIndex) === cellState.value;
            for (const sign of ['=', '!='] as const) {
              const filter = formatValueFilter(column, row, sign, locale);
              const parsed = parseFilter(filter, column, { timeZone: 'Africa/Johannesburg', locale });
              assert.ok(parsed.ok, filter);
              for (const [rowIndex, cell] of cells.entries()) {
                const passesFilter = hasValue(row)
                  ? hasValue(rowIndex) && areSameCells(cell, cells[row])
                  : !hasValue(rowIndex);
                const passesExclusion = hasValue(row)
                  ? hasValue(rowIndex) && !areSameCells(cell, cells[row])
                  : hasValue(rowIndex);
                assert.equal(
                  parsed.test(rowIndex),
                  sign === '=' ? passesFilter : passesExclusion,
                  `${filter} at ${String(cell)}`,
                );
              }
            }
          },
        ),
        { numRuns: scaleRunCount(500) },
      );
    });

  it("writes a value filter in the locale's format", () => {
    const column = numberColumn('mw', [197.562, 1234.5]);
    assert.deepEqual(
      [
        formatValueFilter(column, 0, '=', 'de'),
        formatValueFilter(column, 0, '=', 'en'),
        formatValueFilter(column, 1, '!=', 'de'),
      ],
      ['=197,562', '=197.562', '!=1234.5'],
    );
  });
});
