import { hourMs } from '../../shared/durations.ts';

/** The service publishes once an hour, on the hour (grid data API specification, "What the service does", 3). */
export const publicationMs = hourMs;

/** Decides when archived intervals are due. All times are from the service's clock, in UTC milliseconds. */
export interface FreshnessRule {
  readonly now: number;
  /** How long after its end an interval becomes final. Until then the provider may still add late data. */
  readonly settledAfterMs: number;
}

/**
 * Whether an interval must be requested. An interval that was never requested is due; one that was last requested when it was final is
 * not. Others, including those without a row, are due once after each publication.
 */
export function isDue(intervalStart: number, intervalMs: number, requestedAt: number, rule: FreshnessRule): boolean {
  if (requestedAt === 0) return true;
  // A future time comes from a wrong clock and does not tell when the interval was requested.
  if (requestedAt > rule.now + publicationMs) return true;
  if (requestedAt >= intervalStart + intervalMs + rule.settledAfterMs) return false;
  return Math.floor(requestedAt / publicationMs) < Math.floor(rule.now / publicationMs);
}

/**
 * Whether Fetch Missing requests an interval, however recently it was requested: it has ended, and has no row or was never requested.
 * The provider may have added the row since.
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

/** Returns when the service publishes next. */
export function nextPublication(now: number): number {
  return (Math.floor(now / publicationMs) + 1) * publicationMs;
}
