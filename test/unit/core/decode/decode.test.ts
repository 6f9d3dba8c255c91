import assert from 'node:assert/strict';
import { decode } from '../../../../src/core/decode/decode.ts';
import { parseJson } from '../../../../src/core/json/json.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';
import { getCellState, getText, type Column, type Frame } from '../../../../src/shared/frame.ts';
import { decodeFrame, decodeAndGenerate } from './records.ts';

function listColumns(frame: Frame): string[] {
  return frame.columns.map(({ name, kind }) => `${name}: ${kind}`);
}

function getColumn(frame: Frame, name: string): Column {
  const match = frame.columns.find(column => column.name === name);
  assert.ok(match, name);
  return match;
}

function listStates(frame: Frame, name: string): string {
  const column = getColumn(frame, name);
  return Array.from(
    { length: frame.rowCount },
    (_, row) => ['value', 'null', 'absent'][getCellState(column, row)],
  ).join(' ');
}

describe('decode', () => {
  it('decodes a response with the documented envelope and records', () => {
    const frame = decodeFrame({
      meta: { dataset: 'features.grid_stress_index' },
      data: [
        { ts: '2023-05-01T00:00:00Z', value: 0.25, version: '1', components: { ocgt_ramp: 0.5, reserve_margin: 1 } },
        { ts: '2023-05-01T01:00:00Z', value: null, version: '1', components: null },
      ],
    });
    assert.deepEqual(listColumns(frame), [
      'ts: time',
      'value: number',
      'version: text',
      'components.ocgt_ramp: number',
      'components.reserve_margin: number',
    ]);
    assert.equal(listStates(frame, 'components.ocgt_ramp'), 'value null');
    assert.equal(listStates(frame, 'components.reserve_margin'), 'value null');
  });

  it('distinguishes null, zero, empty text and false', () => {
    const frame = decodeFrame([
      { a: 0, b: '', c: false },
      { a: null, b: null, c: null },
      {},
      { a: 1, b: 'x', c: true },
    ]);
    assert.deepEqual(listColumns(frame), ['a: number', 'b: text', 'c: boolean']);
    for (const name of ['a', 'b', 'c']) assert.equal(listStates(frame, name), 'value null absent value');
    assert.deepEqual([...generateRecords(frame)].slice(0, 3), [
      { a: 0, b: '', c: false },
      { a: null, b: null, c: null },
      {},
    ]);
  });

  it('omits `gaps` if every row of a column has a value', () => {
    assert.equal(getColumn(decodeFrame([{ a: 0 }, { a: 1 }]), 'a').gaps, undefined);
  });

  it('decodes a column without values as text, unless the catalog defines its kind', () => {
    const frame = decodeFrame([{ x: null, wind_mw: null }, { wind_mw: null }]);
    assert.deepEqual(listColumns(frame), ['x: text', 'wind_mw: number']);
    assert.equal(listStates(frame, 'x'), 'null absent');
    assert.equal(listStates(frame, 'wind_mw'), 'null null');
  });

  it('keeps all values of a column whose cells have several kinds', () => {
    const rows = [{ a: 1 }, { a: '1' }, { a: true }, { a: [1, { b: null }] }, { a: null }, {}, { a: {} }];
    const frame = decodeFrame(rows);
    assert.deepEqual(listColumns(frame), ['a: nested']);
    assert.deepEqual([...generateRecords(frame)], rows);
  });

  it('keeps lists as JSON in one cell, and a mix of objects and other values in one column', () => {
    const rows = [
      { a: [], b: { c: 1 } },
      { a: [{ x: 1 }], b: 5 },
      { a: [null], b: null },
    ];
    const frame = decodeFrame(rows);
    assert.deepEqual(listColumns(frame), ['a: nested', 'b: nested']);
    assert.deepEqual([...generateRecords(frame)], rows);
  });

  it('joins nested names with dots, and disambiguates equal ones', () => {
    const rows = [{ 'a.b': 1, a: { b: 2 } }];
    const frame = decodeFrame({ data: rows });
    assert.deepEqual(listColumns(frame), ['a.b: number', '"a"."b": number']);
    assert.deepEqual([...generateRecords(frame)], rows);
  });

  it('assigns a unique name to each column if joined field names are equal', () => {
    const frame = decodeFrame({ data: [{ '"a"."b"': 0, 'a.b': 1, a: { b: 2 } }] });
    assert.equal(new Set(frame.columns.map(({ name }) => name)).size, 3);
  });

  it('decodes unusual field names as fields', () => {
    const text =
      '[{"__proto__":{"polluted":1},"constructor":2,"":3,"toString":{"":4},"hasOwnProperty":{"__proto__":5}}]';
    const frame = decodeFrame(JSON.parse(text));
    assert.deepEqual(
      frame.columns.map(({ name }) => name),
      ['__proto__.polluted', 'constructor', '', 'toString.', 'hasOwnProperty.__proto__'],
    );
    assert.equal(JSON.stringify([...generateRecords(frame)]), text);
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });

  it('limits the depth of flattening without losing data', () => {
    const nest = (levels: number): unknown => (levels === 0 ? 7 : { d: nest(levels - 1) });
    for (const levels of [7, 8, 9, 100]) assert.deepEqual(decodeAndGenerate([nest(levels)]), [nest(levels)]);
    assert.deepEqual(listColumns(decodeFrame([nest(9)])), ['d.d.d.d.d.d.d.d: nested']);
    assert.deepEqual(listColumns(decodeFrame([nest(8)])), ['d.d.d.d.d.d.d.d: number']);
  });

  it('keeps the digits of numbers that exceed double precision, and decodes others as numbers', () => {
    const body = parseJson('[{"id":9007199254740993,"x":1e-300,"z":-0,"n":12},{"id":1,"x":0.1,"z":0,"n":9e15}]');
    assert.ok(body.ok);
    const frame = decodeFrame(body.value);
    assert.deepEqual(listColumns(frame), ['id: nested', 'x: number', 'z: number', 'n: number']);
    const id = getColumn(frame, 'id');
    assert.deepEqual(id.kind === 'nested' && [getText(id.texts, 0), getText(id.texts, 1)], ['9007199254740993', '1']);
    const [first] = generateRecords(frame);
    assert.ok(Object.is(first?.['z'], -0));
    assert.equal(first?.['x'], 1e-300);
  });

  it('keeps identical records in the received order', () => {
    const rows = [{ ts: '2023-05-01T01:00:00Z' }, { ts: '2023-05-01T00:00:00Z' }, { ts: '2023-05-01T01:00:00Z' }];
    assert.deepEqual(decodeAndGenerate(rows), rows);
  });

  it('keeps rows without fields', () => {
    assert.deepEqual(decodeAndGenerate([{}, {}]), [{}, {}]);
    assert.deepEqual(decodeAndGenerate([]), []);
  });

  it('joins pages, and keeps the other members of the first envelope', () => {
    const { frame, meta } = decode([
      { next: '?page=2', results: [{ a: 1 }] },
      { next: null, results: [{ b: 2 }] },
    ]);
    assert.ok(frame);
    assert.deepEqual([...generateRecords(frame)], [{ a: 1 }, { b: 2 }]);
    assert.deepEqual(meta, { next: '?page=2' });
  });

  it('returns no table when one of several pages is not a table', () => {
    assert.equal(decode([[{ a: 1 }], 'oops']).frame, undefined);
  });
});

