import { cellState, type Column, type Dictionary, type Frame } from '../../../../src/shared/frame.ts';
import type { Unit } from '../../../../src/shared/units.ts';

/** A cell as a test states it: undefined is an absent field. */
export type Cell = number | string | boolean | null | undefined;

export function numberColumn(name: string, cells: readonly Cell[], unit?: Unit): Column & { kind: 'number' } {
  const field = unit === undefined ? {} : { field: { label: name, meaning: '', unit } };
  // The value below a gap must not matter, so any number does.
  const values = Float64Array.from(cells, cell => (typeof cell === 'number' ? cell : 7));
  return { ...createBase(name, cells), ...field, kind: 'number', values };
}

/** The cells are instants in milliseconds. */
export function timeColumn(name: string, cells: readonly Cell[], received?: Dictionary): Column & { kind: 'time' } {
  return { ...numberColumn(name, cells), kind: 'time', ...(received && { received }) };
}

export function booleanColumn(name: string, cells: readonly Cell[]): Column & { kind: 'boolean' } {
  return {
    ...createBase(name, cells),
    kind: 'boolean',
    values: Uint8Array.from(cells, cell => (cell === true ? 1 : 0)),
  };
}

export function textColumn(name: string, cells: readonly Cell[]): Column & { kind: 'text' } {
  return { ...createBase(name, cells), kind: 'text', texts: createDictionary(cells) };
}

/** The cells are JSON texts. */
export function nestedColumn(name: string, cells: readonly Cell[]): Column & { kind: 'nested' } {
  return { ...createBase(name, cells), kind: 'nested', texts: createDictionary(cells) };
}

export function createFrame(...columns: Column[]): Frame {
  const [first] = columns;
  if (!first) return { rowCount: 0, columns };
  return { rowCount: 'values' in first ? first.values.length : first.texts.codes.length, columns };
}

function createBase(name: string, cells: readonly Cell[]): { name: string; path: string[]; gaps?: Uint8Array } {
  const states = cells.map(cell => {
    return cell === undefined ? cellState.absent : cell === null ? cellState.null : cellState.value;
  });
  return {
    name,
    path: [name],
    ...(states.some(state => state !== cellState.value) && { gaps: Uint8Array.from(states) }),
  };
}

function createDictionary(cells: readonly Cell[]): Dictionary {
  const texts = cells.map(cell => (typeof cell === 'string' ? cell : ''));
  const entries = [...new Set(texts)];
  return { codes: Uint32Array.from(texts, text => entries.indexOf(text)), entries };
}
