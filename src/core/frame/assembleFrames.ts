import { cellState, type Column, type Dictionary, type Frame, type TimeColumn } from '../../shared/frame.ts';
import { commonKind, buildDictionary, toKind, type Rows } from './columnKinds.ts';
import { receivedText } from './records.ts';

/**
 * Intervals of rows, each with the index of the frame it belongs to. Typed arrays, because two frames with alternating rows produce a
 * million intervals, and a million objects take too long to create.
 */
export interface Pieces extends Rows {
  readonly sources: Uint32Array;
}

/** Returns the rows of the pieces, in order. Columns are matched by their JSON path. */
export function assembleFrames(frames: readonly Frame[], pieces: Pieces): Frame {
  const columnsByPath = groupColumnsByPath(frames);
  const piecesByFrame = splitByFrame(frames.length, pieces);
  const rowCount = countRows(pieces);
  const usedNames = new Set<string>();
  const columns: Column[] = [];
  for (const columnsOfPath of columnsByPath.values()) {
    const column = joinColumn(columnsOfPath, pieces, piecesByFrame);
    let { name } = column;
    // Two JSON paths never share a column name, as in decoding.
    for (let keys = column.path; usedNames.has(name); name = keys.join('.'))
      keys = keys.map(key => JSON.stringify(key));
    usedNames.add(name);
    columns.push(name === column.name ? column : { ...column, name });
  }
  return { rowCount, columns };
}

/** Groups the columns of all frames by their JSON path. Each list has one item per frame. */
export function groupColumnsByPath(frames: readonly Frame[]): Map<string, (Column | undefined)[]> {
  const columnsByPath = new Map<string, (Column | undefined)[]>();
  frames.forEach((frame, source) => {
    for (const column of frame.columns) {
      const key = JSON.stringify(column.path);
      let columns = columnsByPath.get(key);
      if (!columns) {
        columns = new Array<Column | undefined>(frames.length).fill(undefined);
        columnsByPath.set(key, columns);
      }
      columns[source] = column;
    }
  });
  return columnsByPath;
}

/** Splits the pieces by frame. */
function splitByFrame(frameCount: number, { sources, from, to }: Pieces): Rows[] {
  const counts = new Uint32Array(frameCount);
  for (let index = 0; index < sources.length; index++)
    counts[sources[index] ?? 0] = (counts[sources[index] ?? 0] ?? 0) + 1;
  const piecesByFrame = Array.from(counts, count => ({ from: new Uint32Array(count), to: new Uint32Array(count) }));
  counts.fill(0);
  for (let index = 0; index < sources.length; index++) {
    const source = sources[index] ?? 0;
    const rows = piecesByFrame[source];
    const next = counts[source] ?? 0;
    if (!rows) continue;
    rows.from[next] = from[index] ?? 0;
    rows.to[next] = to[index] ?? 0;
    counts[source] = next + 1;
  }
  return piecesByFrame;
}

/** Joins the columns with one path, one per frame, into a column of the rows in `pieces`. */
function joinColumn(
  columnsOfPath: readonly (Column | undefined)[],
  pieces: Pieces,
  piecesByFrame: readonly Rows[],
): Column {
  const usedColumns = piecesByFrame.flatMap((rows, source) => {
    const column = columnsOfPath[source];
    return column ? [{ column, used: rows }] : [];
  });
  const kind = commonKind(usedColumns);
  const columns: (Column | undefined)[] = [];
  for (const column of columnsOfPath) columns.push(column && toKind(column, kind));
  const { name, path } = columns.find(column => column !== undefined) as Column;
  const field = columns.find(column => column?.field)?.field;
  const gaps = joinGaps(columns, pieces, piecesByFrame);
  const base = { name, path, ...(field && { field }), ...(gaps && { gaps }) };
  switch (kind) {
    case 'time': {
      const times = columns as readonly (TimeColumn | undefined)[];
      const texts: (Dictionary | undefined)[] = [];
      if (times.some(column => column?.received))
        for (const column of times) texts.push(column && getReceivedTexts(column));
      const received = texts.length > 0 && { received: joinTexts(texts, pieces, gaps) };
      const bins = times.find(column => column?.bins)?.bins;
      return { ...base, kind, values: joinNumbers(columns, pieces), ...received, ...(bins && { bins }) };
    }
    case 'number': {
      const hourColumns = columns.map(column =>
        column?.kind === 'number' && column.hours ? { ...column, values: column.hours } : undefined,
      );
      const hours = hourColumns.some(Boolean) && { hours: joinNumbers(hourColumns, pieces) };
      return { ...base, kind, values: joinNumbers(columns, pieces), ...hours };
    }
    case 'boolean': {
      const values = new Uint8Array(countRows(pieces));
      forEachPiece(pieces, (source, from, to, targetRow) => {
        const column = columns[source];
        if (column?.kind === 'boolean') copyRows(column.values, from, to, values, targetRow);
      });
      return { ...base, kind, values };
    }
    case 'text':
    case 'nested': {
      const texts = columns.map(column => (column && 'texts' in column ? column.texts : undefined));
      return { ...base, kind, texts: joinTexts(texts, pieces, gaps) };
    }
  }
}

