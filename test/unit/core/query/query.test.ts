import assert from 'node:assert/strict';
import { serviceDataset } from '../../../support/serviceQuery.ts';
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

function query(changes: Partial<Query> = {}): Query {
  return { dataset: 'systemState', range: '2023-05-01', interval: '1h', params: {}, timeZone: 'UTC', ...changes };
}

function resolved(changes: Partial<Query> = {}): ResolvedQuery {
  const result = resolveQuery(query(changes), now);
  assert.ok(result.ok);
  return result.value;
}

describe('resolveQuery', () => {
  it('resolves a query to instants and its dataset', () => {
    const { dataset, start, end, stepMs, range } = resolved({ range: 'yesterday', timeZone: 'Africa/Johannesburg' });
    assert.equal(serviceDataset(dataset.id).path, '/api/v1/grid/system-state');
    assert.equal(new Date(start).toISOString(), '2023-05-15T22:00:00.000Z');
    assert.equal(new Date(end).toISOString(), '2023-05-16T22:00:00.000Z');
    assert.equal(stepMs, 3_600_000);
    assert.equal(range, 'yesterday');
  });

  it('takes the days of the zone of the query', () => {
    const start = (timeZone: string, interval = '1h'): string =>
      new Date(resolved({ range: '2024-W12', timeZone, interval }).start).toISOString();
    assert.equal(start('Africa/Johannesburg'), '2024-03-17T22:00:00.000Z');
    assert.equal(start('Europe/London'), '2024-03-18T00:00:00.000Z');
    assert.equal(start('Europe/London', '1d@SAST'), '2024-03-17T22:00:00.000Z');
  });

  it('tells queries apart by their zones, but not where their rows are days of one', () => {
    const identity = (timeZone: string, interval = '1h'): string => getQueryIdentity(query({ timeZone, interval }));
    assert.notEqual(identity('UTC'), identity('Europe/London'));
    assert.equal(identity('UTC', '1d@SAST'), identity('Europe/London', '1d@SAST'));
  });

  it('reports whether the range depends on the time zone', () => {
    for (const interval of ['1h', '1d'])
      for (const [range, expected] of [
        ...['2024-W12', 'last month', '2023-05-01 00:00 to 04:00', '2023-05-01..'].map(text => [text, true]),
        ...['last 36 hours', '2023-05-01T00:00Z..2023-05-03T00:00Z'].map(text => [text, false]),
      ] as [string, boolean][]) {
        const resolved = resolveQuery(query({ range, interval }), now);
        assert.ok(resolved.ok, range);
        assert.equal(dependsOnZone(resolved.value), expected, `${range} ${interval}`);
      }
  });

  it('reports an unknown dataset by name', () => {
    const problem = { ok: false, problem: 'unknownDataset', part: '__proto__' };
    assert.deepEqual(resolveQuery(query({ dataset: '__proto__' }), now), problem);
  });

  it('reports an invalid range', () => {
    const noRange = { ok: false, problem: 'notUnderstood', part: 'soon' };
    assert.deepEqual(resolveQuery(query({ range: 'soon' }), now), noRange);
    const reversed = resolveQuery(query({ range: '2023-05..2023-04' }), now);
    assert.deepEqual(reversed, { ok: false, problem: 'endNotAfterStart' });
  });

  it('reports an invalid interval by name', () => {
    for (const interval of ['', '1x', '0h', 'hour after hour']) {
      const problem = { ok: false, problem: 'badInterval', part: interval };
      assert.deepEqual(resolveQuery(query({ interval }), now), problem);
    }
  });

  it('accepts an unknown interval, to the second', () => {
    const { stepMs, start, end, interval } = resolved({ range: 'last 1 hour', interval: 'hourly' });
    assert.deepEqual([stepMs, end - start, end, interval], [undefined, 3_600_000, now, 'hourly']);
  });
});

describe('resolveQuery, for a range of more steps than are held at once', () => {
  const tooMany = { ok: false, problem: 'tooManySteps', steps: 1_000_000 };

  it('refuses a century of minutes', () => {
    assert.deepEqual(resolveQuery(query({ range: '1927..2026', interval: '1m' }), now), tooMany);
    assert.deepEqual(resolveQuery(query({ range: 'last 2 years', interval: '1m' }), now), tooMany);
  });

  it('refuses too many steps of an interval with a known minimum length', () => {
    for (const interval of ['1s', 'PT1S', '90sec', '1min', 'PT1M', '1M', 'PT0S', 'P0D'])
      assert.deepEqual(resolveQuery(query({ range: 'last 4 years', interval }), now), tooMany, interval);
    for (const interval of ['1mo', 'P1M', 'monthly', 'quarterly', '2weeks', 'P1DT1S', 'hourly', 'PT15M', '90min'])
      assert.equal(resolveQuery(query({ range: '2000..2026', interval }), now).ok, true, interval);
  });

  it('accepts a century of hours, and a year of minutes', () => {
    assert.equal(resolveQuery(query({ range: '1927..2026', interval: '1h' }), now).ok, true);
    assert.equal(resolveQuery(query({ range: 'last 1 year', interval: '1m' }), now).ok, true);
  });
});

