import { t } from '@vscode/l10n';
import { GridError } from '../../core/errors.ts';
import type { ArchiveError } from '../../service/archive/archive.ts';
import { InputError } from '../inputError.ts';
import type { PanelAction } from '../../shared/protocol.ts';
import { displayZone } from '../settings.ts';
import { duration } from './numbers.ts';
import { momentText } from './times.ts';

/** The sentence on a failure, and one or two actions. */
export interface FailureWords {
  readonly sentence: string;
  readonly actions: readonly PanelAction[];
}

/** One sentence a reason: what happened, what to do next. Undefined for a cancelled query: cancel is silent. */
export function failureWords(error: unknown): FailureWords | undefined {
  if (error instanceof InputError) return { sentence: error.message, actions: [] };
  if (!(error instanceof GridError)) {
    return {
      sentence: t('Unexpected error. See the log for details.'),
      actions: ['showLog'],
    };
  }
  const { status = 0, detail = '', retryAfterMs, refusedAt } = error.facts;
  const ofService = (sentence: string): string =>
    detail && status > 0 ? `${sentence} ${t("The service says: '{0}'", detail)}` : sentence;
  const earlier = refusedAt === undefined ? '' : momentText(refusedAt, displayZone());
  switch (error.reason) {
    case 'cancelled':
      return undefined;
    case 'noConnection':
      return {
        sentence: t('No connections yet. Add one with your API key, or open Sample Data.'),
        actions: ['addConnection', 'startSandbox'],
      };
    case 'noKey':
      return {
        sentence: t('No key for this connection on this machine. Enter it again to continue.'),
        actions: ['enterKey'],
      };
    case 'keyRejected':
      return {
        sentence: earlier
          ? t(
              'The key was rejected at {0} ({1}), so no request was sent. Try again, or enter another key.',
              earlier,
              status,
            )
          : ofService(
              t(
                'The service rejected this key ({0}). Enter another key, or check in the dashboard whether it was revoked.',
                status,
              ),
            ),
        actions: ['enterKey', 'tryAgain', 'openDashboard'],
      };
    case 'forbidden':
      return {
        sentence: earlier
          ? t(
              'The key was denied access to this dataset at {0} ({1}), so no request was sent. Try again, or enter another key.',
              earlier,
              status,
            )
          : ofService(
              t(
                'This key has no access to this dataset ({0}). Enter another key, or check its access in the dashboard.',
                status,
              ),
            ),
        actions: ['enterKey', 'tryAgain', 'openDashboard'],
      };
    case 'badRequest':
      if (supportedIntervals(error).length > 0) {
        return {
          sentence: ofService(t('The service does not support this interval ({0}). Choose another.', status)),
          actions: ['chooseInterval'],
        };
      }
      return {
        sentence: ofService(t('The service rejected the query ({0}). Change it and run it again.', status)),
        actions: ['changeQuery'],
      };
    case 'throttled':
      return {
        sentence: t(
          "This key's request budget is used up (429). Try again in about {0}.",
          duration(retryAfterMs ?? 60_000),
        ),
        actions: ['refresh'],
      };
    case 'notFound':
      return {
        sentence: ofService(t('Not found at the service ({0}). Check the base URL of the connection.', status)),
        actions: ['addConnection'],
      };
    case 'serverError':
      return {
        sentence: ofService(t('The service failed ({0}). Try again in a few minutes.', status)),
        actions: ['refresh'],
      };
    case 'unreachable':
      return {
        sentence: t(
          'Cannot reach the service{0}. Check the network and the base URL, then try again.',
          detail ? ` (${detailText(detail)})` : '',
        ),
        actions: ['refresh'],
      };
    case 'timeout':
      return {
        sentence: t('The service took too long to respond. Try again, or choose a shorter range.'),
        actions: ['refresh', 'changeQuery'],
      };
    case 'damagedResponse':
      return {
        sentence: t(
          'The response is damaged{0}. Try again; if it happens again, contact the provider.',
          detail ? ` (${detailText(detail)})` : '',
        ),
        actions: ['refresh', 'showLog'],
      };
    case 'responseTooLarge':
      return {
        sentence: t('The response is too large. Choose a shorter range.'),
        actions: ['changeQuery'],
      };
    case 'redirected':
      return {
        sentence: ofService(
          t(
            'The service redirected the request ({0}). Redirects are not followed, since they could send your key elsewhere; check the base URL.',
            status,
          ),
        ),
        actions: ['addConnection'],
      };
  }
}

