import * as vscode from 'vscode';
import type { Archive } from '../../service/archive.ts';
import type { ErrorBoundary } from '../errorBoundary.ts';
import { commands } from '../ids.ts';
import { megabytes } from '../words/numbers.ts';

export interface ArchiveCommandsDeps {
  readonly boundary: ErrorBoundary;
  readonly archive: Archive;
  readonly folder: vscode.Uri;
}

/** Clear Archive… and Open Archive Folder. */
export function registerArchiveCommands(deps: ArchiveCommandsDeps): vscode.Disposable {
  const { boundary, archive, folder } = deps;
  const { t } = vscode.l10n;

  async function clear(): Promise<void> {
    const confirm = t('Clear Archive');
    const detail = t('What is asked for again spends requests. Open results stay as they are.');
    const question = t('Remove all fetched hours from this machine ({0})?', megabytes(await archive.size()));
    const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, confirm);
    if (answer === confirm) await archive.clear();
  }

  async function open(): Promise<void> {
    await vscode.workspace.fs.createDirectory(folder);
    // Where VS Code runs in a browser there is no file manager; the folder's path is of use all the same.
    if (vscode.env.uiKind === vscode.UIKind.Desktop) await vscode.env.openExternal(folder);
    else {
      await vscode.env.clipboard.writeText(folder.fsPath);
      void vscode.window.showInformationMessage(
        t('The archive is in {0}; the path is on the clipboard.', folder.fsPath),
      );
    }
  }

  return vscode.Disposable.from(
    boundary.register(commands.clearArchive, clear),
    boundary.register(commands.openArchiveFolder, open),
  );
}
