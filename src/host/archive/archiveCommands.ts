import { mkdir } from 'node:fs/promises';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { isSandboxSource } from '../../core/query/seriesKey.ts';
import type { Clock } from '../../core/ports.ts';
import type { Archive } from '../../service/archive/archive.ts';
import { exportArchive, type ArchiveContents } from '../../service/export/exportArchive.ts';
import type { ErrorBoundary } from '../messages/errorBoundary.ts';
import { exportFolder, type ExportFolderDeps } from '../export/exportFolder.ts';
import { commands } from '../ids.ts';
import { createRunQueryFirstError } from '../inputError.ts';
import { confirm, showInformationMessage, showQuickPick } from '../messages/messages.ts';
import { sampleDataName } from '../connections/connectionMessages.ts';
import { formatSize } from '../messages/numbers.ts';
import { isLocalWindow } from '../openFile.ts';

export interface ArchiveCommandsDeps extends ExportFolderDeps {
  readonly boundary: ErrorBoundary;
  readonly archive: Archive & ArchiveContents;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly folder: vscode.Uri;
}

/** Registers Clear Archive…, Export Archive… and Open Archive Folder. */
export function registerArchiveCommands(deps: ArchiveCommandsDeps): vscode.Disposable {
  const { boundary, archive, folder } = deps;
  return vscode.Disposable.from(
    boundary.register(commands.clearArchive, async () => clearArchive(archive)),
    boundary.register(commands.exportArchive, async () => exportWholeArchive(deps)),
    boundary.register(commands.openArchiveFolder, async () => openArchiveFolder(folder)),
  );
}

async function clearArchive(archive: Archive): Promise<void> {
  const detail = t('Fetching them again uses requests. Open results are not affected.');
  const message = t('Remove all fetched hours from this machine ({0})?', formatSize(await archive.size()));
  if (await confirm(message, t('Clear Archive'), detail)) await archive.clear();
}

async function exportWholeArchive(deps: ArchiveCommandsDeps): Promise<void> {
  const { archive, clock } = deps;
  if ((await archive.size()) === 0)
    throw createRunQueryFirstError(t('The archive is empty, so there is nothing to export.'));
  const source = await chooseSource(archive);
  if (source === undefined) return;
  await exportFolder(t('Exporting the archive'), deps, async (target, { signal, reportProgress }) =>
    exportArchive({
      archive,
      clock,
      signal,
      now: clock.now(),
      folder: target,
      filter: series => series.source === source,
      onProgress: (done, total) => reportProgress(t('{0} of {1} years', done, total)),
    }),
  );
}

/** Prompts for one service, because the hours of two services in one table would be counted twice. */
async function chooseSource(archive: ArchiveContents): Promise<string | undefined> {
  const sources = [...new Set((await archive.contents()).map(({ series }) => series.source))];
  if (sources.length < 2) return sources[0] ?? '';
  const items = sources.map(source => ({
    label: isSandboxSource(source) ? sampleDataName() : source,
    source,
  }));
  items.sort((a, b) => Number(isSandboxSource(a.source)) - Number(isSandboxSource(b.source)));
  const placeHolder = t('Select a service to export');
  return (await showQuickPick(items, { placeHolder }))?.source;
}

async function openArchiveFolder(folder: vscode.Uri): Promise<void> {
  await mkdir(folder.fsPath, { recursive: true, mode: 0o700 });
  // In a browser or a remote window no file manager can show the folder, but its path is still useful.
  if (isLocalWindow()) await vscode.commands.executeCommand('revealFileInOS', folder);
  else {
    await vscode.env.clipboard.writeText(folder.fsPath);
    void showInformationMessage(t('The archive is in {0}. Its path is on the clipboard.', folder.fsPath));
  }
}
