import type { Sink } from './scene.ts';

/** Points to draw, and where they lie on the picture. */
export interface Points {
  /** Which points, ascending. */
  readonly at: Uint32Array;
  readonly x: Float64Array;
  readonly toX: (instant: number) => number;
  readonly toY: (value: number) => number;
  /** Values hold until the next point; the last one for this long, in milliseconds. Undefined: straight lines. */
  readonly hold: number | undefined;
}

/** A line through the values, open where one is missing. */
export function traceLine(sink: Sink, points: Points, values: Float64Array): void {
  const { at, x, toX, toY, hold } = points;
  let isOpen = false;
  let lastX = 0;
  let lastY = 0;
  for (const point of at) {
    const value = values[point] as number;
    const instant = x[point] as number;
    const px = toX(instant);
    if (isOpen && hold !== undefined) sink.lineTo(px, lastY);
    if (Number.isNaN(value)) {
      isOpen = false;
      continue;
    }
    const py = toY(value);
    if (isOpen) sink.lineTo(px, py);
    else sink.moveTo(px, py);
    isOpen = true;
    lastX = instant;
    lastY = py;
  }
  if (isOpen && hold !== undefined) sink.lineTo(toX(lastX + hold), lastY);
}

/** Small squares where a value has none beside it: a line of one point would not be seen. */
export function traceLonely(sink: Sink, points: Points, values: Float64Array, radius: number): void {
  const { at, x, toX, toY, hold } = points;
  if (hold !== undefined) return;
  let here = false;
  let next = at.length > 0 && !Number.isNaN(values[at[0] as number]);
  for (let index = 0; index < at.length; index++) {
    const before = here;
    here = next;
    next = index + 1 < at.length && !Number.isNaN(values[at[index + 1] as number]);
    if (!here || before || next) continue;
    const point = at[index] ?? 0;
    const px = toX(x[point] ?? 0);
    const py = toY(values[point] ?? 0);
    sink.moveTo(px - radius, py - radius);
    sink.lineTo(px + radius, py - radius);
    sink.lineTo(px + radius, py + radius);
    sink.lineTo(px - radius, py + radius);
    sink.closePath();
  }
}

/** The area between two edges, in one piece for each run of points without a gap. */
export function traceArea(sink: Sink, points: Points, lower: Float64Array, upper: Float64Array): void {
  const { at } = points;
  let from = 0;
  for (let index = 0; index <= at.length; index++) {
    const isGap = index === at.length || Number.isNaN(upper[at[index] ?? 0]);
    if (!isGap) continue;
    if (index > from) tracePiece(sink, points, lower, upper, from, index);
    from = index + 1;
  }
}

/** Bars from zero to each value, as wide as `share` of their interval and never thinner than `least` pixels. */
export function traceBars(sink: Sink, points: Points, values: Float64Array, share: number, least: number): void {
  const { at, x, toX, toY, hold = 0 } = points;
  const base = toY(0);
  for (const point of at) {
    const value = values[point] ?? NaN;
    if (Number.isNaN(value)) continue;
    const left = toX(x[point] ?? 0);
    const room = toX((x[point] ?? 0) + hold) - left;
    const width = Math.max(least, room * share);
    const start = left + Math.max(0, (room - width) / 2);
    const end = toY(value);
    sink.moveTo(start, base);
    sink.lineTo(start + width, base);
    sink.lineTo(start + width, end);
    sink.lineTo(start, end);
    sink.closePath();
  }
}

/** Points [from, to) of the list: along the upper edge and back along the lower one. */
function tracePiece(
  sink: Sink,
  { at, x, toX, toY, hold }: Points,
  lower: Float64Array,
  upper: Float64Array,
  from: number,
  to: number,
): void {
  const xOf = (index: number): number => x[at[index] ?? 0] ?? 0;
  const yOf = (edge: Float64Array, index: number): number => toY(edge[at[index] ?? 0] ?? 0);
  const endOf = (index: number): number => {
    const next = index + 1 < at.length ? xOf(index + 1) : Infinity;
    return toX(Math.min(next, xOf(index) + (hold ?? 0)));
  };
  // A piece of one point has no width of its own.
  const nudge = hold === undefined && to - from === 1 ? 1 : 0;
  sink.moveTo(toX(xOf(from)) - nudge, yOf(upper, from));
  for (let index = from; index < to; index++) {
    sink.lineTo(toX(xOf(index)) + nudge, yOf(upper, index));
    if (hold !== undefined) sink.lineTo(endOf(index), yOf(upper, index));
  }
  for (let index = to - 1; index >= from; index--) {
    if (hold !== undefined) sink.lineTo(endOf(index), yOf(lower, index));
    sink.lineTo(toX(xOf(index)) + nudge, yOf(lower, index));
  }
  if (nudge) sink.lineTo(toX(xOf(from)) - nudge, yOf(lower, from));
  sink.closePath();
}
