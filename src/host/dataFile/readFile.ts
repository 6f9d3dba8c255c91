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
import type { ShownFile } from './fileView.ts';

/** The forms that are read, for a dialog that opens files. */
const dataFileExtensions = [
  ...['csv', 'tsv', 'ndjson', 'jsonl', 'json'],
  ...['parquet', 'parq', 'pq', 'pqt', 'arrow', 'arrows', 'feather'],
];

/** The name of a file, which is shown and says its form. */
export function fileName(uri: vscode.Uri): string {
  return uri.path.split('/').at(-1) ?? uri.path;
}

/** How the times of a file without an offset are read, until the person chooses otherwise. */
export interface ChosenZone {
  readonly timeZone: string;
  readonly isAssumed: boolean;
}

interface Reading {
  readonly signal: AbortSignal;
  /** Of times without an offset; asked for where it is needed. */
  readonly chosen: ChosenZone | undefined;
  readonly onHead?: (shown: ShownFile) => void;
}

/** Reads a file of any file system, and asks for the zone of its times where the file does not tell. Throws a GridError. */
export async function readFile(
  readers: ReaderProcesses,
  uri: vscode.Uri,
  { signal, chosen, onHead }: Reading,
): Promise<ShownFile & { readonly chosen: ChosenZone | undefined }> {
  const name = fileName(uri);
  const { type, size, mtime: modified } = await orFailure(name, withDeadline(vscode.workspace.fs.stat(uri)));
  if ((type & vscode.FileType.File) === 0) throw new GridError('fileForeign', { file: name });
  const shownOf = (shown: ReadTable): ShownFile => ({ ...shown, size, modified });
  const sidecar = await sidecarOf(uri);
  const read = async (zone: ChosenZone | undefined) => {
    const from = await sourceOf(uri, name);
    const job: FileJob = { name, options: { timeZone: zone?.timeZone }, sidecar, from, zones: offeredZones() };
    return readFileInReader(readers, job, { signal, ...(onHead && { onHead: head => onHead(shownOf(head)) }) });
  };
  const first = await read(chosen);
  if (first.kind === 'table') return { ...shownOf(first.shown), chosen };
  const zone = await promptZone(name, first.example);
  const answer = { timeZone: (zone ?? utc).timeZone, isAssumed: zone === undefined };
  if (signal.aborted) throw new GridError('cancelled');
  const second = await read(answer);
  if (second.kind !== 'table') throw new GridError('fileDamaged', { file: name });
  return { ...shownOf(second.shown), chosen: answer };
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
export async function promptZone(name: string, example?: string): Promise<DisplayZone | undefined> {
  return pickZone(
    t('Time Zone of {0}', name),
    undefined,
    example === undefined
      ? t('Select the time zone of times without an offset')
      : t("Select the time zone of times such as '{0}', which have no offset", example),
  );
}

/** Asks for a file; none when the person left. */
export async function askWhichFile(title: string): Promise<readonly vscode.Uri[]> {
  const filters = { [t('Data Files')]: dataFileExtensions };
  return (await vscode.window.showOpenDialog({ title, filters })) ?? [];
}
