import { at, every, lines, type PeopleFile } from './peopleFile.ts';

const name = 'data.json';
const times = every(60, '2024-01-01T00:00Z', 3);
const [a, b, c] = ['2024-01-01T00:00:00Z', '2024-01-01T01:00:00Z', '2024-01-01T02:00:00Z'];
const epochs = times.map(time => time.getTime());
const columns = { mw: [1.5, null, 3], unit: ['A', 'B', 'C'] };

function json(value: unknown): string {
  return JSON.stringify(value, undefined, 1);
}

/** JSON of services and of pandas. */
export const jsonFiles: readonly PeopleFile[] = [
  {
    title: 'JSON: records',
    name,
    content: json([
      { ts: a, mw: 1.5, unit: 'A' },
      { ts: b, mw: null, unit: 'B' },
      { ts: c, mw: 3, unit: 'C' },
    ]),
    times,
    columns,
  },
  {
    title: 'JSON: records within an envelope',
    name,
    content: json({
      status: 'ok',
      count: 3,
      results: [
        { ts: a, mw: 1.5, unit: 'A' },
        { ts: b, mw: null, unit: 'B' },
        { ts: c, mw: 3, unit: 'C' },
      ],
    }),
    times,
    columns,
  },
  {
    title: 'JSON: a byte order mark',
    name,
    content: `\uFEFF${json([{ ts: a, mw: 1 }])}`,
    times: times.slice(0, 1),
    columns: { mw: [1] },
  },
  {
    title: 'JSON: columns as lists',
    name,
    content: json({ ts: [a, b, c], mw: [1.5, null, 3], unit: ['A', 'B', 'C'] }),
    times,
    columns,
  },
  {
    title: 'JSON: pandas orient=records, epochs',
    name,
    content: json(epochs.map((ts, row) => ({ ts, mw: columns.mw[row], unit: columns.unit[row] }))),
    times,
    columns,
  },
  {
    title: 'JSON: pandas orient=split',
    name,
    content: json({
      columns: ['ts', 'mw', 'unit'],
      index: [0, 1, 2],
      data: [
        [a, 1.5, 'A'],
        [b, null, 'B'],
        [c, 3, 'C'],
      ],
    }),
    times,
    columns,
    optional: ['index'],
  },
  {
    title: 'JSON: pandas orient=columns',
    name,
    content: json({ ts: { 0: a, 1: b, 2: c }, mw: { 0: 1.5, 1: null, 2: 3 }, unit: { 0: 'A', 1: 'B', 2: 'C' } }),
    times,
    columns,
    optional: ['index'],
  },
  {
    title: 'JSON: pandas orient=columns with times as the index',
    name,
    content: json({
      mw: { [String(epochs[0])]: 1.5, [String(epochs[1])]: null, [String(epochs[2])]: 3 },
      unit: { [String(epochs[0])]: 'A', [String(epochs[1])]: 'B', [String(epochs[2])]: 'C' },
    }),
    times,
    columns,
  },
  {
    title: 'JSON: pandas orient=index with times as the index',
    name,
    content: json({ [a]: { mw: 1.5, unit: 'A' }, [b]: { mw: null, unit: 'B' }, [c]: { mw: 3, unit: 'C' } }),
    times,
    columns,
  },
  {
    title: 'JSON: pandas orient=table',
    name,
    content: json({
      schema: {
        fields: [
          { name: 'ts', type: 'datetime', tz: 'UTC' },
          { name: 'mw', type: 'number' },
          { name: 'unit', type: 'string' },
        ],
        primaryKey: ['ts'],
        pandas_version: '1.4.0',
      },
      data: [
        { ts: '2024-01-01T00:00:00.000Z', mw: 1.5, unit: 'A' },
        { ts: '2024-01-01T01:00:00.000Z', mw: null, unit: 'B' },
        { ts: '2024-01-01T02:00:00.000Z', mw: 3, unit: 'C' },
      ],
    }),
    times,
    columns,
  },
  {
    title: 'JSON: rows as lists, the first with the names',
    name,
    content: json([
      ['ts', 'mw', 'unit'],
      [a, 1.5, 'A'],
      [b, null, 'B'],
      [c, 3, 'C'],
    ]),
    times,
    columns,
  },
  {
    title: 'JSON: pairs of an epoch and a value',
    name,
    content: json([
      [epochs[0], 1.5],
      [epochs[1], null],
      [epochs[2], 3],
    ]),
    times,
    columns: { 'column 2': [1.5, null, 3] },
  },
  {
    title: 'JSON: history of OpenElectricity',
    name,
    content: json({
      id: 'au.nem.wind',
      type: 'power',
      units: 'MW',
      history: {
        start: '2024-01-01T10:00+10:00',
        last: '2024-01-01T12:00+10:00',
        interval: '1h',
        data: [1.5, null, 3],
      },
    }),
    times,
    columns: { 'au.nem.wind': [1.5, null, 3] },
    units: { 'au.nem.wind': 'MW' },
  },
  {
    title: 'JSON: several histories of OpenElectricity in steps of five minutes',
    name,
    content: json({
      type: 'energy',
      data: [
        {
          id: 'au.wind',
          type: 'power',
          units: 'MW',
          history: {
            start: '2024-01-01T00:00:00+00:00',
            last: '2024-01-01T00:10:00+00:00',
            interval: '5m',
            data: [1, 2, null],
          },
        },
        {
          id: 'au.solar',
          type: 'power',
          units: 'MW',
          history: {
            start: '2024-01-01T00:05:00+00:00',
            last: '2024-01-01T00:10:00+00:00',
            interval: '5m',
            data: [4, 5],
          },
        },
      ],
    }),
    times: every(5, '2024-01-01T00:00Z', 3),
    columns: { 'au.wind': [1, 2, null], 'au.solar': [null, 4, 5] },
  },
  {
    title: 'JSON: a start, an interval and values',
    name,
    content: json({ start: '2024-01-01T00:00Z', interval: '1h', values: [1.5, null, 3] }),
    times,
    columns: { values: [1.5, null, 3] },
  },
  {
    // Services that keep decimals exact write them so.
    title: 'JSON: numbers as texts',
    name,
    content: json([
      { ts: a, mw: '1.50' },
      { ts: b, mw: '' },
      { ts: c, mw: '3' },
    ]),
    times,
    columns: { mw: [1.5, null, 3] },
    notes: [/'mw'/],
  },
  {
    title: 'JSON: NaN and Infinity, as Python writes them',
    name,
    content: '[{"ts":"2024-01-01T00:00:00Z","mw":NaN},{"ts":"2024-01-01T01:00:00Z","mw":-Infinity}]',
    times: times.slice(0, 2),
    columns: { mw: [null, -Infinity] },
  },
  {
    title: 'JSON: times without an offset',
    name,
    content: json([{ time: '2024-01-01 00:00', mw: 1 }]),
    needsZone: /2024-01-01 00:00/,
  },
  {
    title: 'JSON: times with the day first',
    name,
    content: json([{ time: '31.01.2024 00:00', mw: 1 }]),
    options: { timeZone: 'UTC' },
    times: at('2024-01-31T00:00Z'),
    columns: { mw: [1] },
  },
  {
    title: 'NDJSON',
    name: 'data.ndjson',
    content: lines(
      `{"ts":"${a}","mw":1.5,"unit":"A"}`,
      `{"ts":"${b}","mw":null,"unit":"B"}`,
      '',
      `{"ts":"${c}","mw":3,"unit":"C"}`,
    ),
    times,
    columns,
  },
  {
    title: 'NDJSON: CRLF, a byte order mark and other fields in some rows',
    name: 'data.jsonl',
    content: `\uFEFF{"ts":"${a}","mw":1}\r\n{"mw":2,"ts":"${b}","flag":true}\r\n`,
    times: times.slice(0, 2),
    columns: { mw: [1, 2], flag: [null, true] },
  },
  {
    title: 'NDJSON that is called JSON',
    name,
    content: lines(`{"ts":"${a}","mw":1}`, `{"ts":"${b}","mw":2}`),
    times: times.slice(0, 2),
    columns: { mw: [1, 2] },
  },
  {
    title: 'NDJSON: a line that is cut off',
    name: 'data.ndjson',
    content: lines(`{"ts":"${a}","mw":1}`, '{"ts":"2024-'),
    refusal: /line 2/i,
  },
  {
    title: 'JSON: a web page',
    name,
    content: '<!doctype html><html><head><title>Sign in</title></head></html>',
    refusal: /web page.*Sign in/,
  },
  { title: 'JSON: empty', name, content: '', refusal: /empty/ },
  { title: 'JSON: cut off', name, content: '[{"ts":"2024-01-01T00:00:00Z","mw":1},{"ts":"2024-', refusal: /JSON/ },
  {
    title: 'JSON: columns within an envelope, as Open-Meteo answers',
    name,
    content: json({
      latitude: -33.9,
      utc_offset_seconds: 0,
      hourly_units: { time: 'iso8601', temperature_2m: '°C' },
      hourly: {
        time: ['2024-01-01T00:00', '2024-01-01T01:00', '2024-01-01T02:00'],
        temperature_2m: [18.5, null, 17.9],
      },
    }),
    options: { timeZone: 'UTC' },
    times,
    columns: { temperature_2m: [18.5, null, 17.9] },
  },
  {
    title: 'JSON: columns beside single values, as energy-charts answers',
    name,
    content: json({
      license_info: 'CC BY 4.0',
      unix_seconds: epochs.map(ms => ms / 1000),
      price: [50.5, null, -1],
      unit: 'EUR / MWh',
      deprecated: false,
    }),
    times,
    columns: { price: [50.5, null, -1] },
    optional: ['license_info', 'unit', 'deprecated'],
  },
  {
    title: 'JSON: records two levels deep, with hours without minutes, as EIA answers',
    name,
    content: json({
      response: {
        total: '2',
        data: [
          { period: '2024-01-01T00', respondent: 'MISO', value: '68100' },
          { period: '2024-01-01T01', respondent: 'MISO', value: '67950' },
        ],
      },
      request: { command: '/v2/electricity/rto/region-data/data/', params: {} },
    }),
    options: { timeZone: 'UTC' },
    times: times.slice(0, 2),
    columns: { respondent: ['MISO', 'MISO'], value: [68100, 67950] },
  },
  {
    title: 'JSON: records two levels deep, as PVGIS answers',
    name,
    content: json({
      inputs: { location: { latitude: -33.9 } },
      outputs: {
        hourly: [
          { time: '20240101:0000', P: 0 },
          { time: '20240101:0100', P: 35.5 },
        ],
      },
      meta: {},
    }),
    options: { timeZone: 'UTC' },
    times: times.slice(0, 2),
    columns: { P: [0, 35.5] },
  },
];
