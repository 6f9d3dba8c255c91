import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { dayCheck, type ColumnDayCheck, type DayCheck } from '../../core/bins/dayCheck.ts';
import type { QueryEngine } from '../../service/query/queryEngine.ts';
import { serviceQueries, type ResolvedQuery } from '../../core/query/query.ts';
import type { MoreRequests, Planned } from '../../service/query/run.ts';
import { dayMs } from '../../shared/durations.ts';
import { type Result, stepState, type Coverage } from '../../shared/result.ts';
import { UnavailableError } from '../inputError.ts';
import { openText } from '../workbench.ts';
import { showInformationMessage, withProgress } from '../messages/messages.ts';
import { moreRequestsText, planText } from '../messages/waiting.ts';
import type { QuerySession } from './querySession.ts';
import { figureFormatter } from '../../shared/formatNumber.ts';
import { displayLocale } from '../language.ts';
import { fieldLabel } from '../messages/catalogue.ts';
import { count, steps } from '../messages/numbers.ts';
import { rangeWords } from '../messages/times.ts';

/**
 * Compares the daily values of the service with the means of its hours, which shows in which time zone its days begin and
 * whether the two agree. Both intervals are requested after a confirmation; archived hours cost no request.
 */
export async function checkDays(session: QuerySession, engine: Pick<QueryEngine, 'run'>): Promise<void> {
  const { query, connection } = session;
  // In joined datasets only one member may have daily values.
  const [hourly, daily] = ['1h', '1d'].map(interval =>
    serviceQueries(session.resolved({ ...query, interval })).find(({ dataset }) => dataset.intervals.includes('1d')),
  );
  if (!hourly || !daily) throw new UnavailableError(t('This dataset has no daily values to check.'));
  // Declining further requests for the hours declines them for the days too.
  let takesMore = true;
  const answer = async (event: Planned | MoreRequests): Promise<void> => {
    if (event.type === 'planned') event.answer(await confirmRun(planText(event.price, event.steps, hourly)));
    else event.answer((takesMore &&= await confirmRun(moreRequestsText(event.price, event.failed))));
  };
  const location = vscode.ProgressLocation.Notification;
  const title = t('Checking daily values against hours');
  const checked = await withProgress({ location, title, cancellable: true }, async (_, signal) => {
    const resultOf = async (asked: ResolvedQuery): Promise<Result> => {
      const run = engine.run(asked, connection, { signal, confirms: 'all' });
      for await (const event of run) {
        // Not awaited: a run that is canceled in the meantime needs no reply.
        if (event.type === 'planned' || event.type === 'moreRequests') void answer(event);
      }
      return run.result;
    };
    const hours = await resultOf(hourly);
    const days = await resultOf(daily);
    if (!hours.frame || !days.frame) return undefined;
    const { coverage, provenance } = days;
    return { dataset: daily.dataset.id, check: dayCheck(hours.frame, days.frame), coverage, start: provenance.start };
  });
  void showOutcome(rangeWords(query.range), checked);
}

/** Shows one sentence, and a button for the details. It names the range, because the panel may show another one by then. */
async function showOutcome(range: string, checked: CheckedDays | undefined): Promise<void> {
  const details = t('Details');
  const sentence = `${range}: ${dayCheckSentence(checked)}`;
  const choice = await showInformationMessage(sentence, ...(checked ? [details] : []));
  if (checked && choice === details) await openText(`${sentence}\n\n${dayCheckReport(checked)}`);
}

async function confirmRun(sentence: string): Promise<boolean> {
  const run = t('Run');
  return (await showInformationMessage(sentence, { modal: true }, run)) === run;
}

const mostListed = 100;

/** The values that Check Days compared, and the result. */
export interface CheckedDays {
  readonly dataset: string;
  readonly check: DayCheck;
  /** The coverage of the daily values. */
  readonly coverage: Coverage | undefined;
  /** The beginning of the first day, UTC milliseconds. */
  readonly start: number;
}

