import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { compareDays, type ColumnDayCheck, type DayCheck } from '../../core/bins/dayCheck.ts';
import type { QueryEngine } from '../../service/query/queryEngine.ts';
import { splitIntoServiceQueries, type ResolvedQuery } from '../../core/query/query.ts';
import type { ExtraRequestsConfirmation, PlanConfirmation } from '../../service/query/run.ts';
import { dayMs } from '../../shared/durations.ts';
import { type Result, intervalState, type Coverage } from '../../shared/result.ts';
import { UnavailableError } from '../inputError.ts';
import { openText } from '../workbench.ts';
import { showInformationMessage, withProgress } from '../messages/messages.ts';
import { formatMoreRequests, formatPlan } from '../messages/waiting.ts';
import type { QuerySession } from './querySession.ts';
import { createFigureFormatter } from '../../shared/formatNumber.ts';
import { displayLocale } from '../language.ts';
import { fieldLabel } from '../messages/catalogue.ts';
import { formatCount, formatIntervals } from '../messages/numbers.ts';
import { translateRange } from '../messages/times.ts';

/**
 * Compares the daily values of the service with the means of its hours. The result shows whether they agree, and in which time zone the
 * days of the service begin. Requests days and hours after the user confirms each plan. Archived hours need no request.
 */
export async function checkDays(session: QuerySession, engine: Pick<QueryEngine, 'run'>): Promise<void> {
  const { query, connection } = session;
  // In a joined dataset, some members have no daily values.
  const findDailyMember = (interval: string) =>
    splitIntoServiceQueries(session.resolve({ ...query, interval })).find(({ dataset }) =>
      dataset.intervals.includes('1d'),
    );
  const hourly = findDailyMember('1h');
  const daily = findDailyMember('1d');
  if (!hourly || !daily) throw new UnavailableError(t('This dataset has no daily values to check.'));
  // If the user declines further requests for the hours, does not ask again for the days.
  let acceptsMoreRequests = true;
  const confirmPlan = async (event: PlanConfirmation | ExtraRequestsConfirmation): Promise<void> => {
    if (event.type === 'planned') event.reply(await confirmRun(formatPlan(event.price, event.steps, hourly)));
    else event.reply((acceptsMoreRequests &&= await confirmRun(formatMoreRequests(event.price, event.failed))));
  };
  const location = vscode.ProgressLocation.Notification;
  const title = t('Checking daily values against hours');
  const checked = await withProgress({ location, title, cancellable: true }, async (_, signal) => {
    const fetchResult = async (resolvedQuery: ResolvedQuery): Promise<Result> => {
      const run = engine.run(resolvedQuery, connection, { signal, confirmations: 'all' });
      for await (const event of run) {
        // Does not await the reply, because the run can be canceled before it.
        if (event.type === 'planned' || event.type === 'moreRequests') void confirmPlan(event);
      }
      return run.result;
    };
    const hours = await fetchResult(hourly);
    const days = await fetchResult(daily);
    if (!hours.frame || !days.frame) return undefined;
    const { coverage, provenance } = days;
    return {
      dataset: daily.dataset.id,
      check: compareDays(hours.frame, days.frame),
      coverage,
      start: provenance.start,
    };
  });
  void showOutcome(translateRange(query.range), checked);
}

/** Shows the result, with a button for the details. The message has the range, because the panel may show a different one by now. */
async function showOutcome(range: string, checked: CheckedDays | undefined): Promise<void> {
  const detailsButton = t('Details');
  const sentence = `${range}: ${describeDayCheck(checked)}`;
  const choice = await showInformationMessage(sentence, ...(checked ? [detailsButton] : []));
  if (checked && choice === detailsButton) await openText(`${sentence}\n\n${formatDayCheckReport(checked)}`);
}

async function confirmRun(sentence: string): Promise<boolean> {
  const runButton = t('Run');
  return (await showInformationMessage(sentence, { modal: true }, runButton)) === runButton;
}

const maxListedDays = 100;

/** The values that Check Days compared, and the result. */
export interface CheckedDays {
  readonly dataset: string;
  readonly check: DayCheck;
  /** The coverage of the daily values. */
  readonly coverage: Coverage | undefined;
  /** The start of the first day in UTC milliseconds. */
  readonly start: number;
}

