import { cellState, type Column, type Dictionary, type Frame, type TimeColumn } from '../../shared/frame.ts';
import type { Span } from '../range/resolveRange.ts';

/** Finds the column with the instants of the rows: `ts` if it is a time column, else the first time column. */
export function findTimeColumn(frame: Frame): TimeColumn | undefined {
  const times = frame.columns.filter(column => column.kind === 'time');
  return times.find(column => column.name === 'ts') ?? times[0];
}

/** Moves the time column with the most distinct instants to the front if the rows would otherwise take their time from another column. */
export function moveMainTimeFirst(frame: Frame): Frame {
  const times = frame.columns.filter(column => column.kind === 'time');
  const distinctCounts = times.map(({ values }) => new Set(values).size);
  const mainTime = times[distinctCounts.indexOf(Math.max(...distinctCounts))];
  if (times.length < 2 || !mainTime || mainTime === findTimeColumn(frame)) return frame;
  return { ...frame, columns: [mainTime, ...frame.columns.filter(column => column !== mainTime)] };
}

/** Whether each row has an instant. */
export function hasInstantInEveryRow(frame: Frame): boolean {
  const time = findTimeColumn(frame);
  return frame.rowCount === 0 || (time !== undefined && !time.gaps?.some(state => state !== cellState.value));
}

/**
 * Returns the rows within [start, end). Services do not document whether they include `end`, so rows are selected by their instants;
 * rows without an instant stay. `mayBeTruncated`: the response may be truncated after any row (see `dropTruncatedInstant`).
 */
export function clipFrame(
  response: Frame,
  span: Span,
  mayBeTruncated = false,
): { readonly frame: Frame; readonly rowsOutside: number } {
  const frame = mayBeTruncated ? dropTruncatedInstant(response) : response;
  const rowsOutside = countRowsOutside(frame, span);
  const time = findTimeColumn(frame);
  if (!time || rowsOutside === 0) return { frame, rowsOutside };
  const rowsInside = new Uint32Array(frame.rowCount - rowsOutside);
  let count = 0;
  for (let row = 0; row < frame.rowCount; row++) if (!isOutside(time.values[row], span)) rowsInside[count++] = row;
  return { frame: takeRows(frame, rowsInside), rowsOutside };
}

/** Counts the rows that `clipFrame` removes. */
export function countRowsOutside(frame: Frame, span: Span): number {
  const values = findTimeColumn(frame)?.values;
  let count = 0;
  if (values) for (let row = 0; row < values.length; row++) if (isOutside(values[row], span)) count++;
  return count;
}

function isOutside(ms = NaN, { start, end }: Span): boolean {
  return ms < start || ms >= end;
}

/** Returns the whole intervals of the span from the first row to the last. Without rows the result is an empty span at `span.start`. */
export function findExtent(frame: Frame, span: Span, intervalMs: number): Span {
  const instants = findTimeColumn(frame)?.values ?? new Float64Array();
  const first = instants.reduce((min, ms) => Math.min(min, ms), Infinity);
  const last = instants.reduce((max, ms) => Math.max(max, ms), -Infinity);
  if (!Number.isFinite(first) || !Number.isFinite(last)) return { start: span.start, end: span.start };
  const countIntervalsTo = (ms: number): number => Math.floor((ms - span.start) / intervalMs);
  const end = span.start + (countIntervalsTo(last) + 1) * intervalMs;
  return { start: span.start + countIntervalsTo(first) * intervalMs, end: Math.min(end, span.end) };
}

/**
 * Removes the rows of the last instant from a response that may be truncated, because further rows of that instant may be missing.
 * Leaves the frame as it is if instants have only one row each, or if no row would remain.
 */
function dropTruncatedInstant(frame: Frame): Frame {
  const instants = findTimeColumn(frame)?.values ?? new Float64Array();
  // Most responses have one row for each instant.
  if (!instants.some((ms, row) => ms === instants[row - 1])) return frame;
  const last = instants.at(-1);
  const rows = new Uint32Array(instants.length).map((_, row) => row).filter(row => instants[row] !== last);
  return rows.length > 0 ? takeRows(frame, rows) : frame;
}

/** Returns the rows with these indexes, in the given order. */
export function takeRows(frame: Frame, rows: Uint32Array): Frame {
  const columns = frame.columns.map(column => takeCells(column, rows));
  return { rowCount: rows.length, columns };
}

function takeCells(column: Column, rows: Uint32Array): Column {
  const { length } = rows;
  return mapCells(column, {
    numbers: values => copyCells(values, rows, new Float64Array(length)),
    bytes: values => copyCells(values, rows, new Uint8Array(length)),
    codes: values => copyCells(values, rows, new Uint32Array(length)),
  });
}

/** Maps each kind of array that a column holds to the array of other rows. */
interface CellMapper {
  readonly numbers: (values: Float64Array) => Float64Array;
  readonly bytes: (values: Uint8Array) => Uint8Array;
  readonly codes: (codes: Uint32Array) => Uint32Array;
}

/** Applies the mapper to all arrays of the column. */
export function mapCells(column: Column, { numbers, bytes, codes }: CellMapper): Column {
  const { gaps, ...rest } = column;
  const texts = (dictionary: Dictionary): Dictionary => ({ ...dictionary, codes: codes(dictionary.codes) });
  const base = gaps && { gaps: bytes(gaps) };
  switch (rest.kind) {
    case 'time':
      return {
        ...rest,
        ...base,
        ...(rest.received && { received: texts(rest.received) }),
        values: numbers(rest.values),
      };
    case 'number':
      return {
        ...rest,
        ...base,
        ...(rest.hours && { hours: numbers(rest.hours) }),
        ...(rest.extremeAt && { extremeAt: numbers(rest.extremeAt) }),
        ...(rest.units && { units: { ...rest.units, codes: codes(rest.units.codes) } }),
        ...(rest.parts && {
          parts: { ...rest.parts, part: numbers(rest.parts.part), whole: numbers(rest.parts.whole) },
        }),
        values: numbers(rest.values),
      };
    case 'boolean':
      return { ...rest, ...base, values: bytes(rest.values) };
    case 'text':
    case 'nested':
      return { ...rest, ...base, texts: texts(rest.texts) };
  }
}

/**
 * Returns the numbers at these indexes, NaN for -1. Checks for -1 first, because reading a typed array at -1 makes all later reads slow.
 */
export function numbersAt(values: Float64Array, indexes: Int32Array | Uint32Array): Float64Array {
  const numbers = new Float64Array(indexes.length);
  for (let position = 0; position < indexes.length; position++) {
    const index = indexes[position] ?? -1;
    numbers[position] = index < 0 ? NaN : (values[index] ?? NaN);
  }
  return numbers;
}

/** Uses a loop, because `from` with a function takes ten times as long: seconds for millions of cells. */
function copyCells<T extends Float64Array | Uint8Array | Uint32Array>(values: T, rows: Uint32Array, target: T): T {
  for (let index = 0; index < rows.length; index++) target[index] = values[rows[index] ?? 0] ?? NaN;
  return target;
}

/** Number of time texts to inspect. Texts from one source mostly have the same number of digits. */
const maxTimesInspected = 10_000;

/** Whether any time has more than three decimals of a second, which instants in milliseconds lose. */
export function hasSubMillisecondTimes({ columns }: Frame): boolean {
  return columns.some(
    column =>
      column.kind === 'time' &&
      column.received?.entries.slice(0, maxTimesInspected).some(text => /:\d\d[.,]\d{3}0*[1-9]/.test(text)) === true,
  );
}
