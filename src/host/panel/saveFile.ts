import * as vscode from 'vscode';
import { contextKeys } from '../ids.ts';
import { showInformationMessage } from '../messages/messages.ts';
import { setContext } from '../setContext.ts';

/** Writes what a page made to a file of the person's choice; nothing where they leave the dialog. */
export async function saveFile(name: string, data: Uint8Array): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const extension = name.slice(name.lastIndexOf('.') + 1);
  const target = await vscode.window.showSaveDialog({
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
    filters: { [extension.toUpperCase()]: [extension] },
  });
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, data);
  void setContext(contextKeys.hasKept, true);
  const open = vscode.l10n.t('Open');
  const sentence = vscode.l10n.t('Saved {0}.', vscode.workspace.asRelativePath(target));
  if ((await showInformationMessage(sentence, open)) === open)
    await vscode.commands.executeCommand('vscode.open', target);
}
