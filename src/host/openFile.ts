import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { dataFileEditor } from './ids.ts';

/** A button that opens a file which was just written. */
export interface OpenFileButton {
  readonly label: string;
  readonly open: () => Promise<void>;
}

/** Whether this window runs on the machine that has its files: not in a browser, and not connected to a remote. */
export function isLocalWindow(): boolean {
  return vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
}

/**
 * Creates the button for a file. It opens the file in VS Code if VS Code or this extension can show it, otherwise in the system's default
 * program. If the window runs on another machine than the file, it reveals the file in the Explorer view, or copies its path.
 */
export function createOpenFileButton(file: vscode.Uri): OpenFileButton {
  const executeOnFile = async (command: string, ...more: readonly string[]): Promise<void> => {
    await vscode.commands.executeCommand(command, file, ...more);
  };
  const extension = file.path.slice(file.path.lastIndexOf('.') + 1).toLowerCase();
  if (extension === 'parquet' || extension === 'arrow')
    return { label: t('Open'), open: async () => executeOnFile('vscode.openWith', dataFileEditor) };
  if (extension !== 'xlsx' && extension !== 'html')
    return { label: t('Open'), open: async () => executeOnFile('vscode.open') };
  if (isLocalWindow() && file.scheme === 'file') {
    const open = async (): Promise<void> => {
      // The system may have no program for the file.
      if (!(await vscode.env.openExternal(file))) await executeOnFile('revealFileInOS');
    };
    return { label: t('Open'), open };
  }
  if (vscode.workspace.getWorkspaceFolder(file))
    return { label: t('Reveal in Explorer View'), open: async () => executeOnFile('revealInExplorer') };
  return { label: t('Copy Path'), open: async () => vscode.env.clipboard.writeText(file.fsPath) };
}
