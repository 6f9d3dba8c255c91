import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Connection } from '../../core/connections/connection.ts';
import { GridError } from '../../core/errors.ts';
import { listActiveAlerts, isOpenEnded } from '../../core/watch/watchedQuery.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import type { ErrorBoundary } from '../messages/errorBoundary.ts';
import { commands } from '../ids.ts';
import { InputError, UnavailableError } from '../inputError.ts';
import { showInformationMessage, showQuickPick } from '../messages/messages.ts';
import type { ConnectionChoices } from '../connections/connectionChoices.ts';
import type { PinnedStress } from './watching.ts';
import type { SavedQueriesPort, WatchedItem } from './savedQueriesPort.ts';
import { isWaiting, type WatchConsent } from './watchConsent.ts';
import type { WatchEdits } from './watchEdits.ts';
import { maxHourlyRequests, formatRule } from '../messages/alertMessages.ts';
import { pickConnection } from '../connections/pickConnection.ts';
import { findDataset } from '../../core/query/catalogue.ts';
import { intervalName, formatRequests } from '../messages/numbers.ts';
import { translateRange } from '../messages/times.ts';

export interface WatchCommandsDeps {
  readonly boundary: ErrorBoundary;
  readonly queries: SavedQueriesPort;
  readonly consent: WatchConsent;
  readonly edits: WatchEdits;
  readonly pin: PinnedStress;
  readonly choices: ConnectionChoices;
  readonly connections: Connections;
  readonly nowAt: ConnectionEndpoints['nowAt'];
}

/** Registers the commands for hourly refresh, for the approval of queries from workspace files, and for the pinned stress. */
export function registerWatchCommands(deps: WatchCommandsDeps): vscode.Disposable {
  const { boundary, pin } = deps;
  return vscode.Disposable.from(
    boundary.register(commands.keepFresh, async argument => enableHourlyRefresh(argument, deps)),
    boundary.register(commands.stopKeepingFresh, async argument => disableHourlyRefresh(argument, deps)),
    boundary.register(commands.allowWatching, async () => allowHourlyRefresh(deps)),
    boundary.register(commands.pinStress, async () => pinStress(deps)),
    boundary.register(commands.unpinStress, async () => pin.pin(undefined)),
  );
}

async function enableHourlyRefresh(argument: unknown, deps: WatchCommandsDeps): Promise<void> {
  const { queries, edits } = deps;
  const item = await resolveWatchedItem(queries, argument, {
    placeHolder: t(
      'Select a saved query to refresh hourly. Each needs at most 1 request an hour, 24 a day, for each of its datasets.',
    ),
    accepts: ({ query }) => query.keepFresh !== true,
    none: t('No saved query can refresh hourly. Save a query first.'),
  });
  if (!item) return;
  requireOpenEnded(item, deps);
  await edits.keepFresh(item);
  void showInformationMessage(
    t(
      "'{0}' refreshes hourly: at most {1} an hour while VS Code is open.",
      item.query.name,
      formatRequests(maxHourlyRequests(item.query.query.dataset)),
    ),
  );
}

async function disableHourlyRefresh(argument: unknown, deps: WatchCommandsDeps): Promise<void> {
  const { queries, edits } = deps;
  const item = await resolveWatchedItem(queries, argument, {
    placeHolder: t('Select a saved query to stop refreshing hourly. Its alerts stop too.'),
    accepts: ({ query }) => query.keepFresh === true,
    none: t('No saved query refreshes hourly.'),
  });
  if (item) await edits.stopKeepingFresh(item);
}

async function allowHourlyRefresh(deps: WatchCommandsDeps): Promise<void> {
  const { queries, choices, consent, connections } = deps;
  await queries.settle();
  const items = queries
    .all()
    .filter(item => item.query.keepFresh && (item.store === 'workspace' || isWaiting(item, deps)));
  if (items.length === 0) throw new UnavailableError(t('No saved query waits for approval to refresh hourly.'));
  const picks = items.map(item => ({
    ...createPick(item),
    detail: [
      choices.getConnection(item)?.name ?? t('no connection'),
      formatAlerts(item, choices.getConnection(item)),
    ].join(' · '),
    picked: isWaiting(item, deps) || choices.getRefreshConnection(item) !== undefined,
  }));
  const selected = await showQuickPick(picks, {
    canPickMany: true,
    title: t('Allow Hourly Refresh'),
    placeHolder: t('Select queries to refresh hourly. Each needs up to 1 request an hour for each of its datasets.'),
  });
  if (!selected) return;
  for (const item of items) {
    const allowed = selected.some(choice => choice.item === item);
    const connection = allowed ? (choices.getConnection(item) ?? (await pickPayingConnection(connections))) : undefined;
    if (allowed && !connection) continue;
    await choices.approveConnection([item], connection);
    await consent.saveDecisions([{ item, allowed }]);
  }
}

