import assert from 'node:assert/strict';
import { findAllCells, findCell, type SearchedCells } from '../../../../src/webview/rows/findCell.ts';

const cells = table([
  ['Wind', '1,200.5', 'x'],
  ['wind', '3', 'Café'],
  ['PV', '−5', '23\u202f581'],
]);

function table(texts: readonly (readonly string[])[]): SearchedCells {
  return { rowCount: texts.length, columnCount: 3, getText: (row, column) => texts[row]?.[column] ?? '' };
}

const scheduling = { now: () => 0, pause: () => Promise.resolve() };
const search = { locale: 'en', scheduling, signal: new AbortController().signal };
const start = { from: undefined, backwards: false };

async function find(needle: string, from?: readonly [number, number], backwards = false) {
  const position = from && { row: from[0], column: from[1] };
  const match = await findCell(cells, needle, { ...search, from: position, backwards });
  return match && [match.row, match.column];
}

describe('findCell', () => {
  it('continues in reading order and wraps around to the start', async () => {
    assert.deepEqual(await find('wind'), [0, 0]);
    assert.deepEqual(await find('wind', [0, 0]), [1, 0]);
    assert.deepEqual(await find('wind', [1, 0]), [0, 0]);
    assert.deepEqual(await find('pv', [2, 0]), [2, 0]);
    assert.equal(await find('coal', [1, 1]), undefined);
    assert.equal(await find(''), undefined);
  });

  it('searches backwards', async () => {
    assert.deepEqual(await find('wind', undefined, true), [1, 0]);
    assert.deepEqual(await find('wind', [1, 0], true), [0, 0]);
    assert.deepEqual(await find('wind', [0, 0], true), [1, 0]);
  });

  it('finds cells by their displayed text', async () => {
    assert.deepEqual(await find('CAFE'), [1, 2]);
    assert.deepEqual(await find('23 581'), [2, 2]);
    assert.deepEqual(await find('-5'), [2, 1]);
    assert.deepEqual(await find('1,200'), [0, 1]);
  });

  it('finds nothing in an empty table', async () => {
    const emptyCells = { rowCount: 0, columnCount: 3, getText: () => 'a' };
    assert.equal(await findCell(emptyCells, 'a', { ...search, ...start }), undefined);
  });

  it('yields after each slice, and stops when aborted', async () => {
    let now = 0;
    let pauseCount = 0;
    const controller = new AbortController();
    const pause = () => {
      pauseCount += 1;
      if (pauseCount === 3) controller.abort();
      return Promise.resolve();
    };
    let comparedCount = 0;
    const largeTable = {
      rowCount: 1e6,
      columnCount: 20,
      getText: () => {
        now += 0.01;
        comparedCount += 1;
        return '1';
      },
    };
    const slowSearch = { ...search, ...start, scheduling: { now: () => now, pause }, signal: controller.signal };
    assert.equal(await findCell(largeTable, 'nowhere', slowSearch), undefined);
    assert.equal(pauseCount, 3);
    // A slice has 8 ms, a cell takes 0.01 ms, and the clock is checked every 256 cells.
    assert.equal(comparedCount, 3 * 1024 - 1);
  });
});

describe('findAllCells', () => {
  it('returns matches in reading order, up to the limit', async () => {
    assert.deepEqual(await findAllCells(cells, 'wind', 100, search), [0, 3]);
    assert.deepEqual(await findAllCells(cells, 'wind', 1, search), [0]);
    assert.deepEqual(await findAllCells(cells, '', 100, search), []);
  });

  it('returns nothing when aborted', async () => {
    assert.equal(await findAllCells(cells, 'wind', 100, { ...search, signal: AbortSignal.abort() }), undefined);
  });

  it('keeps no more matches than the limit in a million rows that all match', async () => {
    const largeTable = { rowCount: 1e6, columnCount: 20, getText: () => '1' };
    assert.equal((await findAllCells(largeTable, '1', 10_000, search))?.length, 10_000);
  });
});
