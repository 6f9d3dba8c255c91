import { hourMs } from '../../shared/durations.ts';

/** The service publishes once an hour, at the hour (grid data API specification, "What the service does", 3). */
export const publicationMs = hourMs;

/** Decides when archived steps are due. All times by the service's clock, UTC milliseconds. */
export interface FreshnessRule {
  readonly now: number;
  /** How long after its end a step counts as final: until then the provider may fill in late data. */
  readonly settledAfterMs: number;
}

/**
 * Whether a step must be requested. One that was never requested: yes. One that was requested when it was final: never again. Others once
 * after each publication, also steps without a row.
 */
export function isDue(stepStart: number, stepMs: number, askedAt: number, rule: FreshnessRule): boolean {
  if (askedAt === 0) return true;
  // A future time is from a wrong clock, and doesn't say when the step was requested.
  if (askedAt > rule.now + publicationMs) return true;
  if (askedAt >= stepStart + stepMs + rule.settledAfterMs) return false;
  return Math.floor(askedAt / publicationMs) < Math.floor(rule.now / publicationMs);
}

/**
 * Whether Fetch Missing requests a step, however recently it was requested: it is over, and has no row or was never requested. The provider
 * may have filled it in since.
 */
export function isMissing(
  stepStart: number,
  stepMs: number,
  askedAt: number,
  hasRow: boolean,
  { now }: Pick<FreshnessRule, 'now'>,
): boolean {
  return stepStart + stepMs <= now && (askedAt === 0 || !hasRow);
}

/** When the service publishes next. */
export function nextPublication(now: number): number {
  return (Math.floor(now / publicationMs) + 1) * publicationMs;
}
