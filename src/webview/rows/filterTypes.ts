/** Whether a data row is shown. */
export type RowTest = (row: number) => boolean;

/** What a filter's text is read by. */
export interface FilterContext {
  /** The zone shown: dates and times without a zone are of this one. */
  readonly timeZone: string;
  /** The locale whose decimal and thousands separators are understood beside the plain ones. */
  readonly locale: string;
  /** The present, UTC milliseconds: without it "today" and "last 7 days" are not understood. */
  readonly now?: number;
}

/** Why a text is no filter: each has one sentence (`filterProblemText`). */
export const filterProblems = [
  'notNumber',
  'ambiguousNumber',
  'notTime',
  'noSuchDate',
  'skippedTime',
  'notBoolean',
  'valueMissing',
  'backwards',
  'tooMany',
] as const;

/** `part` is the piece of the text that was not understood. */
export interface FilterProblem {
  readonly problem: (typeof filterProblems)[number];
  readonly part: string;
}

export type ParsedFilter = { readonly ok: true; readonly test: RowTest } | ({ readonly ok: false } & FilterProblem);

/** One alternative of a filter. What is `negated` leaves rows out. */
export type ParsedTerm =
  { readonly ok: true; readonly test: RowTest; readonly negated: boolean } | ({ readonly ok: false } & FilterProblem);

/** Reads one alternative of a column; cells without a value never reach its test. */
export type TermReader = (operator: Operator, value: string, quoted: boolean) => ParsedTerm;

/** Alternatives of a filter: each looks at every row, a million of them in some 15 ms. */
export const mostAlternatives = 100;

/** `` is a value alone; `!` stands for "not" where there is no `=` after it. */
export type Operator = '' | '=' | '!=' | '!' | '>' | '>=' | '<' | '<=';

export function refused(problem: FilterProblem['problem'], part: string): { readonly ok: false } & FilterProblem {
  return { ok: false, problem, part };
}
