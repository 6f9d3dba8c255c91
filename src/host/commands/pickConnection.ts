import * as vscode from 'vscode';
import type { Connection } from '../../core/connection.ts';
import type { Connections } from '../../service/connections.ts';
import { stateWord } from '../words/connection.ts';

/** Lets the person choose a connection; undefined when they left or there is none. */
export async function pickConnection(connections: Connections, placeHolder: string): Promise<Connection | undefined> {
  const active = connections.active();
  const items = connections.list().map(connection => ({
    label: `$(${connection.id === active?.id ? 'circle-filled' : 'circle-outline'}) ${connection.name}`,
    description: [connection.keyPrefix, stateWord(connection.state)].filter(Boolean).join(' · '),
    detail: connection.service === 'sandbox' ? vscode.l10n.t('sample data on this machine') : connection.baseUrl,
    connection,
  }));
  if (items.length === 0) return undefined;
  const chosen = await vscode.window.showQuickPick(items, { placeHolder, matchOnDetail: true });
  return chosen?.connection;
}
