import assert from 'node:assert/strict';
import {
  findDataset,
  datasets,
  isInterval,
  getMinIntervalMs,
  getIntervalMs,
} from '../../../../src/core/query/catalogue.ts';

describe('catalogue', () => {
  it('defines the two endpoints of the specification with their limits', () => {
    assert.deepEqual(
      datasets.map(({ path, scope, limit }) => [path, scope, limit.requests, limit.seconds]),
      [
        ['/api/v1/grid/system-state', 'normalized_data', 10, 60],
        ['/api/v1/features/grid-stress', 'features', 3, 60],
      ],
    );
  });

  it('gives each dataset a unique id and an interval of known length', () => {
    assert.equal(new Set(datasets.map(({ id }) => id)).size, datasets.length);
    for (const { id, intervals } of datasets) {
      assert.equal(findDataset(id)?.id, id);
      for (const interval of intervals) assert.notEqual(getIntervalMs(interval), undefined);
    }
    assert.equal(findDataset('toString'), undefined);
  });
});

describe('the length of an interval', () => {
  for (const [interval, ms] of [
    ['1m', 60_000],
    ['15m', 900_000],
    ['1h', 3_600_000],
    ['1d', 86_400_000],
    ['7d', 604_800_000],
  ] as const)
    it(`returns the known length of ${interval}`, () => {
      assert.equal(getIntervalMs(interval), ms);
    });

  for (const interval of ['', 'h', '0h', '01h', '-1h', '1.5h', '1M', '1mo', '1y', '1w', '1 h', '1H', 'hourly', 'PT1H'])
    it(`returns undefined for ${JSON.stringify(interval)}`, () => {
      assert.equal(getIntervalMs(interval), undefined);
    });
});

describe('the minimum length of an interval', () => {
  const hour = 3_600_000;
  for (const [interval, ms] of [
    ['15m', hour / 4],
    ['90min', 1.5 * hour],
    ['2hrs', 2 * hour],
    ['1M', hour / 60],
    ['3mo', 84 * 24 * hour],
    ['monthly', 28 * 24 * hour],
    ['daily', 24 * hour],
    ['1q', 90 * 24 * hour],
    ['2years', 730 * 24 * hour],
    ['PT15M', hour / 4],
    ['P1M', 28 * 24 * hour],
    ['P1Y2W3DT4H5M6S', (365 + 14 + 3) * 24 * hour + 4 * hour + 306_000],
    ['P0D', 0],
  ] as const)
    it(`returns the shortest length of ${interval}`, () => {
      assert.ok(isInterval(interval));
      assert.equal(getMinIntervalMs(interval), ms);
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
    it(`accepts ${text} as an interval`, () => {
      assert.equal(isInterval(text), true);
    });

  for (const text of ['', 'banana', 'h', '0h', '-1h', '1', '1x', '1 h', 'P', 'PT', 'last', `${'1'.repeat(100_000)}h`])
    it(`rejects ${JSON.stringify(text.slice(0, 20))} as an interval`, () => {
      assert.equal(isInterval(text), false);
    });
});
