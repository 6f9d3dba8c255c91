import assert from 'node:assert/strict';
import {
  listAlertFields,
  listAlertKinds,
  listConditionColumns,
  getAlertKind,
  parseAlertValue,
} from '../../../../src/core/watch/alert.ts';
import { findStressBand, formatLimit, parseLimit } from '../../../../src/core/formula/columnLimit.ts';
import { FormulaError } from '../../../../src/core/formula/formula.ts';
import { parseCondition } from '../../../../src/core/formula/parseFormula.ts';
import {
  isOpenEnded,
  changeAlerts,
  createSnooze,
  createSwitch,
  addAlert,
} from '../../../../src/core/watch/watchedQuery.ts';
import type { SavedQuery } from '../../../../src/core/savedQueries/savedItem.ts';

const query = { dataset: 'gridStress', range: 'last 24 hours', interval: '1h', params: {}, timeZone: 'UTC' };
const saved: SavedQuery = { kind: 'query', id: 'a', name: 'A', query };

describe('the fields of an alert', () => {
  it('offers the kinds and the number fields of a dataset', () => {
    assert.deepEqual(listAlertKinds('gridStress', '1h'), ['stressBand', 'value', 'condition', 'late']);
    assert.deepEqual(listAlertKinds('systemState', '1h'), ['value', 'rampAbove', 'condition', 'late']);
    assert.deepEqual(listAlertKinds('unknown', '1h'), ['value', 'condition', 'late']);
    const names = listAlertFields('systemState', '1h').map(({ name, info }) => `${name} ${info?.unit?.text ?? ''}`);
    assert.ok(names.includes('residual_demand_mw MW') && names.includes('renewable_share_pct %'));
    assert.ok(!names.some(name => name.startsWith('ts')));
    assert.ok(!listAlertFields('gridStress', '1h').some(({ name }) => name === 'version'));
  });

  it('offers the ramps that the interval supports', () => {
    const listRamps = (interval: string) => [
      ...listAlertFields('systemState', interval).flatMap(({ name }) => (name.startsWith('ocgt_ramp') ? [name] : [])),
      ...listAlertKinds('systemState', interval).filter(kind => kind === 'rampAbove'),
    ];
    assert.deepEqual(listRamps('1h'), ['ocgt_ramp_mw', 'rampAbove']);
    assert.deepEqual(listRamps('1d'), ['ocgt_ramp_up_max_mw', 'ocgt_ramp_down_min_mw']);
    assert.deepEqual(listRamps('1d@SAST'), []);
  });

  it('formats a comparison as a formula, and parses it back to the selection', () => {
    for (const limit of [
      { column: 'residual_demand_mw', sign: '>', value: 28_000.5 },
      { column: 'odd "name"', sign: '<', value: -3 },
      { column: 'and', sign: '>=', value: 1e-7 },
      { column: 'a.b', sign: '>', value: 1e21 },
    ] as const) {
      const condition = formatLimit(limit);
      assert.deepEqual(parseLimit(condition), limit);
      const columns = [{ name: limit.column, kind: 'number' }] as const;
      assert.ok(!(parseCondition(condition, columns) instanceof FormulaError), condition);
    }
    for (const invalid of [
      'wind_mw > pv_mw',
      'wind_mw>5',
      'not (wind_mw > 5)',
      'wind_mw > 5 MW',
      'wind_mw > 5 and x < 3',
      '',
    ])
      assert.equal(parseLimit(invalid), undefined, invalid);
    const listKinds = (...conditions: string[]) =>
      conditions.map(condition => getAlertKind({ kind: 'condition', condition }));
    assert.deepEqual(
      listKinds('value >= 0.6', 'value >= 0.61', 'wind_mw < 3', 'ocgt_ramp_mw > 5', 'ocgt_ramp_mw < 5'),
      [...['stressBand', 'condition', 'value', 'rampAbove', 'value']],
    );
    assert.equal(findStressBand({ column: 'value', sign: '>=', value: 0.8 }), 'critical');
  });

  it('includes the columns that a query derives', () => {
    const derive = [
      { name: 'error', formula: 'residual_demand_mw - residual_forecast_mw' },
      { name: 'bad', formula: '(' },
      { name: 'twice', formula: 'error * 2' },
    ];
    const columns = listConditionColumns('systemState', '1h', derive);
    const added = columns.filter(({ name }) => derive.some(derived => derived.name === name));
    assert.deepEqual(
      added.map(({ name, field }) => [name, field?.unit?.text]),
      [
        ['error', 'MW'],
        ['twice', 'MW'],
      ],
    );
    assert.ok(!(parseCondition('twice > 500 MW and mean(error, 3h) > 1', columns) instanceof FormulaError));
  });

  it('reads plain numbers and explains an invalid text', () => {
    const [demand] = listAlertFields('systemState', '1h');
    const [stress] = listAlertFields('gridStress', '1h');
    assert.deepEqual(parseAlertValue(' 28 000.5 ', demand, 'en'), { ok: true, value: 28_000.5 });
    assert.deepEqual(parseAlertValue('-3', { name: 'own' }, 'en'), { ok: true, value: -3 });
    assert.deepEqual(parseAlertValue('.6', stress, 'en'), { ok: true, value: 0.6 });
    for (const text of ['', 'many', '28,00,0', '0x10', 'Infinity', '1.2.3', '1'.repeat(1e6)])
      assert.deepEqual(parseAlertValue(text, demand, 'en'), { ok: false, problem: 'noNumber' }, text);
    assert.deepEqual(parseAlertValue('18,000', demand, 'en'), { ok: true, value: 18_000 });
    assert.deepEqual(parseAlertValue('18,000', demand, 'af'), { ok: true, value: 18 });
    assert.deepEqual(parseAlertValue('18.000', demand, 'de'), { ok: false, problem: 'ambiguous' });
    assert.deepEqual(parseAlertValue('7', stress, 'en'), { ok: false, problem: 'outsideIndex' });
    assert.deepEqual(parseAlertValue('0', undefined, 'en'), { ok: false, problem: 'rampNotAbove0' });
    assert.deepEqual(parseAlertValue('900', undefined, 'en'), { ok: true, value: 900 });
  });
});

