import { compareNumber } from 'lossless-json';
import { cellState, type Column, type Frame, type Dictionary } from '../../shared/frame.ts';
import type { SortKey } from '../../shared/analysis.ts';
import { createIndexes, sortedIndexesOfNumbers, sortedIndexesOfRanks } from './radixSort.ts';

/**
 * Sorts the rows (by default all) by the keys, of which the first has priority. Equal rows keep their order, also when descending; cells
 * without a value come last in both directions. Keys of unknown columns are ignored.
 */
export function sortRows(
  frame: Frame,
  keys: readonly SortKey[],
  rows: Uint32Array = createIndexes(frame.rowCount),
  ranks: TextRanks = new TextRanks('en'),
): Uint32Array {
  let sorted = rows;
  // Sorts are stable, so the last key comes first.
  for (const { column: name, descending } of keys.toReversed()) {
    const column = frame.columns.find(candidate => candidate.name === name);
    if (column) sorted = sortByColumn(column, descending, sorted, ranks);
  }
  return sorted;
}

function sortByColumn(column: Column, descending: boolean, rows: Uint32Array, ranks: TextRanks): Uint32Array {
  const { rowsWithValue, rowsWithoutValue } = splitByValue(column, rows);
  const sorted = takeIntegers(rowsWithValue, sortedIndexesOfCells(column, descending, rowsWithValue, ranks));
  if (rowsWithoutValue.length === 0) return sorted;
  const allRows = new Uint32Array(rows.length);
  allRows.set(sorted);
  allRows.set(rowsWithoutValue, sorted.length);
  return allRows;
}

function splitByValue(
  { gaps }: Column,
  rows: Uint32Array,
): { rowsWithValue: Uint32Array; rowsWithoutValue: Uint32Array } {
  if (!gaps) return { rowsWithValue: rows, rowsWithoutValue: new Uint32Array() };
  const rowsWithValue = new Uint32Array(rows.length);
  const rowsWithoutValue = new Uint32Array(rows.length);
  let count = 0;
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] ?? 0;
    if (gaps[row] === cellState.value) rowsWithValue[count++] = row;
    else rowsWithoutValue[index - count] = row;
  }
  return {
    rowsWithValue: rowsWithValue.subarray(0, count),
    rowsWithoutValue: rowsWithoutValue.subarray(0, rows.length - count),
  };
}

function sortedIndexesOfCells(column: Column, descending: boolean, rows: Uint32Array, ranks: TextRanks): Uint32Array {
  switch (column.kind) {
    case 'time':
    case 'number':
      return sortedIndexesOfNumbers(takeNumbers(column.values, rows), descending);
    case 'boolean':
      return sortedIndexesOfRanks(takeIntegers(column.values, rows), descending);
    case 'text':
    case 'nested': {
      const entryRanks = ranks.rank(column.texts, column.kind === 'nested');
      return sortedIndexesOfRanks(takeIntegers(entryRanks, takeIntegers(column.texts.codes, rows)), descending);
    }
  }
}

function takeNumbers(from: Float64Array, indexes: Uint32Array): Float64Array {
  const values = new Float64Array(indexes.length);
  for (let position = 0; position < indexes.length; position++) values[position] = from[indexes[position] ?? 0] ?? 0;
  return values;
}

function takeIntegers(from: Uint32Array | Uint8Array, indexes: Uint32Array): Uint32Array {
  const values = new Uint32Array(indexes.length);
  for (let position = 0; position < indexes.length; position++) values[position] = from[indexes[position] ?? 0] ?? 0;
  return values;
}

const jsonNumber = /^-?\d[\d.]*(?:[eE][+-]?\d+)?$/;

/**
 * Ranks the entries of a dictionary in the order of the locale ("2" before "10"; equal entries share a rank). Computed once per
 * dictionary over its entries rather than the rows. Numbers that no double can represent come first, by value.
 */
export class TextRanks {
  readonly #compare: (a: string, b: string) => number;
  readonly #cache = new WeakMap<Dictionary, Uint32Array>();

  constructor(locale: string) {
    const collator = new Intl.Collator(locale, { numeric: true });
    this.#compare = (a, b) => collator.compare(a, b);
  }

  /** `nested` entries are JSON, where a text of digits is a number. Hundreds of thousands of texts take seconds. */
  rank(texts: Dictionary, nested: boolean): Uint32Array {
    const cached = this.#cache.get(texts);
    if (cached) return cached;
    const ranks = computeRanks(texts.entries, nested ? this.#compareJson : this.#compare);
    this.#cache.set(texts, ranks);
    return ranks;
  }

  readonly #compareJson = (a: string, b: string): number => {
    const aIsNumber = jsonNumber.test(a);
    const bIsNumber = jsonNumber.test(b);
    if (aIsNumber !== bIsNumber) return aIsNumber ? -1 : 1;
    return aIsNumber ? compareNumber(a, b) : this.#compare(a, b);
  };
}

function computeRanks(entries: readonly string[], compare: (a: string, b: string) => number): Uint32Array {
  const compareCodes = (a: number, b: number): number => compare(entries[a] ?? '', entries[b] ?? '');
  const codes = Uint32Array.from(entries.keys()).sort(compareCodes);
  const ranks = new Uint32Array(entries.length);
  let rank = 0;
  for (let index = 0; index < codes.length; index++) {
    if (index > 0 && compareCodes(codes[index - 1] ?? 0, codes[index] ?? 0) !== 0) rank += 1;
    ranks[codes[index] ?? 0] = rank;
  }
  return ranks;
}
