import assert from 'node:assert/strict';
import { toGridCommand, moveFocus } from '../../../../src/webview/grid/gridCommand.ts';
import fc from 'fast-check';

const bounds = { rows: 100, columns: 5, pageRows: 10 };
const cell = { row: 3, column: 2 };
const header = { row: -1, column: 2 };

/** Returns the command for keys such as "Control+Shift+a". */
function getCommand(keys: string, from = cell, extended = false) {
  const parts = keys.split('+');
  const has = (name: string) => parts.includes(name);
  const press = { key: parts.at(-1) ?? '', jump: has('Control'), shift: has('Shift'), alt: has('Alt') };
  return toGridCommand(press, from, bounds, extended);
}

describe('toGridCommand', () => {
  it('moves, and extends with Shift', () => {
    assert.deepEqual(getCommand('ArrowDown'), { type: 'move', to: { row: 4, column: 2 } });
    assert.deepEqual(getCommand('Shift+ArrowDown'), { type: 'extend', to: { row: 4, column: 2 } });
    assert.deepEqual(getCommand('Control+Shift+End'), { type: 'extend', to: { row: 99, column: 4 } });
  });

  it('never extends from cells into the header, or from headers into cells', () => {
    const top = { row: 0, column: 2 };
    assert.deepEqual(getCommand('ArrowUp', top), { type: 'move', to: { row: -1, column: 2 } });
    assert.deepEqual(getCommand('Shift+ArrowUp', top), { type: 'extend', to: top });
    assert.deepEqual(getCommand('Shift+PageUp', top), { type: 'extend', to: top });
    assert.deepEqual(getCommand('Shift+ArrowDown', header), { type: 'extend', to: header });
    assert.deepEqual(getCommand('Shift+ArrowRight', header), { type: 'extend', to: { row: -1, column: 3 } });
  });

  it('selects rows, columns and everything', () => {
    assert.deepEqual(getCommand('Shift+ '), { type: 'select', reach: 'rows' });
    assert.deepEqual(getCommand('Control+ '), { type: 'select', reach: 'columns' });
    assert.deepEqual(getCommand('Control+Shift+ '), { type: 'select', reach: 'all' });
    assert.deepEqual(getCommand('Control+a'), { type: 'select', reach: 'all' });
    assert.equal(getCommand(' '), undefined);
  });

  it('clears a selection on Escape, and ignores Escape without one', () => {
    assert.deepEqual(getCommand('Escape', cell, true), { type: 'move', to: cell });
    assert.equal(getCommand('Escape'), undefined);
  });

  it('copies with and without headers', () => {
    assert.deepEqual(getCommand('Control+c'), { type: 'copy', withHeaders: false });
    assert.deepEqual(getCommand('Control+Shift+C'), { type: 'copy', withHeaders: true });
    assert.equal(getCommand('c'), undefined);
  });

  it('changes a column only from its header', () => {
    assert.deepEqual(getCommand('Enter', header), { type: 'sort', additive: false });
    assert.deepEqual(getCommand('Shift+Enter', header), { type: 'sort', additive: true });
    assert.deepEqual(getCommand('Delete', header), { type: 'hideColumn' });
    assert.deepEqual(getCommand('Alt+ArrowLeft', header), { type: 'moveColumn', by: -1 });
    assert.deepEqual(getCommand('Alt+Shift+ArrowRight', header), { type: 'widenColumn', by: 10 });
    assert.deepEqual(getCommand('Alt+ArrowDown', header), { type: 'menu' });
    assert.deepEqual(getCommand('F10', header), { type: 'menu' });
    for (const keys of ['Enter', 'Delete', 'Alt+ArrowLeft', 'Alt+Shift+ArrowRight', 'Alt+ArrowDown', 'F10'])
      assert.equal(getCommand(keys), undefined, keys);
  });

  it('opens the cell menu by the usual menu keys', () => {
    assert.deepEqual(getCommand('Shift+F10'), { type: 'menu' });
    assert.deepEqual(getCommand('ContextMenu'), { type: 'menu' });
  });

  it('leaves every other key to VS Code', () => {
    for (const keys of ['Tab', 'Shift+Tab', 'x', 'Control+Alt+ArrowDown', 'Control+f', 'Control+Enter', 'F5'])
      for (const from of [cell, header]) assert.equal(getCommand(keys, from), undefined, keys);
  });
});

const keys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'];

describe('moveFocus', () => {
  it('keeps the focus inside the grid', () => {
    const moves = fc.array(fc.tuple(fc.constantFrom(...keys), fc.boolean()), { maxLength: 40 });
    fc.assert(
      fc.property(fc.nat(100), fc.integer({ min: 1, max: 20 }), moves, (rows, columns, randomMoves) => {
        let cell = { row: Math.min(0, rows - 1), column: 0 };
        for (const [key, jump] of randomMoves) {
          cell = moveFocus(cell, key, jump, { rows, columns, pageRows: 9 }) ?? cell;
          assert.ok(cell.row >= -1 && cell.row < Math.max(rows, 0) && cell.column >= 0 && cell.column < columns);
        }
      }),
    );
  });

  it('returns undefined for Tab and letters', () => {
    assert.equal(moveFocus({ row: 0, column: 0 }, 'Tab', false, { rows: 1, columns: 1, pageRows: 1 }), undefined);
    assert.equal(moveFocus({ row: 0, column: 0 }, 'a', true, { rows: 1, columns: 1, pageRows: 1 }), undefined);
  });

  it('stops at the first row before it enters the header', () => {
    const bounds = { rows: 100, columns: 3, pageRows: 10 };
    assert.deepEqual(moveFocus({ row: 4, column: 2 }, 'PageUp', false, bounds), { row: 0, column: 2 });
    assert.deepEqual(moveFocus({ row: 0, column: 2 }, 'PageUp', false, bounds), { row: -1, column: 2 });
    assert.deepEqual(moveFocus({ row: -1, column: 2 }, 'PageDown', false, bounds), { row: 10, column: 2 });
  });
});