/** Returns the received texts of a time column. A row outside the pieces may have a value without an instant, so its text is empty. */
function getReceivedTexts(column: TimeColumn): Dictionary {
  const getText = (row: number): string => (Number.isNaN(column.values[row]) ? '' : receivedText(column, row));
  return column.received ?? buildDictionary(column, getText);
}

function joinGaps(
  columns: readonly (Column | undefined)[],
  pieces: Pieces,
  piecesByFrame: readonly Rows[],
): Uint8Array | undefined {
  const isWithoutGaps = (column: Column | undefined): boolean => column !== undefined && !column.gaps;
  if (piecesByFrame.every(({ from }, source) => from.length === 0 || isWithoutGaps(columns[source]))) return undefined;
  const gaps = new Uint8Array(countRows(pieces));
  forEachPiece(pieces, (source, from, to, targetRow) => {
    const column = columns[source];
    if (!column) fillRows(gaps, cellState.absent, targetRow, targetRow + to - from);
    else if (column.gaps) copyRows(column.gaps, from, to, gaps, targetRow);
  });
  // Uses `includes`, because `some` takes several times as long.
  return gaps.includes(cellState.null) || gaps.includes(cellState.absent) ? gaps : undefined;
}

function joinNumbers(columns: readonly (Column | undefined)[], pieces: Pieces): Float64Array {
  const values = new Float64Array(countRows(pieces));
  forEachPiece(pieces, (source, from, to, targetRow) => {
    const column = columns[source];
    if (column?.kind === 'number' || column?.kind === 'time') copyRows(column.values, from, to, values, targetRow);
    else fillRows(values, NaN, targetRow, targetRow + to - from);
  });
  return values;
}

function joinTexts(
  dictionaries: readonly (Dictionary | undefined)[],
  pieces: Pieces,
  gaps: Uint8Array | undefined,
): Dictionary {
  const codes = new Uint32Array(countRows(pieces));
  const codeByText = new Map<string, number>();
  const getCode = (entry: string): number => {
    let code = codeByText.get(entry);
    if (code === undefined) {
      code = codeByText.size;
      codeByText.set(entry, code);
    }
    return code;
  };
  const unknown = 0xffffffff;
  const maps = dictionaries.map(dictionary => dictionary && new Uint32Array(dictionary.entries.length).fill(unknown));
  let targetRow = 0;
  for (let piece = 0; piece < pieces.sources.length; piece++) {
    const source = pieces.sources[piece] ?? 0;
    const dictionary = dictionaries[source];
    const map = maps[source];
    const to = pieces.to[piece] ?? 0;
    for (let row = pieces.from[piece] ?? 0; row < to; row++, targetRow++) {
      const code = dictionary?.codes[row] ?? 0;
      const entry = dictionary?.entries[code];
      if (!map || entry === undefined || (gaps && gaps[targetRow] !== cellState.value)) {
        codes[targetRow] = getCode('');
        continue;
      }
      let mapped = map[code] ?? unknown;
      if (mapped === unknown) map[code] = mapped = getCode(entry);
      codes[targetRow] = mapped;
    }
  }
  return { codes, entries: [...codeByText.keys()] };
}

function countRows({ from, to }: Rows): number {
  let length = 0;
  for (let index = 0; index < from.length; index++) length += (to[index] ?? 0) - (from[index] ?? 0);
  return length;
}

const maxLoopLength = 16;

/** Copies a few rows one by one, which is faster than creating a subarray. */
function copyRows<T extends Float64Array | Uint8Array>(
  rows: T,
  from: number,
  to: number,
  target: T,
  targetRow: number,
): void {
  if (to - from > maxLoopLength) target.set(rows.subarray(from, to), targetRow);
  else for (let row = from; row < to; row++) target[targetRow + row - from] = rows[row] ?? 0;
}

function fillRows(target: Float64Array | Uint8Array, value: number, from: number, to: number): void {
  if (to - from > maxLoopLength) target.fill(value, from, to);
  else for (let row = from; row < to; row++) target[row] = value;
}

function forEachPiece(
  { sources, from, to }: Pieces,
  visit: (source: number, from: number, to: number, targetRow: number) => void,
): void {
  let targetRow = 0;
  for (let piece = 0; piece < sources.length; piece++) {
    const first = from[piece] ?? 0;
    const end = to[piece] ?? 0;
    visit(sources[piece] ?? 0, first, end, targetRow);
    targetRow += end - first;
  }
}
