import * as vscode from 'vscode';
import { t } from '@vscode/l10n';
import type { Clock, KeyValueStore, Logger } from '../../core/ports.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import type { QueryEngine } from '../../service/query/queryEngine.ts';
import type { ServiceClock } from '../../service/client/serviceClock.ts';
import { AlertHistoryFolder } from '../../service/watch/alertHistoryStore.ts';
import type { ErrorBoundary } from '../messages/errorBoundary.ts';
import type { ConnectionChoices } from '../connections/connectionChoices.ts';
import { withLocalSnoozes, LocalSnoozes, WatchEdits } from './watchEdits.ts';
import { PinnedStress, ReportedPauses, Watching } from './watching.ts';
import type { SavedQueriesPort } from './savedQueriesPort.ts';
import { StressStatus } from './stressStatus.ts';
import type { WatchCommandsDeps } from './watchCommands.ts';
import { isWaiting, WatchConsent } from './watchConsent.ts';
import { WatchNotices, type WatchNoticesDeps } from './watchNotices.ts';
import { commands } from '../ids.ts';
import { createMarkdown, showStatusBarText } from '../messages/messages.ts';

interface WatchingDeps {
  readonly queries: SavedQueriesPort;
  readonly boundary: ErrorBoundary;
  readonly choices: ConnectionChoices;
  readonly connections: Connections;
  readonly panels: WatchNoticesDeps['panels'];
  readonly engine: Pick<QueryEngine, 'run'>;
  readonly nowAt: ConnectionEndpoints['nowAt'];
  readonly serviceClock: Pick<ServiceClock, 'now'>;
  /** The state that all windows on this machine share. */
  readonly state: KeyValueStore;
  /** The state of this workspace. */
  readonly workspaceState: KeyValueStore;
  /** The path of the folder for alert histories. All windows share it. */
  readonly folder: string;
  readonly secrets: Pick<vscode.SecretStorage, 'onDidChange'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The objects that the commands for hourly refresh and alerts use. */
export interface WatchParts extends Pick<WatchCommandsDeps, 'queries' | 'consent' | 'edits' | 'pin'> {
  readonly getNotifiedHours: Watching['getNotifiedHours'];
  dispose(): void;
}

/** Starts the hourly refresh of saved queries, their alerts, and the pinned stress. All are off until the user enables them. */
export function startWatching(deps: WatchingDeps): WatchParts {
  const { boundary, choices, connections, panels, nowAt, state, folder, clock, logger } = deps;
  const random = Math.random;
  const consent = new WatchConsent(deps.workspaceState);
  const pin = new PinnedStress(state);
  const snoozes = new LocalSnoozes(state, () => clock.now());
  const queries = withLocalSnoozes(deps.queries, snoozes);
  // Anyone may have written the files of a workspace. Therefore they are read at startup only if the user has allowed one of their queries.
  if (consent.hasAllowed) void queries.settle();
  const edits = new WatchEdits({ queries, consent, snoozes, choices });
  const watching = new Watching({
    queries,
    consent,
    pin,
    choices,
    connections,
    nowAt,
    clock,
    random,
    logger,
    engine: deps.engine,
    serviceClock: deps.serviceClock,
    reported: new ReportedPauses(state),
    histories: new AlertHistoryFolder({ folder, clock, random, logger }),
    events: new WatchNotices({ panels, edits, nowAt, report: error => void boundary.report(error) }),
  });
  const disposables = vscode.Disposable.from(
    watching,
    new StressStatus(watching, nowAt),
    createConsentStatus({ queries, consent, choices }),
    // The user may have entered a key in another window. The name of a secret ends with the id of its connection.
    deps.secrets.onDidChange(({ key }) => {
      for (const { id } of connections.list()) if (key.endsWith(` ${id}`)) watching.resume(id);
    }),
    vscode.window.onDidChangeWindowState(({ focused }) => focused && watching.refresh()),
  );
  const getNotifiedHours: WatchParts['getNotifiedHours'] = async item => watching.getNotifiedHours(item);
  return { queries, consent, edits, pin, getNotifiedHours, dispose: () => void disposables.dispose() };
}

/** Creates a status bar item with the number of queries that wait for approval. */
function createConsentStatus(
  deps: Pick<WatchingDeps, 'queries' | 'choices'> & Pick<WatchParts, 'consent'>,
): vscode.Disposable {
  const { queries, consent, choices } = deps;
  const item = vscode.window.createStatusBarItem('gridData.watching', vscode.StatusBarAlignment.Right, 99);
  item.name = t('Grid Data hourly refresh');
  item.command = commands.allowWatching;
  const show = (): void => {
    const count = queries.all().filter(watchedItem => isWaiting(watchedItem, deps)).length;
    if (count === 0) {
      item.hide();
      return;
    }
    const sentence =
      count === 1
        ? t('1 saved query is set to refresh hourly. Nothing is sent until you allow it.')
        : t('{0} saved queries are set to refresh hourly. Nothing is sent until you allow it.', count);
    const tooltip = createMarkdown([sentence]);
    showStatusBarText(item, { icon: 'bell-slash', text: String(count), tooltip, spoken: sentence });
  };
  show();
  return vscode.Disposable.from(item, queries.onDidChange(show), consent.onDidChange(show), choices.onDidChange(show));
}
