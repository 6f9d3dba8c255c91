import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { GridError } from '../../core/errors.ts';
import { formatInstant } from '../../core/time/instant.ts';
import { parseTime, type DateOrder } from '../../core/time/writtenTime.ts';
import { utc } from '../../core/time/zone.ts';
import { toFileError } from '../../service/dataFile/byteSource.ts';
import { readFileInReader } from '../../service/dataFile/dataFileReader.ts';
import { maxSidecarBytes } from '../../service/export/writeExport.ts';
import { withTimeout } from '../../service/files/regularFile.ts';
import type { FileJob, FileReadTable, FileReply } from '../../service/reader/readerJobs.ts';
import type { ReaderProcesses } from '../../service/reader/readerProcess.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { showQuickPick } from '../messages/messages.ts';
import { pickZone } from '../query/pickZone.ts';
import { maxVirtualBytes, readUri } from '../readUri.ts';
import { offeredZones } from '../settings.ts';
import { configuredEncoding } from './fileEncoding.ts';
import type { LoadedFile } from './fileView.ts';
import type { ImportDecision, ImportOptionsStore } from './importOptionsStore.ts';

/** The supported file extensions, for the open dialog. */
export const dataFileExtensions = [
  ...['csv', 'tsv', 'txt', 'xlsx', 'ndjson', 'jsonl', 'json'],
  ...['parquet', 'parq', 'pq', 'pqt', 'arrow', 'arrows', 'feather'],
];

/** Returns the name of a file, whose extension determines the format. */
export function fileName(uri: vscode.Uri): string {
  return uri.path.split('/').at(-1) ?? uri.path;
}

/** Returns the title of a file. A version in Git has its revision in parentheses, as in VS Code. */
export function fileTitle(uri: vscode.Uri): string {
  const name = fileName(uri);
  if (uri.scheme !== 'git') return name;
  const [, revision = ''] = /"ref":"([^"]*)"/.exec(uri.query) ?? [];
  const hash = /^[0-9a-f]{40,}$/;
  return `${name} (${revision === '' || revision === '~' ? t('Index') : revision.replace(hash, commit => commit.slice(0, 8))})`;
}

export interface FileReadingDeps {
  readonly readers: ReaderProcesses;
  readonly importOptions: ImportOptionsStore;
}

interface ReadFileOptions {
  readonly signal: AbortSignal;
  /** The decisions about the file; undefined to use the options of its folder. */
  readonly decision: ImportDecision | undefined;
  readonly onHead?: (table: LoadedFile) => void;
  /** Whether to compute the hash of the content. */
  readonly isHashed?: boolean;
  /** Whether it may prompt; if not, a file that does not specify its times is unusable. */
  readonly asks?: boolean;
}

/**
 * Reads a file of any file system. Prompts for the time zone and the date order if the file does not specify them, and stores
 * the choices for the files of its folder. Throws GridError.
 */
