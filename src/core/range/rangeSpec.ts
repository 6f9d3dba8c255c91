import type { Temporal } from 'temporal-polyfill';

export type RangeUnit = 'hours' | 'days' | 'weeks' | 'months' | 'years';

/** One end of a range as the user has entered it. */
export type Point =
  | { readonly kind: 'instant'; readonly ms: number }
  /** A local time in the time zone of the context. */
  | { readonly kind: 'local'; readonly dateTime: Temporal.PlainDateTime }
  /** A period, such as a day or a month, by its first day and length. The year may be relative (see `thisYear`). */
  | { readonly kind: 'period'; readonly first: Temporal.PlainDate; readonly length: Temporal.DurationLike }
  /**
   * The day that is `daysAgo` days before today (-1 is tomorrow), or the latest `weekday` (1 is Monday) up to that day. With `clock`, the time
   * from `00:00` to `24:00` on that day, otherwise the whole day.
   */
  | { readonly kind: 'relativeDay'; readonly daysAgo: number; readonly weekday?: number; readonly clock?: string }
  /** “this month” (`before` is 0), “last month” (1) or “2 months before this month” (2). */
  | { readonly kind: 'relativePeriod'; readonly period: CalendarPeriod; readonly before: number }
  /** “now-7d”, counted back from the last complete interval. */
  | { readonly kind: 'ago'; readonly count: number; readonly unit: RangeUnit }
  /** “P1M”, the length of the range from or to the other end. */
  | { readonly kind: 'length'; readonly duration: Readonly<Record<string, number>> }
  | { readonly kind: 'now' };

/** A parsed range. `resolveRange` resolves it to instants on each run. */
export type RangeSpec =
  /** "last 36 hours", counted back from the last complete interval. */
  | { readonly kind: 'last'; readonly count: number; readonly unit: RangeUnit }
  /** "month to date", from the beginning of the period to the last complete interval. */
  | { readonly kind: 'toDate'; readonly period: CalendarPeriod }
  /** "last month", the whole period before the current one. */
  | { readonly kind: 'previous'; readonly period: CalendarPeriod }
  | { readonly kind: 'between'; readonly from: Point; readonly to: Point };

/** A season of the southern hemisphere. Only seasons that are over have a text, such as “last winter”. */
export type Season = 'summer' | 'autumn' | 'winter' | 'spring';
export type CalendarPeriod = 'day' | 'week' | 'month' | 'quarter' | 'year' | Season;

/** Stands for the current year, as in “May this year”. “May last year” has this number minus one. It is greater than any year with digits. */
export const thisYear = 100_000;

/** Whether a year is relative to `thisYear`. */
export function isRelativeYear(year: number): boolean {
  return year > 9999;
}

/** The reason why a text is not a valid range. */
export type RangeProblem =
  | { readonly problem: 'empty' }
  | { readonly problem: 'notUnderstood'; readonly part: string }
  | { readonly problem: 'noSuchDate'; readonly part: string }
  | { readonly problem: 'yearMissing'; readonly part: string }
  /** A range without a start, such as “until March 2023”. */
  | { readonly problem: 'startMissing'; readonly part: string }
  /** A clock time is more precise than milliseconds; `example` is the range with truncated times. */
  | { readonly problem: 'tooFine'; readonly part: string; readonly example: string }
  /** The text could mean any of several ranges; `readings` has their normal forms. */
  | { readonly problem: 'ambiguous'; readonly part: string; readonly readings: readonly string[] }
  | { readonly problem: 'endNotAfterStart' }
  | { readonly problem: 'inFuture' }
  | { readonly problem: 'tooLong'; readonly years: number }
  /** The range has more intervals than a result may have. */
  | { readonly problem: 'tooManySteps'; readonly steps: number };

export type Parsed<T> = { readonly ok: true; readonly value: T } | ({ readonly ok: false } & RangeProblem);

/**
 * An ambiguity of a text: which number is the day (`date`), the order of the ends, the hemisphere of a season, the start of a financial year
 * (`year`), or whether a period ends now (`end`).
 */
export type RangeAmbiguity = 'date' | 'order' | 'season' | 'year' | 'end';
/** Selects one of the possible meanings of an ambiguous part. Selects the same meaning throughout a text. */
export type Choose = <T>(ambiguity: RangeAmbiguity, first: T, ...others: readonly T[]) => T;
