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
const anyName = fc.constantFrom('ts', 'wind', 'pv', 'coal', 'other', '__proto__', 'constructor');
const anyNames = fc.uniqueArray(anyName, { minLength: 1 });
const anyArrangement: fc.Arbitrary<ColumnArrangement> = fc.record({
  order: anyNames,
  hidden: fc.uniqueArray(anyName),
  widths: fc.constant({}),
  frozen: fc.nat(5),
});

describe('columnArrangement', () => {
  it('lists all columns in the received order by default', () => {
    assert.deepEqual(listVisibleNames(names, defaultArrangement), names);
  });

  it('ignores names that the data does not have, and appends columns without a position', () => {
    const arrangement = { ...defaultArrangement, order: ['coal', 'gone', 'ts'], hidden: ['gone', 'pv'] };
    assert.deepEqual(listVisibleNames(['ts', 'nuclear', 'coal', 'pv'], arrangement), ['coal', 'ts', 'nuclear']);
  });

  it('lists each visible column once, and all columns if all of them are hidden', () => {
    fc.assert(
      fc.property(anyNames, anyArrangement, (allNames, arrangement) => {
        const visible = listVisibleNames(allNames, arrangement);
        assert.equal(new Set(visible).size, visible.length);
        const expected = allNames.filter(name => !arrangement.hidden.includes(name));
        assert.deepEqual([...visible].sort(), [...(expected.length > 0 ? expected : allNames)].sort());
      }),
    );
  });

  it('moves a column to the target position without changing the order of the others', () => {
    fc.assert(
      fc.property(anyNames, anyArrangement, fc.nat(10), fc.nat(10), (allNames, arrangement, from, to) => {
        const previousNames = listVisibleNames(allNames, arrangement);
        const moved = previousNames[from % previousNames.length] ?? '';
        const target = to % previousNames.length;
        const newNames = listVisibleNames(allNames, moveColumnTo(allNames, arrangement, moved, target));
        assert.equal(newNames[target], moved);
        assert.deepEqual(
          newNames.filter(name => name !== moved),
          previousNames.filter(name => name !== moved),
        );
      }),
    );
  });

  it('remembers the position of a column that the current data does not have', () => {
    const arrangement = { ...defaultArrangement, order: ['coal', 'gone', 'pv', 'wind', 'ts'] };
    const moved = moveColumnTo(names, arrangement, 'ts', 0);
    assert.deepEqual(listVisibleNames([...names, 'gone'], moved), ['ts', 'coal', 'gone', 'pv', 'wind']);
  });

  it('shows a hidden column at its previous position, and adjusts the number of frozen columns', () => {
    const frozen = { ...defaultArrangement, frozen: 2 };
    const hidden = hideColumn(names, frozen, 'wind');
    assert.deepEqual([listVisibleNames(names, hidden), hidden.frozen], [['ts', 'pv', 'coal'], 1]);
    assert.deepEqual(hideColumn(names, frozen, 'coal').frozen, 2);
    const restored = showColumn(names, hidden, 'wind');
    assert.deepEqual(listVisibleNames(names, restored), names);
    assert.deepEqual(hideColumn(['ts'], defaultArrangement, 'ts'), defaultArrangement);
    assert.deepEqual(showColumn(names, defaultArrangement, 'wind'), defaultArrangement);
  });

  it('freezes all columns up to a given one, or unfreezes all', () => {
    assert.equal(freezeUpTo(names, defaultArrangement, 'pv').frozen, 3);
    assert.equal(freezeUpTo(names, defaultArrangement, undefined).frozen, 0);
  });

  it('limits column widths, also for names such as __proto__', () => {
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

  it('toggles the color scale of each column independently', () => {
    const firstScale = toggleScale(defaultArrangement, 'wind');
    const secondScale = toggleScale(firstScale, '__proto__');
    assert.deepEqual(secondScale, { ...defaultArrangement, scaled: ['wind', '__proto__'] });
    assert.deepEqual(toggleScale(secondScale, 'wind').scaled, ['__proto__']);
  });

  it('parses a stored arrangement, and returns the default if it is invalid', () => {
    const arrangement = { order: ['pv'], hidden: ['ts'], widths: { wind: 80 }, frozen: 2 };
    assert.deepEqual(parseArrangement(JSON.parse(JSON.stringify(arrangement))), arrangement);
    const scaled = { ...arrangement, scaled: ['wind'] };
    assert.deepEqual(parseArrangement(JSON.parse(JSON.stringify(scaled))), scaled);
    assert.deepEqual(parseArrangement({ ...arrangement, scaled: 'wind' }), arrangement);
    const invalid = { ...arrangement, widths: { wind: 'wide', pv: 1e6 } };
    assert.deepEqual(parseArrangement(invalid).widths, { pv: maxColumnWidth });
    for (const invalidState of [
      null,
      7,
      'x',
      {},
      { ...arrangement, order: [1] },
      { ...arrangement, frozen: -1 },
      { ...arrangement, widths: 1 },
    ])
      assert.equal(parseArrangement(invalidState), defaultArrangement);
  });
});
