import * as vscode from 'vscode';
import { GridError } from '../../core/errors.ts';
import type { FileSource } from '../../shared/analysis.ts';
import type { JoinedFile } from '../../service/query/joinSources.ts';
import { displayZone } from '../settings.ts';
import { createFileHeader } from './fileView.ts';
import type { ImportOptions } from '../../shared/importOptions.ts';
import { hasChosenOptions } from './importOptionsStore.ts';
import { fileName, readFile, type FileReadingDeps } from './readFile.ts';

/** Reads a file that the user selected, with the prompts of `readFile`, and returns it as a source. Throws GridError. */
export async function createFileSource(deps: FileReadingDeps, uri: vscode.Uri): Promise<FileSource> {
  const { signal } = new AbortController();
  const { decision, sha256 = '' } = await readFile(deps, uri, { signal, decision: undefined, isHashed: true });
  const { options, assumesUtc } = decision;
  // Stored with the query, because the command line and other people's windows do not have the options of this window.
  const chosen = assumesUtc ? { ...options, timeZone: 'UTC' } : options;
  const isInWorkspace = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  // In a workspace with several folders, the path begins with the name of the folder.
  const path = isInWorkspace ? vscode.workspace.asRelativePath(uri) : uri.toString();
  return {
    kind: 'file',
    path,
    sha256,
    ...(hasChosenOptions(chosen) && { options: JSON.parse(JSON.stringify(chosen)) as ImportOptions }),
  };
}

/** Reads a joined file, as `readFile` does. Throws GridError. */
export async function readJoinedFile(
  deps: FileReadingDeps,
  { path, options = {} }: FileSource,
  signal: AbortSignal,
): Promise<JoinedFile> {
  const uri = resolvePath(path);
  const file = await readFile(deps, uri, { signal, decision: { options, assumesUtc: false }, isHashed: true });
  const { result, table, decision, sha256 = '' } = file;
  const header = createFileHeader(file, {
    name: fileName(uri),
    isVersion: false,
    path,
    zone: displayZone(),
    decision,
    problem: undefined,
    comparison: undefined,
  });
  const remarks = [header.map(({ text }) => text).join(' · '), ...table.notes];
  return { result, sha256, remarks };
}

function resolvePath(path: string): vscode.Uri {
  if (path.startsWith('file:')) return vscode.Uri.parse(path, true);
  const folders = vscode.workspace.workspaceFolders ?? [];
  const [folderName, ...rest] = path.split('/');
  const named = folders.length > 1 ? folders.find(({ name }) => name === folderName) : undefined;
  const folder = named ?? folders[0];
  if (!folder) throw new GridError('fileMissing', { file: path });
  return vscode.Uri.joinPath(folder.uri, ...(named ? rest : [path]));
}
