import { t } from '@vscode/l10n';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { joinSchema } from '../../core/analysis/analysisSchema.ts';
import { GridError } from '../../core/errors.ts';
import type { JoinedFile } from '../../service/query/joinSources.ts';
import type { FileSource } from '../../shared/analysis.ts';
import type { ImportOptions } from '../../shared/importOptions.ts';
import { InputError } from '../inputError.ts';
import { displayZone } from '../settings.ts';
import { createFileHeader } from './fileView.ts';
import { hasChosenOptions, type ImportDecision } from './importOptionsStore.ts';
import { fileName, readFile, type FileReadingDeps } from './readFile.ts';

/** Reads a file that the user selected, with the prompts of `readFile`, and returns it as a source. Throws GridError, and InputError if a query cannot name it. */
export async function createFileSource(deps: FileReadingDeps, uri: vscode.Uri): Promise<FileSource> {
  const { signal } = new AbortController();
  const { decision, sha256 } = await readFile(deps, uri, { signal, decision: undefined, isHashed: true });
  const isInWorkspace = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  // In a workspace with several folders, the path begins with the name of the folder.
  const path = isInWorkspace ? vscode.workspace.asRelativePath(uri) : uri.toString();
  const source = createSource(path, sha256, decision);
  if (!v.is(joinSchema, [source]))
    throw new InputError(
      t('Select a file of a workspace folder or of this computer, without a colon or backslash in its name.'),
    );
  return source;
}

/**
 * Reads a joined file as `readFile` does, without prompts. The options that the user chose for its folder precede those of the query, which
 * come from where it was added. Throws GridError.
 */
export async function readJoinedFile(
  deps: FileReadingDeps,
  { path, options = {} }: FileSource,
  signal: AbortSignal,
): Promise<JoinedFile> {
  const uri = resolvePath(path);
  const folderOptions = deps.importOptions.get(uri);
  const decision = {
    options: hasChosenOptions(folderOptions) ? folderOptions : options,
    assumesUtc: false,
  };
  const file = await readFile(deps, uri, { signal, decision, isHashed: true, asks: false });
  const header = createFileHeader(file, {
    name: fileName(uri),
    isVersion: false,
    path,
    zone: displayZone(),
    decision,
    problem: undefined,
    comparison: undefined,
  });
  // The options may be those of the query.
  const facts = header.map(({ text }) => text).filter(text => text !== t('options of this folder'));
  const source = createSource(path, file.sha256, decision);
  return { result: file.result, source, remarks: [facts.join(' · '), ...file.table.notes] };
}

/** Stores the options with the query, because the command line and other people's windows do not have the options of this window. */
function createSource(path: string, sha256: string | undefined, { options, assumesUtc }: ImportDecision): FileSource {
  // A folder has no hash.
  if (sha256 === undefined) throw new GridError('fileForeign', { file: path });
  const { dateOrder, ...others } = assumesUtc ? { ...options, timeZone: 'UTC' } : options;
  const chosen = { ...others, ...(dateOrder !== 'as text' && { dateOrder }) };
  const stored = hasChosenOptions(chosen) && { options: JSON.parse(JSON.stringify(chosen)) as ImportOptions };
  return { kind: 'file', path, sha256, ...stored };
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
