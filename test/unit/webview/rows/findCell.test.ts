import assert from 'node:assert/strict';
import { runSteps } from '../../../../src/core/time/steps.ts';
import { findAll, findCell, type SearchedCells } from '../../../../src/webview/rows/findCell.ts';
import { runInSlices } from '../../../../src/webview/slices.ts';

const cells = table([
  ['Wind', '1,200.5', 'x'],
  ['wind', '3', 'Café'],
  ['PV', '−5', '23\u202f581'],
]);

function table(texts: readonly (readonly string[])[]): SearchedCells {
  return { rowCount: texts.length, columnCount: 3, textOf: (row, column) => texts[row]?.[column] ?? '' };
}

function find(needle: string, from?: readonly [number, number], backwards = false) {
  const place = from && { row: from[0], column: from[1] };
  const found = runSteps(findCell(cells, needle, place, backwards, 'en'));
  return found && [found.row, found.column];
}

describe('findCell', () => {
  it('continues in reading order and wraps around to the start', () => {
    assert.deepEqual(find('wind'), [0, 0]);
    assert.deepEqual(find('wind', [0, 0]), [1, 0]);
    assert.deepEqual(find('wind', [1, 0]), [0, 0]);
    assert.deepEqual(find('pv', [2, 0]), [2, 0]);
    assert.equal(find('coal', [1, 1]), undefined);
    assert.equal(find(''), undefined);
  });

  it('searches backwards', () => {
    assert.deepEqual(find('wind', undefined, true), [1, 0]);
    assert.deepEqual(find('wind', [1, 0], true), [0, 0]);
    assert.deepEqual(find('wind', [0, 0], true), [1, 0]);
  });

  it('finds cells by their displayed text', () => {
    assert.deepEqual(find('CAFE'), [1, 2]);
    assert.deepEqual(find('23 581'), [2, 2]);
    assert.deepEqual(find('-5'), [2, 1]);
    assert.deepEqual(find('1,200'), [0, 1]);
  });

  it('finds nothing in an empty table', () => {
    const none = { rowCount: 0, columnCount: 3, textOf: () => 'a' };
    assert.equal(runSteps(findCell(none, 'a', undefined, false, 'en')), undefined);
  });

  it('yields after each slice, and stops when aborted', async () => {
    let [now, turns] = [0, 0];
    const signal = { aborted: false };
    const pause = () => {
      turns += 1;
      if (turns === 3) signal.aborted = true;
      return Promise.resolve();
    };
    let looked = 0;
    const many = {
      rowCount: 1e6,
      columnCount: 20,
      textOf: () => {
        now += 0.01;
        looked += 1;
        return '1';
      },
    };
    const steps = findCell(many, 'nowhere', undefined, false, 'en');
    assert.equal(await runInSlices(steps, { now: () => now, pause }, () => signal.aborted), undefined);
    assert.equal(turns, 3);
    // 8 ms at 0.01 ms a cell, looked at every 256 cells.
    assert.equal(looked, 3 * 1024);
  });
});

describe('findAll', () => {
  it('returns matches in reading order, up to the limit', () => {
    assert.deepEqual(runSteps(findAll(cells, 'wind', 100, 'en')), [0, 3]);
    assert.deepEqual(runSteps(findAll(cells, 'wind', 1, 'en')), [0]);
    assert.deepEqual(runSteps(findAll(cells, '', 100, 'en')), []);
  });

  it('returns nothing when aborted', async () => {
    let now = 0;
    const scheduling = { now: () => (now += 10), pause: () => Promise.resolve() };
    assert.equal(await runInSlices(findAll(cells, 'wind', 100, 'en'), scheduling, () => true), undefined);
  });

  it('keeps no more matches than the limit in a million rows that all match', () => {
    const million = { rowCount: 1e6, columnCount: 20, textOf: () => '1' };
    assert.equal(runSteps(findAll(million, '1', 10_000, 'en')).length, 10_000);
  });
});
