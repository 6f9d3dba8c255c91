import { cellState, type Column, type Dictionary, type Frame, type TimeColumn } from '../shared/frame.ts';
import { takeRows, timeColumnOf } from './clip.ts';
import { commonKind, dictionaryOf, toKind, type Rows } from './columnKinds.ts';
import { receivedText } from './rows.ts';

/** Rows [from, to) of the frame at `source` in the list of frames. */
interface Piece extends Rows {
  readonly source: number;
}

/** Rows [from, to) of a frame, as views on the same arrays: copy before sending them anywhere. */
export function viewRows(frame: Frame, from: number, to: number): Frame {
  const texts = ({ codes, entries }: Dictionary): Dictionary => ({ codes: codes.subarray(from, to), entries });
  const columns = frame.columns.map((column): Column => {
    const { gaps: all, ...rest } = column;
    const gaps = all?.subarray(from, to);
    const part = gaps?.some(state => state !== cellState.value) ? { gaps } : {};
    switch (rest.kind) {
      case 'time': {
        const received = rest.received && { received: texts(rest.received) };
        return { ...rest, ...part, ...received, values: rest.values.subarray(from, to) };
      }
      case 'number':
        return { ...rest, ...part, values: rest.values.subarray(from, to) };
      case 'boolean':
        return { ...rest, ...part, values: rest.values.subarray(from, to) };
      case 'text':
      case 'nested':
        return { ...rest, ...part, texts: texts(rest.texts) };
    }
  });
  return { rowCount: to - from, columns };
}

/** The rows ascending by time, those of one instant in their order, those without an instant last. */
export function sortByTime(frame: Frame): Frame {
  const times = instantsOf(frame);
  let ascending = true;
  for (let row = 1; ascending && row < times.length; row++) ascending = (times[row - 1] ?? 0) <= (times[row] ?? 0);
  if (ascending) return frame;
  const at = (row: number): number => times[row] ?? Infinity;
  const rows = Uint32Array.from(times.keys()).sort((a, b) => (at(a) === at(b) ? a - b : at(a) - at(b)));
  return takeRows(frame, rows);
}

/**
 * The rows of all frames, one frame after the other. Columns are matched by their way into the record; where a frame does
 * not have one, its rows have no such field; where kinds differ, all cells take the kind that loses nothing.
 */
export function concatFrames(frames: readonly Frame[]): Frame {
  return assemble(
    frames,
    frames.map(({ rowCount }, source) => ({ source, from: 0, to: rowCount })),
  );
}

/**
 * The rows of both frames ascending by time. An instant that `newer` has is taken from it alone, with all its rows of that
 * instant. Rows without an instant are all kept, at the end.
 */
export function mergeByTime(kept: Frame, newer: Frame): Frame {
  if (kept.columns.length === 0) return sortByTime(newer);
  const frames = [sortByTime(kept), sortByTime(newer)] as const;
  const [a, b] = [instantsOf(frames[0]), instantsOf(frames[1])];
  const pieces: Piece[] = [];
  const take = (source: number, from: number, to: number): void => {
    const last = pieces.at(-1);
    if (last?.source === source && last.to === from) pieces[pieces.length - 1] = { source, from: last.from, to };
    else if (to > from) pieces.push({ source, from, to });
  };
  for (let [i, j] = [0, 0]; i < a.length || j < b.length;) {
    const [keptAt, newAt] = [a[i] ?? Infinity, b[j] ?? Infinity];
    // Of rows without an instant, the kept ones come first.
    if (i < a.length && (keptAt < newAt || (keptAt === Infinity && newAt === Infinity))) {
      const from = i;
      i = keptAt === Infinity ? a.length : endOf(a, i, newAt);
      take(0, from, i);
    } else {
      const from = j;
      j = newAt === Infinity ? b.length : endOf(b, j, keptAt === newAt ? nextAfter(b, j) : keptAt);
      take(1, from, j);
      while (keptAt === newAt && a[i] === keptAt) i++;
    }
  }
  return assemble(frames, pieces);
}

/** The first row at or after `row` that is not before `until`. */
function endOf(times: Float64Array, row: number, until: number): number {
  let end = row;
  while (end < times.length && (times[end] ?? 0) < until) end++;
  return end;
}

function nextAfter(times: Float64Array, row: number): number {
  let next = row;
  while (next < times.length && times[next] === times[row]) next++;
  return times[next] ?? Infinity;
}

/** Of each row; Infinity where it has none. */
function instantsOf(frame: Frame): Float64Array {
  const time = timeColumnOf(frame);
  if (!time) return new Float64Array(frame.rowCount).fill(Infinity);
  if (!time.gaps) return time.values;
  return time.values.map((ms, row) => (time.gaps?.[row] === cellState.value ? ms : Infinity));
}

function assemble(frames: readonly Frame[], pieces: readonly Piece[]): Frame {
  const slots = new Map<string, (Column | undefined)[]>();
  frames.forEach((frame, source) => {
    for (const column of frame.columns) {
      const key = JSON.stringify(column.path);
      let slot = slots.get(key);
      if (!slot) slots.set(key, (slot = new Array<Column | undefined>(frames.length).fill(undefined)));
      slot[source] = column;
    }
  });
  const taken = new Set<string>();
  const columns = [...slots.values()].map(slot => {
    const column = joinColumns(slot, pieces);
    let { name } = column;
    // As decoding does it: two ways into the record never share a name.
    for (let keys = column.path; taken.has(name); name = keys.join('.')) keys = keys.map(key => JSON.stringify(key));
    taken.add(name);
    return name === column.name ? column : { ...column, name };
  });
  return { rowCount: pieces.reduce((sum, { from, to }) => sum + to - from, 0), columns };
}

/** One column of the rows that `pieces` names, out of the frames' columns of one path. */
function joinColumns(slot: readonly (Column | undefined)[], pieces: readonly Piece[]): Column {
  const used = slot.map((): Rows[] => []);
  for (const piece of pieces) used[piece.source]?.push(piece);
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
        if (column?.kind === 'boolean') values.set(column.values.subarray(from, to), at);
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
    else if (column.gaps) gaps.set(column.gaps.subarray(from, to), at);
  });
  return gaps.some(state => state !== cellState.value) ? gaps : undefined;
}

function joinNumbers(columns: readonly (Column | undefined)[], pieces: readonly Piece[]): Float64Array {
  const values = new Float64Array(lengthOf(pieces));
  eachPiece(pieces, ({ source, from, to }, at) => {
    const column = columns[source];
    if (column?.kind === 'number' || column?.kind === 'time') values.set(column.values.subarray(from, to), at);
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

function eachPiece(pieces: readonly Piece[], visit: (piece: Piece, at: number) => void): void {
  let at = 0;
  for (const piece of pieces) {
    visit(piece, at);
    at += piece.to - piece.from;
  }
}