async function pinStress(deps: WatchCommandsDeps): Promise<void> {
  const { connections, pin } = deps;
  const list = connections.list();
  if (list.length === 0) throw new GridError('noConnection');
  const placeHolder = t('Select a connection to pin its latest stress. This needs at most 1 request an hour.');
  const connection = list.length > 1 ? await pickConnection(connections, placeHolder) : list[0];
  if (connection) await pin.pin(connection.id);
}

/** Prompts for the connection that an hourly refresh uses. Throws GridError if there are no connections. */
export async function pickPayingConnection(connections: Connections): Promise<Connection | undefined> {
  if (connections.list().length === 0) throw new GridError('noConnection');
  return pickConnection(connections, t('Select the connection for the hourly refresh'));
}

/** Throws InputError if the range of the query has ended, so that a refresh would never find new data. */
export function requireOpenEnded(
  item: WatchedItem,
  { choices, nowAt }: Pick<WatchCommandsDeps, 'nowAt'> & { readonly choices: Pick<ConnectionChoices, 'getConnection'> },
): void {
  const connection = choices.getConnection(item);
  const { query } = item.query;
  if (isOpenEnded(query, nowAt(connection ?? { baseUrl: '' }))) return;
  throw new InputError(
    t(
      "'{0}' has ended, so there is no new data. Choose an open-ended range, such as last 24 hours.",
      translateRange(query.range),
    ),
  );
}

/** Formats the alerts of a query, such as 'alerts: Stress high or above'. */
function formatAlerts({ query }: WatchedItem, connection: Connection | undefined): string {
  const alertTexts = listActiveAlerts(query).map(alert => formatRule(alert, query.query.dataset, connection));
  return alertTexts.length === 0 ? t('no alerts') : t('alerts: {0}', alertTexts.join(', '));
}

export interface PickWatchedOptions {
  readonly placeHolder: string;
  readonly accepts: (item: WatchedItem) => boolean;
  /** The error message if no query is accepted. */
  readonly none: string;
}

/** Returns the saved query of the tree node or id in the argument of a command. Without one, prompts for a saved query. */
export async function resolveWatchedItem(
  queries: Pick<SavedQueriesPort, 'all' | 'settle'>,
  argument: unknown,
  { placeHolder, accepts, none }: PickWatchedOptions,
): Promise<WatchedItem | undefined> {
  await queries.settle();
  const id = typeof argument === 'string' ? argument : getNodeId(argument);
  if (id !== undefined) {
    const item = queries.all().find(candidate => candidate.id === id);
    if (!item) throw new UnavailableError(t('This saved query no longer exists.'));
    return item;
  }
  const items = queries.all().filter(accepts);
  if (items.length === 0) throw new UnavailableError(none);
  return (await showQuickPick(items.map(createPick), { placeHolder, matchOnDescription: true }))?.item;
}

/** Creates a quick pick item for a saved query. */
export function createPick(item: WatchedItem): vscode.QuickPickItem & { readonly item: WatchedItem } {
  const { name, query, connection } = item.query;
  const store = item.store === 'workspace' ? [t('workspace')] : [];
  const dataset = findDataset(query.dataset)?.title ?? query.dataset;
  const parts = [dataset, translateRange(query.range), intervalName(query.interval)];
  return { label: name, description: [...parts, ...(connection ? [connection] : []), ...store].join(' · '), item };
}

/** Returns the id of the saved query if the argument is a node of the Saved Queries view. Returns undefined for other arguments. */
function getNodeId(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null || !('store' in argument) || !('item' in argument))
    return undefined;
  const { store, item } = argument as { store: { readonly key?: unknown }; item: { readonly id?: unknown } };
  return typeof store.key === 'string' && typeof item.id === 'string' ? `${store.key}/${item.id}` : undefined;
}
