import { jsonText, parseJson } from '../../core/json/json.ts';
import { dayMs, minuteMs } from '../../shared/durations.ts';
import { tableLimits } from '../../shared/tableLimits.ts';
import { bitAt, halvesOf, instantAt, type PlacedColumn } from './joinColumns.ts';
import { type PlacedMonth, timeColumnIn } from './joinMonths.ts';
import { fromRuns, type Month, unitsIn } from './months.ts';
import type { StorageFs } from '../files/fileSystem.ts';
import { openRegular } from '../files/regularFile.ts';
import type { Scratch } from './archiveFs.ts';
import { notesPlace } from './seal.ts';

/** What a file has besides its Arrow data, as JSON. */
export interface FileNotes {
  readonly rowCount: number;
  readonly columns: readonly PlacedColumn[];
  readonly unitMs: number;
  /** (count, UTC milliseconds) runs over the units of the month. */
  readonly askedAt: readonly number[];
  readonly metaAskedAt: number;
  /** A JSON text within the JSON, since its numbers may be longer than a double. */
  readonly meta: string;
}

const kinds: readonly unknown[] = ['time', 'number', 'boolean', 'text', 'nested'] satisfies PlacedColumn['kind'][];
const [shortestUnitMs, longestUnitMs] = [minuteMs, dayMs];
/** Each time column may have a second column with its received texts. */
const mostStored = 2 * tableLimits.columns;
/** The last instant that a date can hold, UTC milliseconds. */
const lastInstant = 8.64e15;

/**
 * Throws where the notes do not fit the file, or no table. A checksum does not reject files that somebody else made: after these checks,
 * memory and time grow only with the size of the file, and readers can rely on the rows.
 */
export function checkNotes(notes: FileNotes, file: Uint8Array, month: Month): void {
  checkLayout(notes, file);
  for (const column of notes.columns) checkValues(column, notes.rowCount, file);
  checkOrder(notes, file, month);
}

/** As `checkNotes`, without the rows. For columns other than texts, it does not read the file. */
function checkLayout(notes: FileNotes, file: Uint8Array): void {
  const { rowCount, columns, unitMs, askedAt, metaAskedAt, meta } = notes;
  demand(isCount(rowCount) && isNumber(unitMs) && unitMs >= shortestUnitMs && unitMs <= longestUnitMs);
  demand(areRuns(askedAt) && isNumber(metaAskedAt) && typeof meta === 'string');
  demand(Array.isArray(columns) && columns.length <= mostStored);
  let used = 0;
  for (const [index, column] of columns.entries()) {
    checkNames(column, columns[index - 1]);
    used += checkPlaces(column, rowCount, file);
  }
  const paths = columns.filter(({ received }) => !received).map(({ path }) => JSON.stringify(path));
  demand(new Set(paths).size === paths.length);
  // Columns that share bytes would make a large table from a small file.
  demand(used <= file.length);
}

function checkNames({ kind, name, path, received, absent, odd = {} }: PlacedColumn, before?: PlacedColumn): void {
  demand(kinds.includes(kind) && typeof name === 'string' && name.length <= tableLimits.nameLength);
  demand(Array.isArray(path) && path.every(key => typeof key === 'string'));
  demand(!received || (kind === 'time' && before?.kind === 'time' && !before.received));
  demand(absent === undefined || absent === 'all' || Array.isArray(absent));
  demand(Object.values(odd).every(entry => typeof entry === 'string'));
}

/** Checks where the buffers are; returns how many bytes they have. */
function checkPlaces(
  { at, nullCount, entryCount, absent, ...notes }: PlacedColumn,
  rows: number,
  file: Uint8Array,
): number {
  demand([nullCount, entryCount, at.validity, at.values, at.offsets, at.bytes].every(isCount) && nullCount <= rows);
  demand(!Array.isArray(absent) || areRuns(absent, 2));
  const bits = Math.ceil(rows / 8);
  const isText = isTextual(notes);
  const [width, aligned] = isText ? [4, 4] : notes.kind === 'boolean' ? [1 / 8, 1] : [8, 8];
  const offsets = isText && entryCount > 0 ? 4 * (entryCount + 1) : 0;
  demand(at.values % aligned === 0 && at.offsets % 4 === 0 && at.offsets + offsets <= file.length);
  const texts = offsets > 0 ? new DataView(file.buffer, file.byteOffset).getInt32(at.offsets + offsets - 4, true) : 0;
  demand(texts >= 0);
  const parts = [
    { from: at.values, length: Math.ceil(width * rows) },
    { from: at.validity, length: nullCount > 0 ? bits : 0 },
    { from: at.offsets, length: offsets },
    { from: at.bytes, length: texts },
  ];
  for (const { from, length } of parts) demand(from + length <= file.length);
  return parts.reduce((sum, { length }) => sum + length, 0);
}

