import * as vscode from 'vscode';
import { dayCheck, type DayCheck } from '../../core/dayCheck.ts';
import type { QueryEngine } from '../../service/queryEngine.ts';
import type { ResolvedQuery } from '../../core/query.ts';
import type { MoreRequests, Planned } from '../../service/run.ts';
import type { Result } from '../../shared/result.ts';
import { UnavailableError } from '../inputError.ts';
import { showInformationMessage, withProgress } from '../messages.ts';
import { fieldLabel } from '../words/catalogue.ts';
import { count } from '../words/numbers.ts';
import { moreRequestsText, planText } from '../words/waiting.ts';
import type { QuerySession } from './querySession.ts';

/**
 * Holds the service's daily values against the means of its hours: where do its days begin, and do the two agree? Asks for
 * both intervals through the plan; what is kept costs nothing.
 */
export async function checkDays(session: QuerySession, engine: Pick<QueryEngine, 'run'>): Promise<void> {
  const { t } = vscode.l10n;
  const { query, connection } = session;
  const [hourly, daily] = ['1h', '1d'].map(interval => session.resolved({ ...query, interval }));
  if (!hourly || !daily?.dataset.intervals.includes('1d'))
    throw new UnavailableError(t('This dataset has no daily values to check.'));
  // Who agrees to no more requests for the hours wants none for the days.
  let takesMore = true;
  const answer = async (event: Planned | MoreRequests): Promise<void> => {
    if (event.type === 'planned') event.answer(await goesOn(planText(event.price, event.steps, hourly)));
    else event.answer((takesMore &&= await goesOn(moreRequestsText(event.price, event.failed))));
  };
  const location = vscode.ProgressLocation.Notification;
  const title = t('Checking daily values against hours');
  const check = await withProgress({ location, title, cancellable: true }, async (_, signal) => {
    const resultOf = async (asked: ResolvedQuery): Promise<Result> => {
      const run = engine.run(asked, connection, { signal, confirms: 'all' });
      for await (const event of run) {
        // A run that is canceled meanwhile waits for no answer.
        if (event.type === 'planned' || event.type === 'moreRequests') void answer(event);
      }
      return run.result;
    };
    const hours = await resultOf(hourly);
    const days = await resultOf(daily);
    return hours.frame && days.frame && dayCheck(hours.frame, days.frame);
  });
  // The panel may show another period by the time this is read.
  void showInformationMessage(`${query.range}: ${dayCheckSentence(check, query.dataset)}`);
}

async function goesOn(sentence: string): Promise<boolean> {
  const run = vscode.l10n.t('Run');
  return (await showInformationMessage(sentence, { modal: true }, run)) === run;
}

/** What the check found, in two sentences at most. */
export function dayCheckSentence(check: DayCheck | undefined, dataset: string): string {
  const { t } = vscode.l10n;
  const offset = check?.offsetHours;
  if (!check?.columns.some(({ best }) => best))
    return t('The daily values tell nothing here: no whole day has both its 24 hours and a daily value.');
  if (offset === undefined)
    return t('The daily values fit days of several zones alike: they do not tell where a day begins.');
  const zone = offset === 0 ? 'UTC' : `UTC+${offset}`;
  const at = check.columns.flatMap(column => {
    const fit = column.fits[offset];
    return fit?.largest && column.unit !== '%' ? [{ column, largest: fit.largest, days: fit.days }] : [];
  });
  const worst = at.reduce<(typeof at)[number] | undefined>(
    (most, one) => (most && most.largest.difference >= one.largest.difference ? most : one),
    undefined,
  );
  const days = t(
    'Days of {0} fit the daily values best ({1} of {2} columns that tell).',
    zone,
    check.agreeing,
    check.telling,
  );
  if (!worst) return days;
  const { column, largest } = worst;
  if (largest.difference === 0) return `${days} ${t('Over {0} days there is no difference.', worst.days)}`;
  const rounded = Number(largest.difference.toPrecision(3));
  const size = `${count(rounded)}${column.unit ? ` ${column.unit}` : ''}`;
  const label = fieldLabel(dataset, column.name);
  const day = new Date(largest.day).toISOString().slice(0, 10);
  return `${days} ${t('Over {0} days the largest difference is {1} ({2}, {3}).', worst.days, size, label, day)}`;
}
