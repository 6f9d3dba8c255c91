import * as vscode from 'vscode';
import { dayCheck } from '../../core/bins/dayCheck.ts';
import type { QueryEngine } from '../../service/query/queryEngine.ts';
import type { ResolvedQuery } from '../../core/query/query.ts';
import type { MoreRequests, Planned } from '../../service/query/run.ts';
import type { Result } from '../../shared/result.ts';
import { UnavailableError } from '../inputError.ts';
import { openText } from '../openText.ts';
import { showInformationMessage, withProgress } from '../messages/messages.ts';
import { dayCheckReport, dayCheckSentence, type CheckedDays } from '../messages/dayCheck.ts';
import { moreRequestsText, planText } from '../messages/waiting.ts';
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
  const checked = await withProgress({ location, title, cancellable: true }, async (_, signal) => {
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
    if (!hours.frame || !days.frame) return undefined;
    const { coverage, provenance } = days;
    return { dataset: query.dataset, check: dayCheck(hours.frame, days.frame), coverage, start: provenance.start };
  });
  void tell(query.range, checked);
}

/** One sentence, and a button for the rest. The panel may show another period by the time it is read. */
async function tell(range: string, checked: CheckedDays | undefined): Promise<void> {
  const details = vscode.l10n.t('Details');
  const sentence = `${range}: ${dayCheckSentence(checked)}`;
  const choice = await showInformationMessage(sentence, ...(checked ? [details] : []));
  if (checked && choice === details) await openText(`${sentence}\n\n${dayCheckReport(checked)}`);
}

async function goesOn(sentence: string): Promise<boolean> {
  const run = vscode.l10n.t('Run');
  return (await showInformationMessage(sentence, { modal: true }, run)) === run;
}
