import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Connection } from '../../core/connections/connection.ts';
import { listActiveAlerts } from '../../core/watch/watchedQuery.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { ConnectionChoices } from '../connections/connectionChoices.ts';
import type { ErrorBoundary } from '../messages/errorBoundary.ts';
import { commands } from '../ids.ts';
import { UnavailableError } from '../inputError.ts';
import { setStatusBarMessage, showInformationMessage, showQuickPick } from '../messages/messages.ts';
import { formatQueryCount } from '../savedQueries/savedMessages.ts';
import type { SavedQueriesPort, WatchedItem } from './savedQueriesPort.ts';
import type { WatchConsent } from './watchConsent.ts';
import { pickPayingConnection, resolveWatchedItem, createPick } from './watchCommands.ts';

export interface MoveRefreshDeps {
  readonly boundary: ErrorBoundary;
  readonly queries: SavedQueriesPort;
  readonly consent: Pick<WatchConsent, 'filterAllowed' | 'saveDecisions'>;
  readonly choices: Pick<ConnectionChoices, 'getRefreshConnection' | 'approveConnection'>;
  readonly connections: Connections;
}

/** A query with hourly refresh and the connection that refreshes it. */
interface RefreshedItem extends WatchedItem {
  readonly connection: Connection | undefined;
}

/**
 * Registers Move Hourly Refresh…. When another connection becomes active, a message lists the queries whose refresh stays on the previous
 * one.
 */
export function registerMoveRefresh(deps: MoveRefreshDeps): vscode.Disposable {
  const { boundary, connections } = deps;
  let activeId = connections.active()?.id;
  const onConnectionsChanged = (): void => {
    const active = connections.active();
    if (active && active.id !== activeId)
      offerToMoveRefresh(active, deps).catch((error: unknown) => void boundary.report(error));
    activeId = active?.id;
  };
  return vscode.Disposable.from(
    boundary.register(commands.moveRefresh, async argument => moveRefresh(argument, deps)),
    connections.onDidChange(onConnectionsChanged),
  );
}

/** Returns the queries with hourly refresh, each with its connection if it was approved and still exists. */
function listRefreshedItems({ queries, consent, choices }: MoveRefreshDeps): readonly RefreshedItem[] {
  const items = queries.all().filter(({ query }) => query.keepFresh);
  return items.map(item => ({
    ...item,
    connection: choices.getRefreshConnection({ id: item.id, query: consent.filterAllowed(item) }),
  }));
}

async function moveRefresh(argument: unknown, deps: MoveRefreshDeps): Promise<void> {
  const { queries, connections } = deps;
  const emptyMessage = t('No saved query refreshes hourly.');
  const argumentItem =
    argument === undefined
      ? undefined
      : await resolveWatchedItem(queries, argument, { placeHolder: '', accepts: () => true, none: emptyMessage });
  await queries.settle();
  const refreshedItems = listRefreshedItems(deps);
  if (refreshedItems.length === 0) throw new UnavailableError(emptyMessage);
  const items = argumentItem
    ? refreshedItems.filter(({ id }) => id === argumentItem.id)
    : await pickItems(refreshedItems);
  if (items.length === 0) return;
  const target = await pickPayingConnection(connections);
  if (target) await moveItemsTo(items, target, deps);
}

async function moveItemsTo(
  items: readonly WatchedItem[],
  target: Connection,
  { choices, consent }: MoveRefreshDeps,
): Promise<void> {
  await choices.approveConnection(items, target);
  await consent.saveDecisions(items.map(item => ({ item, allowed: true })));
  setStatusBarMessage(t("{0} now refreshed hourly over '{1}'.", formatQueryCount(items.length), target.name), 5_000);
}

/** Reports the queries that use the active connection, but whose refresh was approved for another one. */
async function offerToMoveRefresh(active: Connection, deps: MoveRefreshDeps): Promise<void> {
  const items = listRefreshedItems(deps).filter(
    ({ query, connection }) => query.connection === undefined && connection && connection.id !== active.id,
  );
  if (items.length === 0) return;
  const alerts = items.reduce((sum, { query }) => sum + listActiveAlerts(query).length, 0);
  const names = [...new Set(items.map(({ connection }) => connection?.name ?? ''))].map(name => `'${name}'`).join(', ');
  const sentence = t(
    "Queries now use '{0}'. Hourly refresh of {1} with {2} stays on {3}.",
    active.name,
    formatQueryCount(items.length),
    alerts === 0 ? t('no alerts') : alerts === 1 ? t('1 alert') : t('{0} alerts', alerts),
    names,
  );
  const moveButton = t("Move to '{0}'", active.name);
  if ((await showInformationMessage(sentence, moveButton)) === moveButton) await moveItemsTo(items, active, deps);
}

async function pickItems(items: readonly RefreshedItem[]): Promise<readonly RefreshedItem[]> {
  const picks = items.map(item => ({
    ...createPick(item),
    detail: item.connection?.name ?? t('no connection'),
    item,
  }));
  const placeHolder = t('Select saved queries whose hourly refresh to move');
  return (await showQuickPick(picks, { canPickMany: true, placeHolder }))?.map(({ item }) => item) ?? [];
}
