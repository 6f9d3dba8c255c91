import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { isLoopback, powerSignals, type Connection } from '../../core/connections/connection.ts';
import { showInformationMessage } from '../messages/messages.ts';
import type { SandboxHost } from '../sandbox/sandboxHost.ts';

/** Opens the page where a connection's keys are created and revoked. */
export async function openDashboard(
  { service, baseUrl }: Pick<Connection, 'service' | 'baseUrl'>,
  sandbox: Pick<SandboxHost, 'dashboardLink'>,
): Promise<void> {
  if (service === 'sandbox') return openLocal(await sandbox.dashboardLink());
  if (service === 'other') return openLocal(`${baseUrl}/dashboard`);
  await vscode.env.openExternal(vscode.Uri.parse(powerSignals.dashboard, true));
}

/** Opens a page on this machine. VS Code in a browser forwards local addresses through a proxy, which may have another host name. */
async function openLocal(link: string): Promise<void> {
  const uri = vscode.Uri.parse(link, true);
  // The sandbox accepts only loopback host names, with any port.
  if (isLoopback(new URL((await vscode.env.asExternalUri(uri)).toString()))) {
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
