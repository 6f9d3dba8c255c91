import { GridError } from '../errors.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** What a failure says of the length of the range that was asked for. */
export type LengthVerdict =
  | { readonly tooLong: false }
  /**
   * `sure`: nothing else than the length can be meant. `namedMs`: the lengths of time that the text names, ascending; one of
   * them may be the limit.
   */
  | { readonly tooLong: true; readonly sure: boolean; readonly namedMs: readonly number[] };

/**
 * Whether a shorter range may succeed: the service says so in a 400 or 413, the answer was too large to read, or it never
 * came. The texts are not part of any contract, so only words that can mean nothing else count.
 */
export function lengthVerdict(error: unknown): LengthVerdict {
  if (!(error instanceof GridError)) return { tooLong: false };
  const { reason, facts } = error;
  if (reason === 'timeout') return { tooLong: true, sure: false, namedMs: [] };
  if (reason === 'responseTooLarge') return { tooLong: true, sure: true, namedMs: [] };
  if (reason !== 'badRequest') return { tooLong: false };
  const detail = facts.detail ?? '';
  const said = /exceed|too (?:long|large|many|big|wide)|maximum|at most|longer than|larger than|more than/i.test(
    detail,
  );
  if (facts.status !== 413 && !said) return { tooLong: false };
  return { tooLong: true, sure: facts.status === 413 || isOfLength(detail), namedMs: namedIn(detail) };
}

/** A limit of the range, not of how far it lies in the past or of something else. */
function isOfLength(detail: string): boolean {
  const subject = /\b(?:range|period|span|duration|length|window|points|rows|records)\b/i;
  return subject.test(detail) && !/\b(?:ago|past|future|older|newer|history)\b/i.test(detail);
}

/** Each “31 days” of a text in milliseconds, once, ascending. */
function namedIn(detail: string): number[] {
  const named = [...detail.matchAll(/(\d{1,6})[ -]?(hour|day|week|month|year)s?\b/gi)];
  const lengths = named.map(([, count, unit]) => lengthOf(Number(count), unit?.toLowerCase() ?? ''));
  return [...new Set(lengths)].sort((a, b) => a - b);
}

/** Of months and years, whose length differs, about the shortest. */
function lengthOf(count: number, unit: string): number {
  if (unit === 'hour') return count * hourMs;
  if (unit === 'day') return count * dayMs;
  if (unit === 'week') return count * 7 * dayMs;
  if (unit === 'month') return Math.floor((count * 365) / 12 - 2) * dayMs;
  return count * 365 * dayMs;
}
