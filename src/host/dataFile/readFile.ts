import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { GridError } from '../../core/errors.ts';
import { formatInstant } from '../../core/time/instant.ts';
import { readTime, type DateOrder } from '../../core/time/writtenTime.ts';
import { utc } from '../../core/time/zone.ts';
import { fileFailure } from '../../service/dataFile/byteSource.ts';
import { readFileInReader } from '../../service/dataFile/dataFileReader.ts';
import { maxSidecarBytes } from '../../service/export/writeExport.ts';
import { withDeadline } from '../../service/files/regularFile.ts';
import type { FileJob, ReadTable, ShownFileRead } from '../../service/reader/readerJobs.ts';
import type { ReaderProcesses } from '../../service/reader/readerProcess.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { showQuickPick } from '../messages/messages.ts';
import { pickZone } from '../query/pickZone.ts';
import { maxVirtualBytes, readUri } from '../readUri.ts';
import { offeredZones } from '../settings.ts';
import { configuredEncoding } from './fileEncoding.ts';
import type { ShownFile } from './fileView.ts';
import type { ImportDecision, ImportOptionsStore } from './importOptionsStore.ts';

/** The supported file extensions, for the open dialog. */
const dataFileExtensions = [
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
  return `${name} (${revision === '' || revision === '~' ? t('Index') : revision.replace(hash, all => all.slice(0, 8))})`;
}

export interface FileReadingDeps {
  readonly readers: ReaderProcesses;
  readonly importOptions: ImportOptionsStore;
}

interface Reading {
  readonly signal: AbortSignal;
  /** The decisions about the file; undefined to use the options of its folder. */
  readonly decision: ImportDecision | undefined;
  readonly onHead?: (shown: ShownFile) => void;
}

/**
 * Reads a file of any file system. Prompts for the time zone and the date order if the file does not specify them, and stores
 * the choices for the files of its folder. Throws GridError.
 */
export async function readFile(
  { readers, importOptions }: FileReadingDeps,
  uri: vscode.Uri,
  { signal, decision, onHead }: Reading,
): Promise<ShownFile & { readonly decision: ImportDecision }> {
  const name = fileName(uri);
  const { type, size: bytes, mtime } = await orFailure(name, withDeadline(vscode.workspace.fs.stat(uri)));
  const isFolder = (type & vscode.FileType.Directory) !== 0;
  if (isFolder ? uri.scheme !== 'file' : (type & vscode.FileType.File) === 0)
    throw new GridError('fileForeign', { file: name });
  // For a version in Git, `mtime` is the time when the repository was opened.
  const modified = uri.scheme === 'git' || isFolder ? undefined : mtime;
  const size = isFolder ? undefined : bytes;
  const shownOf = (shown: ReadTable): ShownFile => ({ ...shown, size, modified });
  const sidecar = await sidecarOf(uri);
  const read = async ({ options, assumesUtc }: ImportDecision) => {
    const from = isFolder ? { folder: uri.fsPath } : await sourceOf(uri, name);
    const timeZone = options.timeZone ?? (assumesUtc ? utc.timeZone : undefined);
    const encoding = options.encoding ?? configuredEncoding(uri);
    const job: FileJob = { name, options: { ...options, timeZone, encoding }, sidecar, from, zones: offeredZones() };
    return readFileInReader(readers, job, { signal, ...(onHead && { onHead: head => onHead(shownOf(head)) }) });
  };
  const ask = async (
    { kind, example }: Exclude<ShownFileRead, { kind: 'table' }>,
    { options, assumesUtc }: ImportDecision,
  ): Promise<ImportDecision> => {
    if (kind === 'needsDateOrder') {
      const dateOrder = (await promptDateOrder(name, example)) ?? 'as text';
      return { options: { ...options, dateOrder }, assumesUtc };
    }
    const timeZone = (await promptZone(name, example))?.timeZone;
    return { options: { ...options, timeZone }, assumesUtc: timeZone === undefined };
  };
  let answer = decision ?? { options: importOptions.get(uri), assumesUtc: false };
  // Prompts for the date order and the time zone, each at most once.
  for (let questions = 0; ; questions++) {
    const file = await read(answer);
    if (file.kind === 'table') {
      const { dateOrder, ...options } = answer.options;
      const isKnown = dateOrder !== 'as text';
      if (questions > 0) await importOptions.keep(uri, isKnown ? answer.options : options);
      return { ...shownOf(file.shown), decision: answer };
    }
    if (questions === 2) throw new GridError('fileDamaged', { file: name });
    answer = await ask(file, answer);
    if (signal.aborted) throw new GridError('cancelled');
  }
}

/** Prompts for the order of day and month. Returns undefined if the person cancels. */
async function promptDateOrder(name: string, example: string): Promise<DateOrder | undefined> {
  const dateIn = (order: DateOrder): string => formatInstant(readTime(example, order)?.wall ?? NaN).slice(0, 10);
  const picked = await showQuickPick(
    [
      { label: t('Day First'), description: dateIn('day first'), order: 'day first' as const },
      { label: t('Month First'), description: dateIn('month first'), order: 'month first' as const },
    ],
    { title: t('Dates of {0}', name), placeHolder: t("Select how dates such as '{0}' are read", example) },
  );
  return picked?.order;
}

async function sourceOf(uri: vscode.Uri, name: string): Promise<FileJob['from']> {
  if (uri.scheme === 'file') return { path: uri.fsPath };
  return { bytes: await orFailure(name, readUri(uri, maxVirtualBytes)) };
}

/** Reads the metadata file that an export may have written next to the file. */
async function sidecarOf(uri: vscode.Uri): Promise<string | undefined> {
  // If the query identifies the file, another path would be the same file.
  if (uri.query !== '') return undefined;
  const beside = uri.with({ path: `${uri.path}.meta.json` });
  try {
    return new TextDecoder().decode(await readUri(beside, maxSidecarBytes));
  } catch {
    return undefined;
  }
}

async function orFailure<T>(file: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw new GridError(fileFailure(error).reason, { file });
  }
}

/** Prompts for the time zone of times without an offset. Returns undefined if the person cancels. */
async function promptZone(name: string, example: string): Promise<DisplayZone | undefined> {
  const placeHolder = t("Select the time zone of times such as '{0}', which have no offset", example);
  return pickZone(t('Time Zone of {0}', name), undefined, placeHolder);
}

/** Shows the open dialog. Returns no file if the person cancels. */
export async function askWhichFile(title: string): Promise<readonly vscode.Uri[]> {
  const filters = { [t('Data Files')]: dataFileExtensions };
  return (await vscode.window.showOpenDialog({ title, filters })) ?? [];
}
