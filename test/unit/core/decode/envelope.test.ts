import assert from 'node:assert/strict';
import { openEnvelope } from '../../../../src/core/decode/envelope.ts';
import { parseJson } from '../../../../src/core/json/json.ts';

const ts = ['2023-05-01T00:00:00Z', '2023-05-01T01:00:00Z'] as const;
const records = [
  { ts: ts[0], mw: 1 },
  { ts: ts[1], mw: 2 },
];

interface Case {
  readonly title: string;
  readonly body: unknown;
  readonly records?: readonly unknown[];
  readonly meta?: unknown;
}

const cases: readonly Case[] = [
  { title: 'a bare array', body: records, records },
  { title: 'an empty array', body: [], records: [] },
  { title: 'data', body: { data: records }, records },
  { title: 'meta and data', body: { meta: { a: 1 }, data: records }, records, meta: { meta: { a: 1 } } },
  { title: 'meta and empty data', body: { meta: {}, data: [] }, records: [], meta: { meta: {} } },
  {
    title: 'pages of Django REST framework',
    body: { count: 2, next: null, previous: null, results: records },
    records,
    meta: { count: 2, next: null, previous: null },
  },
  {
    title: 'one list of objects under an unusual name',
    body: { hours: records, tags: ['x'] },
    records,
    meta: { tags: ['x'] },
  },
  {
    title: 'data within data',
    body: { status: 'ok', data: { total: 2, items: records } },
    records,
    meta: { status: 'ok', total: 2 },
  },
  {
    title: 'an array of arrays with a heading in its first row',
    body: [
      ['ts', 'mw'],
      [ts[0], 1],
      [ts[1], 2],
    ],
    records,
  },
  {
    title: 'a heading whose first row of values has a gap',
    body: [
      ['ts', 'mw'],
      [ts[0], null],
      [ts[1], 2],
    ],
    records: [{ ts: ts[0], mw: null }, records[1]],
  },
  {
    title: 'an array of arrays without a heading',
    body: [
      [ts[0], 1],
      [ts[1], 2],
    ],
    records: [
      { 'column 1': ts[0], 'column 2': 1 },
      { 'column 1': ts[1], 'column 2': 2 },
    ],
  },
  {
    title: 'an array of arrays of several lengths',
    body: [[1], [2, 3]],
    records: [{ 'column 1': 1 }, { 'column 1': 2, 'column 2': 3 }],
  },
  {
    title: 'a heading in columns',
    body: {
      columns: ['ts', 'mw'],
      data: [
        [ts[0], 1],
        [ts[1], 2],
        [ts[1], 3],
      ],
    },
    records: [...records, { ts: ts[1], mw: 3 }],
    meta: { columns: ['ts', 'mw'] },
  },
  {
    title: 'a heading in columns with as many rows as columns',
    body: {
      columns: ['ts', 'mw'],
      data: [
        [ts[0], 1],
        [ts[1], 2],
      ],
    },
    records,
    meta: { columns: ['ts', 'mw'] },
  },
  {
    title: 'a heading, an index and as many rows as columns',
    body: {
      columns: ['ts', 'mw'],
      index: [0, 1],
      data: [
        [ts[0], 1],
        [ts[1], 2],
      ],
    },
    records,
    meta: { columns: ['ts', 'mw'], index: [0, 1] },
  },
  {
    title: 'a heading of objects with names',
    body: {
      fields: [{ name: 'ts' }, { name: 'mw' }],
      rows: [
        [ts[0], 1],
        [ts[1], 2],
      ],
    },
    records,
    meta: { fields: [{ name: 'ts' }, { name: 'mw' }] },
  },
  { title: 'an object of arrays', body: { ts: [...ts], mw: [1, 2] }, records },
  {
    title: 'an object of arrays called names and values',
    body: { names: ['a', 'b'], values: [1, 2] },
    records: [
      { names: 'a', values: 1 },
      { names: 'b', values: 2 },
    ],
  },
  { title: 'an object of arrays within data', body: { data: { ts: [...ts], mw: [1, 2] } }, records },
  {
    title: 'an object keyed by instants',
    body: { [ts[0]]: { mw: 1 }, [ts[1]]: { mw: 2 } },
    records,
  },
  {
    title: 'an object of numbers keyed by instants, in an envelope',
    body: { data: { [ts[0]]: 1, [ts[1]]: null } },
    records: [
      { ts: ts[0], value: 1 },
      { ts: ts[1], value: null },
    ],
  },
  {
    title: 'an object of lists keyed by instants',
    body: { [ts[0]]: [1, 2], [ts[1]]: [3, 4] },
    records: [
      { ts: ts[0], value: [1, 2] },
      { ts: ts[1], value: [3, 4] },
    ],
  },
  {
    title: 'one instant with a list of objects',
    body: { [ts[0]]: [{ area: 1 }, { area: 2 }] },
    records: [{ ts: ts[0], value: [{ area: 1 }, { area: 2 }] }],
  },
  {
    title: 'an object keyed by instants whose entries have another ts',
    body: { [ts[0]]: { ts: 7 } },
    records: [{ ts: ts[0], value: { ts: 7 } }],
  },
  { title: 'one object', body: records[0], records: [records[0]] },
  {
    title: 'one object with a nested one',
    body: { ts: ts[0], parts: { a: 1 } },
    records: [{ ts: ts[0], parts: { a: 1 } }],
  },
  { title: 'one object with lists of texts', body: { ts: ts[0], tags: ['a'] }, records: [{ ts: ts[0], tags: ['a'] }] },
  { title: 'an array of numbers', body: [1, null, 'x'], records: [{ value: 1 }, { value: null }, { value: 'x' }] },
  { title: 'an array of objects and nulls', body: [{ a: 1 }, null], records: [{ value: { a: 1 } }, { value: null }] },
  { title: 'an object without members', body: {} },
  { title: 'an envelope around nothing', body: { data: {} } },
  { title: 'a number', body: 5 },
  { title: 'a text', body: 'hello' },
  { title: 'null', body: null },
  { title: 'true', body: true },
];

