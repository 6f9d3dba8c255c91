import type { Frame } from '../shared/frame.ts';
import type { Coverage } from '../shared/result.ts';
import { timeColumnOf } from './clip.ts';
import type { Span } from './range/resolveRange.ts';

const shownStretches = 5;

/**
 * Which steps of the range have a row. A step counts as published once it is over (`now`, by the service's clock where
 * known): an earlier one without a row is missing, or failed where the request for it did; a later one nobody can have
 * yet. Undefined without a time column.
 */
export function coverageOf(
  frame: Frame,
  span: Span,
  stepMs: number | undefined,
  now: number,
  failedParts: readonly Span[] = [],
): Coverage | undefined {
  const time = timeColumnOf(frame);
  if (stepMs === undefined || (!time && frame.rowCount > 0)) return undefined;
  const expected = Math.ceil((span.end - span.start) / stepMs);
  const seen = new Uint8Array(expected);
  for (const ms of time?.values ?? []) {
    const step = Math.floor((ms - span.start) / stepMs);
    if (step >= 0 && step < expected) seen[step] = 1;
  }
  let [present, missing, notPublished, failed] = [0, 0, 0, 0];
  const stretches: [number, number][] = [];
  for (let step = 0; step < expected; step++) {
    const start = span.start + step * stepMs;
    if (seen[step]) present++;
    else if (failedParts.some(part => start >= part.start && start < part.end)) failed++;
    else if (start + stepMs > now) notPublished++;
    else {
      missing++;
      const last = stretches.at(-1);
      if (last?.[1] === start) last[1] = start + stepMs;
      else stretches.push([start, start + stepMs]);
    }
  }
  return { expected, present, missing, missingStretches: stretches.slice(0, shownStretches), notPublished, failed };
}
