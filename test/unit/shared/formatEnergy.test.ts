import assert from 'node:assert/strict';
import { createEnergiesFormatter, createEnergyFormatter } from '../../../src/shared/formatNumber.ts';

describe('createEnergyFormatter', () => {
  for (const [mwh, text] of [
    [0, '0 MWh'],
    [-0, '0 MWh'],
    [600.75, '601 MWh'],
    [0.000_42, '0.00042 MWh'],
    [99_999.9994, '100,000 MWh'],
    [100_000, '100 GWh'],
    [123_456.789, '123 GWh'],
    [-123_456.789, '-123 GWh'],
    [18_522_601.234, '18,523 GWh'],
    [12.345, '12.3 MWh'],
    [48, '48 MWh'],
    [99_999_949, '100,000 GWh'],
    [100_000_000, '100 TWh'],
    [234_567_890, '235 TWh'],
    [1e14, '100,000,000 TWh'],
    [1e300, '1e+294 TWh'],
  ] as const)
    it(`writes ${mwh} MWh as ${text}`, () => {
      assert.equal(createEnergyFormatter('en')(mwh), text);
    });

  it('formats energy in the locale', () => {
    assert.equal(createEnergyFormatter('de')(18_522_601.234), '18.523 GWh');
  });
});

describe('createEnergiesFormatter', () => {
  it('writes the energies of a column in one unit, with the same number of decimals', () => {
    const formatAll = (...energies: number[]) => energies.map(createEnergiesFormatter('en', energies));
    assert.deepEqual(formatAll(18_522_601.234, 310.5, -72_000), ['18,523 GWh', '~0 GWh', '-72 GWh']);
    assert.deepEqual(formatAll(99_999, 12.5, 0), ['99,999 MWh', '13 MWh', '0 MWh']);
    assert.deepEqual(formatAll(), []);
  });
});
