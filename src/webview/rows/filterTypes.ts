import { t } from '@vscode/l10n';
import { eskomTariffs } from '../../core/calendar/tariffPeriods.ts';
import type { ColumnKind } from '../../shared/frame.ts';
import type { Tariff } from '../../shared/resampling.ts';

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
  /** Left out for Eskom's. */
  readonly tariffs?: readonly Tariff[] | undefined;
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

/** Most alternatives of a filter: each tests every row, a million in some 15 ms. */
export const mostAlternatives = 100;

/** `` is a value alone; `!` stands for "not" where there is no `=` after it. */
export type Operator = '' | '=' | '!=' | '!' | '>' | '>=' | '<' | '<=';

export function refused(problem: FilterProblem['problem'], part: string): { readonly ok: false } & FilterProblem {
  return { ok: false, problem, part };
}

/** One sentence on why a text is no filter, and what to write instead. */
export function filterProblemText({ problem, part }: FilterProblem): string {
  switch (problem) {
    case 'notNumber':
      return t("'{0}' isn't a valid number. Try >100, 100..200 or null; alternatives as 1 or 2.", part);
    case 'ambiguousNumber':
      return t("'{0}' is ambiguous. Omit the thousands separator, or write more or fewer decimals.", part);
    case 'notTime':
      return t("'{0}' isn't a valid date or time. Try 2023-05, >=2023-05-03 06:00 or 2023-05..2023-06.", part);
    case 'noSuchDate':
      return t("'{0}' isn't a valid date or time.", part);
    case 'skippedTime':
      return t("'{0}' does not exist in the zone shown: clocks go forward over it.", part);
    case 'notBoolean':
      return t("'{0}' isn't true, false or null.", part);
    case 'valueMissing':
      return t("Enter a value after '{0}'.", part);
    case 'backwards':
      return t("The range '{0}' ends before it begins.", part);
    case 'tooMany':
      return t('A filter has at most {0} alternatives; this one has {1}.', mostAlternatives, part);
  }
}

/** What can be written as the filter of a column, for a tooltip of a few lines. `zone` is the label of the zone shown. */
export function filterHelp(kind: ColumnKind, zone: string, tariffs = eskomTariffs): string {
  const forms = {
    number: t('>100   <=5   !=0   100..<200   100..200 (both ends)'),
    time: t('2023-05   >=2023-05-03 06:00   2023-05..2023-06   (in {0})', zone),
    text: t('coal (contains)   !coal   =Coal (exactly)   "" (empty text)'),
    nested: t('coal (contains)   !coal   =Coal (exactly)   "" (empty text)'),
    boolean: t('true   false'),
  };
  const calendar = kind === 'time' ? [t('06:00-18:00   Mon-Fri   weekend   Jun-Aug   winter   !holiday')] : [];
  const periods = kind === 'time' ? [t('peak   standard   off-peak   (by SAST)'), ...tariffs.map(tariffText)] : [];
  return [forms[kind], ...calendar, t('null (no value)   !null'), t('a or b'), ...periods].join('\n');
}

function tariffText({ from, source }: Tariff): string {
  return t('Periods from {0}: {1}', from, source);
}
