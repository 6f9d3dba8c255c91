import type { IndexRange } from './decimate.ts';
import type { BarSlot } from './plot.ts';
import { boxTrace, type Sink } from './scene.ts';

/** The width and height of the square for an isolated value, in CSS pixels. */
const isolatedSize = 3;

/** Points [from, to) to draw, and their scales. */
export interface Points extends IndexRange {
  readonly x: Float64Array;
  readonly toX: (instant: number) => number;
  readonly toY: (value: number) => number;
  /** If set, values are drawn as steps until the next point, and the last value for this many milliseconds. If undefined, lines are straight. */
  readonly hold: number | undefined;
}

/** Traces a line through the values, broken at missing ones. */
export function traceLine(sink: Sink, { from, to, x, toX, toY, hold }: Points, values: Float64Array): void {
  let isOpen = false;
  let lastX = 0;
  let lastY = 0;
  for (let point = from; point < to; point++) {
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

/** Traces small squares for isolated values, since a line of one point would be invisible. */
export function traceIsolated(sink: Sink, { from, to, x, toX, toY, hold }: Points, values: Float64Array): void {
  if (hold !== undefined) return;
  const isKnown = (point: number): boolean => point >= from && point < to && !Number.isNaN(values[point]);
  let isCurrentKnown = false;
  let isNextKnown = isKnown(from);
  for (let point = from; point < to; point++) {
    const isPreviousKnown = isCurrentKnown;
    isCurrentKnown = isNextKnown;
    isNextKnown = isKnown(point + 1);
    if (!isCurrentKnown || isPreviousKnown || isNextKnown) continue;
    const px = toX(x[point] ?? 0);
    const py = toY(values[point] ?? 0);
    boxTrace({ x: px - isolatedSize / 2, y: py - isolatedSize / 2, width: isolatedSize, height: isolatedSize })(sink);
  }
}

/** Traces the area between two edges, as one piece for each run of points without a gap. */
export function traceArea(sink: Sink, points: Points, lower: Float64Array, upper: Float64Array): void {
  let { from } = points;
  for (let point = from; point <= points.to; point++) {
    const isGap = point === points.to || Number.isNaN(upper[point]);
    if (!isGap) continue;
    if (point > from) tracePiece(sink, { ...points, from, to: point }, lower, upper, points.to);
    from = point + 1;
  }
}

/** Traces a bar in each interval from the lower to the upper edge. Its width is `widthShare` of its slot, at least a pixel. */
export function traceBars(
  sink: Sink,
  { from, to, x, toX, toY, hold = 0 }: Points,
  lower: Float64Array,
  upper: Float64Array,
  widthShare: number,
  { index, count }: BarSlot = { index: 0, count: 1 },
): void {
  for (let point = from; point < to; point++) {
    if (Number.isNaN(lower[point]) || Number.isNaN(upper[point])) continue;
    const start = x[point] as number;
    const left = toX(start);
    // Months differ in length.
    const slotWidth = toX(Math.min(start + hold, x[point + 1] ?? Infinity)) - left;
    const width = Math.max(1, (slotWidth * widthShare) / count);
    const bottom = toY(lower[point] as number);
    const top = toY(upper[point] as number);
    const margin = Math.max(0, (slotWidth - width * count) / 2);
    boxTrace({ x: left + margin + index * width, y: top, width, height: bottom - top })(sink);
  }
}

/** Traces along the upper edge and back along the lower one. `end` is the end of all points. */
function tracePiece(
  sink: Sink,
  { from, to, x, toX, toY, hold }: Points,
  lower: Float64Array,
  upper: Float64Array,
  end: number,
): void {
  const getInstant = (point: number): number => x[point] ?? 0;
  const getRightX = (point: number): number => {
    const next = point + 1 < end ? getInstant(point + 1) : Infinity;
    return toX(Math.min(next, getInstant(point) + (hold ?? 0)));
  };
  // A piece of one point is drawn two pixels wide, because it has no width of its own.
  const halfWidth = hold === undefined && to - from === 1 ? 1 : 0;
  sink.moveTo(toX(getInstant(from)) - halfWidth, toY(upper[from] ?? 0));
  for (let point = from; point < to; point++) {
    sink.lineTo(toX(getInstant(point)) + halfWidth, toY(upper[point] ?? 0));
    if (hold !== undefined) sink.lineTo(getRightX(point), toY(upper[point] ?? 0));
  }
  for (let point = to - 1; point >= from; point--) {
    if (hold !== undefined) sink.lineTo(getRightX(point), toY(lower[point] ?? 0));
    sink.lineTo(toX(getInstant(point)) + halfWidth, toY(lower[point] ?? 0));
  }
  if (halfWidth) sink.lineTo(toX(getInstant(from)) - halfWidth, toY(lower[from] ?? 0));
  sink.closePath();
}
