import type { Span } from './resolveRange.ts';

/** What both have in common; it ends before it starts where that is nothing. */
export function overlap(a: Span, b: Span): Span {
  return { start: Math.max(a.start, b.start), end: Math.min(a.end, b.end) };
}

/** From the beginning of the first to the end of the last. */
export function boundingRange(a: Span, b: Span): Span {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

/** What of the span lies before and after a part of it. */
export function beside(part: Span, { start, end }: Span): Span[] {
  const both = [
    { start, end: part.start },
    { start: part.end, end },
  ];
  return both.filter(rest => rest.end > rest.start);
}
