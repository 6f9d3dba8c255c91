import { GridError } from './errors.ts';

const hourMs = 3_600_000;
const units: Readonly<Record<string, number>> = { hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs };

/** What a failure says of the length of the range that was asked for. */
export type LengthVerdict =
  | { readonly tooLong: false }
  /** `limitMs` where the service named its limit. */
  | { readonly tooLong: true; readonly limitMs: number | undefined };

/**
 * Whether a shorter range may succeed: the service says so in a 400 or 413, the answer was too large to read, or it never
 * came. The texts are not part of any contract, so only words that can mean nothing else count.
 */
export function lengthVerdict(error: unknown): LengthVerdict {
  if (!(error instanceof GridError)) return { tooLong: false };
  const { reason, facts } = error;
  if (reason === 'timeout' || reason === 'responseTooLarge') return { tooLong: true, limitMs: undefined };
  if (reason !== 'badRequest') return { tooLong: false };
  const detail = facts.detail ?? '';
  const said = /exceed|too (?:long|large|many|big|wide)|maximum|at most|longer than|larger than|more than/i.test(
    detail,
  );
  if (facts.status !== 413 && !said) return { tooLong: false };
  const named = /(\d{1,6})[ -]?(hour|day|week)s?\b/i.exec(detail);
  const unit = units[named?.[2]?.toLowerCase() ?? ''];
  return { tooLong: true, limitMs: unit === undefined ? undefined : Number(named?.[1]) * unit };
}
