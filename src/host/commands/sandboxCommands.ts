import * as vscode from 'vscode';
import type { Connections } from '../../service/connections.ts';
import type { ErrorBoundary } from '../errorBoundary.ts';
import { commands } from '../ids.ts';
import { InputError } from '../inputError.ts';
import type { QuerySessions } from '../panel/querySessions.ts';
import type { SandboxHost } from '../sandboxHost.ts';
import { checkQuery } from './connectionCheck.ts';

export interface SandboxCommandsDeps {
  readonly boundary: ErrorBoundary;
  readonly connections: Connections;
  readonly sessions: QuerySessions;
  readonly sandbox: SandboxHost;
}

/** Start and stop the embedded service. Starting adds its connection and opens the last seven days. */
export function registerSandboxCommands(deps: SandboxCommandsDeps): vscode.Disposable {
  return vscode.Disposable.from(
    deps.boundary.register(commands.startSandbox, async () => startSandbox(deps)),
    deps.boundary.register(commands.stopSandbox, async () => {
      if (!deps.sandbox.isRunning) throw new InputError(vscode.l10n.t('The sandbox is not running in this window.'));
      await deps.sandbox.stop();
    }),
  );
}

export async function startSandbox(deps: Omit<SandboxCommandsDeps, 'boundary'>): Promise<void> {
  const { key } = await deps.sandbox.ensureRunning();
  const name = vscode.l10n.t('Sandbox');
  const existing = deps.connections.list().find(({ service }) => service === 'sandbox');
  const connection = await deps.connections.add({
    // A connection to another service may bear that name already; the sandbox steps aside.
    name: existing?.name ?? (deps.connections.byName(name) ? `${name} (${vscode.l10n.t('this window')})` : name),
    service: 'sandbox',
    baseUrl: '',
    key,
    state: 'works',
  });
  await deps.sessions.run({ ...checkQuery, range: 'last 7 days' }, connection);
}
