import { cellState, type Column, type Dictionary, type Frame, type TimeColumn } from '../shared/frame.ts';
import { commonKind, dictionaryOf, toKind, type Rows } from './columnKinds.ts';
import { receivedText } from './rows.ts';
import { columnSteps, type Steps } from './statistics/sortSteps.ts';

/** Rows [from, to) of the frame at `source` in the list of frames. */
export interface Piece extends Rows {
  readonly source: number;
}

/** The rows that the pieces name, in their order, in steps of a few milliseconds. Columns are matched by their way into the record. */
export function* assembleSteps(frames: readonly Frame[], pieces: readonly Piece[]): Steps<Frame> {
  const slots = new Map<string, (Column | undefined)[]>();
  frames.forEach((frame, source) => {
    for (const column of frame.columns) {
      const key = JSON.stringify(column.path);
      let slot = slots.get(key);
      if (!slot) slots.set(key, (slot = new Array<Column | undefined>(frames.length).fill(undefined)));
      slot[source] = column;
    }
  });
  const used = frames.map((): Rows[] => []);
  for (const piece of pieces) used[piece.source]?.push(piece);
  yield;
  const rowCount = lengthOf(pieces);
  const taken = new Set<string>();
  const columns = yield* columnSteps(slots.values(), rowCount, slot => {
    const column = joinColumns(slot, pieces, used);
    let { name } = column;
    // As decoding does it: two ways into the record never share a name.
    for (let keys = column.path; taken.has(name); name = keys.join('.')) keys = keys.map(key => JSON.stringify(key));
    taken.add(name);
    return name === column.name ? column : { ...column, name };
  });
  return { rowCount, columns };
}

/** One column of the rows that `pieces` names, out of the frames' columns of one path; `used` are the pieces of each frame. */
function joinColumns(
  slot: readonly (Column | undefined)[],
  pieces: readonly Piece[],
  used: readonly (readonly Rows[])[],
): Column {
  const present = slot.flatMap((column, source) => (column ? [{ column, used: used[source] ?? [] }] : []));
  const kind = commonKind(present);
  const columns = slot.map(column => column && toKind(column, kind));
  const { name, path } = columns.find(column => column !== undefined) as Column;
  const field = columns.find(column => column?.field)?.field;
  const gaps = joinGaps(columns, pieces);
  const base = { name, path, ...(field && { field }), ...(gaps && { gaps }) };
  switch (kind) {
    case 'time': {
      const times = columns as readonly (TimeColumn | undefined)[];
      const received = times.some(column => column?.received) && {
        received: joinTexts(
          times.map(column => column && receivedOf(column)),
          pieces,
          gaps,
        ),
      };
      return { ...base, kind, values: joinNumbers(columns, pieces), ...received };
    }
    case 'number':
      return { ...base, kind, values: joinNumbers(columns, pieces) };
    case 'boolean': {
      const values = new Uint8Array(lengthOf(pieces));
      eachPiece(pieces, ({ source, from, to }, at) => {
        const column = columns[source];
        if (column?.kind === 'boolean') copyRows(column.values, from, to, values, at);
      });
      return { ...base, kind, values };
    }
    case 'text':
    case 'nested':
      return {
        ...base,
        kind,
        texts: joinTexts(
          columns.map(column => (column && 'texts' in column ? column.texts : undefined)),
          pieces,
          gaps,
        ),
      };
  }
}

/** Rows that are not used may have no instant though they have a value. */
function receivedOf(column: TimeColumn): Dictionary {
  const textOf = (row: number): string => (Number.isNaN(column.values[row]) ? '' : receivedText(column, row));
  return column.received ?? dictionaryOf(column, textOf);
}

function joinGaps(columns: readonly (Column | undefined)[], pieces: readonly Piece[]): Uint8Array | undefined {
  if (pieces.every(({ source }) => columns[source] && !columns[source].gaps)) return undefined;
  const gaps = new Uint8Array(lengthOf(pieces));
  eachPiece(pieces, ({ source, from, to }, at) => {
    const column = columns[source];
    if (!column) gaps.fill(cellState.absent, at, at + to - from);
    else if (column.gaps) copyRows(column.gaps, from, to, gaps, at);
  });
  return gaps.some(state => state !== cellState.value) ? gaps : undefined;
}

function joinNumbers(columns: readonly (Column | undefined)[], pieces: readonly Piece[]): Float64Array {
  const values = new Float64Array(lengthOf(pieces));
  eachPiece(pieces, ({ source, from, to }, at) => {
    const column = columns[source];
    if (column?.kind === 'number' || column?.kind === 'time') copyRows(column.values, from, to, values, at);
    else values.fill(NaN, at, at + to - from);
  });
  return values;
}

function joinTexts(
  dictionaries: readonly (Dictionary | undefined)[],
  pieces: readonly Piece[],
  gaps: Uint8Array | undefined,
): Dictionary {
  const codes = new Uint32Array(lengthOf(pieces));
  const known = new Map<string, number>();
  const codeOf = (entry: string): number => {
    let code = known.get(entry);
    if (code === undefined) known.set(entry, (code = known.size));
    return code;
  };
  const unknown = 0xffffffff;
  const maps = dictionaries.map(dictionary => dictionary && new Uint32Array(dictionary.entries.length).fill(unknown));
  eachPiece(pieces, ({ source, from, to }, at) => {
    const [dictionary, map] = [dictionaries[source], maps[source]];
    for (let row = from; row < to; row++) {
      const code = dictionary?.codes[row] ?? 0;
      const entry = dictionary?.entries[code];
      if (!map || entry === undefined || (gaps && gaps[at + row - from] !== cellState.value)) {
        codes[at + row - from] = codeOf('');
        continue;
      }
      let mapped = map[code] ?? unknown;
      if (mapped === unknown) map[code] = mapped = codeOf(entry);
      codes[at + row - from] = mapped;
    }
  });
  return { codes, entries: [...known.keys()] };
}

function lengthOf(pieces: readonly Rows[]): number {
  return pieces.reduce((sum, { from, to }) => sum + to - from, 0);
}

const shortPiece = 16;

/** A view takes longer to make than a few rows to copy, and frames that fit into each other like teeth have a million of them. */
function copyRows<T extends Float64Array | Uint8Array>(rows: T, from: number, to: number, into: T, at: number): void {
  if (to - from > shortPiece) into.set(rows.subarray(from, to), at);
  else for (let row = from; row < to; row++) into[at + row - from] = rows[row] ?? 0;
}

function eachPiece(pieces: readonly Piece[], visit: (piece: Piece, at: number) => void): void {
  let at = 0;
  for (const piece of pieces) {
    visit(piece, at);
    at += piece.to - piece.from;
  }
}
