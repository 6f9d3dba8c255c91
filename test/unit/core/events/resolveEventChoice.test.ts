import assert from 'node:assert/strict';
import { FormulaError } from '../../../../src/core/formula/formula.ts';
import { describeFields } from '../../../../src/core/frame/describeFields.ts';
import { gridStressFields, systemStateFields } from '../../../../src/shared/fields.ts';
import { hourCount, power } from '../../../../src/shared/units.ts';
import { initialEventChoice, type EventChoice } from '../../../../src/shared/eventSearch.ts';
import { resolveEventChoice, canHaveEvents } from '../../../../src/core/events/resolveEventChoice.ts';
import { frameOf, numberColumn, textColumn, timeColumn } from '../filter/columns.ts';

const hourMs = 3_600_000;
const ts = timeColumn('ts', [0, hourMs, 2 * hourMs]);
const system = describeFields(
  frameOf(
    ts,
    numberColumn('hours', [1, 1, 1], hourCount),
    numberColumn('wind_mw', [10, 450, null]),
    numberColumn('residual_demand_mw', [20_000, 31_000, 24_000]),
    numberColumn('eskom_ocgt_mw', [0, 5, 0]),
  ),
  systemStateFields,
);
const stress = describeFields(frameOf(ts, numberColumn('value', [0.1, 0.5, 0.7])), gridStressFields);
const applied = (frame: typeof system, choice: Partial<EventChoice>, { stepMs = hourMs, locale = 'en' } = {}) =>
  resolveEventChoice(frame, stepMs, { ...initialEventChoice, ...choice }, locale) ?? assert.fail();

describe('the choice of events', () => {
  it('offers the kinds and columns that a frame has', () => {
    const ofSystem = applied(system, {});
    assert.deepEqual(ofSystem.kinds, ['peak', 'ramp', 'over', 'under', 'ocgt', 'condition', 'unusual']);
    assert.ok(!ofSystem.columns.some(({ name }) => name === 'ts'));
    assert.equal(ofSystem.searched.name, 'residual_demand_mw');
    const ofStress = applied(stress, { kind: 'ocgt', column: 'wind_mw' });
    assert.deepEqual(
      [ofStress.kinds, ofStress.kind],
      [['peak', 'ramp', 'over', 'under', 'band', 'condition', 'unusual'], 'peak'],
    );
    assert.equal(ofStress.searched.name, 'value');
    // Without a catalogue, `value` may mean anything.
    assert.deepEqual(applied(frameOf(ts, numberColumn('value', [1, 2, 3])), {}).kinds, [
      'peak',
      'ramp',
      'over',
      'under',
      'condition',
      'unusual',
    ]);
    assert.deepEqual(applied(system, {}, { stepMs: 24 * hourMs }).kinds, [
      'over',
      'under',
      'ocgt',
      'condition',
      'unusual',
    ]);
    assert.deepEqual(applied(system, {}, { stepMs: hourMs / 2 }).kinds, ofSystem.kinds);
  });

  it('creates the rule, with a two-digit value from the rows until the user enters one', () => {
    const condition = (text: string) => ({ kind: 'condition', condition: text });
    assert.deepEqual(applied(system, { kind: 'ocgt', value: '7' }).rule, condition('eskom_ocgt_mw > 0'));
    assert.deepEqual(applied(stress, { kind: 'band', band: 'critical' }).rule, condition('value >= 0.8'));
    assert.deepEqual(applied(system, { kind: 'over' }).rule, condition('residual_demand_mw > 26000'));
    assert.deepEqual(applied(system, { kind: 'under', column: 'wind_mw' }).rule, condition('wind_mw < 230'));
    const usual = applied(system, { kind: 'condition', column: 'wind_mw' });
    assert.deepEqual([usual.value, usual.rule], ['wind_mw > 230', condition('wind_mw > 230')]);
    const typed = ' mean(wind_mw, 2h) > 100 and not (residual_demand_mw < 5) ';
    assert.deepEqual(applied(system, { kind: 'condition', value: typed }).rule, condition(typed.trim()));
    assert.deepEqual(applied(system, { kind: 'ramp', hours: 6 }).rule, { kind: 'ramp', value: 2800, hours: 6 });
    assert.deepEqual(
      applied(system, { kind: 'over', value: '25.000,5' }, { locale: 'de' }).rule,
      condition('residual_demand_mw > 25000.5'),
    );
    const empty = frameOf(ts, numberColumn('wind_mw', [null, null, null], power));
    assert.deepEqual(applied(empty, { kind: 'over' }).rule, condition('wind_mw > 0'));
  });

  it('explains why a threshold cannot be used', () => {
    const problem = (choice: Partial<EventChoice>, locale?: string) => {
      const { rule, problem } = applied(system, choice, locale === undefined ? {} : { locale });
      assert.equal(rule, undefined);
      return problem;
    };
    assert.equal(problem({ kind: 'over', value: 'many' }), 'notNumber');
    assert.equal(problem({ kind: 'over', value: '' }), 'notNumber');
    assert.equal(problem({ kind: 'under', value: '1.234' }, 'de'), 'ambiguousNumber');
    assert.equal(problem({ kind: 'ramp', value: '0' }), 'notAbove0');
    assert.equal(applied(system, { kind: 'under', value: '-1' }).problem, undefined);
    const number = problem({ kind: 'condition', value: 'wind_mw + 1' });
    assert.ok(number instanceof FormulaError && number.reason === 'noCondition');
  });

  it('needs instants of rows that are equally long, and numbers', () => {
    const days = { ...ts, bins: { size: 'day', timeZone: 'UTC', label: 'UTC' } } as const;
    const numbers = numberColumn('wind_mw', [1, 2, 3]);
    assert.equal(canHaveEvents(frameOf(ts, numbers)), true);
    assert.equal(canHaveEvents(frameOf(days, numbers)), false);
    assert.equal(canHaveEvents(frameOf(numbers)), false);
    assert.equal(canHaveEvents(frameOf(ts, textColumn('name', ['a', 'b', 'c']))), false);
    assert.equal(canHaveEvents(frameOf(ts, numberColumn('hours', [1, 1, 1], hourCount))), false);
  });
});
