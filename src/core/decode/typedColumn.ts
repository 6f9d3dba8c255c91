import { isNumberField } from '../../shared/fields.ts';
import { cellState, type Column, type Dictionary } from '../../shared/frame.ts';
import { formatInstant, parseInstant } from '../instant.ts';
import { jsonText } from './jsonText.ts';
import type { RawColumn } from './flatten.ts';

/** Gives a column its kind and puts it into typed arrays. */
export function typedColumn(raw: RawColumn, name: string): Column {
  const { cells, path } = raw;
  const gaps = gapsOf(cells);
  const base = { name, path, ...(gaps && { gaps }) };
  switch (kindOf(cells, isNumberField(name))) {
    case 'number':
      return {
        ...base,
        kind: 'number',
        values: Float64Array.from(cells, cell => (typeof cell === 'number' ? cell : NaN)),
      };
    case 'boolean':
      return { ...base, kind: 'boolean', values: Uint8Array.from(cells, cell => (cell === true ? 1 : 0)) };
    case 'text': {
      const times = timesOf(cells);
      if (!times)
        return { ...base, kind: 'text', texts: dictionaryOf(cells, cell => (typeof cell === 'string' ? cell : '')) };
      const plain = cells.every((cell, row) => cell == null || cell === formatInstant(times[row] ?? 0));
      const received = plain ? undefined : dictionaryOf(cells, cell => (typeof cell === 'string' ? cell : ''));
      return { ...base, kind: 'time', values: times, ...(received && { received }) };
    }
    case 'nested':
      return { ...base, kind: 'nested', texts: dictionaryOf(cells, cell => (cell == null ? '' : jsonText(cell))) };
  }
}

function kindOf(cells: readonly unknown[], knownNumber: boolean): 'number' | 'boolean' | 'text' | 'nested' {
  let kind: string | undefined;
  for (const cell of cells) {
    if (cell == null) continue;
    const type = typeof cell;
    if (kind !== undefined && type !== kind) return 'nested';
    kind = type;
  }
  if (kind === 'number' || kind === 'boolean') return kind;
  if (kind === 'string') return 'text';
  if (kind === undefined) return knownNumber ? 'number' : 'text';
  return 'nested';
}

function gapsOf(cells: readonly unknown[]): Uint8Array | undefined {
  let gaps: Uint8Array | undefined;
  for (let row = 0; row < cells.length; row++) {
    const cell = cells[row];
    if (cell == null) (gaps ??= new Uint8Array(cells.length))[row] = cell === null ? cellState.null : cellState.absent;
  }
  return gaps;
}

/** The instants of a column in which every text is one; undefined for any other, and for a column without a value. */
function timesOf(cells: readonly unknown[]): Float64Array | undefined {
  const times = new Float64Array(cells.length).fill(NaN);
  let found = false;
  for (let row = 0; row < cells.length; row++) {
    const cell = cells[row];
    if (typeof cell !== 'string') continue;
    const ms = parseInstant(cell);
    if (ms === undefined) return undefined;
    times[row] = ms;
    found = true;
  }
  return found ? times : undefined;
}

function dictionaryOf(cells: readonly unknown[], textOf: (cell: unknown) => string): Dictionary {
  const codes = new Uint32Array(cells.length);
  const known = new Map<string, number>();
  for (let row = 0; row < cells.length; row++) {
    const text = textOf(cells[row]);
    let code = known.get(text);
    if (code === undefined) known.set(text, (code = known.size));
    codes[row] = code;
  }
  return { codes, entries: [...known.keys()] };
}
