import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { showInformationMessage } from './messages.ts';

/** Offers to reload the window after another language was chosen. */
export async function offerReload(): Promise<void> {
  const reload = t('Reload Window');
  const choice = await showInformationMessage(t('Reload the window to show Grid Data in another language.'), reload);
  if (choice === reload) await vscode.commands.executeCommand('workbench.action.reloadWindow');
}
