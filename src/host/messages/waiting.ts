import { t } from '@vscode/l10n';
import type { QueriedDataset } from '../../core/query/catalogue.ts';
import type { GridError } from '../../core/errors.ts';
import type { Price } from '../../core/query/requestPlan.ts';
import type { ResolvedQuery } from '../../core/query/query.ts';
import type { Progress } from '../../service/query/run.ts';
import type { Result } from '../../shared/result.ts';
import { datasetTitle } from './catalogue.ts';
import { translateDetail } from './failures.ts';
import { formatCount, formatDuration, formatRequests, formatRows, formatIntervals } from './numbers.ts';

/** Formats a wait for the budget, after the progress so far: “Waiting 12 s for the grid stress budget…”. */
export function formatWait(ms: number, dataset: Pick<QueriedDataset, 'id'>, progress = ''): string {
  const waiting = t('Waiting {0} for the {1} budget…', formatDuration(ms), datasetTitle(dataset.id).toLowerCase());
  return progress ? `${progress} ${waiting}` : waiting;
}

/** Formats refused requests, after the progress so far: “The service refused 2 requests (429); the limits may be too high.” */
export function formatRefusals(throttledCount: number, progress = ''): string {
  const throttledText = t('The service refused {0} (429); the limits may be too high.', formatRequests(throttledCount));
  return progress ? `${progress} ${throttledText}` : throttledText;
}

/** Formats a retry, after the progress so far: “The service returned 503. Trying again in 12 s…”. */
export function formatRetry(ms: number, failed: GridError, progress = ''): string {
  const waiting = ms > 0 ? t('Trying again in {0}…', formatDuration(ms)) : t('Trying again…');
  return [progress, formatFailure(failed), waiting].filter(Boolean).join(' ');
}

function formatFailure({ facts: { status, detail = '' } }: GridError): string {
  return status === undefined
    ? t('The request failed ({0}).', translateDetail(detail))
    : t('The service returned {0}.', status);
}

/** Formats a wait for another window or panel that requests the same hours, after the progress so far. */
export function formatSharedWait(progress = ''): string {
  const waiting = t('These hours are already being requested…');
  return progress ? `${progress} ${waiting}` : waiting;
}

/** Formats the progress of a run: “3 of 9 parts, 2,208 rows so far.” `refreshesAll`: whether archived rows are requested again, too. */
export function formatProgress(soFar: Result, { done, total }: Progress, refreshesAll: boolean): string {
  const rowCount = formatRows(soFar.frame?.rowCount ?? 0);
  if (total < 2 && refreshesAll) return t('{0} from the archive; requesting them again…', rowCount);
  if (total < 2) return t('{0} from the archive; requesting the rest…', rowCount);
  return t('{0} of {1} parts, {2} so far.', formatCount(done), formatCount(total), rowCount);
}

/** Formats a price: “1 request”, or “2 requests: System state 1, Grid stress 1” if several budgets pay for it. */
export function formatPrice({ requests: needed, byDataset = [] }: Price): string {
  const parts = byDataset.map(([dataset, requests]) => `${datasetTitle(dataset)} ${formatCount(requests)}`).join(', ');
  return byDataset.length > 1 ? t('{0}: {1}', formatRequests(needed), parts) : formatRequests(needed);
}

/**
 * Formats the plan of a run: “This needs 9 requests: 3 now, 6 over about 2 min. 512 of 744 hours are in the archive.” `comparedWith` is the
 * name of the compared period, if the requests are for a comparison.
 */
export function formatPlan(
  price: Price,
  intervals: { readonly archived: number; readonly expected: number },
  query: ResolvedQuery,
  comparedWith?: string,
): string {
  const cost = [
    formatRequests(price.requests),
    price.now,
    price.requests - price.now,
    formatDuration(price.waitMs),
  ] as const;
  const plan =
    comparedWith === undefined
      ? t('This needs {0}: {1} now, {2} over about {3}.', ...cost)
      : t('The comparison with {4} needs {0}: {1} now, {2} over about {3}.', ...cost, comparedWith);
  if (intervals.archived === 0) return plan;
  return `${plan} ${t('{0} of {1} are in the archive.', formatCount(intervals.archived), formatIntervals(intervals.expected, query.interval))}`;
}

/**
 * Formats the price of further pages: “The response has more pages. Loading them needs 2 requests: 1 now, 1 over about 40 s.” After a
 * failed request: “The service returned 503. Trying again needs 1 request and takes about 48 s. The service says: '…'”
 */
export function formatMoreRequests({ requests: needed, now, waitMs }: Price, failed?: GridError): string {
  if (failed) {
    const { status, detail = '' } = failed.facts;
    const detailSentence = status !== undefined && detail && t("The service says: '{0}'", detail);
    const cost = t('Trying again needs {0} and takes about {1}.', formatRequests(needed), formatDuration(waitMs));
    return [formatFailure(failed), cost, detailSentence].filter(Boolean).join(' ');
  }
  return waitMs === 0
    ? t('The response has more pages. Loading them needs {0}.', formatRequests(needed))
    : t(
        'The response has more pages. Loading them needs {0}: {1} now, {2} over about {3}.',
        formatRequests(needed),
        now,
        needed - now,
        formatDuration(waitMs),
      );
}
