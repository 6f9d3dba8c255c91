import { cellState, type Column, type Dictionary, type Frame, type TimeColumn } from '../../shared/frame.ts';
import type { Span } from '../range/resolveRange.ts';
import { columnSteps, runSteps, type Steps } from '../time/steps.ts';

/** The column that says when: `ts` if it is one, else the first time column. */
export function timeColumnOf(frame: Frame): TimeColumn | undefined {
  const times = frame.columns.filter(column => column.kind === 'time');
  return times.find(column => column.name === 'ts') ?? times[0];
}

/** Whether each row says when. */
export function hasAllInstants(frame: Frame): boolean {
  const time = timeColumnOf(frame);
  return frame.rowCount === 0 || (time !== undefined && !time.gaps?.some(state => state !== cellState.value));
}

/** Rows within a span, and how many of the frame are not. */
interface Clipped {
  readonly frame: Frame;
  readonly rowsOutside: number;
}

/**
 * The rows within [start, end). Whether a service counts `end` in is not documented, so rows are taken by their instant;
 * rows without one stay.
 */
export function clip(frame: Frame, span: Span): Clipped {
  return runSteps(clipSteps(frame, span));
}

/** As `clip`, in steps of a few milliseconds; `isCut`: the answer may be cut off after any of its rows (see `withoutCutSteps`). */
export function* clipSteps(answer: Frame, span: Span, isCut = false): Steps<Clipped> {
  const frame = isCut ? yield* withoutCutSteps(answer) : answer;
  const rowsOutside = countOutside(frame, span);
  const time = timeColumnOf(frame);
  if (!time || rowsOutside === 0) return { frame, rowsOutside };
  const kept = new Uint32Array(frame.rowCount - rowsOutside);
  let count = 0;
  for (let row = 0; row < frame.rowCount; row++) if (!isOutside(time.values[row], span)) kept[count++] = row;
  yield;
  return { frame: yield* takeRowsSteps(frame, kept), rowsOutside };
}

/** How many rows `clip` takes away. */
export function countOutside(frame: Frame, span: Span): number {
  const values = timeColumnOf(frame)?.values;
  let count = 0;
  if (values) for (let row = 0; row < values.length; row++) if (isOutside(values[row], span)) count++;
  return count;
}

function isOutside(ms = NaN, { start, end }: Span): boolean {
  return ms < start || ms >= end;
}

/** The whole steps of the span from the first row to the last: an empty span at its start where there is no row. */
export function extentOf(frame: Frame, span: Span, stepMs: number): Span {
  const instants = timeColumnOf(frame)?.values ?? new Float64Array();
  const first = instants.reduce((least, ms) => Math.min(least, ms), Infinity);
  const last = instants.reduce((greatest, ms) => Math.max(greatest, ms), -Infinity);
  if (!Number.isFinite(first) || !Number.isFinite(last)) return { start: span.start, end: span.start };
  const stepsTo = (ms: number): number => Math.floor((ms - span.start) / stepMs);
  const end = span.start + (stepsTo(last) + 1) * stepMs;
  return { start: span.start + stepsTo(first) * stepMs, end: Math.min(end, span.end) };
}

/**
 * The rows of an answer that may be cut off after any of them: where an instant has several, those of the last one are left out, as the
 * others of it may not have come. All where that would leave none.
 */
function* withoutCutSteps(frame: Frame): Steps<Frame> {
  const instants = timeColumnOf(frame)?.values ?? new Float64Array();
  // Most answers have one row for each instant.
  if (!instants.some((ms, row) => ms === instants[row - 1])) return frame;
  yield;
  const last = instants.at(-1);
  const rows = new Uint32Array(instants.length).map((_, row) => row).filter(row => instants[row] !== last);
  yield;
  return rows.length > 0 ? yield* takeRowsSteps(frame, rows) : frame;
}

/** The named rows, in the given order. */
export function takeRows(frame: Frame, rows: Uint32Array): Frame {
  return runSteps(takeRowsSteps(frame, rows));
}

/** As `takeRows`, in steps of a few milliseconds. */
export function* takeRowsSteps(frame: Frame, rows: Uint32Array): Steps<Frame> {
  const columns = yield* columnSteps(frame.columns, rows.length, column => takeCells(column, rows));
  return { rowCount: rows.length, columns };
}

function takeCells(column: Column, rows: Uint32Array): Column {
  const { gaps, ...rest } = column;
  const kept = gaps && { gaps: taken(gaps, rows, new Uint8Array(rows.length)) };
  switch (rest.kind) {
    case 'time': {
      const received = rest.received && { received: takeTexts(rest.received, rows) };
      return { ...rest, ...kept, ...received, values: taken(rest.values, rows, new Float64Array(rows.length)) };
    }
    case 'number': {
      const hours = rest.hours && { hours: taken(rest.hours, rows, new Float64Array(rows.length)) };
      return { ...rest, ...kept, ...hours, values: taken(rest.values, rows, new Float64Array(rows.length)) };
    }
    case 'boolean':
      return { ...rest, ...kept, values: taken(rest.values, rows, new Uint8Array(rows.length)) };
    case 'text':
    case 'nested':
      return { ...rest, ...kept, texts: takeTexts(rest.texts, rows) };
  }
}

function takeTexts(texts: Dictionary, rows: Uint32Array): Dictionary {
  return { codes: taken(texts.codes, rows, new Uint32Array(rows.length)), entries: texts.entries };
}

/** A loop: `from` with a function takes ten times as long, which millions of cells make felt. */
function taken<T extends Float64Array | Uint8Array | Uint32Array>(values: T, rows: Uint32Array, into: T): T {
  for (let at = 0; at < rows.length; at++) into[at] = values[rows[at] ?? 0] ?? NaN;
  return into;
}
