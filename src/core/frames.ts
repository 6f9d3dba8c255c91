import { cellState, type Column, type Dictionary, type Frame, type TimeColumn } from '../shared/frame.ts';
import { takeRowsSteps, timeColumnOf } from './clip.ts';
import { commonKind, dictionaryOf, toKind, type Rows } from './columnKinds.ts';
import { receivedText } from './rows.ts';
import { columnSteps, runSteps, sortSteps, stepRows, type Steps } from './statistics/sortSteps.ts';

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
  return runSteps(sortByTimeSteps(frame));
}

/** As `sortByTime`, in steps of a few milliseconds. */
export function* sortByTimeSteps(frame: Frame): Steps<Frame> {
  const times = instantsOf(frame);
  let ascending = true;
  for (let row = 1; ascending && row < times.length; row++) ascending = (times[row - 1] ?? 0) <= (times[row] ?? 0);
  yield;
  return ascending ? frame : yield* takeRowsSteps(frame, yield* ascendingRows(times));
}

/** The places of the numbers in ascending order, those of equal ones in theirs. Sorted by a function they take seconds. */
function* ascendingRows(times: Float64Array): Steps<Uint32Array> {
  const sorted = yield* sortSteps(times.slice());
  const rows = new Uint32Array(times.length);
  /** At the first place of each number: how many of it are there. */
  const counts = new Uint32Array(times.length);
  for (let row = 0; row < times.length; row++) {
    const first = firstFrom(sorted, times[row] ?? Infinity);
    const count = counts[first] ?? 0;
    rows[first + count] = row;
    counts[first] = count + 1;
    if (row % stepRows === stepRows - 1) yield;
  }
  return rows;
}

/** The first place of an ascending list at or after an instant. */
export function firstFrom(times: Float64Array, instant: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < instant) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The rows of all frames, one frame after the other. Columns are matched by their way into the record; where a frame does
 * not have one, its rows have no such field; where kinds differ, all cells take the kind that loses nothing.
 */
export function concatFrames(frames: readonly Frame[]): Frame {
  const pieces = frames.map(({ rowCount }, source) => ({ source, from: 0, to: rowCount }));
  return runSteps(assembleSteps(frames, pieces));
}

/**
 * The rows of both frames ascending by time. An instant that `newer` has is taken from it alone, with all its rows of that
 * instant. Rows without an instant are all kept, at the end.
 */
export function mergeByTime(kept: Frame, newer: Frame): Frame {
  return runSteps(mergeByTimeSteps(kept, newer));
}

/** As `mergeByTime`, in steps of a few milliseconds. */
export function* mergeByTimeSteps(kept: Frame, newer: Frame): Steps<Frame> {
  if (kept.columns.length === 0) return yield* sortByTimeSteps(newer);
  const frames = [yield* sortByTimeSteps(kept), yield* sortByTimeSteps(newer)] as const;
  const instants = [instantsOf(frames[0]), instantsOf(frames[1])] as const;
  yield;
  const pieces: Piece[] = [];
  for (let [i, j] = [0, 0]; i < instants[0].length || j < instants[1].length;) {
    [i, j] = addPieces(pieces, instants, i, j);
    yield;
  }
  return yield* assembleSteps(frames, pieces);
}

/** Adds the next of the pieces that two ascending lists of instants make, from these rows on; returns the rows it has come to. */
function addPieces(
  pieces: Piece[],
  [a, b]: readonly [Float64Array, Float64Array],
  startA: number,
  startB: number,
): [number, number] {
  let [i, j] = [startA, startB];
  const take = (source: number, from: number, to: number): void => {
    const last = pieces.at(-1);
    if (last?.source === source && last.to === from) pieces[pieces.length - 1] = { source, from: last.from, to };
    else if (to > from) pieces.push({ source, from, to });
  };
  for (let turn = 0; turn < stepRows && (i < a.length || j < b.length); turn++) {
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
  return [i, j];
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

function* assembleSteps(frames: readonly Frame[], pieces: readonly Piece[]): Steps<Frame> {
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
