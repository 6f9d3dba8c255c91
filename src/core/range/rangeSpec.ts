import type { Temporal } from 'temporal-polyfill';

export type RangeUnit = 'hours' | 'days' | 'weeks' | 'months' | 'years';

/** One end of a range as written. A period (a day, a month) has a first and a last instant; an instant is both. */
export type Point =
  | { readonly kind: 'instant'; readonly ms: number }
  /** Wall-clock time in the person's zone. */
  | { readonly kind: 'local'; readonly dateTime: Temporal.PlainDateTime }
  | { readonly kind: 'period'; readonly first: Temporal.PlainDate; readonly length: Temporal.DurationLike }
  /**
   * So many days before today (-1 is tomorrow), and back from there to the latest such weekday (1 is Monday) where one is given; the whole
   * day, or its clock time `00:00` to `24:00`.
   */
  | { readonly kind: 'relativeDay'; readonly daysAgo: number; readonly weekday?: number; readonly clock?: string }
  /** “last month” or “this month” as an end of a range. */
  | { readonly kind: 'relativePeriod'; readonly period: CalendarPeriod; readonly before: 0 | 1 }
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

export type CalendarPeriod = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** Why a text is not a valid range. */
export type RangeProblem =
  | { readonly problem: 'empty' }
  | { readonly problem: 'notUnderstood'; readonly part: string }
  | { readonly problem: 'noSuchDate'; readonly part: string }
  | { readonly problem: 'yearMissing'; readonly part: string }
  /** The text could be any of several ranges, each given in its normal form. */
  | { readonly problem: 'ambiguous'; readonly part: string; readonly readings: readonly string[] }
  | { readonly problem: 'endNotAfterStart' }
  | { readonly problem: 'inFuture' }
  | { readonly problem: 'tooLong'; readonly years: number }
  /** More steps of the interval than a result may have. */
  | { readonly problem: 'tooManySteps'; readonly steps: number };

export type Parsed<T> = { readonly ok: true; readonly value: T } | ({ readonly ok: false } & RangeProblem);

/** What may be ambiguous in a text: which number is the day, the order of the ends, the hemisphere of a season, the start of a financial year. */
export type RangeAmbiguity = 'date' | 'order' | 'season' | 'year';
/** Chooses a reading of an ambiguity; the same for the whole text. */
export type Choose = <T>(question: RangeAmbiguity, first: T, ...others: readonly T[]) => T;
