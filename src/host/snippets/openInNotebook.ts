import * as nodeFs from 'node:fs/promises';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { DataFile } from '../../core/snippets/dataFile.ts';
import { formatNotebook } from '../../core/snippets/notebook.ts';
import type { ErrorBoundary } from '../messages/errorBoundary.ts';
import { commands } from '../ids.ts';
import { InputError } from '../inputError.ts';
import { showInformationMessage } from '../messages/messages.ts';
import { maxVirtualBytes, readUri } from '../readUri.ts';
import { openRegularFile, ignoreUnexpectedFile } from '../../service/files/regularFile.ts';
import { displayZone } from '../settings.ts';
import { formsByExtension, detectFormat } from '../../core/snippets/exportedData.ts';

const notebookType = 'jupyter-notebook';
/** The number of bytes that are read to find the heading of a file. */
const headLength = 65_536;

/**
 * Creates a notebook that reads and draws a file with pandas, as `<name>.ipynb` next to the file, and opens it. If the file is
 * in a folder that programs read as one table, the notebook goes next to that folder, because such programs read everything in
 * it. If the name exists, the user chooses another one. `data` describes the file apart from its path. The notebook has no
 * key. Throws InputError if the chosen location is in such a folder.
 */
export async function openInNotebook(file: vscode.Uri, data: Omit<DataFile, 'path'>): Promise<void> {
  const parent = vscode.Uri.joinPath(file, '..');
  const name = getFileName(file);
  const folder = vscode.Uri.joinPath((await findTableFolder(parent)) ?? file, '..');
  const defaultTarget = vscode.Uri.joinPath(folder, `${name.replace(/\.[^.]+$/, '')}.ipynb`);
  const target = (await exists(defaultTarget)) ? await promptTarget(defaultTarget) : defaultTarget;
  if (!target) return;
  const table = await findTableFolder(vscode.Uri.joinPath(target, '..'));
  if (table)
    throw new InputError(
      t(
        "A notebook in '{0}' would prevent other programs from reading the folder. Choose another folder.",
        vscode.workspace.asRelativePath(table),
      ),
    );
  const path = getRelativePath(target, file);
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(formatNotebook({ ...data, path }, path, name)));
  await show(target);
}

/** Returns the path of a file for a notebook: relative if the file is in or below the notebook's folder, otherwise absolute. */
function getRelativePath(notebook: vscode.Uri, file: vscode.Uri): string {
  const folder = vscode.Uri.joinPath(notebook, '..');
  const isBelow = file.toString().startsWith(`${folder.toString()}/`);
  return isBelow ? file.path.slice(folder.path.length + 1) : file.fsPath;
}

/** Registers Open Data File in Notebook…, for the file in the argument or one that the user chooses. */
export function registerOpenInNotebook(boundary: ErrorBoundary): vscode.Disposable {
  return boundary.register(commands.openInNotebook, async argument => {
    const file = argument instanceof vscode.Uri ? argument : await promptFile();
    if (!file) return;
    const data = await recognizeFile(file, displayZone().timeZone);
    if (!data) {
      const endings = Object.keys(formsByExtension).join(', ');
      throw new InputError(t("Cannot open '{0}' in a notebook. Supported: {1}.", getFileName(file), endings));
    }
    await openInNotebook(file, data);
  });
}

/** Recognizes the format and columns of a data file by its extension and heading; undefined if it is unsupported. */
async function recognizeFile(file: vscode.Uri, timeZone: string): Promise<Omit<DataFile, 'path'> | undefined> {
  const form = formsByExtension[/\.([^.]+)$/.exec(getFileName(file))?.[1]?.toLowerCase() ?? ''];
  if (!form) return undefined;
  const head = form === 'csv' || form === 'tsv' ? await readHead(file) : '';
  return head === undefined ? undefined : { ...detectFormat(head, form), form, timeZone };
}

async function promptFile(): Promise<vscode.Uri | undefined> {
  const title = t('Open Data File in Notebook');
  const filters = { [t('Data')]: Object.keys(formsByExtension) };
  return (await vscode.window.showOpenDialog({ title, filters, openLabel: t('Open in Notebook') }))?.[0];
}

/** Finds the outermost folder at or above a folder that programs read as one table, because its folders are partitions (`year=2024`) or all of its files Parquet. */
async function findTableFolder(folder: vscode.Uri): Promise<vscode.Uri | undefined> {
  const partition = folder.path.search(/\/[^/=]+=/);
  if (partition >= 0) return folder.with({ path: folder.path.slice(0, partition) || '/' });
  const entries = await vscode.workspace.fs.readDirectory(folder).then(
    entries => entries.filter(([name]) => !/^[._]/.test(name)),
    () => [],
  );
  const isTable =
    entries.some(([name]) => name.includes('=')) ||
    (entries.length > 1 && entries.every(([name]) => name.endsWith('.parquet')));
  return isTable ? folder : undefined;
}

async function promptTarget(existing: vscode.Uri): Promise<vscode.Uri | undefined> {
  const stem = getFileName(existing).replace(/\.ipynb$/, '');
  const title = t("'{0}' already exists. Save the notebook as", getFileName(existing));
  const defaultUri = vscode.Uri.joinPath(existing, '..', `${stem} 2.ipynb`);
  return vscode.window.showSaveDialog({ title, defaultUri, filters: { Jupyter: ['ipynb'] } });
}

/** Opens a notebook in the notebook editor, or as text if no notebook editor is installed. */
async function show(notebook: vscode.Uri): Promise<void> {
  if (vscode.extensions.all.some(showsNotebooks)) {
    await vscode.commands.executeCommand('vscode.openWith', notebook, notebookType);
    return;
  }
  await vscode.window.showTextDocument(notebook, { preview: false });
  void showInformationMessage(
    t('No notebook editor is installed, so the notebook is open as text. Install the Jupyter extension to run it.'),
  );
}

function showsNotebooks({ packageJSON }: vscode.Extension<unknown>): boolean {
  const { contributes } = packageJSON as { contributes?: { notebooks?: { type?: unknown }[] } };
  return Array.isArray(contributes?.notebooks) && contributes.notebooks.some(({ type }) => type === notebookType);
}

async function exists(file: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(file);
    return true;
  } catch {
    return false;
  }
}

/** Reads the beginning of a file; undefined if it is not a regular file. Local files are not read further. */
async function readHead(file: vscode.Uri): Promise<string | undefined> {
  const reading = file.scheme === 'file' ? readStart(file.fsPath) : readUri(file, maxVirtualBytes);
  const bytes = await ignoreUnexpectedFile(reading);
  return bytes && new TextDecoder().decode(bytes.subarray(0, headLength));
}

async function readStart(path: string): Promise<Uint8Array> {
  const { handle } = await openRegularFile(path, Infinity, nodeFs);
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(headLength), 0, headLength, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function getFileName(file: vscode.Uri): string {
  return file.path.slice(file.path.lastIndexOf('/') + 1);
}
