import { homedir } from 'node:os';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { KeyValueStore } from '../../core/ports.ts';
import { MixedServicesError, type HiveOutcome } from '../../service/export/hiveFolder.ts';
import type { ErrorBoundary } from '../messages/errorBoundary.ts';
import { contextKeys } from '../ids.ts';
import { InputError } from '../inputError.ts';
import { confirm, showInformationMessage, showWarningMessage, withProgress } from '../messages/messages.ts';
import { setContext } from '../workbench.ts';
import { copyHiveSnippet } from '../snippets/copyDataSnippet.ts';
import { describeFileError, describeForeignHours } from './exportMessages.ts';
import { formatCount, formatSize, formatRows } from '../messages/numbers.ts';

/** Cancels an export to a folder and reports its progress. */
export interface FolderRun {
  readonly signal: AbortSignal;
  readonly reportProgress: (progress: string) => void;
}

/** The written files, and the names of what could not be exported. */
export interface FolderOutcome extends HiveOutcome {
  readonly omitted?: readonly string[];
}

export interface ExportFolderDeps {
  readonly boundary: Pick<ErrorBoundary, 'report'>;
  /** Stores which snippet was copied last. */
  readonly state: KeyValueStore;
}

/** Prompts for a folder, exports to it with progress, and shows the outcome with a button that copies code to read it. */
export async function exportFolder(
  title: string,
  { boundary, state }: ExportFolderDeps,
  writeFiles: (folder: string, run: FolderRun) => Promise<FolderOutcome>,
): Promise<void> {
  const folder = await promptFolder();
  if (!folder || !(await confirmReplace(folder))) return;
  try {
    const location = vscode.ProgressLocation.Notification;
    const outcome = await withProgress({ location, title, cancellable: true }, async (progress, signal) =>
      writeFiles(folder.fsPath, { signal, reportProgress: message => progress.report({ message }) }),
    );
    void setContext(contextKeys.hasSavedResult, true);
    // Not awaited, because the notification stays open until the user closes it.
    showOutcome(folder, outcome, state).catch((error: unknown) => void boundary.report(error));
  } catch (error) {
    const sentence =
      error instanceof MixedServicesError
        ? describeForeignHours(error.folder)
        : describeFileError(error, folder.fsPath);
    throw sentence === undefined ? error : new InputError(sentence);
  }
}

async function promptFolder(): Promise<vscode.Uri | undefined> {
  const [folder] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      canSelectMany: false,
      defaultUri: vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir()),
      openLabel: t('Export Here'),
      title: t('Folder for the Parquet Files'),
    })) ?? [];
  if (folder && folder.scheme !== 'file')
    throw new InputError(t('Cannot export to a folder on another machine. Choose a folder on this machine.'));
  return folder;
}

/** Asks for confirmation if the folder has an earlier export, whose months are replaced even by fewer rows. */
async function confirmReplace(folder: vscode.Uri): Promise<boolean> {
  const names = await vscode.workspace.fs.readDirectory(folder).then(
    entries => entries.map(([name]) => name),
    () => [],
  );
  if (!names.some(name => name.startsWith('dataset='))) return true;
  const message = t('{0} contains an earlier export.', vscode.workspace.asRelativePath(folder));
  const detail = t('Exporting a month again replaces its file, even if the new one has fewer rows.');
  return confirm(message, t('Replace'), detail);
}

async function showOutcome(folder: vscode.Uri, outcome: FolderOutcome, state: KeyValueStore): Promise<void> {
  const { files, rows: rowCount, bytes, tables, omitted = [] } = outcome;
  const size = files === 1 ? formatSize(bytes) : t('{0} files, {1}', formatCount(files), formatSize(bytes));
  const sentence = t('Exported {0} to {1} ({2}).', formatRows(rowCount), vscode.workspace.asRelativePath(folder), size);
  const copy = tables.length > 0 ? [t('Copy Snippet…')] : [];
  const selected =
    omitted.length === 0
      ? await showInformationMessage(sentence, ...copy)
      : await showWarningMessage([sentence, t('Not exported: {0}', omitted.join(' · '))].join(' '), ...copy);
  if (selected !== undefined) await copyHiveSnippet(folder.fsPath, tables, state);
}
