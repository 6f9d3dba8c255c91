import { fileResult, type FileResult } from '../../core/dataFile/fileResult.ts';
import type { FileTable, ReadFile } from '../../core/dataFile/fileTable.ts';
import { GridError, type FailureFacts, type FailureReason } from '../../core/errors.ts';
import { jsonText } from '../../core/json/json.ts';
import { dictionaryOf, withEntries, type Frame } from '../../shared/frame.ts';
import { longestRaw } from '../../shared/protocol.ts';
import { readAnswer, type ReadAnswer } from '../client/readAnswer.ts';
import { bytesSource, fileSource, type ByteSource } from '../dataFile/byteSource.ts';
import { readDataFile, type FileRequest } from '../dataFile/readDataFile.ts';

/** A file to read: by its path, by its bytes if it is not on this disk, or the Parquet files of a folder. */
export interface FileJob extends FileRequest {
  readonly from: { readonly path: string } | { readonly bytes: Uint8Array } | { readonly folder: string };
  /** The zones that its days may be in, besides UTC and SAST. */
  readonly zones?: Parameters<typeof fileResult>[2];
}

/** The bodies of a response to read. */
export interface AnswerJob {
  readonly bodies: readonly Uint8Array[];
  readonly key: string;
}

/** A file for the panel. `text` is truncated to what the panel shows. */
export interface ReadTable extends FileResult {
  readonly table: Omit<FileTable, 'frame'>;
}
export type ShownFileRead =
  | { readonly kind: 'table'; readonly shown: ReadTable }
  | Exclude<ReadFile, { kind: 'table' }>;

/** An SVG document of this extension to render as a picture. */
export interface PictureJob {
  readonly svg: string;
}

export type ReaderJob =
  | ({ readonly kind: 'file' } & FileJob)
  | ({ readonly kind: 'answer' } & AnswerJob)
  | ({ readonly kind: 'picture' } & PictureJob);

/**
 * A reply. The texts of its frame are sent before it in separate messages, since each message is deserialized without a pause. `meta` is the JSON
 * text of the envelope, since exact numbers cannot be cloned.
 */
export type ReaderReply = { readonly frame?: Frame | undefined } & (
  | { readonly kind: 'head'; readonly shown: ReadTable }
  | { readonly kind: 'file'; readonly read: ShownFileRead }
  | { readonly kind: 'answer'; readonly answer: ReadAnswer; readonly meta: string }
  | { readonly kind: 'picture'; readonly png: Uint8Array }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly facts: FailureFacts }
  | { readonly kind: 'error'; readonly message: string }
);
export interface ReaderTexts {
  readonly kind: 'texts';
  readonly column: number;
  readonly entries: readonly string[];
}

type Send = (reply: ReaderReply | ReaderTexts) => Promise<void>;

/** Runs a job in the reader. Never rejects. */
export async function runJob(job: ReaderJob, send: Send): Promise<void> {
  try {
    if (job.kind === 'file') await readFileJob(job, send);
    else if (job.kind === 'answer') await readAnswerJob(job, send);
    else await pictureJob(job, send);
  } catch (error) {
    if (error instanceof GridError) await send({ kind: 'failed', reason: error.reason, facts: error.facts });
    else
      await send({ kind: 'error', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

async function readFileJob({ from, zones, ...request }: FileJob, send: Send): Promise<void> {
  const heads: Promise<void>[] = [];
  const shownOf = (table: FileTable): { shown: ReadTable; frame: Frame | undefined } => {
    const { frame: _, text, ...facts } = table;
    const { result, ...more } = fileResult(table, request.name, zones);
    const shown = {
      table: { ...facts, text: text.slice(0, longestRaw + 1) },
      result: { ...result, frame: undefined },
      ...more,
    };
    return { shown, frame: result.frame };
  };
  const readFile = async (source: ByteSource): Promise<ReadFile> => {
    try {
      return await readDataFile(source, request, table => {
        heads.push(sendWithFrame(send, { kind: 'head', ...shownOf(table) }));
      });
    } finally {
      await source.close();
    }
  };
  const read =
    'folder' in from
      ? await (await import('../dataFile/folderTable.ts')).folderTable(from.folder, request.options)
      : await readFile('path' in from ? await fileSource(from.path) : bytesSource(from.bytes));
  await Promise.all(heads);
  if (read.kind !== 'table') await send({ kind: 'file', read });
  else {
    const { shown, frame } = shownOf(read.table);
    await sendWithFrame(send, { kind: 'file', read: { kind: 'table', shown }, frame });
  }
}

async function readAnswerJob({ bodies, key }: AnswerJob, send: Send): Promise<void> {
  const answer = readAnswer(bodies, key);
  if (!answer.ok) return send({ kind: 'answer', answer, meta: '{}' });
  const { meta, frame, ...decoded } = answer.decoded;
  const reply = { ...answer, decoded: { ...decoded, frame: undefined, meta: {} } };
  await sendWithFrame(send, { kind: 'answer', answer: reply, meta: jsonText(meta), frame });
}

async function pictureJob({ svg }: PictureJob, send: Send): Promise<void> {
  const { rasterize } = await import('./rasterize.ts');
  await send({ kind: 'picture', png: await rasterize(svg) });
}

/** The maximum number of texts and characters in a message, which is deserialized in a few milliseconds. */
const [mostTexts, mostCharacters] = [5_000, 500_000];

async function sendWithFrame(send: Send, reply: ReaderReply): Promise<void> {
  const { frame } = reply;
  const texts = frame?.columns.flatMap((column, at) => slicesOf(dictionaryOf(column)?.entries ?? [], at)) ?? [];
  const columns = frame?.columns.map(column => withEntries(column, []));
  await Promise.all([
    ...texts.map(send),
    send({ ...reply, ...(frame && columns && { frame: { ...frame, columns } }) }),
  ]);
}

function slicesOf(entries: readonly string[], column: number): ReaderTexts[] {
  const slices: ReaderTexts[] = [];
  let [from, characters] = [0, 0];
  for (let at = 0; at < entries.length; at++) {
    characters += entries[at]?.length ?? 0;
    if (at - from < mostTexts && characters < mostCharacters) continue;
    slices.push({ kind: 'texts', column, entries: entries.slice(from, at + 1) });
    [from, characters] = [at + 1, 0];
  }
  if (from < entries.length) slices.push({ kind: 'texts', column, entries: entries.slice(from) });
  return slices;
}
