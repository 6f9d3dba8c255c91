import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { powerSignals, type Connection } from '../../core/connections/connection.ts';
import { showInformationMessage } from '../messages/messages.ts';
import type { SandboxHost } from '../sandbox/sandboxHost.ts';

/** Opens the page where keys are created and revoked; for other services, their address. */
export async function openDashboard(
  { service, baseUrl }: Pick<Connection, 'service' | 'baseUrl'>,
  sandbox: Pick<SandboxHost, 'dashboardLink'>,
): Promise<void> {
  if (service === 'sandbox') return openSandboxDashboard(await sandbox.dashboardLink());
  await vscode.env.openExternal(vscode.Uri.parse(service === 'powerSignals' ? powerSignals.dashboard : baseUrl, true));
}

/** VS Code in a browser may route local addresses through a proxy, but the sandbox accepts only its own address. */
async function openSandboxDashboard(link: string): Promise<void> {
  const uri = vscode.Uri.parse(link, true);
  const { authority } = await vscode.env.asExternalUri(uri);
  if ([uri.authority, uri.authority.replace('127.0.0.1', 'localhost')].includes(authority)) {
    await vscode.env.openExternal(uri);
    return;
  }
  await vscode.env.clipboard.writeText(link);
  void showInformationMessage(
    t(
      'Dashboard link copied. Open it within ten minutes, in a browser on the machine that runs Sample Data. It signs in once.',
    ),
  );
}
