import assert from 'node:assert/strict';
import { FormulaError } from '../../../../src/core/formula/formula.ts';
import { describeFields } from '../../../../src/core/frame/describeFields.ts';
import { gridStressFields, systemStateFields } from '../../../../src/shared/fields.ts';
import { hourCount, power } from '../../../../src/shared/units.ts';
import { initialEventChoice, type EventChoice } from '../../../../src/shared/eventSearch.ts';
import { resolveEventChoice, canHaveEvents } from '../../../../src/core/events/resolveEventChoice.ts';
import { createFrame, numberColumn, textColumn, timeColumn } from '../filter/columns.ts';

const hourMs = 3_600_000;
const ts = timeColumn('ts', [0, hourMs, 2 * hourMs]);
const system = describeFields(
  createFrame(
    ts,
    numberColumn('hours', [1, 1, 1], hourCount),
    numberColumn('wind_mw', [10, 450, null]),
    numberColumn('residual_demand_mw', [20_000, 31_000, 24_000]),
    numberColumn('eskom_ocgt_mw', [0, 5, 0]),
  ),
  systemStateFields,
);
const stress = describeFields(createFrame(ts, numberColumn('value', [0.1, 0.5, 0.7])), gridStressFields);
const resolveChoice = (
  frame: typeof system,
  choice: Partial<EventChoice>,
  { intervalMs = hourMs, locale = 'en' } = {},
) => resolveEventChoice(frame, intervalMs, { ...initialEventChoice, ...choice }, locale) ?? assert.fail();

describe('resolveEventChoice', () => {
  it('offers the kinds and columns that a frame supports', () => {
    const systemChoice = resolveChoice(system, {});
    assert.deepEqual(systemChoice.kinds, ['peak', 'ramp', 'over', 'under', 'ocgt', 'condition', 'unusual']);
    assert.ok(!systemChoice.columns.some(({ name }) => name === 'ts'));
    assert.equal(systemChoice.searched.name, 'residual_demand_mw');
    const stressChoice = resolveChoice(stress, { kind: 'ocgt', column: 'wind_mw' });
    assert.deepEqual(
      [stressChoice.kinds, stressChoice.kind],
      [['peak', 'ramp', 'over', 'under', 'band', 'condition', 'unusual'], 'peak'],
    );
    assert.equal(stressChoice.searched.name, 'value');
    // Without a field description, the meaning of `value` is unknown.
    assert.deepEqual(resolveChoice(createFrame(ts, numberColumn('value', [1, 2, 3])), {}).kinds, [
      'peak',
      'ramp',
      'over',
      'under',
      'condition',
      'unusual',
    ]);
    assert.deepEqual(resolveChoice(system, {}, { intervalMs: 24 * hourMs }).kinds, [
      'over',
      'under',
      'ocgt',
      'condition',
      'unusual',
    ]);
    assert.deepEqual(resolveChoice(system, {}, { intervalMs: hourMs / 2 }).kinds, systemChoice.kinds);
  });

  it('creates the rule, and suggests a threshold of two digits until the user enters one', () => {
    const createCondition = (text: string) => ({ kind: 'condition', condition: text });
    assert.deepEqual(resolveChoice(system, { kind: 'ocgt', value: '7' }).rule, createCondition('eskom_ocgt_mw > 0'));
    assert.deepEqual(resolveChoice(stress, { kind: 'band', band: 'critical' }).rule, createCondition('value >= 0.8'));
    assert.deepEqual(resolveChoice(system, { kind: 'over' }).rule, createCondition('residual_demand_mw > 26000'));
    assert.deepEqual(
      resolveChoice(system, { kind: 'under', column: 'wind_mw' }).rule,
      createCondition('wind_mw < 230'),
    );
    const suggested = resolveChoice(system, { kind: 'condition', column: 'wind_mw' });
    assert.deepEqual([suggested.value, suggested.rule], ['wind_mw > 230', createCondition('wind_mw > 230')]);
    const enteredText = ' mean(wind_mw, 2h) > 100 and not (residual_demand_mw < 5) ';
    assert.deepEqual(
      resolveChoice(system, { kind: 'condition', value: enteredText }).rule,
      createCondition(enteredText.trim()),
    );
    assert.deepEqual(resolveChoice(system, { kind: 'ramp', hours: 6 }).rule, { kind: 'ramp', value: 2800, hours: 6 });
    assert.deepEqual(
      resolveChoice(system, { kind: 'over', value: '25.000,5' }, { locale: 'de' }).rule,
      createCondition('residual_demand_mw > 25000.5'),
    );
    const empty = createFrame(ts, numberColumn('wind_mw', [null, null, null], power));
    assert.deepEqual(resolveChoice(empty, { kind: 'over' }).rule, createCondition('wind_mw > 0'));
  });

  it('explains why a threshold cannot be used', () => {
    const getProblem = (choice: Partial<EventChoice>, locale?: string) => {
      const { rule, problem } = resolveChoice(system, choice, locale === undefined ? {} : { locale });
      assert.equal(rule, undefined);
      return problem;
    };
    assert.equal(getProblem({ kind: 'over', value: 'many' }), 'notNumber');
    assert.equal(getProblem({ kind: 'over', value: '' }), 'notNumber');
    assert.equal(getProblem({ kind: 'under', value: '1.234' }, 'de'), 'ambiguousNumber');
    assert.equal(getProblem({ kind: 'ramp', value: '0' }), 'notAbove0');
    assert.equal(resolveChoice(system, { kind: 'under', value: '-1' }).problem, undefined);
    const number = getProblem({ kind: 'condition', value: 'wind_mw + 1' });
    assert.ok(number instanceof FormulaError && number.reason === 'noCondition');
  });

  it('requires instants of rows of equal length, and numbers', () => {
    const days = { ...ts, bins: { size: 'day', timeZone: 'UTC', label: 'UTC' } } as const;
    const numbers = numberColumn('wind_mw', [1, 2, 3]);
    assert.equal(canHaveEvents(createFrame(ts, numbers)), true);
    assert.equal(canHaveEvents(createFrame(days, numbers)), false);
    assert.equal(canHaveEvents(createFrame(numbers)), false);
    assert.equal(canHaveEvents(createFrame(ts, textColumn('name', ['a', 'b', 'c']))), false);
    assert.equal(canHaveEvents(createFrame(ts, numberColumn('hours', [1, 1, 1], hourCount))), false);
  });
});
