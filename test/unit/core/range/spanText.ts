import { parseRange } from '../../../../src/core/range/parseRange.ts';
import { resolveRange } from '../../../../src/core/range/resolveRange.ts';
import type { ResolveContext, Span } from '../../../../src/core/range/resolveRange.ts';
import type { Parsed } from '../../../../src/core/range/rangeSpec.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Formats an instant as `2023-05-01T00:00Z`, independent of the tested code. */
export function formatShort(ms: number): string {
  return new Date(ms).toISOString().replace(/:00\.000Z$/, 'Z');
}

export function resolveText(text: string, context: ResolveContext): Parsed<Span> {
  const spec = parseRange(text);
  return spec.ok ? resolveRange(spec.value, context) : spec;
}

/** Returns the `start end` of a range, or its problem. */
export function formatSpan(text: string, now: string, timeZone = 'UTC', intervalMs: number | undefined = hour): string {
  const span = resolveText(text, { now: Date.parse(now), timeZone, intervalMs });
  return span.ok ? `${formatShort(span.value.start)} ${formatShort(span.value.end)}` : span.problem;
}
