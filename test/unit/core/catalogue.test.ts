import assert from 'node:assert/strict';
import { datasetById, datasets, isInterval, stepOf } from '../../../src/core/catalogue.ts';

describe('catalogue', () => {
  it('holds the two endpoints of the specification with their limits', () => {
    assert.deepEqual(
      datasets.map(({ path, scope, limit }) => [path, scope, limit.requests, limit.seconds]),
      [
        ['/api/v1/grid/system-state', 'normalized_data', 10, 60],
        ['/api/v1/features/grid-stress', 'features', 3, 60],
      ],
    );
  });

  it('has unique ids, and an interval of known length for each', () => {
    assert.equal(new Set(datasets.map(({ id }) => id)).size, datasets.length);
    for (const { id, intervals } of datasets) {
      assert.equal(datasetById(id)?.id, id);
      for (const interval of intervals) assert.notEqual(stepOf(interval), undefined);
    }
    assert.equal(datasetById('toString'), undefined);
  });
});

describe('stepOf', () => {
  for (const [interval, ms] of [
    ['1m', 60_000],
    ['15m', 900_000],
    ['1h', 3_600_000],
    ['1d', 86_400_000],
    ['7d', 604_800_000],
  ] as const)
    it(`knows ${interval}`, () => {
      assert.equal(stepOf(interval), ms);
    });

  for (const interval of ['', 'h', '0h', '01h', '-1h', '1.5h', '1M', '1mo', '1y', '1w', '1 h', '1H', 'hourly', 'PT1H'])
    it(`does not guess the length of ${JSON.stringify(interval)}`, () => {
      assert.equal(stepOf(interval), undefined);
    });
});

describe('isInterval', () => {
  for (const text of [
    '1h',
    '15m',
    '7d',
    '1w',
    '1M',
    '1y',
    '90min',
    '2weeks',
    'hourly',
    'daily',
    'PT15M',
    'P1D',
    'P1DT12H',
  ])
    it(`takes ${text} for a length of time`, () => {
      assert.equal(isInterval(text), true);
    });

  for (const text of ['', 'banana', 'h', '0h', '-1h', '1', '1x', '1 h', 'P', 'PT', 'last', `${'1'.repeat(100_000)}h`])
    it(`takes ${JSON.stringify(text.slice(0, 20))} for none`, () => {
      assert.equal(isInterval(text), false);
    });
});
