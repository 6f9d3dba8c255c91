import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Connections } from '../../service/connections/connections.ts';
import type { ErrorBoundary } from '../messages/errorBoundary.ts';
import { commands, contextKeys } from '../ids.ts';
import { UnavailableError } from '../inputError.ts';
import { showInformationMessage } from '../messages/messages.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import { setContext } from '../workbench.ts';
import type { SandboxHost } from '../sandbox/sandboxHost.ts';
import { sampleDataName } from '../connections/connectionMessages.ts';
import { checkQuery } from '../connections/connectionCheck.ts';

export interface SandboxCommandsDeps {
  readonly boundary: ErrorBoundary;
  readonly connections: Connections;
  readonly sessions: QuerySessions;
  readonly sandbox: SandboxHost;
}

/** Registers the commands that start and stop the embedded service. Starting adds its connection and opens the last seven days. */
export function registerSandboxCommands(deps: SandboxCommandsDeps): vscode.Disposable {
  const { sandbox } = deps;
  return vscode.Disposable.from(
    sandbox.onDidChange(() => void setContext(contextKeys.sampleDataRunning, sandbox.isRunning)),
    deps.boundary.register(commands.startSandbox, async () => startSandboxConnection(deps)),
    deps.boundary.register(commands.stopSandbox, async () => {
      if (!sandbox.isRunning) throw new UnavailableError(t('Sample Data is not running in this window.'));
      await sandbox.stop();
      void showInformationMessage(t('Sample Data has stopped. The next query restarts it.'));
    }),
  );
}

export async function startSandboxConnection(deps: Omit<SandboxCommandsDeps, 'boundary'>): Promise<void> {
  const { key } = await deps.sandbox.ensureRunning();
  const connection = await deps.connections.add({
    name: getSandboxName(deps.connections),
    service: 'sandbox',
    baseUrl: '',
    key,
    state: 'works',
  });
  await deps.sessions.run({ ...checkQuery, range: 'last 7 days' }, connection);
}

/** Returns the name of the sandbox's connection. A new one gets a number if another connection has the name. */
function getSandboxName(connections: Connections): string {
  const existing = connections.list().find(({ service }) => service === 'sandbox');
  if (existing) return existing.name;
  const name = sampleDataName();
  let suffix = 1;
  while (connections.findByName(suffix === 1 ? name : `${name} ${suffix}`)) suffix++;
  return suffix === 1 ? name : `${name} ${suffix}`;
}
