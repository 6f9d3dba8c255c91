import { hourMs } from '../../shared/durations.ts';

/** The service publishes every hour on the hour, as the grid data API specification says in "What the service does", 3. */
export const publicationMs = hourMs;

/** The times that decide which archived intervals are due. They are from the service's clock. */
export interface FreshnessRule {
  /** The current time in UTC milliseconds. */
  readonly now: number;
  /** The time from the end of an interval until it is final. Until then, the provider may still revise its data. */
  readonly settledAfterMs: number;
}

/**
 * Whether an interval must be requested. It is due if it was never requested, and not due if it was already final at its last request. Any
 * other interval, also one without a row, is due once after each publication.
 */
export function isDue(intervalStart: number, intervalMs: number, requestedAt: number, rule: FreshnessRule): boolean {
  if (requestedAt === 0) return true;
  // A time in the future comes from a wrong clock, so it is unknown when the interval was requested.
  if (requestedAt > rule.now + publicationMs) return true;
  if (requestedAt >= intervalStart + intervalMs + rule.settledAfterMs) return false;
  return Math.floor(requestedAt / publicationMs) < Math.floor(rule.now / publicationMs);
}

/**
 * Whether Fetch Missing requests an interval. It does if the interval has ended and has no row or was never requested. The time of the last
 * request does not matter, since the provider may have added the row since then.
 */
export function isMissing(
  intervalStart: number,
  intervalMs: number,
  requestedAt: number,
  hasRow: boolean,
  { now }: Pick<FreshnessRule, 'now'>,
): boolean {
  return intervalStart + intervalMs <= now && (requestedAt === 0 || !hasRow);
}

/** Returns the time of the service's next publication. */
export function nextPublication(now: number): number {
  return (Math.floor(now / publicationMs) + 1) * publicationMs;
}