/** Describes the result of the check in at most two short sentences. */
export function describeDayCheck(checked: CheckedDays | undefined): string {
  const { check } = checked ?? {};
  const offset = check?.offsetHours;
  if (!checked || !check?.columns.some(({ best }) => best))
    return t('No result: no day has both its 24 hours and a daily value.');
  if (offset === undefined)
    return t('The daily values match the days of several zones equally, so it is unclear where a day begins.');
  const best = t('Days of {0} fit the daily values best.', formatOffset(offset));
  const columnsWithDifference = check.columns.filter(({ unit, fits }) => unit !== '%' && fits[offset]?.largest);
  const getDifference = (column: ColumnDayCheck): number => column.fits[offset]?.largest?.difference ?? 0;
  const [worst] = columnsWithDifference.sort((a, b) => getDifference(b) - getDifference(a));
  const fit = worst?.fits[offset];
  if (!worst || !fit?.largest) return best;
  const days = formatDays(fit.days, checked);
  if (fit.largest.difference === 0) return `${best} ${t('No difference over {0}.', days)}`;
  const { difference, day } = fit.largest;
  const label = fieldLabel(checked.dataset, worst.name);
  return `${best} ${t('Largest difference over {0}: {1} ({2}, {3}).', days, formatDifference(difference, worst), label, formatDate(day))}`;
}

/** Lists every column with its days and its largest difference, and the skipped days with the reason. */
export function formatDayCheckReport(checked: CheckedDays): string {
  const { check, dataset } = checked;
  const offset = check.offsetHours ?? 0;
  const lines = [
    t('Mean of the 24 hours of each day of {0}, and the daily value of the service:', formatOffset(offset)),
    '',
    ...check.columns.map(column => {
      const { largest, days = 0 } = column.fits[offset] ?? {};
      const label = fieldLabel(dataset, column.name);
      if (!largest) return `${label}: ${formatDays(days, checked)}`;
      if (largest.difference === 0) return t('{0}: {1}, no difference', label, formatDays(days, checked));
      const difference = formatDifference(largest.difference, column);
      return t(
        '{0}: {1}, largest difference {2} ({3})',
        label,
        formatDays(days, checked),
        difference,
        formatDate(largest.day),
      );
    }),
  ];
  if (check.columns.some(({ unit }) => unit === '%'))
    lines.push('', t("The share of a day need not be the mean of its hours' shares."));
  const skippedLines = formatSkippedDays(checked);
  if (skippedLines.length > 0) lines.push('', t('Skipped:'), '', ...skippedLines.slice(0, maxListedDays));
  if (skippedLines.length > maxListedDays)
    lines.push(t('… and {0} more.', formatCount(skippedLines.length - maxListedDays)));
  return `${lines.join('\n')}\n`;
}

/** Formats lines such as “2023-05-03: 21 of 24 hours”. A line lists the columns to which it applies, unless these are all columns. */
function formatSkippedDays({ check, coverage, start, dataset }: CheckedDays): string[] {
  const columnsByLine = new Map<string, string[]>();
  const add = (day: number, reason: string, column: string): void => {
    const line = `${formatDate(day)}: ${reason}`;
    columnsByLine.set(line, [...(columnsByLine.get(line) ?? []), column]);
  };
  const noValue = t('no daily value');
  for (const { name, omitted } of check.columns)
    for (const { day, hours } of omitted)
      add(day, hours === undefined ? noValue : t('{0} of {1} hours', hours, 24), fieldLabel(dataset, name));
  for (const [day, state] of coverage?.states.entries() ?? [])
    if (state !== intervalState.present) columnsByLine.set(`${formatDate(start + day * dayMs)}: ${noValue}`, []);
  return [...columnsByLine]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([line, columns]) => (columns.length % check.columns.length === 0 ? line : `${line} (${columns.join(', ')})`));
}

/** Formats a count such as “29 of 31 days”. */
function formatDays(days: number, { coverage }: CheckedDays): string {
  const expected = coverage?.expected ?? days;
  return expected === days
    ? formatIntervals(days, '1d')
    : t('{0} of {1}', formatCount(days), formatIntervals(expected, '1d'));
}

function formatOffset(offset: number): string {
  return offset === 0 ? 'UTC' : `UTC+${offset}`;
}

function formatDifference(difference: number, { unit }: ColumnDayCheck): string {
  const formatFigure = createFigureFormatter(displayLocale());
  return `${formatFigure(Number(difference.toPrecision(3)))}${unit === undefined ? '' : ` ${unit}`}`;
}

/** Formats a day as in the responses of the service: 2023-05-03. */
function formatDate(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}
