import assert from 'node:assert/strict';
import { getServiceDataset } from '../../../support/serviceQuery.ts';
import fc from 'fast-check';
import {
  dependsOnZone,
  parseParams,
  getQueryIdentity,
  createRequestParameters,
  resolveQuery,
  resolveTypedQuery,
  countIntervals,
  type Query,
  type ResolvedQuery,
} from '../../../../src/core/query/query.ts';

const now = Date.parse('2023-05-17T14:25:30Z');

function createQuery(changes: Partial<Query> = {}): Query {
  return { dataset: 'systemState', range: '2023-05-01', interval: '1h', params: {}, timeZone: 'UTC', ...changes };
}

function resolve(changes: Partial<Query> = {}): ResolvedQuery {
  const result = resolveQuery(createQuery(changes), now);
  assert.ok(result.ok);
  return result.value;
}

describe('resolveQuery', () => {
  it('resolves a query to instants and its dataset', () => {
    const { dataset, start, end, intervalMs, range } = resolve({ range: 'yesterday', timeZone: 'Africa/Johannesburg' });
    assert.equal(getServiceDataset(dataset.id).path, '/api/v1/grid/system-state');
    assert.equal(new Date(start).toISOString(), '2023-05-15T22:00:00.000Z');
    assert.equal(new Date(end).toISOString(), '2023-05-16T22:00:00.000Z');
    assert.equal(intervalMs, 3_600_000);
    assert.equal(range, 'yesterday');
  });

  it("uses the days of the query's time zone", () => {
    const start = (timeZone: string, interval = '1h'): string =>
      new Date(resolve({ range: '2024-W12', timeZone, interval }).start).toISOString();
    assert.equal(start('Africa/Johannesburg'), '2024-03-17T22:00:00.000Z');
    assert.equal(start('Europe/London'), '2024-03-18T00:00:00.000Z');
    assert.equal(start('Europe/London', '1d@SAST'), '2024-03-17T22:00:00.000Z');
  });

  it('distinguishes queries by time zone, except if their rows are days of a zone', () => {
    const getIdentity = (timeZone: string, interval = '1h'): string =>
      getQueryIdentity(createQuery({ timeZone, interval }));
    assert.notEqual(getIdentity('UTC'), getIdentity('Europe/London'));
    assert.equal(getIdentity('UTC', '1d@SAST'), getIdentity('Europe/London', '1d@SAST'));
  });

  it('reports whether the range depends on the time zone', () => {
    for (const interval of ['1h', '1d'])
      for (const [range, expected] of [
        ...['2024-W12', 'last month', '2023-05-01 00:00 to 04:00', '2023-05-01..'].map(text => [text, true]),
        ...['last 36 hours', '2023-05-01T00:00Z..2023-05-03T00:00Z'].map(text => [text, false]),
      ] as [string, boolean][]) {
        const resolved = resolveQuery(createQuery({ range, interval }), now);
        assert.ok(resolved.ok, range);
        assert.equal(dependsOnZone(resolved.value), expected, `${range} ${interval}`);
      }
  });

  it('reports an unknown dataset by name', () => {
    const problem = { ok: false, problem: 'unknownDataset', part: '__proto__' };
    assert.deepEqual(resolveQuery(createQuery({ dataset: '__proto__' }), now), problem);
  });

  it('reports an invalid range', () => {
    const noRange = { ok: false, problem: 'notUnderstood', part: 'soon' };
    assert.deepEqual(resolveQuery(createQuery({ range: 'soon' }), now), noRange);
    const reversed = resolveQuery(createQuery({ range: '2023-05..2023-04' }), now);
    assert.deepEqual(reversed, { ok: false, problem: 'endNotAfterStart' });
  });

  it('reports an invalid interval by name', () => {
    for (const interval of ['', '1x', '0h', 'hour after hour']) {
      const problem = { ok: false, problem: 'badInterval', part: interval };
      assert.deepEqual(resolveQuery(createQuery({ interval }), now), problem);
    }
  });

  it('accepts an unknown interval, and resolves the range to the second', () => {
    const { intervalMs, start, end, interval } = resolve({ range: 'last 1 hour', interval: 'hourly' });
    assert.deepEqual([intervalMs, end - start, end, interval], [undefined, 3_600_000, now, 'hourly']);
  });
});