export async function readFile(
  { readers, importOptions }: FileReadingDeps,
  uri: vscode.Uri,
  { signal, decision, onHead, isHashed = false, asks = true }: ReadFileOptions,
): Promise<LoadedFile & { readonly decision: ImportDecision }> {
  const name = fileName(uri);
  const { type, size: bytes, mtime } = await withFileError(name, withTimeout(vscode.workspace.fs.stat(uri)));
  const isFolder = (type & vscode.FileType.Directory) !== 0;
  if (isFolder ? uri.scheme !== 'file' : (type & vscode.FileType.File) === 0)
    throw new GridError('fileForeign', { file: name });
  // For a version in Git, `mtime` is the time when the repository was opened.
  const modified = uri.scheme === 'git' || isFolder ? undefined : mtime;
  const size = isFolder ? undefined : bytes;
  const toLoadedFile = (table: FileReadTable): LoadedFile => ({ ...table, size, modified });
  const sidecar = await readSidecar(uri);
  const read = async ({ options, assumesUtc }: ImportDecision) => {
    const location = isFolder ? { folder: uri.fsPath } : await createSource(uri, name);
    const timeZone = options.timeZone ?? (assumesUtc ? utc.timeZone : undefined);
    const encoding = options.encoding ?? configuredEncoding(uri);
    const job: FileJob = {
      name,
      options: { ...options, timeZone, encoding },
      sidecar,
      location,
      zones: offeredZones(),
      isHashed,
    };
    return readFileInReader(readers, job, { signal, ...(onHead && { onHead: head => onHead(toLoadedFile(head)) }) });
  };
  const promptMissing = async (
    { kind, example }: Exclude<FileReply, { kind: 'table' }>,
    { options, assumesUtc }: ImportDecision,
  ): Promise<ImportDecision> => {
    if (kind === 'needsDateOrder') {
      const dateOrder = (await promptDateOrder(name, example)) ?? 'as text';
      return { options: { ...options, dateOrder }, assumesUtc };
    }
    const timeZone = (await promptZone(name, example))?.timeZone;
    return { options: { ...options, timeZone }, assumesUtc: timeZone === undefined };
  };
  let currentDecision = decision ?? { options: importOptions.get(uri), assumesUtc: false };
  // Prompts for the date order and the time zone, each at most once.
  for (let promptCount = 0; ; promptCount++) {
    const file = await read(currentDecision);
    if (file.kind === 'table') {
      const { dateOrder, ...options } = currentDecision.options;
      const isKnown = dateOrder !== 'as text';
      if (promptCount > 0) await importOptions.set(uri, isKnown ? currentDecision.options : options);
      return { ...toLoadedFile(file.fileTable), decision: currentDecision };
    }
    if (!asks) throw new GridError('sourceUnusable', { file: name });
    if (promptCount === 2) throw new GridError('fileDamaged', { file: name });
    currentDecision = await promptMissing(file, currentDecision);
    if (signal.aborted) throw new GridError('cancelled');
  }
}

/** Prompts for the order of day and month. Returns undefined if the user cancels. */
async function promptDateOrder(name: string, example: string): Promise<DateOrder | undefined> {
  const formatExample = (order: DateOrder): string =>
    formatInstant(parseTime(example, order)?.localTime ?? NaN).slice(0, 10);
  const picked = await showQuickPick(
    [
      { label: t('Day First'), description: formatExample('day first'), order: 'day first' as const },
      { label: t('Month First'), description: formatExample('month first'), order: 'month first' as const },
    ],
    { title: t('Dates of {0}', name), placeHolder: t("Select how dates such as '{0}' are read", example) },
  );
  return picked?.order;
}

async function createSource(uri: vscode.Uri, name: string): Promise<FileJob['location']> {
  if (uri.scheme === 'file') return { path: uri.fsPath };
  return { bytes: await withFileError(name, readUri(uri, maxVirtualBytes)) };
}

/** Reads the metadata file that an export may have written next to the file. */
async function readSidecar(uri: vscode.Uri): Promise<string | undefined> {
  // If the URI identifies the file by its query, another path would return the same file.
  if (uri.query !== '') return undefined;
  const sidecarUri = uri.with({ path: `${uri.path}.meta.json` });
  try {
    return new TextDecoder().decode(await readUri(sidecarUri, maxSidecarBytes));
  } catch {
    return undefined;
  }
}

async function withFileError<T>(file: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw new GridError(toFileError(error).reason, { file });
  }
}

/** Prompts for the time zone of times without an offset. Returns undefined if the user cancels. */
async function promptZone(name: string, example: string): Promise<DisplayZone | undefined> {
  const placeHolder = t("Select the time zone of times such as '{0}', which have no offset", example);
  return pickZone(t('Time Zone of {0}', name), undefined, placeHolder);
}

/** Shows the open dialog. Returns no file if the user cancels. */
export async function pickFiles(title: string): Promise<readonly vscode.Uri[]> {
  const filters = { [t('Data Files')]: dataFileExtensions };
  return (await vscode.window.showOpenDialog({ title, filters })) ?? [];
}
