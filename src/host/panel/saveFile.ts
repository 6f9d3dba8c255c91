import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { contextKeys } from '../ids.ts';
import { showInformationMessage } from '../messages/messages.ts';
import { askWhereToSave, setContext } from '../workbench.ts';
import type { HostMethods } from '../../shared/protocol.ts';

/** Writes a picture of the page to a file that the person selects; nothing if they leave the dialog. */
export async function saveFile({ name, data }: Parameters<HostMethods['saveFile']>[0]): Promise<void> {
  const target = await askWhereToSave(name);
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, data);
  void setContext(contextKeys.hasKept, true);
  const open = t('Open');
  const sentence = t('Saved {0}.', vscode.workspace.asRelativePath(target));
  if ((await showInformationMessage(sentence, open)) === open)
    await vscode.commands.executeCommand('vscode.open', target);
}
