import assert from 'node:assert/strict';
import { gridStressFields, systemStateFields } from '../../../src/shared/fields.ts';
import {
  getDifferenceUnit,
  energy,
  money,
  moneyRate,
  power,
  powerExtreme,
  isSameUnit,
  share,
  inferUnit,
} from '../../../src/shared/units.ts';

const kilowatts = { kind: 'power', text: 'kW', mwhPerHour: 0.001 };
const kilowattExtreme = { kind: 'power', text: 'kW' };
const kilowattHours = { kind: 'energy', text: 'kWh' };

describe('inferUnit', () => {
  for (const [name, unit] of [
    ['mw', power],
    ['mwh', energy],
    ['csp_mw', power],
    ['a.b.biomass_mw', power],
    ['sent_out_mwh', energy],
    ['max_energy_mwh', energy],
    ['load_factor_pct', share],
    ['wind_max_mw', powerExtreme],
    ['wind_min_mw', powerExtreme],
    ['max_demand_mw', powerExtreme],
    ['ramp_up_max_mw', powerExtreme],
    ['coal_ramp_mw', powerExtreme],
    ['installed_capacity_mw', powerExtreme],
    ['maximum_mw', powerExtreme],
    ['MW', power],
    ['Plant MW', power],
    ['max.wind_mw', powerExtreme],
    ['site.mw', power],
    ['Peaker MW', power],
    ['Active power (kW)', kilowatts],
    ['Maximum demand (kW)', kilowattExtreme],
    ['Peak kW', kilowattExtreme],
    ['kWh', kilowattHours],
    ['Energy (kWh)', kilowattHours],
    ['Import [KWH]', kilowattHours],
    ['meter.kwh', kilowattHours],
    ['Peak (kWh)', kilowattHours],
    ['import_phase_c_kwh', kilowattHours],
    ['Cost (R)', money],
    ['cost_zar', money],
    ['price_r_mwh', moneyRate],
    ['Price (ZAR/MWh)', moneyRate],
    ['Price (R/kWh)', { kind: 'rate', text: 'R/kWh' }],
    ['price_c_kwh', { kind: 'rate', text: 'c/kWh' }],
  ] as const)
    it(`finds the unit of ${name}`, () => {
      assert.deepEqual(inferUnit(name), unit);
    });

  for (const name of [
    'wind_mw_note',
    'wind_kmh',
    'solarmw',
    'cost_r',
    'R',
    'Energy (kWh) import',
    'price_c_mwh',
    'kWh/day',
    'x'.repeat(200_000),
  ])
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
