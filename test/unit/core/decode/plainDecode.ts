import { isObject, type JsonObject } from '../../../../src/core/decode/envelope.ts';
import { serializeJson } from '../../../../src/core/json/json.ts';
import { formatInstant, parseInstant } from '../../../../src/core/time/instant.ts';
import { knownFields } from '../../../../src/core/query/catalogue.ts';
import { cellState, type Column, type Dictionary, type Frame } from '../../../../src/shared/frame.ts';

/**
 * Decodes records into a frame one cell at a time, as a model for the decoder. Does not support fields that are objects in
 * some records and values in others.
 */
export function decodePlainly(records: readonly JsonObject[]): Frame {
  const leafLists = records.map(record => new Map(listLeaves(record, [])));
  const paths = [...new Set(leafLists.flatMap(leaf => [...leaf.keys()]))].map(key => JSON.parse(key) as string[]);
  const columns = paths.map(path =>
    createPlainColumn(
      path,
      leafLists.map(leaf => leaf.get(JSON.stringify(path))),
    ),
  );
  return { rowCount: records.length, columns };
}

function listLeaves(record: JsonObject, parentPath: readonly string[]): [string, unknown][] {
  return Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    const path = [...parentPath, name];
    return isObject(value) ? listLeaves(value, path) : [[JSON.stringify(path), value]];
  });
}

function createPlainColumn(path: readonly string[], cells: readonly unknown[]): Column {
  const name = path.join('.');
  const states = cells.map(cell => (cell === undefined ? cellState.absent : cell === null ? cellState.null : 0));
  const base = { name, path, ...(states.some(state => state !== 0) && { gaps: Uint8Array.from(states) }) };
  const values = cells.filter(cell => cell != null);
  const kinds = new Set(values.map(value => (typeof value === 'object' ? 'nested' : typeof value)));
  const kind =
    kinds.size === 0 ? (knownFields.get(name)?.unit ? 'number' : 'string') : kinds.size > 1 ? 'nested' : [...kinds][0];
  if (kind === 'number')
    return { ...base, kind, values: Float64Array.from(cells, cell => (typeof cell === 'number' ? cell : NaN)) };
  if (kind === 'boolean') return { ...base, kind, values: Uint8Array.from(cells, cell => (cell === true ? 1 : 0)) };
  if (kind === 'nested')
    return { ...base, kind, texts: createTextDictionary(cells.map(cell => (cell == null ? '' : serializeJson(cell)))) };
  const texts = cells.map(cell => (typeof cell === 'string' ? cell : ''));
  const times = cells.map(cell => (typeof cell === 'string' ? parseInstant(cell) : NaN));
  if (values.length === 0 || times.includes(undefined))
    return { ...base, kind: 'text', texts: createTextDictionary(texts) };
  const areTextsRedundant = cells.every((cell, row) => cell == null || cell === formatInstant(times[row] ?? NaN));
  const instants = Float64Array.from(times, ms => ms ?? NaN);
  return {
    ...base,
    kind: 'time',
    values: instants,
    ...(!areTextsRedundant && { received: createTextDictionary(texts) }),
  };
}

function createTextDictionary(texts: readonly string[]): Dictionary {
  const entries = [...new Set(texts)];
  return { codes: Uint32Array.from(texts, text => entries.indexOf(text)), entries };
}
