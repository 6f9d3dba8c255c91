import type { Tariff } from '../../shared/resampling.ts';
import type { CalendarPart } from '../calendar/calendarTest.ts';

/** What a filter's text is read by. */
export interface FilterContext {
  /** The zone shown: dates and times without a zone are of this one. */
  readonly timeZone: string;
  /** The locale whose decimal and thousands separators are understood beside the plain ones. */
  readonly locale: string;
  /** The present, UTC milliseconds: without it "today" and "last 7 days" are not understood. */
  readonly now?: number;
  /** Left out for Eskom's. */
  readonly tariffs?: readonly Tariff[] | undefined;
}

/** Why a text is no filter, and what to write instead, each as one sentence; {0} is the part that was not understood, {2} an example. */
export const filterProblems = {
  notNumber: "'{0}' isn't a valid number. Try >100, 100..200 or null; alternatives as 1 or 2.",
  ambiguousNumber: "'{0}' is ambiguous. Omit the thousands separator, or write more or fewer decimals.",
  notTime: "'{0}' isn't a valid date or time. Try 2023-05, >=2023-05-03 06:00 or Mon-Fri !holiday 06:00-18:00.",
  notTimeBut: "'{0}' isn't a valid date or time. Try {2}.",
  ambiguousTime: "'{0}' is ambiguous. Type {0}00 for the time of day, or last {0} for the time until now.",
  noSuchDate: "'{0}' isn't a valid date or time.",
  skippedTime: "'{0}' does not exist in the zone shown, because clocks go forward then.",
  notBoolean: "'{0}' isn't true, false or null.",
  valueMissing: "Enter a value after '{0}'.",
  backwards: "The range '{0}' ends before it begins.",
  tooMany: 'A filter has at most {1} alternatives; this one has {0}.',
} as const;

/** `part` is the piece of the text that was not understood. */
export interface FilterProblem {
  readonly problem: keyof typeof filterProblems;
  readonly part: string;
  /** A text that is a filter, for `notTimeBut`. */
  readonly example?: string;
}

export type NoFilter = { readonly ok: false } & FilterProblem;

/** From one number to another, both included but for `without`. Instants are UTC milliseconds; false is 0 and true 1. */
export interface CellSpan {
  readonly from: number;
  readonly to: number;
  readonly without?: 'from' | 'to';
}

/**
 * Which cells a filter finds: those without a value, in one of some spans, with an instant that all parts of the calendar of a zone hold
 * for, with a text in them, or those that another filter finds.
 */
export type FoundCells =
  | { readonly kind: 'missing' }
  | { readonly kind: 'spans'; readonly spans: readonly CellSpan[] }
  | { readonly kind: 'calendar'; readonly parts: readonly CalendarPart[]; readonly timeZone: string }
  | { readonly kind: 'text'; readonly text: string; readonly isWhole: boolean }
  | ({ readonly kind: 'filter' } & ReadFilter);

/** One alternative of a filter. What is `negated` finds all other cells that have a value. */
export interface Condition {
  readonly ok: true;
  readonly negated: boolean;
  readonly cells: FoundCells;
}

/** `isEach`: every condition has to hold, rather than one of them. */
export interface ReadFilter {
  readonly ok: true;
  readonly conditions: readonly Condition[];
  readonly isEach: boolean;
}

/** Reads one alternative of a column. */
export type TermReader = (operator: Operator, value: string, quoted: boolean) => Condition | NoFilter;

/** Most alternatives of a filter: each tests every row, a million in some 15 ms. */
export const mostAlternatives = 100;

/** `` is a value alone; `!` stands for "not" where there is no `=` after it. */
export type Operator = '' | '=' | '!=' | '!' | '>' | '>=' | '<' | '<=';

export function refused(problem: FilterProblem['problem'], part: string): NoFilter {
  return { ok: false, problem, part };
}

/** What the operator makes of cells. */
export function found(operator: Operator, cells: FoundCells): Condition {
  return { ok: true, negated: operator.startsWith('!'), cells };
}
