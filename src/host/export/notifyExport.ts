import * as vscode from 'vscode';
import { formats } from '../../core/export/formats.ts';
import type { KeyValueStore } from '../../core/ports.ts';
import type { ExportFormat } from '../../shared/exportOptions.ts';
import { showInformationMessage } from '../messages/messages.ts';
import { copyDataSnippet } from '../snippets/copyDataSnippet.ts';
import { openInNotebook } from '../snippets/openInNotebook.ts';
import { rows } from '../messages/numbers.ts';
import type { Delivered } from './deliver.ts';
import type { ExportContent } from './exportContent.ts';

export interface ExportNotification {
  readonly content: ExportContent;
  readonly format: ExportFormat;
  /** Remembers which program was copied. */
  readonly state: KeyValueStore;
}

/** Says what went where, and offers what can be done with a file. An editor tab speaks for itself. */
export async function notifyExport({ place, file }: Delivered, told: ExportNotification): Promise<void> {
  const { t } = vscode.l10n;
  const { rowCount, data } = told.content;
  const what = rowCount === undefined ? t('the response') : rows(rowCount);
  if (place === 'clipboard') void showInformationMessage(t('Copied {0} as {1}.', what, formats[told.format].name));
  if (!file) return;
  const open = t('Open');
  const [copy, notebook] = [t('Copy Snippet…'), t('Open in Notebook')];
  const sentence = t('Exported {0} to {1}.', what, vscode.workspace.asRelativePath(file));
  const chosen = await showInformationMessage(sentence, open, ...(data ? [copy, notebook] : []));
  if (chosen === open) await vscode.commands.executeCommand('vscode.open', file);
  if (chosen === copy && data) await copyDataSnippet({ ...data, path: file.fsPath }, told.state);
  if (chosen === notebook && data) await openInNotebook(file, data);
}