describe('resolveTyped', () => {
  it('refuses a range in the future', () => {
    for (const range of ['2030', '2023-05-18', '2023-06..2023-07', '2023-05-17T14:30Z..2023-05-17T18:00Z'])
      assert.deepEqual(resolveTypedQuery(query({ range, interval: '1m' }), now), { ok: false, problem: 'inFuture' });
  });

  it('accepts a range that includes the present, and reports other problems', () => {
    for (const range of ['2023', 'today', '2023-05-17', 'last 24 hours'])
      assert.equal(resolveTypedQuery(query({ range }), now).ok, true, range);
    assert.deepEqual(resolveTypedQuery(query({ range: '' }), now), { ok: false, problem: 'empty' });
  });
});

describe('requestParameters', () => {
  it('sends start, end and interval in the order of the specification, then the rest', () => {
    assert.deepEqual(createRequestParameters(resolved({ params: { zone: 'a b&c', components: 'true' } })), [
      ['start', '2023-05-01T00:00:00Z'],
      ['end', '2023-05-02T00:00:00Z'],
      ['interval', '1h'],
      ['zone', 'a b&c'],
      ['components', 'true'],
    ]);
  });

  it('prevents parameters from replacing the range or the interval', () => {
    const sneaky = { start: '1970', end: '2100', interval: '1s', components: 'true' };
    const sent = createRequestParameters(resolved({ params: sneaky }));
    assert.deepEqual(
      sent.map(([name]) => name),
      ['start', 'end', 'interval', 'components'],
    );
    assert.equal(new Map(sent).get('interval'), '1h');
  });

  it('sends whole seconds with a Z', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4000 }), fc.constantFrom('1h', '1d', '1w'), (count, interval) => {
        const [start, end] = createRequestParameters(resolved({ range: `last ${count} hours`, interval }));
        for (const [, text] of [start ?? [], end ?? []]) assert.match(text ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      }),
    );
  });
});

describe('stepCount', () => {
  it('counts the steps of the range', () => {
    assert.equal(countIntervals(resolved()), 24);
    assert.equal(countIntervals(resolved({ interval: '1d' })), 1);
    assert.equal(countIntervals(resolved({ interval: '7d' })), 1);
    assert.equal(countIntervals(resolved({ interval: '1w' })), undefined);
  });

  it('counts the steps of days with 23 and 25 hours', () => {
    assert.equal(countIntervals(resolved({ range: '2023-03-26', timeZone: 'Europe/Berlin' })), 23);
    assert.equal(countIntervals(resolved({ range: '2022-10-30', timeZone: 'Europe/Berlin' })), 25);
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
    it(`refuses ${JSON.stringify(text.slice(0, 20))}`, () => {
      assert.equal(parseParams(text), undefined);
    });

  it('reads back what it wrote', () => {
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

describe('queryIdentity', () => {
  it('returns the same identity for other spellings of a range, and the text for an invalid one', () => {
    const identity = getQueryIdentity(query({ range: '2023-05-01' }));
    for (const range of ['1 May 2023', ' 2023/5/1 ', '20230501'])
      assert.equal(getQueryIdentity(query({ range })), identity);
    assert.notEqual(getQueryIdentity(query({ range: 'soon' })), getQueryIdentity(query({ range: 'later' })));
  });

  it('ignores the order of parameters', () => {
    const one = getQueryIdentity(query({ params: { a: '1', b: '2' } }));
    assert.equal(one, getQueryIdentity(query({ params: { b: '2', a: '1' } })));
  });

  it('distinguishes all queries that request something else', () => {
    const identities = [
      query(),
      query({ dataset: 'gridStress' }),
      query({ range: '2023-05-02' }),
      query({ interval: '1d' }),
      query({ params: { a: '1' } }),
      query({ params: { a: '2' } }),
      query({ params: { b: '1' } }),
      query({ params: { a: '1', b: '1' } }),
      query({ params: { 'a","1"],["b': '1' } }),
    ].map(getQueryIdentity);
    assert.equal(new Set(identities).size, identities.length);
  });
});
