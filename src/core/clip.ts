import { cellState, type Column, type Dictionary, type Frame, type TimeColumn } from '../shared/frame.ts';
import type { Span } from './range/resolveRange.ts';

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

/**
 * The rows within [start, end). Whether a service counts `end` in is not documented, so rows are taken by their instant;
 * rows without one stay.
 */
export function clip(frame: Frame, span: Span): { readonly frame: Frame; readonly rowsOutside: number } {
  const time = timeColumnOf(frame);
  if (!time) return { frame, rowsOutside: 0 };
  const kept = new Uint32Array(frame.rowCount);
  let count = 0;
  for (let row = 0; row < frame.rowCount; row++) {
    const ms = time.values[row] ?? NaN;
    if (!(ms < span.start || ms >= span.end)) kept[count++] = row;
  }
  const rowsOutside = frame.rowCount - count;
  return rowsOutside === 0 ? { frame, rowsOutside } : { frame: takeRows(frame, kept.subarray(0, count)), rowsOutside };
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

/** The named rows, in the given order. */
export function takeRows(frame: Frame, rows: Uint32Array): Frame {
  return { rowCount: rows.length, columns: frame.columns.map(column => takeCells(column, rows)) };
}

function takeCells(column: Column, rows: Uint32Array): Column {
  const { gaps, ...rest } = column;
  const kept = gaps && { gaps: Uint8Array.from(rows, row => gaps[row] ?? 0) };
  switch (rest.kind) {
    case 'time': {
      const received = rest.received && { received: takeTexts(rest.received, rows) };
      return { ...rest, ...kept, ...received, values: Float64Array.from(rows, row => rest.values[row] ?? NaN) };
    }
    case 'number':
      return { ...rest, ...kept, values: Float64Array.from(rows, row => rest.values[row] ?? NaN) };
    case 'boolean':
      return { ...rest, ...kept, values: Uint8Array.from(rows, row => rest.values[row] ?? 0) };
    case 'text':
    case 'nested':
      return { ...rest, ...kept, texts: takeTexts(rest.texts, rows) };
  }
}

function takeTexts(texts: Dictionary, rows: Uint32Array): Dictionary {
  return { codes: Uint32Array.from(rows, row => texts.codes[row] ?? 0), entries: texts.entries };
}