function checkValues(column: PlacedColumn, rowCount: number, file: Uint8Array): void {
  const { at, kind, nullCount } = column;
  if (isTextual(column)) checkTexts(column, rowCount, file);
  else if (kind === 'number') {
    const values = new Float64Array(file.buffer, file.byteOffset + at.values, rowCount);
    for (let row = 0; row < rowCount; row++)
      if (!Number.isFinite(values[row])) demand(nullCount > 0 && bitAt(file, at.validity, row) === 0);
  } else if (kind === 'time') {
    const halves = halvesOf({ file, rowCount, from: 0, to: 0 }, at.values);
    for (let row = 0; row < rowCount; row++) demand(Math.abs(instantAt(halves, row)) <= lastInstant);
  }
}

function checkTexts(column: PlacedColumn, rowCount: number, file: Uint8Array): void {
  const { at, kind, received, nullCount, entryCount, odd = {} } = column;
  const codes = new Uint32Array(file.buffer, file.byteOffset + at.values, rowCount);
  for (let row = 0; row < rowCount; row++)
    if ((codes[row] ?? 0) >= entryCount) demand(nullCount > 0 && bitAt(file, at.validity, row) === 0);
  if (entryCount === 0) return;
  const offsets = new Int32Array(file.buffer, file.byteOffset + at.offsets, entryCount + 1);
  let last = 0;
  for (const offset of offsets) {
    demand(offset >= last);
    last = offset;
  }
  if (kind !== 'nested' || received) return;
  const bytes = Buffer.from(file.buffer, file.byteOffset + at.bytes, last);
  for (let place = 0; place < entryCount; place++) {
    const text = odd[place] ?? bytes.toString('utf8', offsets[place], offsets[place + 1]);
    const json = parseJson(text);
    demand(json.ok);
    // Throws where the cell is nested too deep.
    if (json.ok && text.length > 2 * tableLimits.nesting) jsonText(json.value);
  }
}

/** Rows ascend by a time within the month, which all of them have. */
function checkOrder(notes: Pick<FileNotes, 'rowCount' | 'columns'>, file: Uint8Array, month: Month): void {
  const { rowCount } = notes;
  if (rowCount === 0) return;
  const time = timeColumnIn({ file, ...notes });
  demand(time?.nullCount === 0);
  const halves = halvesOf({ file, rowCount, from: 0, to: 0 }, time?.at.values ?? 0);
  let last = month.start;
  for (let row = 0; row < rowCount; row++) {
    const instant = instantAt(halves, row);
    demand(instant >= last && instant < month.end);
    last = instant;
  }
}

function isTextual({ kind, received }: Pick<PlacedColumn, 'kind' | 'received'>): boolean {
  return received === true || kind === 'text' || kind === 'nested';
}

/** Whether these are (count, value) pairs, with values from 0 up to `most`. */
function areRuns(runs: readonly unknown[], most = Infinity): boolean {
  if (!Array.isArray(runs)) return false;
  return runs.every((part, at) => isNumber(part) && part >= 0 && (at % 2 === 0 || part <= most));
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

function demand(isTrue: boolean | undefined): void {
  if (isTrue !== true) throw new RangeError('not a valid month file');
}

/**
 * Bytes of a month file: what is larger is neither archived nor read. Twice what the cells of the longest month take, and eight files are in
 * memory at a time.
 */
export const maxMonthBytes = 2 ** 25;

/** Mostly enough for the notes and footer of a month of hours. */
const tailBytes = 8_192;

/** A month file without its values: their bytes are not loaded. */
export interface MonthSteps extends PlacedMonth, Pick<FileNotes, 'unitMs' | 'metaAskedAt'> {
  readonly askedAt: Float64Array;
}

/**
 * Reads the notes of a month file, its instants, and which of its numbers are null: a small part of it. Undefined for a file of another
 * version. Throws what the file system throws, and a RangeError or SyntaxError for a damaged file.
 */
export async function readMonthSteps(
  fs: StorageFs,
  path: string,
  month: Month,
  scratch: Scratch,
): Promise<MonthSteps | undefined> {
  const { handle, size } = await openRegular(path, maxMonthBytes, fs);
  try {
    const file = scratch.take(size);
    const load = async (from: number, length: number): Promise<unknown> => handle.read(file, from, length, from);
    const loaded = Math.max(0, size - tailBytes);
    await load(loaded, size - loaded);
    const place = await notesPlace(file, loaded, async from => load(from, loaded - from));
    if (!place) return undefined;
    const notes = JSON.parse(Buffer.from(file.subarray(place.start, place.end)).toString()) as FileNotes;
    const columns = notes.columns.filter(({ kind, received }) => kind === 'number' || (kind === 'time' && !received));
    checkLayout({ ...notes, columns }, file);
    const { rowCount, unitMs, askedAt, metaAskedAt } = notes;
    const time = timeColumnIn({ file, rowCount, columns });
    if (time) await load(time.at.values, 8 * rowCount);
    checkOrder({ rowCount, columns }, file, month);
    for (const { nullCount, at } of columns) if (nullCount > 0) await load(at.validity, Math.ceil(rowCount / 8));
    const { first, end } = unitsIn(month, unitMs);
    return { file, rowCount, columns, unitMs, metaAskedAt, askedAt: fromRuns(askedAt, end - first) };
  } finally {
    await handle.close();
  }
}
