import { isDue, publicationMs, type FreshnessRule } from '../freshness.ts';
import type { ResolvedQuery } from '../query.ts';

/** Whether asking the question now brings nothing that was not there at `askedAt` (UTC milliseconds). */
export function isStillFresh({ start, end, stepMs }: ResolvedQuery, askedAt: number, rule: FreshnessRule): boolean {
  if (stepMs === undefined) return Math.floor(askedAt / publicationMs) >= Math.floor(rule.now / publicationMs);
  // The youngest step that is over is the first to be asked for again.
  const last = Math.floor(Math.min(end, Math.max(rule.now, start + stepMs)) / stepMs) * stepMs - stepMs;
  return !isDue(last, stepMs, askedAt, rule);
}