describe('time columns', () => {
  const isoTimes = ['2023-05-01T00:00:00Z', '2023-05-01T01:00:00Z'];

  function decodeColumn(...cells: unknown[]): Column {
    return getColumn(decodeFrame(cells.map(when => ({ when }))), 'when');
  }

  it('stores instants without texts if the texts add no information', () => {
    const time = decodeColumn(...isoTimes);
    assert.ok(time.kind === 'time');
    assert.deepEqual([...time.values], isoTimes.map(Date.parse));
    assert.equal(time.received, undefined);
  });

  it('decodes null in a time column as a gap', () => {
    const time = decodeColumn(isoTimes[0], null);
    assert.ok(time.kind === 'time');
    assert.deepEqual([time.values[0], time.values[1]], [Date.parse(isoTimes[0] ?? ''), NaN]);
    assert.equal(time.received, undefined);
  });

  for (const text of [
    ...['2023-05-01T02:00:00+02:00', '2023-05-01T00:00:00.000Z', '2023-05-01T00:00:00.123456Z', '2023-05-01 00:00Z'],
    ...['2023-05-01T00:00:00+00:00', '2023-05-01t00:00:00z'],
  ])
    it(`keeps ${text} as received`, () => {
      const time = decodeColumn(isoTimes[0], text, null);
      assert.ok(time.kind === 'time' && time.received);
      assert.equal(time.values[1], Date.parse(text));
      assert.deepEqual([getText(time.received, 0), getText(time.received, 1)], [isoTimes[0], text]);
      assert.deepEqual(decodeAndGenerate([{ when: text }]), [{ when: text }]);
    });

  for (const text of ['2023-02-30T00:00:00Z', '2023-05-01T00:00:00', '2023-05-01', 'soon', '', '1682899200'])
    it(`decodes a time column as text if one cell is ${JSON.stringify(text)}`, () => {
      assert.equal(decodeColumn(isoTimes[0], text).kind, 'text');
    });

  it('does not decode a column of times and numbers as a time column', () => {
    assert.equal(decodeColumn(isoTimes[0], 1682899200).kind, 'nested');
    assert.equal(decodeColumn(1682899200).kind, 'number');
  });

  it('returns no table for values that are nested too deeply', () => {
    const deep = JSON.parse(`[{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}]`) as unknown;
    assert.equal(decode([deep]).frame, undefined);
  });

  it('decodes a numeric field of the catalog as numbers even if it has no values', () => {
    const { frame } = decode([[{ ts: '2023-01-01T00:00:00Z', value: null, version: null, other: null }]]);
    assert.deepEqual(
      frame?.columns.map(({ name, kind }) => [name, kind]),
      [
        ['ts', 'time'],
        ['value', 'number'],
        ['version', 'text'],
        ['other', 'text'],
      ],
    );
  });
});
