import assert from 'node:assert/strict';
import { parseRangeQuery, shouldIncludeComponents } from '../../../../src/sandbox/server/endpoints.ts';

const intervals = ['1h', '1d'];
const parse = (text: string) => parseRangeQuery(new URLSearchParams(text), intervals);
const faults = {
  missing_params: 'start and end datetime are required ISO-8601',
  invalid_datetime: 'start/end datetimes must be ISO-8601 datetimes',
  bad_request: 'start datetime must be < end datetime',
} as const;

describe('parseRangeQuery', () => {
  for (const [text, error] of [
    ['', 'missing_params'],
    ['start=2023-01-01', 'missing_params'],
    ['end=2023-01-01&interval=5m', 'missing_params'],
    ['start=&end=', 'invalid_datetime'],
    ['start=yesterday&end=2023-01-01', 'invalid_datetime'],
    ['start=2023-02-29T00:00:00Z&end=2023-03-02T00:00:00Z', 'invalid_datetime'],
    // An unescaped + is decoded as a space.
    ['start=2023-01-01T00:00:00+02:00&end=2023-01-02T00:00:00Z', 'invalid_datetime'],
    ['start=2023-01-02&end=2023-01-01', 'bad_request'],
    ['start=2023-01-01T02:00:00%2B02:00&end=2023-01-01T00:00:00Z', 'bad_request'],
  ] as const)
    it(`finds ${error} in "${text}"`, () => assert.deepEqual(parse(text), { error, detail: faults[error] }));

  it('lists the valid intervals before it checks the times', () => {
    assert.deepEqual(parse('start=x&end=y&interval=5m'), {
      error: 'unsupported_interval',
      detail: "interval=5m not supported. Supported: ['1d', '1h']",
    });
    assert.deepEqual(parseRangeQuery(new URLSearchParams('start=x&end=y&interval=1d'), ['1h']), {
      error: 'unsupported_interval',
      detail: "interval=1d not supported. Supported: ['1h']",
    });
  });

  it('accepts Z, an offset, UTC without either and a bare date; ignores unknown parameters; takes the last of two', () => {
    const expected = { start: Date.UTC(2023, 0, 1), end: Date.UTC(2023, 0, 2), interval: '1h' };
    for (const text of [
      'start=2023-01-01T00:00:00Z&end=2023-01-02T00:00:00Z',
      'start=2023-01-01T02:00:00%2B02:00&end=2023-01-01T19:00:00-05:00',
      'start=2023-01-01T00:00:00&end=2023-01-02 00:00',
      'start=2023-01-01&end=2023-01-02&color=blue',
      'start=2020-01-01&start=2023-01-01&end=2023-01-02',
    ])
      assert.deepEqual(parse(text), expected);
  });
});

describe('shouldIncludeComponents', () => {
  it('returns true for 1, true and yes only', () => {
    const parseComponents = (text: string) => shouldIncludeComponents(new URLSearchParams(text));
    assert.deepEqual(['components=1', 'components=True', 'components=yes'].map(parseComponents), [true, true, true]);
    assert.deepEqual(['', 'components', 'components=0', 'components=no'].map(parseComponents), [
      false,
      false,
      false,
      false,
    ]);
  });
});
