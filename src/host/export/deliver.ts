import { homedir } from 'node:os';
import { join } from 'node:path';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Clock } from '../../core/ports.ts';
import type { ExportRunOptions } from '../../service/export/exporter.ts';
import { ExcelLimitError } from '../../service/export/excelLimits.ts';
import { writeExport } from '../../service/export/writeExport.ts';
import { InputError } from '../inputError.ts';
import type { HostMethods } from '../../shared/protocol.ts';
import { contextKeys } from '../ids.ts';
import { confirm, showInformationMessage, withProgress } from '../messages/messages.ts';
import { promptSaveLocation, openText, setContext } from '../workbench.ts';
import { describeExcelLimit, describeFileError } from './exportMessages.ts';
import { formatSize } from '../messages/numbers.ts';
import type { ExportDestination } from './exportChoice.ts';
import type { ExportContent } from './exportContent.ts';

/** The largest text for an editor tab: VS Code transfers it at once and blocks all extensions; from 20 MB it disables highlighting. */
const maxEditorBytes = 10_000_000;
/** The minimum size for a progress notification: a smaller export finishes before anyone could read it. */
const minNotificationBytes = 2_000_000;

/** The destination of an export, and its file if there is one. */
export type Delivery = { readonly destination: ExportDestination; readonly file?: vscode.Uri };

export interface DeliverDeps {
  readonly clock: Pick<Clock, 'sleep'>;
}

/**
 * Delivers the content to its destination. `name` is the file name without extension. Returns undefined if the user cancels a
 * prompt. Throws InputError if the file cannot be written, and GridError if the export is canceled.
 */
export async function deliver(...args: Parameters<typeof deliverContent>): Promise<Delivery | undefined> {
  try {
    return await deliverContent(...args);
  } catch (error) {
    throw error instanceof ExcelLimitError ? new InputError(describeExcelLimit(error)) : error;
  }
}

async function deliverContent(
  content: ExportContent,
  destination: ExportDestination,
  name: string,
  deps: DeliverDeps,
): Promise<Delivery | undefined> {
  const size = await content.size();
  if (destination === 'file') return deliverToFile(content, name, size, deps);
  if (size > maxEditorBytes) {
    const written = (await offerFile(size, destination)) ? await deliverToFile(content, name, size, deps) : undefined;
    if (written?.file && destination === 'editor') await vscode.commands.executeCommand('vscode.open', written.file);
    return written;
  }
  const text = await withExportProgress(name, size, content.rowCount, async run => content.text(run));
  if (destination === 'clipboard') await vscode.env.clipboard.writeText(text);
  else await openText(text, content.language);
  return { destination };
}

/** Warns that the content is too large, and offers to save it to a file instead. */
async function offerFile(size: number, destination: ExportDestination): Promise<boolean> {
  const message =
    destination === 'clipboard'
      ? t('This is about {0}: too much for the clipboard.', formatSize(size))
      : t('This is about {0}: too much for an untitled tab.', formatSize(size));
  const write = destination === 'clipboard' ? t('Save to File…') : t('Save to File and Open…');
  return confirm(message, write);
}

async function deliverToFile(
  content: ExportContent,
  name: string,
  size: number,
  deps: DeliverDeps,
): Promise<Delivery | undefined> {
  const file = await promptFile(`${name}.${content.extension}`, content.extension);
  if (!file) return undefined;
  try {
    await withExportProgress(name, size, content.rowCount, async run => write(file, content, run, deps));
  } catch (error) {
    const sentence = describeFileError(error, vscode.workspace.asRelativePath(file));
    throw sentence === undefined ? error : new InputError(sentence);
  }
  return { destination: 'file', file };
}

async function promptFile(name: string, extension: string): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return vscode.window.showSaveDialog({
    defaultUri: folder ? vscode.Uri.joinPath(folder, name) : vscode.Uri.file(join(homedir(), name)),
    filters: { [extension.toUpperCase()]: [extension] },
    title: t('Export Result'),
  });
}

async function write(
  file: vscode.Uri,
  content: ExportContent,
  run: ExportRunOptions,
  { clock }: DeliverDeps,
): Promise<void> {
  const { sidecar } = content;
  const { signal } = run;
  if (file.scheme === 'file') {
    await writeExport({ file: file.fsPath, chunks: content.chunks(run), clock, signal, sidecar });
    return;
  }
  // Other file systems, such as that of a remote machine, only accept whole files.
  const pieces: Uint8Array[] = [];
  for await (const piece of content.chunks(run)) pieces.push(piece);
  await vscode.workspace.fs.writeFile(file, Buffer.concat(pieces));
  if (sidecar !== undefined)
    await vscode.workspace.fs.writeFile(file.with({ path: `${file.path}.meta.json` }), Buffer.from(sidecar));
}

/** Shows the progress of a small export in the status bar, and of a large one in a notification with a Cancel button. */
async function withExportProgress<T>(
  name: string,
  size: number,
  rowCount: number | undefined,
  work: (run: ExportRunOptions) => Promise<T>,
): Promise<T> {
  const isQuick = size < minNotificationBytes;
  const location = isQuick ? vscode.ProgressLocation.Window : vscode.ProgressLocation.Notification;
  const title = t('Exporting {0}', name);
  return withProgress({ location, title, cancellable: !isQuick }, async (progress, signal) => {
    let reported = 0;
    const onProgress = (done: number): void => {
      if (!rowCount) return;
      progress.report({ increment: ((done - reported) / rowCount) * 100 });
      reported = done;
    };
    return work({ signal, onProgress });
  });
}

/** Saves a picture of the page to a file that the user selects. */
export async function saveFile({ name, data }: Parameters<HostMethods['saveFile']>[0]): Promise<void> {
  const target = await promptSaveLocation(name);
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, data);
  void setContext(contextKeys.hasSavedResult, true);
  const open = t('Open');
  const sentence = t('Saved {0}.', vscode.workspace.asRelativePath(target));
  if ((await showInformationMessage(sentence, open)) === open)
    await vscode.commands.executeCommand('vscode.open', target);
}
