import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { keyRejectionReasons } from '../../core/errors.ts';
import { hasDashboard, type Connection } from '../../core/connections/connection.ts';
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
  /** Called after a connection was renamed, since saved queries may use its name `before`. */
  readonly onRenamed: (connection: Connection, before: string) => Promise<void>;
  readonly sandbox: Pick<SandboxHost, 'dashboardLink' | 'renewKey'>;
}

/** Registers the commands that manage connections. */
export function registerConnectionCommands(deps: ConnectionCommandsDeps): vscode.Disposable {
  const { boundary, connections } = deps;

  async function test(connection: Connection): Promise<void> {
    const error = await testConnection(connection, deps);
    if (!error) {
      void showInformationMessage(t("'{0}' works: the service accepts its key.", connection.name));
      return;
    }
    const [again, enter, dashboard] = [t('Try Again'), t('Enter Another Key'), t('Open Dashboard')];
    const refused = [again, enter, ...(hasDashboard(connection) ? [dashboard] : [])];
    const buttons = error.reason === 'noKey' ? [enter] : keyRejectionReasons.includes(error.reason) ? refused : [again];
    const chosen = await showErrorMessage(`${connection.name}: ${describeFailure(error)?.sentence ?? ''}`, ...buttons);
    if (chosen === dashboard) await openDashboard(connection, deps.sandbox);
    const isReplaced = chosen === enter && (await replaceKey(connection.id));
    const current = connections.findById(connection.id);
    if (current && (isReplaced || chosen === again)) await test(current);
  }

  async function replaceKey(argument: unknown): Promise<boolean> {
    const id = typeof argument === 'string' ? argument : getNodeConnectionId(argument);
    const named = id === undefined ? undefined : connections.findById(id);
    if (id !== undefined && !named)
      throw new UnavailableError(t('This connection was removed; add it again to enter its key.'));
    const connection =
      named ?? (await resolveConnection(connections, undefined, t('Select a connection to replace its key')));
    // The sandbox creates its own key.
    const isSandbox = connection.service === 'sandbox';
    const key = isSandbox
      ? await deps.sandbox.renewKey()
      : await promptKey(t('New Key for {0}', connection.name), connection.baseUrl);
    if (key === undefined) return false;
    if (!isSandbox) await deps.clearRejection({ ...connection, key });
    await connections.replaceKey(connection, key);
    if (!named) void showInformationMessage(t("Key of '{0}' replaced. The next query uses it.", connection.name));
    return true;
  }

  async function rename(argument: unknown): Promise<void> {
    const connection = await resolveConnection(connections, argument, t('Select a connection to rename'));
    const nameState = (name: string): NameState =>
      (connections.findByName(name)?.id ?? connection.id) === connection.id ? 'free' : 'taken';
    const name = await promptName(t('Rename Connection'), connection.name, nameState);
    if (name === undefined || name === connection.name) return;
    await connections.rename(connection.id, name);
    const renamed = connections.findById(connection.id);
    if (renamed) await deps.onRenamed(renamed, connection.name);
  }

  async function showDashboard(argument: unknown): Promise<void> {
    if (!connections.list().some(hasDashboard)) throw new UnavailableError(t('No connection has a dashboard.'));
    const placeholder = t('Select a connection to open its dashboard');
    await openDashboard(await resolveConnection(connections, argument, placeholder, hasDashboard), deps.sandbox);
  }

  async function remove(argument: unknown): Promise<void> {
    const connection = await resolveConnection(connections, argument, t('Select a connection to remove'));
    const detail = t(
      'Its key is deleted from this machine. It stays valid at the service until it is revoked in the dashboard.',
    );
    if (await confirm(t("Remove '{0}'?", connection.name), t('Remove'), detail)) await connections.remove(connection);
  }

  return vscode.Disposable.from(
    boundary.register(commands.addConnection, async argument => addConnection(ignoreTreeItem(argument), deps)),
    boundary.register(commands.switchConnection, async argument =>
      connections.activate((await resolveConnection(connections, argument, t('Select a connection for queries'))).id),
    ),
    boundary.register(commands.openDashboard, showDashboard),
    boundary.register(commands.testConnection, async argument =>
      test(await resolveConnection(connections, argument, t('Select a connection to test'))),
    ),
    boundary.register(commands.renameConnection, rename),
    boundary.register(commands.replaceKey, replaceKey),
    boundary.register(commands.removeConnection, remove),
  );
}
