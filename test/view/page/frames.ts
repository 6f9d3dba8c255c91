import { createCoverage } from '../../../src/core/frame/coverage.ts';
import type { Coverage } from '../../../src/shared/result.ts';
import { gridStressFields, systemStateFields } from '../../../src/shared/fields.ts';
import type { Column, Frame, NumberColumn, TimeColumn } from '../../../src/shared/frame.ts';

const hourMs = 3_600_000;

const systemFields = [
  'residual_demand_mw',
  'residual_forecast_mw',
  'thermal_mw',
  'nuclear_mw',
  'eskom_gas_mw',
  'eskom_ocgt_mw',
  'hydro_water_mw',
  'wind_mw',
  'pv_mw',
  'total_re_mw',
  'imports_mw',
  'exports_mw',
  'net_import_mw',
  'renewable_share_pct',
  'ocgt_ramp_mw',
  'forecast_error_mw',
];

/** Computes the value of a cell of a system-state frame from its row and column. */
export function expectedValue(row: number, column: number): number {
  const wave = Math.sin((row % 24) / 3.8) * (column + 1) * 310;
  return Math.round((wave + column * 1200 + (row % 97) * 1.7) * 10) / 10;
}

/** Number of rows after which the values of a column repeat. */
const period = 24 * 97;

/** Computes the values of a column. Repeated values are copied, because twenty million sines take seconds. */
function expectedValues(rows: number, column: number): Float64Array {
  const values = new Float64Array(rows);
  for (let row = 0; row < Math.min(rows, period); row++) values[row] = expectedValue(row, column);
  for (let filled = period; filled < rows; filled *= 2) values.copyWithin(filled, 0, filled);
  return values;
}

/** Creates a column of hours, by default from 14 November 2026, 05:00 UTC. */
export function timeColumn(rows: number, start = Date.UTC(2026, 10, 14, 5), step = hourMs): TimeColumn {
  const values = new Float64Array(rows);
  for (let row = 0; row < rows; row++) values[row] = start + row * step;
  const field = systemStateFields.get('ts');
  return { kind: 'time', name: 'ts', path: ['ts'], values, ...(field && { field }) };
}

/** Creates the coverage of hours with these states. */
export function coverageOf(
  states: Uint8Array,
  archived = new Uint8Array(states.length),
  start = Date.UTC(2026, 10, 14, 5),
): Coverage {
  return createCoverage(states, archived, { start, end: start + states.length * hourMs }, hourMs);
}

/** Creates a frame like the service's, with hours and `columns - 1` numbers. In one column row 3 is null, row 4 is absent, and row 5 is 0. */
export function systemFrame(rows: number, columns = 17): Frame {
  const numbers = Array.from({ length: columns - 1 }, (_, index): NumberColumn => {
    const name = systemFields[index] ?? `feeder_${index}_kv`;
    const values = expectedValues(rows, index);
    const field = systemStateFields.get(name);
    const gaps = index === 5 && rows > 5 ? new Uint8Array(rows) : undefined;
    if (gaps) {
      gaps[3] = 1;
      gaps[4] = 2;
      values[3] = 7;
      values[4] = 7;
      values[5] = 0;
    }
    return { kind: 'number', name, path: [name], values, ...(field && { field }), ...(gaps && { gaps }) };
  });
  return {
    rowCount: rows,
    columns: [timeColumn(rows, Date.UTC(2026, 10, 14, 5) - (rows > 800 ? rows : 0) * hourMs), ...numbers],
  };
}

/** Two thousand columns, one with a text of 10 MB and one with a name of a thousand characters. */
export function hugeFrame(): Frame {
  const { rowCount, columns } = systemFrame(500, 1_998);
  const texts = { codes: new Uint32Array(rowCount), entries: ['x'.repeat(10_000_000)] };
  const name = 'n'.repeat(1_000);
  const text: Column = { kind: 'text', name: 'text', path: ['text'], texts };
  const named: Column = { kind: 'number', name, path: [name], values: new Float64Array(rowCount) };
  return { rowCount, columns: [...columns.slice(0, 1), text, named, ...columns.slice(1)] };
}

/** Two days of the stress index in all bands, with two of its components. */
export function stressFrame(): Frame {
  const names = ['value', 'components.ocgt_ramp', 'components.reserve_margin'];
  const numbers = names.map((name, index): NumberColumn => {
    const field = gridStressFields.get(name);
    const values = Float64Array.from({ length: 48 }, (_, row) => ((row + index) % 20) / 20);
    return { kind: 'number', name, path: name.split('.'), values, ...(field && { field }) };
  });
  return { rowCount: 48, columns: [timeColumn(48), ...numbers] };
}

/** A numeric column, and a text column whose texts contain a tab. */
export function tabbedFrame(): Frame {
  const texts = { codes: Uint32Array.of(0, 0, 0), entries: ['a "windy"\tday with much of it'] };
  const textColumn: Column = { kind: 'text', name: 'outlook', path: ['outlook'], texts };
  return { rowCount: 3, columns: [...systemFrame(3, 2).columns, textColumn] };
}

const unusualNames = [
  '__proto__',
  'constructor',
  '<img src=x onerror="window.broken=1">',
  `very_long_${'name_'.repeat(60)}`,
  'درخواست_مگاوات',
  '⚡️ load 🏭',
  '',
  'a\u202Eb',
];

/** Columns with unusual names and contents, one of every kind. */
export function unusualFrame(): Frame {
  const rows = 3;
  const codes = Uint32Array.from([0, 1, 2]);
  const entries = ['<b>bold</b>', 'שלום, שמאל', 'x'.repeat(5000)];
  const texts = unusualNames.map((name): Column => ({ kind: 'text', name, path: [name], texts: { codes, entries } }));
  return {
    rowCount: rows,
    columns: [
      ...texts,
      {
        kind: 'boolean',
        name: 'delayed',
        path: ['delayed'],
        values: Uint8Array.from([1, 0, 0]),
        gaps: Uint8Array.from([0, 0, 1]),
      },
      { kind: 'nested', name: 'parts', path: ['parts'], texts: { codes, entries: ['[1,2]', '{"a":null}', '[]'] } },
      { kind: 'number', name: 'tiny', path: ['tiny'], values: Float64Array.from([1.5e-9, 0, 1 / 3]) },
      timeColumn(rows),
    ],
  };
}

/** Creates a row for each hostile text. The texts are also the names of numeric columns. */
export function hostileFrame(texts: readonly string[]): Frame {
  const rows = texts.length;
  const codes = Uint32Array.from(texts.keys());
  return {
    rowCount: rows,
    columns: [
      timeColumn(rows),
      ...texts.map((name): Column => ({ kind: 'number', name, path: [name], values: Float64Array.from(codes) })),
      { kind: 'text', name: 'said', path: ['said'], texts: { codes, entries: [...texts] } },
      {
        kind: 'nested',
        name: 'raw',
        path: ['raw'],
        texts: { codes, entries: texts.map(text => JSON.stringify([text])) },
      },
    ],
  };
}

/** Two columns that are views of one buffer with other data, as a decoder may create them. */
export function sharedBufferFrame(): Frame {
  const buffer = new Float64Array([NaN, 10, 20, 30, NaN, 1.25, 2.5, 3.75, NaN]);
  return {
    rowCount: 3,
    columns: [
      { kind: 'number', name: 'a', path: ['a'], values: buffer.subarray(1, 4) },
      { kind: 'number', name: 'b', path: ['b'], values: buffer.subarray(5, 8) },
    ],
  };
}