/** The intervals a 400 names ("interval=5m not supported. Supported: ['1d', '1h']"); empty for any other failure. */
export function supportedIntervals(error: unknown): string[] {
  if (!(error instanceof GridError) || error.reason !== 'badRequest') return [];
  const list = /supported:?\s*[[({]([^\])}]*)[\])}]/i.exec(error.facts.detail ?? '')?.[1] ?? '';
  return list.split(',').flatMap(item => /^\s*["']?([\w-]{1,16})["']?\s*$/.exec(item)?.[1] ?? []);
}

/** What is wrong with the archive, once a kind. The answers themselves are good in every case. */
export function archiveTrouble(trouble: ArchiveError): string {
  switch (trouble) {
    case 'diskFull':
      return t('The disk is full, so fetched hours cannot be archived. Free some space, or clear the archive.');
    case 'readOnly':
      return t('Cannot write to the archive folder, so hours are fetched again each time. Check its permissions.');
    case 'unusable':
      return t('Cannot use the archive folder, so hours are fetched again each time. See the log for details.');
    case 'busy':
      return t('The archive is busy, so some hours were not archived. They are fetched again when needed.');
    case 'damaged':
      return t('An archive file is damaged and was set aside. Its hours are fetched again when needed.');
    case 'newerVersion':
      return t('The archive was written by a newer version of Grid Data Inspector. Update the extension to read it.');
  }
}

/** The windows cannot share the budgets of keys. */
export function budgetFolderTrouble(folder: string): string {
  return t(
    "Request budgets can't be shared between windows, so this window uses half of each. Check that '{0}' is a folder you can write to.",
    folder,
  );
}

/** The words on the button of each action. */
export function actionLabel(action: PanelAction): string {
  switch (action) {
    case 'refresh':
      return t('Run Again');
    case 'refreshAll':
      return t('Refresh, Ignoring Archive');
    case 'fetchMissing':
      return t('Fetch Missing');
    case 'runPlan':
      return t('Run');
    case 'cancel':
      return t('Cancel');
    case 'export':
      return t('Export Result…');
    case 'openInEditor':
      return t('Open Result in Editor');
    case 'openResponse':
      return t('Open Response in Editor');
    case 'copyAs':
      return t('Copy as…');
    case 'save':
      return t('Save Query…');
    case 'previousPeriod':
      return t('Previous Period');
    case 'nextPeriod':
      return t('Next Period');
    case 'compare':
      return t('Compare With…');
    case 'endComparison':
      return t('End Comparison');
    case 'checkDays':
      return t('Check Days');
    case 'showRevisions':
      return t('Show What Changed');
    case 'openInNewTab':
      return t('Open in New Tab');
    case 'changeQuery':
      return t('Change Query');
    case 'last24Hours':
      return t('Last 24 Hours');
    case 'last7Days':
      return t('Last 7 Days');
    case 'last30Days':
      return t('Last 30 Days');
    case 'monthToDate':
      return t('Month to Date');
    case 'lastMonth':
      return t('Last Month');
    case 'yearToDate':
      return t('Year to Date');
    case 'chooseRange':
      return t('Choose Range');
    case 'chooseInterval':
      return t('Choose Interval');
    case 'enterKey':
      return t('Enter Another Key');
    case 'tryAgain':
      return t('Try Again');
    case 'addConnection':
      return t('Add Connection');
    case 'startSandbox':
      return t('Open Sample Data');
    case 'openDashboard':
      return t('Open Dashboard');
    case 'showLog':
      return t('Show Log');
  }
}

/**
 * What the product says of a failure in parentheses, for the person: a text of `failureDetails`, with a place in the answer
 * or a code behind it, which stay. The service's own words stay as they are.
 */
export function detailText(detail: string): string {
  const place = /^(.+) at character (\d+)$/.exec(detail);
  if (place) return t('{0} at character {1}', t(place[1] ?? ''), place[2] ?? '');
  const coded = /^(.+) (\([A-Z][A-Z0-9_]*\))$/.exec(detail);
  return coded ? `${t(coded[1] ?? '')} ${coded[2] ?? ''}` : t(detail);
}
