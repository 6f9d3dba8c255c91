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

/** The forms that are read, for a dialog that opens files. */
const dataFileExtensions = [
  ...['csv', 'tsv', 'txt', 'xlsx', 'ndjson', 'jsonl', 'json'],
  ...['parquet', 'parq', 'pq', 'pqt', 'arrow', 'arrows', 'feather'],
];

/** The name of a file, which is shown and says its form. */
export function fileName(uri: vscode.Uri): string {
  return uri.path.split('/').at(-1) ?? uri.path;
}

/** The name of a file as its panel shows it. A version in Git has its revision, as VS Code names it. */
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
  /** Undefined for the options of its folder. */
  readonly decision: ImportDecision | undefined;
  readonly onHead?: (shown: ShownFile) => void;
}

/**
 * Reads a file of any file system, and asks for the zone of its times and the order of its dates where the file does not tell; the answers are
 * kept for the files of its folder. Throws a GridError.
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
  // Of a version in Git it is when the repository was opened.
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
  // The order of dates and the zone of times, each at most once.
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

/** Asks whether the day or the month comes first; undefined when the person left. */
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

/** What an export wrote beside the file; mostly there is nothing. */
async function sidecarOf(uri: vscode.Uri): Promise<string | undefined> {
  // Where it names the file, another path is the same file.
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

/** Asks for the zone of times without an offset; undefined when the person left. */
async function promptZone(name: string, example: string): Promise<DisplayZone | undefined> {
  const placeHolder = t("Select the time zone of times such as '{0}', which have no offset", example);
  return pickZone(t('Time Zone of {0}', name), undefined, placeHolder);
}

/** Asks for a file; none when the person left. */
export async function askWhichFile(title: string): Promise<readonly vscode.Uri[]> {
  const filters = { [t('Data Files')]: dataFileExtensions };
  return (await vscode.window.showOpenDialog({ title, filters })) ?? [];
}
