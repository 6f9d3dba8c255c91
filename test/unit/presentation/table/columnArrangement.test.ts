import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  getCustomWidth,
  freezeUpTo,
  hideColumn,
  moveColumnTo,
  minColumnWidth,
  defaultArrangement,
  parseArrangement,
  setWidths,
  showColumn,
  listVisibleNames,
  toggleScale,
  maxColumnWidth,
} from '../../../../src/presentation/table/columnArrangement.ts';
import type { ColumnArrangement } from '../../../../src/presentation/table/columnArrangement.ts';

const names = ['ts', 'wind', 'pv', 'coal'];
const name = fc.constantFrom('ts', 'wind', 'pv', 'coal', 'other', '__proto__', 'constructor');
const nameList = fc.uniqueArray(name, { minLength: 1 });
const arrangement: fc.Arbitrary<ColumnArrangement> = fc.record({
  order: nameList,
  hidden: fc.uniqueArray(name),
  widths: fc.constant({}),
  frozen: fc.nat(5),
});

describe('columnArrangement', () => {
  it('keeps the received order of columns', () => {
    assert.deepEqual(listVisibleNames(names, defaultArrangement), names);
  });

  it('applies to other data, ignoring unknown names and appending new columns', () => {
    const arranged = { ...defaultArrangement, order: ['coal', 'gone', 'ts'], hidden: ['gone', 'pv'] };
    assert.deepEqual(listVisibleNames(['ts', 'nuclear', 'coal', 'pv'], arranged), ['coal', 'ts', 'nuclear']);
  });

  it('shows or hides each column once, and never hides all', () => {
    fc.assert(
      fc.property(nameList, arrangement, (allNames, arranged) => {
        const visible = listVisibleNames(allNames, arranged);
        assert.equal(new Set(visible).size, visible.length);
        const expected = allNames.filter(name => !arranged.hidden.includes(name));
        assert.deepEqual([...visible].sort(), [...(expected.length > 0 ? expected : allNames)].sort());
      }),
    );
  });

  it('moves a column to its target, and keeps the order of the others', () => {
    fc.assert(
      fc.property(nameList, arrangement, fc.nat(10), fc.nat(10), (allNames, arranged, from, to) => {
        const previousNames = listVisibleNames(allNames, arranged);
        const moved = previousNames[from % previousNames.length] ?? '';
        const target = to % previousNames.length;
        const newNames = listVisibleNames(allNames, moveColumnTo(allNames, arranged, moved, target));
        assert.equal(newNames[target], moved);
        assert.deepEqual(
          newNames.filter(name => name !== moved),
          previousNames.filter(name => name !== moved),
        );
      }),
    );
  });

  it('keeps the position of a column that the current data does not have', () => {
    const arranged = { ...defaultArrangement, order: ['coal', 'gone', 'pv', 'wind', 'ts'] };
    const moved = moveColumnTo(names, arranged, 'ts', 0);
    assert.deepEqual(listVisibleNames([...names, 'gone'], moved), ['ts', 'coal', 'gone', 'pv', 'wind']);
  });

  it('hides columns and restores them in place, together with the frozen ones', () => {
    const frozen = { ...defaultArrangement, frozen: 2 };
    const hidden = hideColumn(names, frozen, 'wind');
    assert.deepEqual([listVisibleNames(names, hidden), hidden.frozen], [['ts', 'pv', 'coal'], 1]);
    assert.deepEqual(hideColumn(names, frozen, 'coal').frozen, 2);
    const back = showColumn(names, hidden, 'wind');
    assert.deepEqual(listVisibleNames(names, back), names);
    assert.deepEqual(hideColumn(['ts'], defaultArrangement, 'ts'), defaultArrangement);
    assert.deepEqual(showColumn(names, defaultArrangement, 'wind'), defaultArrangement);
  });

  it('freezes up to a column, or none', () => {
    assert.equal(freezeUpTo(names, defaultArrangement, 'pv').frozen, 3);
    assert.equal(freezeUpTo(names, defaultArrangement, undefined).frozen, 0);
  });

  it('keeps widths within limits, under any name', () => {
    const wide = setWidths(
      defaultArrangement,
      new Map([
        ['__proto__', 5],
        ['constructor', 90.4],
        ['ts', 1e9],
      ]),
    );
    assert.equal(getCustomWidth(wide, '__proto__'), minColumnWidth);
    assert.equal(getCustomWidth(wide, 'constructor'), 90);
    assert.equal(getCustomWidth(wide, 'ts'), maxColumnWidth);
    assert.equal(getCustomWidth(defaultArrangement, 'constructor'), undefined);
    assert.equal(getCustomWidth(defaultArrangement, '__proto__'), undefined);
  });

  it('colors the cells of one column until it is toggled again', () => {
    const name = toggleScale(defaultArrangement, 'wind');
    const secondScale = toggleScale(name, '__proto__');
    assert.deepEqual(secondScale, { ...defaultArrangement, scaled: ['wind', '__proto__'] });
    assert.deepEqual(toggleScale(secondScale, 'wind').scaled, ['__proto__']);
  });

  it('restores a valid stored arrangement, and ignores an invalid one', () => {
    const arranged = { order: ['pv'], hidden: ['ts'], widths: { wind: 80 }, frozen: 2 };
    assert.deepEqual(parseArrangement(JSON.parse(JSON.stringify(arranged))), arranged);
    const scaled = { ...arranged, scaled: ['wind'] };
    assert.deepEqual(parseArrangement(JSON.parse(JSON.stringify(scaled))), scaled);
    assert.deepEqual(parseArrangement({ ...arranged, scaled: 'wind' }), arranged);
    const invalid = { ...arranged, widths: { wind: 'wide', pv: 1e6 } };
    assert.deepEqual(parseArrangement(invalid).widths, { pv: maxColumnWidth });
    for (const wrong of [
      null,
      7,
      'x',
      {},
      { ...arranged, order: [1] },
      { ...arranged, frozen: -1 },
      { ...arranged, widths: 1 },
    ])
      assert.equal(parseArrangement(wrong), defaultArrangement);
  });
});
