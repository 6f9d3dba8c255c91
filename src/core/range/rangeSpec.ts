import type { Temporal } from 'temporal-polyfill';

export type RangeUnit = 'hours' | 'days' | 'weeks' | 'months' | 'years';

/** One end of a range as written. A period (a day, a month) has a first and a last instant; an instant is both. */
export type Point =
  | { readonly kind: 'instant'; readonly ms: number }
  /** Wall-clock time in the person's zone. */
  | { readonly kind: 'local'; readonly dateTime: Temporal.PlainDateTime }
  /** Its year may be one of those counted from `thisYear`. */
  | { readonly kind: 'period'; readonly first: Temporal.PlainDate; readonly length: Temporal.DurationLike }
  /**
   * So many days before today (-1 is tomorrow), and back from there to the latest such weekday (1 is Monday) where one is given; the whole
   * day, or its clock time `00:00` to `24:00`.
   */
  | { readonly kind: 'relativeDay'; readonly daysAgo: number; readonly weekday?: number; readonly clock?: string }
  /** “this month” (0 before), “last month” (1), “2 months before this month”. */
  | { readonly kind: 'relativePeriod'; readonly period: CalendarPeriod; readonly before: number }
  /** “now-7d”: back from the last full step. */
  | { readonly kind: 'ago'; readonly count: number; readonly unit: RangeUnit }
  /** “P1M”: the length of the range, from or to the other end. */
  | { readonly kind: 'length'; readonly duration: Readonly<Record<string, number>> }
  | { readonly kind: 'now' };

/** A parsed range; resolved to instants on each run. */
export type RangeSpec =
  /** "last 36 hours": back from the last full step. */
  | { readonly kind: 'last'; readonly count: number; readonly unit: RangeUnit }
  /** "month to date": from the beginning of the period to the last full step. */
  | { readonly kind: 'toDate'; readonly period: CalendarPeriod }
  /** "last month": the whole period before this one. */
  | { readonly kind: 'previous'; readonly period: CalendarPeriod }
  | { readonly kind: 'between'; readonly from: Point; readonly to: Point };

/** A season is one of the southern hemisphere, and only one that is over: “last winter”. */
export type Season = 'summer' | 'autumn' | 'winter' | 'spring';
export type CalendarPeriod = 'day' | 'week' | 'month' | 'quarter' | 'year' | Season;

/** The year of “May this year”; that of “May last year” is one less. No year that is written in digits is so large. */
export const thisYear = 100_000;

/** Whether a year is counted from `thisYear`. */
export function isRelativeYear(year: number): boolean {
  return year > 9999;
}

/** Why a text is not a valid range. */
export type RangeProblem =
  | { readonly problem: 'empty' }
  | { readonly problem: 'notUnderstood'; readonly part: string }
  | { readonly problem: 'noSuchDate'; readonly part: string }
  | { readonly problem: 'yearMissing'; readonly part: string }
  /** “until March 2023”. */
  | { readonly problem: 'startMissing'; readonly part: string }
  /** Clock times finer than milliseconds; `example` is the range without their last digits. */
  | { readonly problem: 'tooFine'; readonly part: string; readonly example: string }
  /** The text could be any of several ranges, each given in its normal form. */
  | { readonly problem: 'ambiguous'; readonly part: string; readonly readings: readonly string[] }
  | { readonly problem: 'endNotAfterStart' }
  | { readonly problem: 'inFuture' }
  | { readonly problem: 'tooLong'; readonly years: number }
  /** More steps of the interval than a result may have. */
  | { readonly problem: 'tooManySteps'; readonly steps: number };

export type Parsed<T> = { readonly ok: true; readonly value: T } | ({ readonly ok: false } & RangeProblem);

/**
 * What may be ambiguous in a text: which number is the day, the order of the ends, the hemisphere of a season, the start of a financial
 * year, whether a period is a whole one or reaches to now.
 */
export type RangeAmbiguity = 'date' | 'order' | 'season' | 'year' | 'end';
/** Chooses a reading of an ambiguity; the same for the whole text. */
export type Choose = <T>(question: RangeAmbiguity, first: T, ...others: readonly T[]) => T;
