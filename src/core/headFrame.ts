import type { Frame } from '../shared/frame.ts';
import { clip, timeColumnOf } from './clip.ts';
import { decode } from './decode/decode.ts';
import type { JsonObject } from './decode/envelope.ts';
import type { Span } from './range/resolveRange.ts';

/**
 * The first records of an answer as its first rows. Undefined unless each has a time and lies behind the one before it, all of them
 * in the span: else the answer may begin with other rows.
 */
export function headFrame(records: readonly JsonObject[], span: Span): Frame | undefined {
  const { frame } = decode([records]);
  const times = frame && timeColumnOf(frame)?.values;
  // A row without a time is behind no other, and none is behind it.
  if (!frame || !times?.every((ms, row) => ms > (row === 0 ? -Infinity : (times[row - 1] ?? NaN)))) return undefined;
  return clip(frame, span).rowsOutside === 0 ? frame : undefined;
}
