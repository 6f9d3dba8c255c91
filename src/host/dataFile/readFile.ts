import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { GridError } from '../../core/errors.ts';
import { utc } from '../../core/time/zone.ts';
import { fileFailure } from '../../service/dataFile/byteSource.ts';
import { readFileInReader } from '../../service/dataFile/dataFileReader.ts';
import { maxSidecarBytes } from '../../service/export/writeExport.ts';
import { withDeadline } from '../../service/files/regularFile.ts';
import type { FileJob, ReadTable } from '../../service/reader/readerJobs.ts';
import type { ReaderProcesses } from '../../service/reader/readerProcess.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { pickZone } from '../query/pickZone.ts';
import { maxVirtualBytes, readUri } from '../readUri.ts';
import { offeredZones } from '../settings.ts';
import { configuredEncoding } from './fileEncoding.ts';
import type { ShownFile } from './fileView.ts';
import type { ImportDecision, ImportOptionsStore } from './importOptionsStore.ts';

/** The forms that are read, for a dialog that opens files. */
const dataFileExtensions = ['csv', 'tsv', 'parquet', 'arrow', 'feather', 'ndjson', 'jsonl', 'json'];

/** The name of a file, which is shown and says its form. */
export function fileName(uri: vscode.Uri): string {
  return uri.path.split('/').at(-1) ?? uri.path;
}

export interface FileReadingDeps {
  readonly readers: ReaderProcesses;
  readonly importOptions: ImportOptionsStore;
}

interface Reading {
  readonly signal: AbortSignal;
  readonly decision: ImportDecision;
  readonly onHead?: (shown: ShownFile) => void;
}

/**
 * Reads a file of any file system, and asks for the zone of its times where the file does not tell; the answer is kept for the files of its
 * folder. Throws a GridError.
 */
export async function readFile(
  { readers, importOptions }: FileReadingDeps,
  uri: vscode.Uri,
  { signal, decision, onHead }: Reading,
): Promise<ShownFile & { readonly decision: ImportDecision }> {
  const name = fileName(uri);
  const { type, size, mtime: modified } = await orFailure(name, withDeadline(vscode.workspace.fs.stat(uri)));
  if ((type & vscode.FileType.File) === 0) throw new GridError('fileForeign', { file: name });
  const shownOf = (shown: ReadTable): ShownFile => ({ ...shown, size, modified });
  const sidecar = await sidecarOf(uri);
  const read = async ({ options, assumesUtc }: ImportDecision) => {
    const from = await sourceOf(uri, name);
    const timeZone = options.timeZone ?? (assumesUtc ? utc.timeZone : undefined);
    const encoding = options.encoding ?? configuredEncoding(uri);
    const job: FileJob = { name, options: { ...options, timeZone, encoding }, sidecar, from, zones: offeredZones() };
    return readFileInReader(readers, job, { signal, ...(onHead && { onHead: head => onHead(shownOf(head)) }) });
  };
  const first = await read(decision);
  if (first.kind === 'table') return { ...shownOf(first.shown), decision };
  const timeZone = (await promptZone(name, first.example))?.timeZone;
  if (signal.aborted) throw new GridError('cancelled');
  const options = { ...decision.options, timeZone };
  const answer = { options, assumesUtc: timeZone === undefined };
  const second = await read(answer);
  if (second.kind !== 'table') throw new GridError('fileDamaged', { file: name });
  if (timeZone !== undefined) await importOptions.keep(uri, options);
  return { ...shownOf(second.shown), decision: answer };
}

async function sourceOf(uri: vscode.Uri, name: string): Promise<FileJob['from']> {
  if (uri.scheme === 'file') return { path: uri.fsPath };
  return { bytes: await orFailure(name, readUri(uri, maxVirtualBytes)) };
}

/** What an export wrote beside the file; mostly there is nothing. */
async function sidecarOf(uri: vscode.Uri): Promise<string | undefined> {
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