describe('resolveQuery for a range of more intervals than the limit', () => {
  const tooMany = { ok: false, problem: 'tooManySteps', steps: 1_000_000 };

  it('rejects a century of minutes', () => {
    assert.deepEqual(resolveQuery(createQuery({ range: '1927..2026', interval: '1m' }), now), tooMany);
    assert.deepEqual(resolveQuery(createQuery({ range: 'last 2 years', interval: '1m' }), now), tooMany);
  });

  it('rejects too many intervals of a known minimum length', () => {
    for (const interval of ['1s', 'PT1S', '90sec', '1min', 'PT1M', '1M', 'PT0S', 'P0D'])
      assert.deepEqual(resolveQuery(createQuery({ range: 'last 4 years', interval }), now), tooMany, interval);
    for (const interval of ['1mo', 'P1M', 'monthly', 'quarterly', '2weeks', 'P1DT1S', 'hourly', 'PT15M', '90min'])
      assert.equal(resolveQuery(createQuery({ range: '2000..2026', interval }), now).ok, true, interval);
  });

  it('accepts a century of hours, and a year of minutes', () => {
    assert.equal(resolveQuery(createQuery({ range: '1927..2026', interval: '1h' }), now).ok, true);
    assert.equal(resolveQuery(createQuery({ range: 'last 1 year', interval: '1m' }), now).ok, true);
  });
});

describe('resolveTypedQuery', () => {
  it('rejects a range in the future', () => {
    for (const range of ['2030', '2023-05-18', '2023-06..2023-07', '2023-05-17T14:30Z..2023-05-17T18:00Z'])
      assert.deepEqual(resolveTypedQuery(createQuery({ range, interval: '1m' }), now), {
        ok: false,
        problem: 'inFuture',
      });
  });

  it('accepts a range that includes the present, and reports other problems', () => {
    for (const range of ['2023', 'today', '2023-05-17', 'last 24 hours'])
      assert.equal(resolveTypedQuery(createQuery({ range }), now).ok, true, range);
    assert.deepEqual(resolveTypedQuery(createQuery({ range: '' }), now), { ok: false, problem: 'empty' });
  });
});

describe('createRequestParameters', () => {
  it('sends start, end and interval in the order of the specification, then the rest', () => {
    assert.deepEqual(createRequestParameters(resolve({ params: { zone: 'a b&c', components: 'true' } })), [
      ['start', '2023-05-01T00:00:00Z'],
      ['end', '2023-05-02T00:00:00Z'],
      ['interval', '1h'],
      ['zone', 'a b&c'],
      ['components', 'true'],
    ]);
  });

  it('prevents parameters from replacing the range or the interval', () => {
    const conflicting = { start: '1970', end: '2100', interval: '1s', components: 'true' };
    const parameters = createRequestParameters(resolve({ params: conflicting }));
    assert.deepEqual(
      parameters.map(([name]) => name),
      ['start', 'end', 'interval', 'components'],
    );
    assert.equal(new Map(parameters).get('interval'), '1h');
  });

  it('sends whole seconds with a Z', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4000 }), fc.constantFrom('1h', '1d', '1w'), (count, interval) => {
        const [start, end] = createRequestParameters(resolve({ range: `last ${count} hours`, interval }));
        for (const [, text] of [start ?? [], end ?? []]) assert.match(text ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      }),
    );
  });
});