describe('editing alerts', () => {
  it('adds an alert, which enables hourly refresh of the query', () => {
    assert.deepEqual(addAlert('x', { kind: 'late' })(saved), {
      keepFresh: true,
      alerts: [{ kind: 'late', id: 'x', on: true }],
    });
  });

  it('changes and removes only the named alerts', () => {
    const alerts = ['x', 'y', 'z'].map(id => ({ kind: 'late', id, on: true }) as const);
    const change = changeAlerts(['y'], createSnooze(5));
    assert.deepEqual(change({ ...saved, alerts }).alerts?.[1], { kind: 'late', id: 'y', on: true, snoozedUntil: 5 });
    assert.deepEqual(
      changeAlerts(['x', 'gone'], () => undefined)({ ...saved, alerts }).alerts?.map(({ id }) => id),
      ['y', 'z'],
    );
    assert.deepEqual(createSwitch(false)({ kind: 'late', id: 'x', on: true, snoozedUntil: 5 }).on, false);
    assert.deepEqual(createSwitch(true)({ kind: 'late', id: 'x', on: false, snoozedUntil: 5 }), {
      kind: 'late',
      id: 'x',
      on: true,
    });
  });
});

describe('a range that includes the present', () => {
  const now = Date.parse('2026-05-04T00:10:00Z');
  for (const [range, expected] of [
    ['last 24 hours', true],
    ['yesterday', true],
    ['month to date', true],
    ['2026-05', true],
    ['2026-05-04..now', true],
    ['2023-01', false],
    ['2026-01-01..2026-05-01', false],
    ['no range', false],
  ] as const)
    it(`${expected ? 'detects' : 'does not detect'} the present in “${range}”`, () =>
      assert.equal(isOpenEnded({ ...query, range }, now), expected));
});
