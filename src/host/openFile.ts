import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { dataFileEditor } from './ids.ts';

/** A button that shows a file which was written. */
export interface FileOpening {
  readonly label: string;
  readonly open: () => Promise<void>;
}

/** Whether this window is on the machine of its files: not in a browser, and not connected to another machine. */
export function isLocalWindow(): boolean {
  return vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
}

/**
 * Opens a file where VS Code or this extension shows it, else with the program of the system. Where the window is not on the machine of the
 * file, it is revealed in the explorer, or its path is copied.
 */
export function fileOpening(file: vscode.Uri): FileOpening {
  const run = async (command: string, ...more: readonly string[]): Promise<void> => {
    await vscode.commands.executeCommand(command, file, ...more);
  };
  const extension = file.path.slice(file.path.lastIndexOf('.') + 1).toLowerCase();
  if (extension === 'parquet' || extension === 'arrow')
    return { label: t('Open'), open: async () => run('vscode.openWith', dataFileEditor) };
  if (extension !== 'xlsx' && extension !== 'html') return { label: t('Open'), open: async () => run('vscode.open') };
  if (isLocalWindow() && file.scheme === 'file') {
    const open = async (): Promise<void> => {
      // No program may be there for the file.
      if (!(await vscode.env.openExternal(file))) await run('revealFileInOS');
    };
    return { label: t('Open'), open };
  }
  if (vscode.workspace.getWorkspaceFolder(file))
    return { label: t('Reveal in Explorer View'), open: async () => run('revealInExplorer') };
  return { label: t('Copy Path'), open: async () => vscode.env.clipboard.writeText(file.fsPath) };
}