/** Describes the result of the check in at most two short sentences. */
export function dayCheckSentence(checked: CheckedDays | undefined): string {
  const { check } = checked ?? {};
  const offset = check?.offsetHours;
  if (!checked || !check?.columns.some(({ best }) => best))
    return t('No result: no day has both its 24 hours and a daily value.');
  if (offset === undefined)
    return t('The daily values match the days of several zones equally, so it is unclear where a day begins.');
  const best = t('Days of {0} fit the daily values best.', zoneName(offset));
  const found = check.columns.filter(({ unit, fits }) => unit !== '%' && fits[offset]?.largest);
  const differenceOf = (column: ColumnDayCheck): number => column.fits[offset]?.largest?.difference ?? 0;
  const [worst] = found.sort((one, other) => differenceOf(other) - differenceOf(one));
  const fit = worst?.fits[offset];
  if (!worst || !fit?.largest) return best;
  const days = daysOf(fit.days, checked);
  if (fit.largest.difference === 0) return `${best} ${t('No difference over {0}.', days)}`;
  const { difference, day } = fit.largest;
  const label = fieldLabel(checked.dataset, worst.name);
  return `${best} ${t('Largest difference over {0}: {1} ({2}, {3}).', days, sizeText(difference, worst), label, dateText(day))}`;
}

/** Lists every column with its days and its largest difference, and the skipped days with the reason. */
export function dayCheckReport(checked: CheckedDays): string {
  const { check, dataset } = checked;
  const offset = check.offsetHours ?? 0;
  const lines = [
    t('The mean of the 24 hours of each day of {0} beside the daily value of the service:', zoneName(offset)),
    '',
    ...check.columns.map(column => {
      const { largest, days = 0 } = column.fits[offset] ?? {};
      const label = fieldLabel(dataset, column.name);
      if (!largest) return `${label}: ${daysOf(days, checked)}`;
      if (largest.difference === 0) return t('{0}: {1}, no difference', label, daysOf(days, checked));
      const size = sizeText(largest.difference, column);
      return t('{0}: {1}, largest difference {2} ({3})', label, daysOf(days, checked), size, dateText(largest.day));
    }),
  ];
  if (check.columns.some(({ unit }) => unit === '%'))
    lines.push('', t("The share of a day need not be the mean of its hours' shares."));
  const leftOut = leftOutLines(checked);
  if (leftOut.length > 0) lines.push('', t('Skipped:'), '', ...leftOut.slice(0, mostListed));
  if (leftOut.length > mostListed) lines.push(t('… and {0} more.', count(leftOut.length - mostListed)));
  return `${lines.join('\n')}\n`;
}

/** Formats lines such as “2023-05-03: 21 of 24 hours”, which name the columns unless all of them are concerned. */
function leftOutLines({ check, coverage, start, dataset }: CheckedDays): string[] {
  const columnsOf = new Map<string, string[]>();
  const add = (day: number, why: string, column: string): void => {
    const line = `${dateText(day)}: ${why}`;
    columnsOf.set(line, [...(columnsOf.get(line) ?? []), column]);
  };
  const noValue = t('no daily value');
  for (const { name, leftOut } of check.columns)
    for (const { day, hours } of leftOut)
      add(day, hours === undefined ? noValue : t('{0} of {1} hours', hours, 24), fieldLabel(dataset, name));
  for (const [day, state] of coverage?.states.entries() ?? [])
    if (state !== stepState.present) columnsOf.set(`${dateText(start + day * dayMs)}: ${noValue}`, []);
  return [...columnsOf]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([line, columns]) => (columns.length % check.columns.length === 0 ? line : `${line} (${columns.join(', ')})`));
}

/** Formats a count such as “29 of 31 days”. */
function daysOf(days: number, { coverage }: CheckedDays): string {
  const expected = coverage?.expected ?? days;
  return expected === days ? steps(days, '1d') : t('{0} of {1}', count(days), steps(expected, '1d'));
}

function zoneName(offset: number): string {
  return offset === 0 ? 'UTC' : `UTC+${offset}`;
}

function sizeText(difference: number, { unit }: ColumnDayCheck): string {
  const write = figureFormatter(displayLocale());
  return `${write(Number(difference.toPrecision(3)))}${unit === undefined ? '' : ` ${unit}`}`;
}

/** Formats a day as the service writes it. */
function dateText(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}
