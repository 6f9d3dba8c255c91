import type { TimeRange } from './chartModel.ts';

/** The nearest window that lies in the whole and is at least `least` long. */
export function fitWindow(window: TimeRange, whole: TimeRange, least: number): TimeRange {
  const length = whole.end - whole.start;
  const wanted = Math.min(length, Math.max(least, window.end - window.start));
  const middle = (window.start + window.end) / 2;
  const start = Math.min(whole.end - wanted, Math.max(whole.start, middle - wanted / 2));
  return { start, end: start + wanted };
}

/** Zooms by a factor (below 1 goes nearer) around an instant, which keeps its place. */
export function zoomAround({ start, end }: TimeRange, factor: number, at: number): TimeRange {
  return { start: at - (at - start) * factor, end: at + (end - at) * factor };
}

/** The window moved by milliseconds, pushed back where it would leave the whole. */
export function moveWindow(window: TimeRange, by: number, whole: TimeRange): TimeRange {
  const shift = Math.max(whole.start - window.start, Math.min(whole.end - window.end, by));
  return { start: window.start + shift, end: window.end + shift };
}

/** The window moved as little as possible so that it holds the instant. */
export function windowWith(window: TimeRange, instant: number, whole: TimeRange): TimeRange {
  if (instant < window.start) return moveWindow(window, instant - window.start, whole);
  return instant > window.end ? moveWindow(window, instant - window.end, whole) : window;
}

/** Whether the window is the whole, up to a thousandth of a pixel or so. */
export function isWhole(window: TimeRange, whole: TimeRange): boolean {
  const slack = (whole.end - whole.start) * 1e-6;
  return window.start <= whole.start + slack && window.end >= whole.end - slack;
}
