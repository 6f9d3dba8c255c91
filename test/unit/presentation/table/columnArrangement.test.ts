import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  chosenWidth,
  freezeUpTo,
  hideColumn,
  moveColumnTo,
  narrowestWidth,
  plainArrangement,
  readArrangement,
  setWidths,
  showColumn,
  shownNames,
  toggleScale,
  widestWidth,
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
    assert.deepEqual(shownNames(names, plainArrangement), names);
  });

  it('applies to other data: unknown names are ignored, new columns follow', () => {
    const arranged = { ...plainArrangement, order: ['coal', 'gone', 'ts'], hidden: ['gone', 'pv'] };
    assert.deepEqual(shownNames(['ts', 'nuclear', 'coal', 'pv'], arranged), ['coal', 'ts', 'nuclear']);
  });

  it('shows or hides each column once, and never hides all', () => {
    fc.assert(
      fc.property(nameList, arrangement, (all, arranged) => {
        const shown = shownNames(all, arranged);
        assert.equal(new Set(shown).size, shown.length);
        const kept = all.filter(one => !arranged.hidden.includes(one));
        assert.deepEqual([...shown].sort(), [...(kept.length > 0 ? kept : all)].sort());
      }),
    );
  });

  it('moves a column to its target, and keeps the order of the others', () => {
    fc.assert(
      fc.property(nameList, arrangement, fc.nat(10), fc.nat(10), (all, arranged, from, to) => {
        const before = shownNames(all, arranged);
        const moved = before[from % before.length] ?? '';
        const target = to % before.length;
        const after = shownNames(all, moveColumnTo(all, arranged, moved, target));
        assert.equal(after[target], moved);
        assert.deepEqual(
          after.filter(one => one !== moved),
          before.filter(one => one !== moved),
        );
      }),
    );
  });

  it('keeps the position of a column that the current data lacks', () => {
    const arranged = { ...plainArrangement, order: ['coal', 'gone', 'pv', 'wind', 'ts'] };
    const moved = moveColumnTo(names, arranged, 'ts', 0);
    assert.deepEqual(shownNames([...names, 'gone'], moved), ['ts', 'coal', 'gone', 'pv', 'wind']);
  });

  it('hides columns and restores them in place, together with the frozen ones', () => {
    const frozen = { ...plainArrangement, frozen: 2 };
    const hidden = hideColumn(names, frozen, 'wind');
    assert.deepEqual([shownNames(names, hidden), hidden.frozen], [['ts', 'pv', 'coal'], 1]);
    assert.deepEqual(hideColumn(names, frozen, 'coal').frozen, 2);
    const back = showColumn(names, hidden, 'wind');
    assert.deepEqual(shownNames(names, back), names);
    assert.deepEqual(hideColumn(['ts'], plainArrangement, 'ts'), plainArrangement);
    assert.deepEqual(showColumn(names, plainArrangement, 'wind'), plainArrangement);
  });

  it('freezes up to a column, or none', () => {
    assert.equal(freezeUpTo(names, plainArrangement, 'pv').frozen, 3);
    assert.equal(freezeUpTo(names, plainArrangement, undefined).frozen, 0);
  });

  it('keeps widths within limits, under any name', () => {
    const wide = setWidths(
      plainArrangement,
      new Map([
        ['__proto__', 5],
        ['constructor', 90.4],
        ['ts', 1e9],
      ]),
    );
    assert.equal(chosenWidth(wide, '__proto__'), narrowestWidth);
    assert.equal(chosenWidth(wide, 'constructor'), 90);
    assert.equal(chosenWidth(wide, 'ts'), widestWidth);
    assert.equal(chosenWidth(plainArrangement, 'constructor'), undefined);
    assert.equal(chosenWidth(plainArrangement, '__proto__'), undefined);
  });

  it('colours the cells of a column, and of no other, until it is toggled again', () => {
    const one = toggleScale(plainArrangement, 'wind');
    const two = toggleScale(one, '__proto__');
    assert.deepEqual(two, { ...plainArrangement, scaled: ['wind', '__proto__'] });
    assert.deepEqual(toggleScale(two, 'wind').scaled, ['__proto__']);
  });

  it('restores a stored arrangement, and only a valid one', () => {
    const arranged = { order: ['pv'], hidden: ['ts'], widths: { wind: 80 }, frozen: 2 };
    assert.deepEqual(readArrangement(JSON.parse(JSON.stringify(arranged))), arranged);
    const scaled = { ...arranged, scaled: ['wind'] };
    assert.deepEqual(readArrangement(JSON.parse(JSON.stringify(scaled))), scaled);
    assert.deepEqual(readArrangement({ ...arranged, scaled: 'wind' }), arranged);
    const odd = { ...arranged, widths: { wind: 'wide', pv: 1e6 } };
    assert.deepEqual(readArrangement(odd).widths, { pv: widestWidth });
    for (const wrong of [
      null,
      7,
      'x',
      {},
      { ...arranged, order: [1] },
      { ...arranged, frozen: -1 },
      { ...arranged, widths: 1 },
    ])
      assert.equal(readArrangement(wrong), plainArrangement);
  });
});
