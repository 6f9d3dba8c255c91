import { cellState, type Column, type Dictionary } from '../../shared/frame.ts';
import { serializeJson } from '../json/json.ts';
import { knownFields } from '../query/catalogue.ts';
import type { RawColumn } from './flatten.ts';
import { isPlainInstant, parseInstant } from '../time/instant.ts';

/** Determines the kind of a column and creates its typed arrays. */
export function createTypedColumn(raw: RawColumn, name: string): Column {
  const { cells, path } = raw;
  const gaps = computeGaps(cells);
  const base = { name, path, ...(gaps && { gaps }) };
  switch (detectKind(cells, knownFields.get(name)?.unit !== undefined)) {
    case 'number':
      return { ...base, kind: 'number', values: toNumbers(cells) };
    case 'boolean':
      return { ...base, kind: 'boolean', values: Uint8Array.from(cells, cell => (cell === true ? 1 : 0)) };
    case 'text': {
      const times = parseTimeCells(cells);
      const texts = times?.isPlain
        ? undefined
        : createDictionary(cells, cell => (typeof cell === 'string' ? cell : ''));
      if (times) return { ...base, kind: 'time', values: times.values, ...(texts && { received: texts }) };
      return { ...base, kind: 'text', texts: texts ?? { codes: new Uint32Array(cells.length), entries: [] } };
    }
    case 'nested':
      return {
        ...base,
        kind: 'nested',
        texts: createDictionary(cells, cell => (cell == null ? '' : serializeJson(cell))),
      };
  }
}

function detectKind(cells: readonly unknown[], isKnownNumber: boolean): 'number' | 'boolean' | 'text' | 'nested' {
  let kind: string | undefined;
  for (const cell of cells) {
    if (cell == null) continue;
    const type = typeof cell;
    if (kind !== undefined && type !== kind) return 'nested';
    kind = type;
  }
  if (kind === 'number' || kind === 'boolean') return kind;
  if (kind === 'string') return 'text';
  if (kind === undefined) return isKnownNumber ? 'number' : 'text';
  return 'nested';
}

function computeGaps(cells: readonly unknown[]): Uint8Array | undefined {
  let gaps: Uint8Array | undefined;
  for (let row = 0; row < cells.length; row++) {
    const cell = cells[row];
    if (cell == null) (gaps ??= new Uint8Array(cells.length))[row] = cell === null ? cellState.null : cellState.absent;
  }
  return gaps;
}

function toNumbers(cells: readonly unknown[]): Float64Array {
  const values = new Float64Array(cells.length);
  for (let row = 0; row < cells.length; row++) {
    const cell = cells[row];
    values[row] = typeof cell === 'number' ? cell : NaN;
  }
  return values;
}

function createDictionary(cells: readonly unknown[], formatCell: (cell: unknown) => string): Dictionary {
  const codes = new Uint32Array(cells.length);
  const codesByText = new Map<string, number>();
  let previousText: string | undefined;
  let code = 0;
  for (let row = 0; row < cells.length; row++) {
    const text = formatCell(cells[row]);
    // Many texts repeat the previous one, such as a version or a region.
    if (text !== previousText) {
      previousText = text;
      code = codesByText.get(text) ?? codesByText.size;
      if (code === codesByText.size) codesByText.set(text, code);
    }
    codes[row] = code;
  }
  return { codes, entries: [...codesByText.keys()] };
}

/** The texts of a column as instants. */
interface TimeCells {
  /** UTC milliseconds; NaN for cells without a text. */
  readonly values: Float64Array;
  /** Whether each text has the form `YYYY-MM-DDThh:mm:ssZ`, which can be restored from the instant. */
  readonly isPlain: boolean;
}

/** Parses the instants of a column. Returns undefined if any text is not an instant, or if there are no texts. */
function parseTimeCells(cells: readonly unknown[]): TimeCells | undefined {
  const values = new Float64Array(cells.length).fill(NaN);
  let isPlain = true;
  let hasText = false;
  for (let row = 0; row < cells.length; row++) {
    const cell = cells[row];
    if (typeof cell !== 'string') continue;
    const ms = parseInstant(cell);
    if (ms === undefined) return undefined;
    isPlain &&= isPlainInstant(cell);
    values[row] = ms;
    hasText = true;
  }
  return hasText ? { values, isPlain } : undefined;
}
