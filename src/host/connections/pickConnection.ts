import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Connection } from '../../core/connections/connection.ts';
import type { Connections } from '../../service/connections/connections.ts';
import { showQuickPick } from '../messages/messages.ts';
import { runStep, pick } from '../messages/prompts.ts';
import { GridError } from '../../core/errors.ts';
import { UnavailableError } from '../inputError.ts';
import { getNodeConnectionId } from './connectionsTreeDataProvider.ts';
import { keyStateLabel } from './connectionMessages.ts';

interface ConnectionItem extends vscode.QuickPickItem {
  readonly connection: Connection;
}

/** Shows a quick pick of the accepted connections, the active one first. Returns undefined if the user cancels or there is none. */
export async function pickConnection(
  connections: Connections,
  placeHolder: string,
  accepts: (connection: Connection) => boolean = () => true,
): Promise<Connection | undefined> {
  const items = createItems(connections).filter(({ connection }) => accepts(connection));
  if (items.length === 0) return undefined;
  return (await showQuickPick(items, { placeHolder, matchOnDetail: true }))?.connection;
}

/**
 * Returns the connection of the node that a command was called with, or the connection that the user picks. Throws UnavailableError
 * if it was removed, and GridError if there are no connections or the user cancels.
 */
export async function resolveConnection(
  connections: Connections,
  argument: unknown,
  placeHolder: string,
  accepts?: (connection: Connection) => boolean,
): Promise<Connection> {
  const id = getNodeConnectionId(argument);
  const connection =
    id === undefined ? await pickConnection(connections, placeHolder, accepts) : connections.findById(id);
  if (connection) return connection;
  if (id !== undefined) throw new UnavailableError(t('This connection was removed.'));
  throw new GridError(connections.list().length === 0 ? 'noConnection' : 'cancelled');
}

/**
 * Like `pickConnection`, for a query whose connection does not exist here. No item is focused, so that pressing Enter does not send the
 * query to a service that it was not written for.
 */
export async function pickReplacement(connections: Connections, placeholder: string): Promise<Connection | undefined> {
  const items = createItems(connections);
  const selected = await runStep(t('Select a Connection'), async position =>
    pick(position, { placeholder, items: () => items, startsUnfocused: true }),
  );
  return selected?.connection;
}

function createItems(connections: Connections): ConnectionItem[] {
  const active = connections.active();
  const list = connections.list();
  list.sort((a, b) => Number(b.id === active?.id) - Number(a.id === active?.id));
  return list.map(connection => ({
    label: connection.name,
    iconPath: new vscode.ThemeIcon(connection.id === active?.id ? 'circle-filled' : 'circle-outline'),
    description: [connection.keyPrefix, keyStateLabel(connection.state)].filter(Boolean).join(' · '),
    detail: connection.service === 'sandbox' ? t('simulated on this machine') : connection.baseUrl,
    connection,
  }));
}