describe('the number of intervals', () => {
  it('counts the intervals of the range', () => {
    assert.equal(countIntervals(resolve()), 24);
    assert.equal(countIntervals(resolve({ interval: '1d' })), 1);
    assert.equal(countIntervals(resolve({ interval: '7d' })), 1);
    assert.equal(countIntervals(resolve({ interval: '1w' })), undefined);
  });

  it('counts days with 23 and 25 hours once', () => {
    assert.equal(countIntervals(resolve({ range: '2023-03-26', timeZone: 'Europe/Berlin' })), 23);
    assert.equal(countIntervals(resolve({ range: '2022-10-30', timeZone: 'Europe/Berlin' })), 25);
  });
});

describe('parseParams', () => {
  const accepted: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
    ['', []],
    ['  ', []],
    ['components=true', [['components', 'true']]],
    [
      ' a=1\tb=2&c=3 ',
      [
        ['a', '1'],
        ['b', '2'],
        ['c', '3'],
      ],
    ],
    ['a=', [['a', '']]],
    ['a=b=c', [['a', 'b=c']]],
    ['a=1 a=2', [['a', '2']]],
    ['__proto__=1', [['__proto__', '1']]],
    [
      'constructor=1 toString=2',
      [
        ['constructor', '1'],
        ['toString', '2'],
      ],
    ],
    ['area.code=ä', [['area.code', 'ä']]],
    ['started=1', [['started', '1']]],
  ];
  for (const [text, pairs] of accepted)
    it(`reads ${JSON.stringify(text)}`, () => {
      const params = parseParams(text);
      assert.ok(params);
      assert.deepEqual(Object.entries(params), pairs);
      assert.equal(Object.getPrototypeOf(params), Object.prototype);
    });

  for (const text of ['a', '=1', '1a=2', 'a=1 b', 'start=1', 'a=1 end=2', 'interval=1d', 'ä=1', `a=${'x'.repeat(257)}`])
    it(`rejects ${JSON.stringify(text.slice(0, 20))}`, () => {
      assert.equal(parseParams(text), undefined);
    });

  it('parses formatted parameters back', () => {
    const name = fc.stringMatching(/^[A-Za-z_][\w.-]{0,10}$/).filter(text => !/^(start|end|interval)$/.test(text));
    const value = fc.stringMatching(/^[\w=?%+:,.-]{0,20}$/);
    fc.assert(
      fc.property(fc.dictionary(name, value, { noNullPrototype: true }), params => {
        const text = Object.entries(params).map(pair => pair.join('='));
        assert.deepEqual(parseParams(text.join(' ')), params);
      }),
    );
  });
});

describe('getQueryIdentity', () => {
  it('returns the same identity for other spellings of a range, and includes the text of an invalid range', () => {
    const identity = getQueryIdentity(createQuery({ range: '2023-05-01' }));
    for (const range of ['1 May 2023', ' 2023/5/1 ', '20230501'])
      assert.equal(getQueryIdentity(createQuery({ range })), identity);
    assert.notEqual(
      getQueryIdentity(createQuery({ range: 'soon' })),
      getQueryIdentity(createQuery({ range: 'later' })),
    );
  });

  it('ignores the order of parameters', () => {
    const identity = getQueryIdentity(createQuery({ params: { a: '1', b: '2' } }));
    assert.equal(identity, getQueryIdentity(createQuery({ params: { b: '2', a: '1' } })));
  });

  it('returns different identities for queries that request different data', () => {
    const identities = [
      createQuery(),
      createQuery({ dataset: 'gridStress' }),
      createQuery({ range: '2023-05-02' }),
      createQuery({ interval: '1d' }),
      createQuery({ params: { a: '1' } }),
      createQuery({ params: { a: '2' } }),
      createQuery({ params: { b: '1' } }),
      createQuery({ params: { a: '1', b: '1' } }),
      createQuery({ params: { 'a","1"],["b': '1' } }),
    ].map(getQueryIdentity);
    assert.equal(new Set(identities).size, identities.length);
  });
});
