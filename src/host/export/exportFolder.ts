import { homedir } from 'node:os';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { KeyValueStore } from '../../core/ports.ts';
import { ForeignHoursError, type HiveOutcome } from '../../service/export/hiveFolder.ts';
import type { ErrorBoundary } from '../messages/errorBoundary.ts';
import { contextKeys } from '../ids.ts';
import { InputError } from '../inputError.ts';
import { confirm, showInformationMessage, showWarningMessage, withProgress } from '../messages/messages.ts';
import { setContext } from '../workbench.ts';
import { copyHiveSnippet } from '../snippets/copyDataSnippet.ts';
import { fileTrouble, foreignHoursText } from './exportMessages.ts';
import { count, megabytes, rows } from '../messages/numbers.ts';

/** Cancels an export to a folder and reports its progress. */
export interface FolderRun {
  readonly signal: AbortSignal;
  readonly say: (progress: string) => void;
}

/** The written files, and the names of what could not be exported. */
export interface FolderOutcome extends HiveOutcome {
  readonly left?: readonly string[];
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
  fill: (folder: string, run: FolderRun) => Promise<FolderOutcome>,
): Promise<void> {
  const folder = await askFolder();
  if (!folder || !(await mayReplace(folder))) return;
  try {
    const location = vscode.ProgressLocation.Notification;
    const outcome = await withProgress({ location, title, cancellable: true }, async (progress, signal) =>
      fill(folder.fsPath, { signal, say: message => progress.report({ message }) }),
    );
    void setContext(contextKeys.hasKept, true);
    // Not awaited, because the notification stays open until the person closes it.
    showOutcome(folder, outcome, state).catch((error: unknown) => void boundary.report(error));
  } catch (error) {
    const sentence =
      error instanceof ForeignHoursError ? foreignHoursText(error.folder) : fileTrouble(error, folder.fsPath);
    throw sentence === undefined ? error : new InputError(sentence);
  }
}

async function askFolder(): Promise<vscode.Uri | undefined> {
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
async function mayReplace(folder: vscode.Uri): Promise<boolean> {
  const names = await vscode.workspace.fs.readDirectory(folder).then(
    entries => entries.map(([name]) => name),
    () => [],
  );
  if (!names.some(name => name.startsWith('dataset='))) return true;
  const question = t('{0} contains an earlier export.', vscode.workspace.asRelativePath(folder));
  const detail = t('Exporting a month again replaces its file, even if the new one has fewer rows.');
  return confirm(question, t('Replace'), detail);
}

async function showOutcome(folder: vscode.Uri, outcome: FolderOutcome, state: KeyValueStore): Promise<void> {
  const { files, rows: rowCount, bytes, places, left = [] } = outcome;
  const size = files === 1 ? megabytes(bytes) : t('{0} files, {1}', count(files), megabytes(bytes));
  const sentence = t('Exported {0} to {1} ({2}).', rows(rowCount), vscode.workspace.asRelativePath(folder), size);
  const copy = places.length > 0 ? [t('Copy Snippet…')] : [];
  const chosen =
    left.length === 0
      ? await showInformationMessage(sentence, ...copy)
      : await showWarningMessage([sentence, t('Not exported: {0}', left.join(' · '))].join(' '), ...copy);
  if (chosen !== undefined) await copyHiveSnippet(folder.fsPath, places, state);
}