describe('openEnvelope', () => {
  for (const { title, body, records: expected, meta } of cases)
    it(`finds ${expected ? 'the records in' : 'no table in'} ${title}`, () => {
      const envelope = openEnvelope(body);
      assert.deepEqual(envelope.records && toPlainObject(envelope.records), expected);
      if (expected) assert.deepEqual(toPlainObject(envelope.meta), meta ?? {});
    });

  it('keeps names that a plain object would lose', () => {
    const body = parseJson('{"__proto__":["a","b"],"constructor":[1,2]}');
    assert.ok(body.ok);
    const envelope = openEnvelope(body.value);
    assert.deepEqual(
      envelope.records?.map(record => Object.entries(record)),
      [
        [
          ['__proto__', 'a'],
          ['constructor', 1],
        ],
        [
          ['__proto__', 'b'],
          ['constructor', 2],
        ],
      ],
    );
    const headed = openEnvelope([
      ['__proto__', 'mw'],
      ['x', 1],
    ]);
    assert.deepEqual(
      headed.records?.map(record => Object.entries(record)),
      [
        [
          ['__proto__', 'x'],
          ['mw', 1],
        ],
      ],
    );
  });

  it('opens a list of very many rows', () => {
    const rows = Array.from({ length: 300_000 }, (_, row) => [row, 1]);
    assert.equal(openEnvelope(rows).records?.length, 300_000);
  });

  it('does not open exact numbers as records', () => {
    const body = parseJson('{"data":[9007199254740993],"total":9007199254740993}');
    assert.ok(body.ok);
    const envelope = openEnvelope(body.value);
    assert.equal(envelope.records?.length, 1);
    assert.equal(String(envelope.records[0]?.['value']), '9007199254740993');
    assert.equal(String(envelope.meta['total']), '9007199254740993');
  });
});

/** Converts records to objects with a prototype. Decoded records have none, so that `__proto__` can be a field; the comparison ignores this. */
function toPlainObject(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
