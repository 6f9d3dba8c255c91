import assert from 'node:assert/strict';
import { gridStressFields, systemStateFields } from '../../../src/shared/fields.ts';
import {
  getDifferenceUnit,
  energy,
  power,
  powerExtreme,
  isSameUnit,
  share,
  inferUnit,
} from '../../../src/shared/units.ts';

describe('inferUnit', () => {
  for (const [name, unit] of [
    ['mw', power],
    ['mwh', energy],
    ['csp_mw', power],
    ['a.b.biomass_mw', power],
    ['maximum_mw', power],
    ['sent_out_mwh', energy],
    ['max_energy_mwh', energy],
    ['load_factor_pct', share],
    ['wind_max_mw', powerExtreme],
    ['wind_min_mw', powerExtreme],
    ['max_demand_mw', powerExtreme],
    ['ramp_up_max_mw', powerExtreme],
    ['coal_ramp_mw', powerExtreme],
    ['installed_capacity_mw', powerExtreme],
  ] as const)
    it(`finds the unit of ${name}`, () => {
      assert.equal(inferUnit(name), unit);
    });

  for (const name of ['MW', '_MW', 'wind_mw_note', 'wind_kmh', 'a b_mw', 'x'.repeat(200) + '_mw', '‮_mw', 'a\n_mw'])
    it(`infers no unit from ${JSON.stringify(name.slice(0, 20))}`, () => {
      assert.equal(inferUnit(name), undefined);
    });
});

describe('the units of the catalog', () => {
  it('defines energy only for mean power', () => {
    const fields = [...systemStateFields, ...gridStressFields];
    const namesWithoutEnergy = fields.filter(([, { unit }]) => unit?.mwhPerHour === undefined).map(([name]) => name);
    assert.deepEqual(namesWithoutEnergy, [
      ...['ts', 'renewable_share_pct', 'ocgt_ramp_mw', 'ocgt_ramp_up_max_mw', 'ocgt_ramp_down_min_mw'],
      ...['ts', 'value', 'version'],
      ...['residual_demand', 'ocgt_ramp', 'reserve_margin', 'renewable_shortfall'].map(name => `components.${name}`),
    ]);
  });

  it('matches the names of the fields', () => {
    for (const [name, { unit }] of systemStateFields) {
      const named = inferUnit(name);
      assert.equal(unit?.text, named?.text, name);
      assert.equal(unit?.mwhPerHour, named?.mwhPerHour, name);
    }
  });

  it('defines an index for each number of grid stress', () => {
    const kinds = [...gridStressFields].flatMap(([, { unit }]) => unit?.kind ?? []);
    assert.deepEqual(kinds, ['index', 'index', 'index', 'index', 'index']);
  });
});

describe('isSameUnit and getDifferenceUnit', () => {
  it('distinguishes a difference from its base, and recognizes a copy', () => {
    assert.ok(isSameUnit(power, structuredClone(power)));
    assert.ok(!isSameUnit(power, getDifferenceUnit(power)));
    assert.ok(!isSameUnit(power, powerExtreme));
    assert.ok(!isSameUnit(power, energy));
  });

  it('uses percentage points for the difference of percentages', () => {
    assert.equal(getDifferenceUnit(share).text, 'pp');
    assert.equal(getDifferenceUnit(power).mwhPerHour, 1);
  });
});
