import { t } from '@vscode/l10n';
import { GridError } from '../../core/errors.ts';
import type { ArchiveError } from '../../service/archive/archive.ts';
import { minuteMs } from '../../shared/durations.ts';
import { InputError } from '../inputError.ts';
import type { PanelAction } from '../../shared/protocol.ts';
import { displayZone } from '../settings.ts';
import { formatDuration } from './numbers.ts';
import { formatZonedInstant } from './times.ts';

/** The message of a failure, and the actions to offer. */
export interface FailureMessage {
  readonly sentence: string;
  readonly actions: readonly PanelAction[];
}

/** Describes a failure: what happened, and what to do next. Returns undefined for a cancelled query, which shows no message. */
export function describeFailure(error: unknown): FailureMessage | undefined {
  if (error instanceof InputError) return createMessage(error.message);
  if (!(error instanceof GridError)) return createMessage(t('Unexpected error. See the log for details.'), 'showLog');
  const { status = 0, detail = '', file = '', retryAfterMs, refusedAt } = error.facts;
  const withServiceDetail = (sentence: string): string =>
    detail && status > 0 ? `${sentence} ${t("The service says: '{0}'", detail)}` : sentence;
  const refusedAtText = refusedAt === undefined ? '' : formatZonedInstant(refusedAt, displayZone());
  switch (error.reason) {
    case 'cancelled':
      return undefined;
    case 'noConnection':
      return createMessage(
        t('No connections yet. Add one with your API key, or open Sample Data.'),
        'addConnection',
        'startSandbox',
      );
    case 'noKey':
      return createMessage(t('No key for this connection on this machine. Enter it again to continue.'), 'enterKey');
    case 'keyRejected':
      return createMessage(
        refusedAtText
          ? t(
              'The key was rejected at {0} ({1}), so no request was sent. Try again, or enter another key.',
              refusedAtText,
              status,
            )
          : withServiceDetail(
              t(
                'The service rejected this key ({0}). Enter another key, or check in the dashboard whether it was revoked.',
                status,
              ),
            ),
        'enterKey',
        'tryAgain',
        'openDashboard',
      );
    case 'forbidden':
      return createMessage(
        refusedAtText
          ? t(
              'The key was denied access to this dataset at {0} ({1}), so no request was sent. Try again, or enter another key.',
              refusedAtText,
              status,
            )
          : withServiceDetail(
              t(
                'This key has no access to this dataset ({0}). Enter another key, or check its access in the dashboard.',
                status,
              ),
            ),
        'enterKey',
        'tryAgain',
        'openDashboard',
      );
    case 'badRequest':
      if (supportedIntervals(error).length > 0)
        return createMessage(
          withServiceDetail(t('The service does not support this interval ({0}). Choose another.', status)),
          'chooseInterval',
        );
      return createMessage(
        withServiceDetail(t('The service rejected the query ({0}). Change it and run it again.', status)),
        'changeQuery',
      );
    case 'throttled':
      return createMessage(
        t(
          "This key's request budget is used up (429). Try again in about {0}.",
          formatDuration(retryAfterMs ?? minuteMs),
        ),
        'refresh',
        // An interactive request fails only after several 429 responses, so the configured limits may be wrong.
        'setLimits',
      );
    case 'notFound':
      return createMessage(
        withServiceDetail(t('Not found at the service ({0}). Check the base URL of the connection.', status)),
        'addConnection',
      );
    case 'serverError':
      return createMessage(
        withServiceDetail(t('The service failed ({0}). Try again in a few minutes.', status)),
        'refresh',
      );
    case 'unreachable':
      return createMessage(
        t('Cannot reach the service{0}. Check the network and the base URL, then try again.', addParentheses(detail)),
        'refresh',
      );
    case 'timeout':
      return createMessage(
        t('The service took too long to respond. Try again, or choose a shorter range.'),
        'refresh',
        'changeQuery',
      );
    case 'damagedResponse':
      return createMessage(
        t('The response is damaged{0}. Try again; if it happens again, contact the provider.', addParentheses(detail)),
        'refresh',
        'showLog',
      );
    case 'responseTooLarge':
      return createMessage(t('The response is too large. Choose a shorter range.'), 'changeQuery');
    case 'redirected':
      return createMessage(
        withServiceDetail(
          t(
            'The service redirected the request ({0}). Redirects are not followed, since they could send your key elsewhere; check the base URL.',
            status,
          ),
        ),
        'addConnection',
      );
    case 'noReader':
      return createMessage(
        t('Cannot start the process that reads responses and files. Restart VS Code, then try again.'),
        'tryAgain',
      );
    case 'fileMissing':
      return createMessage(
        t("Cannot read '{0}'. Check that it still exists and that you may read it.", file),
        'tryAgain',
      );
    case 'fileDamaged':
      // If a row is the reason, the detail is a whole sentence that names the line.
      return createMessage(
        detail.endsWith('.') ? detail : t("'{0}' is damaged or incomplete{1}.", file, addParentheses(detail)),
        'tryAgain',
      );
    case 'fileForeign':
      return createMessage(
        detail
          ? t("'{0}' is {1}, not a data file.", file, translateDetail(detail))
          : t("'{0}' does not match its file extension, or its format is not supported.", file),
      );
    case 'folderWithoutParquet':
      return createMessage(t("'{0}' has no Parquet files.", file), 'tryAgain');
    case 'noTimes':
      return createMessage(t("'{0}' has no column of times to join rows by.", file));
    case 'sourceUnusable':
      return createMessage(t("'{0}' cannot be read as the query says. Add its columns again.", file));
    case 'otherTimes':
      return createMessage(
        t("The rows of '{0}' begin at other times than these. Open it and check its time zone and hour ending.", file),
      );
    case 'fileUnsupported':
      return createMessage(t("'{0}' uses an unsupported variant of its format{1}.", file, addParentheses(detail)));
    case 'fileTooLarge':
      return createMessage(t("'{0}' is too large to be shown{1}. Open a part of it.", file, addParentheses(detail)));
  }
}

