/** The service publishes once an hour, at the hour (grid data API specification, "What the service does", 3). */
export const publicationMs = 3_600_000;

/** When kept hours are good enough. All times by the service's clock, UTC milliseconds. */
export interface FreshnessRule {
  readonly now: number;
  /** So long after its end an hour is taken to be final: the provider fills in late data, but not for ever. */
  readonly settledAfterMs: number;
}

/**
 * Whether the service has to be asked for a step again. Never asked: yes. Asked when the step was settled: never again.
 * Else once after each publication; that goes for steps without a row too, answered empty or not published yet.
 */
export function isDue(stepStart: number, stepMs: number, askedAt: number, rule: FreshnessRule): boolean {
  if (askedAt === 0) return true;
  // From a time that has not come (a clock was wrong then): it says nothing of when the hour was asked for.
  if (askedAt > rule.now + publicationMs) return true;
  if (askedAt >= stepStart + stepMs + rule.settledAfterMs) return false;
  return Math.floor(askedAt / publicationMs) < Math.floor(rule.now / publicationMs);
}

/**
 * Whether a person who wants what is missing has to ask for a step, however lately it was asked for: it is over, and has no
 * row or was never asked for. The provider may have filled it in since.
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
