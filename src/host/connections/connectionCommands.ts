import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { keyRejectionReasons } from '../../core/errors.ts';
import { hasDashboard, type Connection } from '../../core/connections/connection.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import type { ErrorBoundary } from '../messages/errorBoundary.ts';
import { commands } from '../ids.ts';
import { UnavailableError } from '../inputError.ts';
import { ignoreTreeItem } from '../query/queryArgument.ts';
import { describeFailure } from '../messages/failures.ts';
import { confirm, showErrorMessage, showInformationMessage } from '../messages/messages.ts';
import type { SandboxHost } from '../sandbox/sandboxHost.ts';
import { addConnection, type AddConnectionDeps } from './addConnection.ts';
import { testConnection } from './connectionCheck.ts';
import { promptKey, promptName, type NameState } from './connectionPrompt.ts';
import { getNodeConnectionId } from './connectionsTreeDataProvider.ts';
import { openDashboard } from './openDashboard.ts';
import { resolveConnection } from './pickConnection.ts';

export interface ConnectionCommandsDeps extends AddConnectionDeps {
  readonly boundary: ErrorBoundary;
  readonly test: ConnectionEndpoints['test'];
  /** Called after a connection was renamed, since saved queries may use its `oldName`. */
  readonly onRenamed: (connection: Connection, oldName: string) => Promise<void>;
  readonly sandbox: Pick<SandboxHost, 'dashboardLink' | 'renewKey'>;
}

/** Registers the commands that manage connections. */
export function registerConnectionCommands(deps: ConnectionCommandsDeps): vscode.Disposable {
  const { boundary, connections } = deps;
  return vscode.Disposable.from(
    boundary.register(commands.addConnection, async argument => addConnection(ignoreTreeItem(argument), deps)),
    boundary.register(commands.switchConnection, async argument => switchConnection(argument, connections)),
    boundary.register(commands.openDashboard, async argument => showDashboard(argument, deps)),
    boundary.register(commands.testConnection, async argument =>
      testAndReport(await resolveConnection(connections, argument, t('Select a connection to test')), deps),
    ),
    boundary.register(commands.renameConnection, async argument => renameConnection(argument, deps)),
    boundary.register(commands.replaceKey, async argument => replaceKey(argument, deps)),
    boundary.register(commands.removeConnection, async argument => removeConnection(argument, connections)),
  );
}

async function switchConnection(argument: unknown, connections: Connections): Promise<void> {
  const connection = await resolveConnection(connections, argument, t('Select a connection for queries'));
  return connections.activate(connection.id);
}

/** Tests the key of a connection and shows the result. After a failure, the buttons offer to test again or to replace the key. */
async function testAndReport(connection: Connection, deps: ConnectionCommandsDeps): Promise<void> {
  const error = await testConnection(connection, deps);
  if (!error) {
    void showInformationMessage(t("'{0}' works: the service accepts its key.", connection.name));
    return;
  }
  const tryAgainButton = t('Try Again');
  const enterKeyButton = t('Enter Another Key');
  const dashboardButton = t('Open Dashboard');
  const afterRejection = [tryAgainButton, enterKeyButton, ...(hasDashboard(connection) ? [dashboardButton] : [])];
  const buttons =
    error.reason === 'noKey'
      ? [enterKeyButton]
      : keyRejectionReasons.includes(error.reason)
        ? afterRejection
        : [tryAgainButton];
  const selected = await showErrorMessage(`${connection.name}: ${describeFailure(error)?.sentence ?? ''}`, ...buttons);
  if (selected === dashboardButton) await openDashboard(connection, deps.sandbox);
  const isReplaced = selected === enterKeyButton && (await replaceKey(connection.id, deps));
  const current = deps.connections.findById(connection.id);
  if (current && (isReplaced || selected === tryAgainButton)) await testAndReport(current, deps);
}

async function replaceKey(argument: unknown, deps: ConnectionCommandsDeps): Promise<boolean> {
  const { connections, sandbox } = deps;
  const id = typeof argument === 'string' ? argument : getNodeConnectionId(argument);
  const argumentConnection = id === undefined ? undefined : connections.findById(id);
  if (id !== undefined && !argumentConnection)
    throw new UnavailableError(t('This connection was removed; add it again to enter its key.'));
  const connection =
    argumentConnection ??
    (await resolveConnection(connections, undefined, t('Select a connection to replace its key')));
  // The sandbox creates its own key.
  const isSandbox = connection.service === 'sandbox';
  const key = isSandbox
    ? await sandbox.renewKey()
    : await promptKey(t('New Key for {0}', connection.name), connection.baseUrl);
  if (key === undefined) return false;
  if (!isSandbox) await deps.clearRejection({ ...connection, key });
  await connections.replaceKey(connection, key);
  if (!argumentConnection)
    void showInformationMessage(t("Key of '{0}' replaced. The next query uses it.", connection.name));
  return true;
}

async function renameConnection(argument: unknown, deps: ConnectionCommandsDeps): Promise<void> {
  const { connections } = deps;
  const connection = await resolveConnection(connections, argument, t('Select a connection to rename'));
  const nameState = (name: string): NameState =>
    (connections.findByName(name)?.id ?? connection.id) === connection.id ? 'free' : 'taken';
  const name = await promptName(t('Rename Connection'), connection.name, nameState);
  if (name === undefined || name === connection.name) return;
  await connections.rename(connection.id, name);
  const renamed = connections.findById(connection.id);
  if (renamed) await deps.onRenamed(renamed, connection.name);
}

async function showDashboard(argument: unknown, deps: ConnectionCommandsDeps): Promise<void> {
  const { connections, sandbox } = deps;
  if (!connections.list().some(hasDashboard)) throw new UnavailableError(t('No connection has a dashboard.'));
  const placeholder = t('Select a connection to open its dashboard');
  await openDashboard(await resolveConnection(connections, argument, placeholder, hasDashboard), sandbox);
}

async function removeConnection(argument: unknown, connections: Connections): Promise<void> {
  const connection = await resolveConnection(connections, argument, t('Select a connection to remove'));
  const detail = t(
    'Its key is deleted from this machine. It stays valid at the service until it is revoked in the dashboard.',
  );
  if (await confirm(t("Remove '{0}'?", connection.name), t('Remove'), detail)) await connections.remove(connection);
}