function addParentheses(detail: string): string {
  return detail ? ` (${translateDetail(detail)})` : '';
}

function createMessage(sentence: string, ...actions: PanelAction[]): FailureMessage {
  return { sentence, actions };
}

/** Returns the intervals that a 400 response lists ("interval=5m not supported. Supported: ['1d', '1h']"); empty for any other failure. */
export function supportedIntervals(error: unknown): string[] {
  if (!(error instanceof GridError) || error.reason !== 'badRequest') return [];
  const list = /supported:?\s*[[({]([^\])}]*)[\])}]/i.exec(error.facts.detail ?? '')?.[1] ?? '';
  return list.split(',').flatMap(item => /^\s*["']?([\w-]{1,16})["']?\s*$/.exec(item)?.[1] ?? []);
}

/** Describes a problem of the archive. The results themselves are not affected. */
export function describeArchiveProblem(problem: ArchiveError): string {
  const sentences: Readonly<Record<ArchiveError, string>> = {
    diskFull: t('The disk is full, so fetched hours cannot be archived. Free some space, or clear the archive.'),
    readOnly: t('Cannot write to the archive folder, so hours are fetched again each time. Check its permissions.'),
    unusable: t('Cannot use the archive folder, so hours are fetched again each time. See the log for details.'),
    busy: t('The archive is busy, so some hours were not archived. They are fetched again when needed.'),
    damaged: t('An archive file is damaged and was set aside. Its hours are fetched again when needed.'),
    newerVersion: t(
      'The archive was written by a newer version of Grid Data Inspector. Update the extension to read it.',
    ),
  };
  return sentences[problem];
}

/** Reports that the windows cannot share request budgets. */
export function describeBudgetFolderProblem(folder: string): string {
  return t(
    "Request budgets can't be shared between windows, so this window uses half of each. Check that '{0}' is a folder you can write to.",
    folder,
  );
}

/** Reports that a file in which windows share a request budget was damaged or implausible. */
export function describeDamagedBudget(): string {
  return t(
    'A file of request budgets is damaged and was replaced, so requests are counted anew. For about a minute, the service may refuse some (429).',
  );
}

/** Returns the button label of an action. */
export function actionLabel(action: PanelAction): string {
  const labels: Readonly<Record<PanelAction, string>> = {
    refresh: t('Run Again'),
    refreshAll: t('Refresh, Ignoring Archive'),
    fetchMissing: t('Fetch Missing'),
    requestEarlier: t('Request Previous Weeks'),
    runPlan: t('Run'),
    cancel: t('Cancel'),
    export: t('Export Result…'),
    report: t('Export Report…'),
    openInEditor: t('Open Result in Editor…'),
    openResponse: t('Open Response in Editor'),
    copyAs: t('Copy As…'),
    copyLink: t('Copy Link'),
    save: t('Save Query…'),
    saveAs: t('Save Query As…'),
    previousPeriod: t('Previous Period'),
    nextPeriod: t('Next Period'),
    compare: t('Compare With…'),
    compareFile: t('Compare With File…'),
    endComparison: t('End Comparison'),
    addPreset: t('Add Preset Columns…'),
    addJoined: t('Add Columns From…'),
    removeJoined: t('Remove Joined Columns…'),
    acceptFiles: t('Use Changed Files'),
    checkDays: t('Check Days'),
    showRevisions: t('Show Changes'),
    openInNewTab: t('Open in New Tab'),
    changeQuery: t('Run Query…'),
    last24Hours: t('Last 24 Hours'),
    last7Days: t('Last 7 Days'),
    last30Days: t('Last 30 Days'),
    yesterday: t('Yesterday'),
    weekToDate: t('This Week'),
    lastWeek: t('Last Week'),
    monthToDate: t('This Month'),
    lastMonth: t('Last Month'),
    yearToDate: t('This Year'),
    chooseRange: t('Choose Range'),
    chooseInterval: t('Choose Interval'),
    enterKey: t('Enter Another Key'),
    setLimits: t('Set Limits…'),
    tryAgain: t('Try Again'),
    addConnection: t('Add Connection'),
    startSandbox: t('Open Sample Data'),
    openDashboard: t('Open Dashboard'),
    showLog: t('Show Log'),
    importOptions: t('Import Options…'),
    toggleHeading: t('Toggle Heading in Line 1'),
    toggleHourEnd: t('Toggle Hour Ending'),
    showChangedRows: t('Show Changed Rows'),
  };
  return labels[action];
}

/**
 * Translates the detail of a failure: a text of `failureDetails`, which may be followed by a position or an error code. A text of the
 * service itself stays as it is.
 */
export function translateDetail(detail: string): string {
  const character = /^(.+) at character (\d+)$/.exec(detail);
  if (character) return t('{0} at character {1}', t(character[1] ?? ''), character[2] ?? '');
  const line = /^(.+) in line (\d+)$/.exec(detail);
  if (line) return t('{0} in line {1}', t(line[1] ?? ''), line[2] ?? '');
  const titled = /^(a web page): (.+)$/.exec(detail);
  if (titled) return `${t(titled[1] ?? '')} (${titled[2] ?? ''})`;
  const coded = /^(.+) (\([A-Z][A-Z0-9_]*\))$/.exec(detail);
  return coded ? `${t(coded[1] ?? '')} ${coded[2] ?? ''}` : t(detail);
}
