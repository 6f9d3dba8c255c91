import { instants, every, lines, type RealWorldFile } from './realWorldFile.ts';

const name = 'data.json';
const times = every(60, '2024-01-01T00:00Z', 3);
const a = '2024-01-01T00:00:00Z';
const b = '2024-01-01T01:00:00Z';
const c = '2024-01-01T02:00:00Z';
const epochs = times.map(time => time.getTime());
const columns = { mw: [1.5, null, 3], unit: ['A', 'B', 'C'] };

function createJson(value: unknown): string {
  return JSON.stringify(value, undefined, 1);
}

/** JSON of services and of pandas. */
export const jsonFiles: readonly RealWorldFile[] = [
  {
    title: 'JSON: records',
    name,
    content: createJson([
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
    content: createJson({
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
    title: 'JSON: records after a byte order mark',
    name,
    content: `\uFEFF${createJson([{ ts: a, mw: 1 }])}`,
    times: times.slice(0, 1),
    columns: { mw: [1] },
  },
  {
    title: 'JSON: columns as lists',
    name,
    content: createJson({ ts: [a, b, c], mw: [1.5, null, 3], unit: ['A', 'B', 'C'] }),
    times,
    columns,
  },
  {
    title: 'JSON: pandas orient=records, epochs',
    name,
    content: createJson(epochs.map((ts, row) => ({ ts, mw: columns.mw[row], unit: columns.unit[row] }))),
    times,
    columns,
  },
  {
    title: 'JSON: pandas orient=split',
    name,
    content: createJson({
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
    content: createJson({ ts: { 0: a, 1: b, 2: c }, mw: { 0: 1.5, 1: null, 2: 3 }, unit: { 0: 'A', 1: 'B', 2: 'C' } }),
    times,
    columns,
    optional: ['index'],
  },
  {
    title: 'JSON: pandas orient=columns with times as the index',
    name,
    content: createJson({
      mw: { [String(epochs[0])]: 1.5, [String(epochs[1])]: null, [String(epochs[2])]: 3 },
      unit: { [String(epochs[0])]: 'A', [String(epochs[1])]: 'B', [String(epochs[2])]: 'C' },
    }),
    times,
    columns,
  },
  {
    title: 'JSON: pandas orient=index with times as the index',
    name,
    content: createJson({ [a]: { mw: 1.5, unit: 'A' }, [b]: { mw: null, unit: 'B' }, [c]: { mw: 3, unit: 'C' } }),
    times,
    columns,
  },
  {
    title: 'JSON: pandas orient=table',
    name,
    content: createJson({
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
    title: 'JSON: rows as lists, the first with the column names',
    name,
    content: createJson([
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
    content: createJson([
      [epochs[0], 1.5],
      [epochs[1], null],
      [epochs[2], 3],
    ]),
    times,
    columns: { 'column 2': [1.5, null, 3] },
  },
  {
    title: 'JSON: a history from OpenElectricity',
    name,
    content: createJson({
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
    title: 'JSON: several five-minute histories from OpenElectricity',
    name,
    content: createJson({
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
    content: createJson({ start: '2024-01-01T00:00Z', interval: '1h', values: [1.5, null, 3] }),
    times,
    columns: { values: [1.5, null, 3] },
  },
  {
    // Some services write decimals as texts to preserve their digits.
    title: 'JSON: numbers in quotes',
    name,
    content: createJson([
      { ts: a, mw: '1.50' },
      { ts: b, mw: '' },
      { ts: c, mw: '3' },
    ]),
    times,
    columns: { mw: [1.5, null, 3] },
    notes: [/'mw'/],
  },
  {
    title: 'JSON: NaN and Infinity, from Python',
    name,
    content: '[{"ts":"2024-01-01T00:00:00Z","mw":NaN},{"ts":"2024-01-01T01:00:00Z","mw":-Infinity}]',
    times: times.slice(0, 2),
    columns: { mw: [null, -Infinity] },
  },
  {
    title: 'JSON: times without an offset',
    name,
    content: createJson([{ time: '2024-01-01 00:00', mw: 1 }]),
    needsZone: /2024-01-01 00:00/,
  },
  {
    title: 'JSON: day-first dates',
    name,
    content: createJson([{ time: '31.01.2024 00:00', mw: 1 }]),
    options: { timeZone: 'UTC' },
    times: instants('2024-01-31T00:00Z'),
    columns: { mw: [1] },
  },
  {
    title: 'JSON: OpenElectricity, version 4',
    name,
    content: createJson({
      version: '4.0.4',
      success: true,
      data: [
        {
          metric: 'power',
          unit: 'MW',
          interval: '1h',
          start: '2024-01-01T10:00:00+10:00',
          results: [
            {
              name: 'power_wind',
              columns: { fueltech: 'wind' },
              data: times.map((_, row) => [`2024-01-01T1${row}:00:00+10:00`, columns.mw[row]]),
            },
            { name: 'power_coal', columns: { fueltech: 'coal' }, data: [['2024-01-01T11:00:00+10:00', 7]] },
          ],
        },
      ],
    }),
    times,
    columns: { power_wind: [1.5, null, 3], power_coal: [null, 7, null] },
    units: { power_wind: 'MW', power_coal: 'MW' },
  },
  {
    title: 'JSON: months from OpenElectricity, with a repeated name',
    name,
    content: createJson(
      [1, 2].map(factor => ({
        id: 'au.wind',
        units: 'MWh',
        history: { start: '2024-01-01T00:00+10:00', interval: '1M', data: [factor, 2 * factor] },
      })),
    ),
    times: instants('2023-12-31T14:00Z', '2024-01-31T14:00Z'),
    columns: { 'au.wind': [1, 2], 'au.wind (2)': [2, 4] },
  },
  {
    title: 'JSON: EIA, version 2',
    name,
    content: createJson({
      response: {
        total: '2',
        frequency: 'hourly',
        data: [
          { period: '2024-01-01T05', respondent: 'ERCO', value: '85100', 'value-units': 'megawatthours' },
          { period: '2024-01-01T06', respondent: 'ERCO', value: null, 'value-units': 'megawatthours' },
        ],
        description: 'Hourly demand',
      },
      request: { command: '/v2/electricity/rto/region-data/data/', params: { data: { 0: 'value' } } },
      apiVersion: '2.1.8',
    }),
    options: { timeZone: 'UTC' },
    times: instants('2024-01-01T05:00Z', '2024-01-01T06:00Z'),
    columns: { value: [85_100, null], respondent: ['ERCO', 'ERCO'], 'value-units': ['megawatthours', 'megawatthours'] },
    units: { value: 'MWh' },
    notes: [/'value'/],
  },
  {
    title: 'JSON: GeoJSON',
    name,
    content: createJson({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id: 7,
          properties: { name: 'Koeberg', mw: 1860 },
          geometry: { type: 'Point', coordinates: [18, -33] },
        },
        { type: 'Feature', id: 8, properties: { name: 'Medupi', mw: null }, geometry: null },
      ],
    }),
    columns: { id: [7, 8], name: ['Koeberg', 'Medupi'], mw: [1860, null] },
    sources: ['geometry'],
  },
  {
    title: 'JSON: points from ENTSO-E, each with its position',
    name,
    content: createJson({
      GL_MarketDocument: {
        TimeSeries: {
          'quantity_Measure_Unit.name': 'MAW',
          Period: {
            timeInterval: { start: '2024-01-01T00:00Z', end: '2024-01-01T03:00Z' },
            resolution: 'PT60M',
            Point: [
              { position: '1', quantity: '1.5' },
              { position: '3', quantity: '3' },
            ],
          },
        },
      },
    }),
    times: instants(a, c),
    columns: { quantity: [1.5, 3] },
    units: { quantity: 'MW' },
    notes: [/'quantity'/],
  },
  {
    title: 'JSON: values as objects with a unit',
    name,
    content: createJson([
      { ts: a, wind: { value: 1.5, unit: 'MW' }, price: { value: 4, unit: 'ZAR' } },
      { ts: b, wind: { value: null, unit: 'MW' }, price: { value: 5, unit: 'USD' } },
    ]),
    times: times.slice(0, 2),
    columns: { wind: [1.5, null], 'price.value': [4, 5], 'price.unit': ['ZAR', 'USD'] },
    units: { wind: 'MW' },
  },
  {
    title: 'JSON: series of pairs for a chart',
    name,
    content: createJson([
      {
        name: 'Wind',
        data: [
          [epochs[0], 1.5],
          [epochs[2], 3],
        ],
      },
      { name: 'Sun', data: [[epochs[1], 2]] },
    ]),
    times,
    columns: { Wind: [1.5, null, 3], Sun: [null, 2, null] },
  },
  {
    title: 'JSON: pandas orient=split with times as the index',
    name,
    content: createJson({ columns: ['mw'], index: epochs, data: [[1.5], [null], [3]] }),
    times,
    columns: { mw: [1.5, null, 3] },
  },
  {
    title: 'JSON: pandas orient=index with epochs as the index',
    name,
    content: createJson(Object.fromEntries(epochs.map((epoch, row) => [epoch, { mw: columns.mw[row] }]))),
    times,
    columns: { mw: [1.5, null, 3] },
  },
  {
    title: 'JSON: pandas orient=columns with a selection of rows',
    name,
    content: createJson({ ts: { 5: a, 9: b }, mw: { 5: 1, 9: 2 } }),
    times: times.slice(0, 2),
    columns: { index: [5, 9], mw: [1, 2] },
  },
  {
    title: 'JSON: dates without a zone as the names of values',
    name,
    content: createJson({ status: 'ok', data: { '2024-01-01': 1, '2024-01-02': 2 } }),
    options: { timeZone: 'UTC' },
    times: instants('2024-01-01T00:00Z', '2024-01-02T00:00Z'),
    columns: { value: [1, 2] },
  },
  {
    title: 'JSON: numbers among words for no value, and a date and its hour in two members',
    name,
    content: createJson([
      { date: '2024-01-01', hour: 0, mw: 1.5, list: [1] },
      { date: '2024-01-01', hour: 1, mw: 'n/a', list: [2] },
    ]),
    options: { timeZone: 'UTC' },
    times: times.slice(0, 2),
    columns: { mw: [1.5, null], list: ['[1]', '[2]'] },
    notes: [/'n\/a' in row 2/, /'date', 'hour'/],
  },
  {
    title: 'JSON: a text without a number, rows without a value, and a row named total',
    name,
    content: createJson([{ name: 'a', mw: 1 }, {}, { name: 'Total', mw: 1 }]),
    columns: { name: ['a', null, 'Total'], mw: [1, null, 1] },
  },
  {
    title: 'JSON: UTF-16, from PowerShell',
    name,
    content: Buffer.from(`\uFEFF${createJson([{ ts: a, mw: 1 }])}`, 'utf16le'),
    times: times.slice(0, 1),
    columns: { mw: [1] },
  },
  {
    title: 'NDJSON: NaN within a text and as a number',
    name: 'data.ndjson',
    content: lines(`{"ts":"${a}","mw":1,"text":"NaN, \\"Infinity"}`, `{"ts":"${b}","mw":NaN,"text":"NaN"}`),
    times: times.slice(0, 2),
    columns: { mw: [1, null], text: ['NaN, "Infinity', 'NaN'] },
    notes: [/NaN/],
  },
  {
    title: 'JSON: property names of every object as labels and columns',
    name,
    content: '{"__proto__":{"0":1,"1":2},"constructor":{"0":3,"1":4}}',
    columns: { ['__proto__']: [1, 2], constructor: [3, 4] },
  },
  {
    title: 'JSON: positions beyond the range of dates',
    name,
    content: createJson({
      start: '2024-01-01T00:00Z',
      interval: '9999Y',
      values: [1, 2, ...Array.from({ length: 99 }, () => 3)],
    }),
    times: [new Date(a), ...Array.from({ length: 100 }, () => null)],
    columns: { values: [1, 2, ...Array.from({ length: 99 }, () => 3)] },
  },
  {
    title: 'JSON: numbers that a double cannot hold',
    name,
    content: '[{"id":12345678901234567890}]',
    columns: { id: ['12345678901234567890'] },
  },
  {
    title: 'JSON: hours and days with their units, from Open-Meteo',
    name,
    content: createJson({
      latitude: -33.9,
      hourly_units: { time: 'iso8601', power: 'MW' },
      hourly: { time: ['2024-01-01T00:00', '2024-01-01T01:00'], power: [1, 2] },
      daily: { time: ['2024-01-01'], power: [3] },
    }),
    options: { timeZone: 'UTC' },
    times: times.slice(0, 2),
    columns: { power: [1, 2] },
    units: { power: 'MW' },
    sources: ['daily'],
  },
  {
    title: 'JSON: lists beside single values, including a list of times',
    name,
    content: createJson({ licence: 'CC BY 4.0', time: [a, b], price: [50.5, null] }),
    times: times.slice(0, 2),
    columns: { price: [50.5, null] },
  },
  {
    title: 'JSON: one record with lists',
    name,
    content: createJson({ name: 'Koeberg', position: [18, -33], size: [1, 2] }),
    columns: { name: ['Koeberg'], position: ['[18,-33]'], size: ['[1,2]'] },
  },
  {
    title: 'JSON: pandas orient=split with dates as column names',
    name,
    content: createJson({
      columns: ['2024-01-01', '2024-01-02'],
      index: [0, 1],
      data: [
        [1, 2],
        [3, 4],
      ],
    }),
    columns: { '2024-01-01': [1, 3], '2024-01-02': [2, 4] },
  },
  {
    title: 'JSON: records in an envelope with a start and an interval',
    name,
    content: createJson({ name: 'x', start: a, interval: '1h', data: [{ ts: a, mw: 1 }] }),
    times: times.slice(0, 1),
    columns: { mw: [1] },
  },
  {
    title: 'JSON: rows of two cells below the column names',
    name,
    content: createJson({
      id: 'x',
      columns: ['ts', 'mw'],
      data: [
        [a, 1.5],
        [b, 2.5],
      ],
    }),
    times: times.slice(0, 2),
    columns: { mw: [1.5, 2.5] },
  },
  {
    title: 'JSON: objects whose numeric keys are not dates',
    name,
    content: createJson({ 12345678: { mw: 1 }, 87654321: { mw: 2 } }),
    columns: { '12345678.mw': [1], '87654321.mw': [2] },
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
    title: 'NDJSON: CRLF, a byte order mark, and different fields in some rows',
    name: 'data.jsonl',
    content: `\uFEFF{"ts":"${a}","mw":1}\r\n{"mw":2,"ts":"${b}","flag":true}\r\n`,
    times: times.slice(0, 2),
    columns: { mw: [1, 2], flag: [null, true] },
  },
  {
    title: 'NDJSON in a file named .json',
    name,
    content: lines(`{"ts":"${a}","mw":1}`, `{"ts":"${b}","mw":2}`),
    times: times.slice(0, 2),
    columns: { mw: [1, 2] },
  },
  {
    title: 'NDJSON: a truncated line',
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
    title: 'JSON: columns within an envelope, from Open-Meteo',
    name,
    content: createJson({
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
    title: 'JSON: columns beside single values, from energy-charts',
    name,
    content: createJson({
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
    title: 'JSON: records two levels deep with hours without minutes, from EIA',
    name,
    content: createJson({
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
    title: 'JSON: records two levels deep, from PVGIS',
    name,
    content: createJson({
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
