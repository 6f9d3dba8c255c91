import { cellState, type Column, type Dictionary } from '../../shared/frame.ts';
import { jsonText } from '../json/json.ts';
import { knownFields } from '../query/catalogue.ts';
import type { RawColumn } from './flatten.ts';
import { isPlainInstant, parseInstant } from '../time/instant.ts';

/** Determines the kind of a column and creates its typed arrays. */
export function typedColumn(raw: RawColumn, name: string): Column {
  const { cells, path } = raw;
  const gaps = gapsOf(cells);
  const base = { name, path, ...(gaps && { gaps }) };
  switch (kindOf(cells, knownFields.get(name)?.unit !== undefined)) {
    case 'number':
      return { ...base, kind: 'number', values: numbersOf(cells) };
    case 'boolean':
      return { ...base, kind: 'boolean', values: Uint8Array.from(cells, cell => (cell === true ? 1 : 0)) };
    case 'text': {
      const times = timeCells(cells);
      const texts = times?.plain ? undefined : dictionaryOf(cells, cell => (typeof cell === 'string' ? cell : ''));
      if (times) return { ...base, kind: 'time', values: times.values, ...(texts && { received: texts }) };
      return { ...base, kind: 'text', texts: texts ?? { codes: new Uint32Array(cells.length), entries: [] } };
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

function numbersOf(cells: readonly unknown[]): Float64Array {
  const values = new Float64Array(cells.length);
  for (let row = 0; row < cells.length; row++) {
    const cell = cells[row];
    values[row] = typeof cell === 'number' ? cell : NaN;
  }
  return values;
}

function dictionaryOf(cells: readonly unknown[], textOf: (cell: unknown) => string): Dictionary {
  const codes = new Uint32Array(cells.length);
  const known = new Map<string, number>();
  let last: string | undefined;
  let code = 0;
  for (let row = 0; row < cells.length; row++) {
    const text = textOf(cells[row]);
    // Many texts repeat the previous one, such as a version or a region.
    if (text !== last) {
      last = text;
      code = known.get(text) ?? known.size;
      if (code === known.size) known.set(text, code);
    }
    codes[row] = code;
  }
  return { codes, entries: [...known.keys()] };
}

/** The texts of a column as instants. */
interface TimeCells {
  /** UTC milliseconds; NaN where there is no text. */
  readonly values: Float64Array;
  /** Whether each text is `YYYY-MM-DDThh:mm:ssZ`, which can be restored from the instant. */
  readonly plain: boolean;
}

/** The instants of a column in which every text is one; undefined for any other, and for a column without a text. */
function timeCells(cells: readonly unknown[]): TimeCells | undefined {
  const values = new Float64Array(cells.length).fill(NaN);
  let plain = true;
  let found = false;
  for (let row = 0; row < cells.length; row++) {
    const cell = cells[row];
    if (typeof cell !== 'string') continue;
    const ms = parseInstant(cell);
    if (ms === undefined) return undefined;
    plain &&= isPlainInstant(cell);
    values[row] = ms;
    found = true;
  }
  return found ? { values, plain } : undefined;
}
