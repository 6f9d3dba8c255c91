import type { Tariff } from '../../shared/resampling.ts';
import type { CalendarPart } from '../calendar/calendarMatcher.ts';

/** The context in which a filter's text is parsed. */
export interface FilterContext {
  /** The displayed zone, to which dates and times without a zone refer. */
  readonly timeZone: string;
  /** The locale whose decimal and thousands separators are accepted in addition to the decimal point. */
  readonly locale: string;
  /** The present time in UTC milliseconds. Without it "today" and "last 7 days" are not accepted. */
  readonly now?: number;
  /** Custom tariffs; Eskom's by default. */
  readonly tariffs?: readonly Tariff[] | undefined;
}

/** Messages for invalid filters. {0} is the invalid part of the text, {2} an example. */
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

/** The reason why a filter is invalid. `part` is the invalid part of the text. */
export interface FilterProblem {
  readonly problem: keyof typeof filterProblems;
  readonly part: string;
  /** A valid filter to suggest, for `notTimeBut`. */
  readonly example?: string;
}

export type InvalidFilter = { readonly ok: false } & FilterProblem;

/** A range of numbers that includes both ends except for the excluded one. Instants are UTC milliseconds; false is 0 and true is 1. */
export interface CellSpan {
  readonly from: number;
  readonly to: number;
  readonly excluded?: 'from' | 'to';
}

/**
 * The cells that a condition matches: cells without a value, numbers within one of several spans, instants that match all parts of the
 * calendar of a zone, texts, or the cells that match another filter.
 */
export type MatchedCells =
  | { readonly kind: 'missing' }
  | { readonly kind: 'spans'; readonly spans: readonly CellSpan[] }
  | { readonly kind: 'calendar'; readonly parts: readonly CalendarPart[]; readonly timeZone: string }
  | { readonly kind: 'text'; readonly text: string; readonly isWhole: boolean }
  | ({ readonly kind: 'filter' } & FilterConditions);

/** One alternative of a filter. A negated condition matches all other cells that have a value. */
export interface Condition {
  readonly ok: true;
  readonly negated: boolean;
  readonly cells: MatchedCells;
}

/** A parsed filter. A row passes if every condition matches, or by default if any condition does. */
export interface FilterConditions {
  readonly ok: true;
  readonly conditions: readonly Condition[];
  readonly mustMatchAll: boolean;
}

/** Parses one alternative of a column's filter. */
export type TermReader = (operator: Operator, value: string, quoted: boolean) => Condition | InvalidFilter;

/** Maximum number of alternatives of a filter. Each of them tests every row, which takes some 15 ms for a million rows. */
export const maxAlternatives = 100;

/** The operator before a value; empty if there is none. `!` alone negates "contains" or the whole value. */
export type Operator = '' | '=' | '!=' | '!' | '>' | '>=' | '<' | '<=';

export function refuse(problem: FilterProblem['problem'], part: string): InvalidFilter {
  return { ok: false, problem, part };
}

/** Creates the condition of an operator and the cells that it refers to. */
export function createCondition(operator: Operator, cells: MatchedCells): Condition {
  return { ok: true, negated: operator.startsWith('!'), cells };
}
