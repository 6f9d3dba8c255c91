import { createHash } from 'node:crypto';
import { createFileResult, type FileResult } from '../../core/dataFile/fileResult.ts';
import type { FileTable, FileReadResult } from '../../core/dataFile/fileTable.ts';
import { GridError, type FailureFacts, type FailureReason } from '../../core/errors.ts';
import { serializeJson } from '../../core/json/json.ts';
import { dictionaryOf, replaceTexts, type Frame } from '../../shared/frame.ts';
import { maxRawLength } from '../../shared/protocol.ts';
import { readResponse, type ResponseContent } from '../client/readResponse.ts';
import { createBytesSource, openFileSource, type ByteSource } from '../dataFile/byteSource.ts';
import { readDataFile, type FileRequest } from '../dataFile/readDataFile.ts';

/** A file to read: by its path, by its bytes if it is not on this disk, or the Parquet files of a folder. */
export interface FileJob extends FileRequest {
  readonly location: { readonly path: string } | { readonly bytes: Uint8Array } | { readonly folder: string };
  /** The zones that its days may be in, besides UTC and SAST. */
  readonly zones?: Parameters<typeof createFileResult>[2];
  /** Whether to compute the hash of the content. A folder has none. */
  readonly isHashed?: boolean;
}

/** The bodies of a response to read. */
export interface ResponseJob {
  readonly bodies: readonly Uint8Array[];
  readonly key: string;
}

/** A file for the panel. `text` is truncated to what the panel shows. */
export interface FileReadTable extends FileResult {
  readonly table: Omit<FileTable, 'frame'>;
  /** The SHA-256 of the content in hexadecimal digits, if it was requested. */
  readonly sha256?: string;
}
export type FileReply =
  | { readonly kind: 'table'; readonly fileTable: FileReadTable }
  | Exclude<FileReadResult, { kind: 'table' }>;

/** An SVG document of this extension to render as a picture. */
export interface PictureJob {
  readonly svg: string;
}

export type ReaderJob =
  | ({ readonly kind: 'file' } & FileJob)
  | ({ readonly kind: 'response' } & ResponseJob)
  | ({ readonly kind: 'picture' } & PictureJob);

/**
 * A reply. The texts of its frame are sent before it in separate messages, since each message is deserialized without a pause. `meta` is the JSON
 * text of the envelope, since exact numbers cannot be cloned.
 */
export type ReaderReply = { readonly frame?: Frame | undefined } & (
  | { readonly kind: 'head'; readonly fileTable: FileReadTable }
  | { readonly kind: 'file'; readonly read: FileReply }
  | { readonly kind: 'response'; readonly content: ResponseContent; readonly meta: string }
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
    if (job.kind === 'file') await runFileJob(job, send);
    else if (job.kind === 'response') await runResponseJob(job, send);
    else await runPictureJob(job, send);
  } catch (error) {
    if (error instanceof GridError) await send({ kind: 'failed', reason: error.reason, facts: error.facts });
    else
      await send({ kind: 'error', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

async function runFileJob({ location, zones, isHashed, ...request }: FileJob, send: Send): Promise<void> {
  const heads: Promise<void>[] = [];
  let sha256: string | undefined;
  const createTable = (table: FileTable): { fileTable: FileReadTable; frame: Frame | undefined } => {
    const { frame: _, text, ...facts } = table;
    const { result, ...rest } = createFileResult(table, request.name, zones);
    const fileTable = {
      table: { ...facts, text: text.slice(0, maxRawLength + 1) },
      result: { ...result, frame: undefined },
      ...rest,
      ...(sha256 !== undefined && { sha256 }),
    };
    return { fileTable, frame: result.frame };
  };
  const readFile = async (source: ByteSource): Promise<FileReadResult> => {
    try {
      if (isHashed) sha256 = hashContent(source);
      return await readDataFile(source, request, table => {
        heads.push(sendWithFrame(send, { kind: 'head', ...createTable(table) }));
      });
    } finally {
      await source.close();
    }
  };
  const read =
    'folder' in location
      ? await (await import('../dataFile/folderTable.ts')).readFolderTable(location.folder, request.options)
      : await readFile('path' in location ? await openFileSource(location.path) : createBytesSource(location.bytes));
  await Promise.all(heads);
  if (read.kind !== 'table') await send({ kind: 'file', read });
  else {
    const { fileTable, frame } = createTable(read.table);
    await sendWithFrame(send, { kind: 'file', read: { kind: 'table', fileTable }, frame });
  }
}

const hashedBytes = 10_000_000;

function hashContent({ read, size }: ByteSource): string {
  const hash = createHash('sha256');
  for (let start = 0; start < size; start += hashedBytes) hash.update(read(start, Math.min(size, start + hashedBytes)));
  return hash.digest('hex');
}

async function runResponseJob({ bodies, key }: ResponseJob, send: Send): Promise<void> {
  const content = readResponse(bodies, key);
  if (!content.ok) return send({ kind: 'response', content, meta: '{}' });
  const { meta, frame, ...decoded } = content.decoded;
  const contentWithoutFrame = { ...content, decoded: { ...decoded, frame: undefined, meta: {} } };
  await sendWithFrame(send, { kind: 'response', content: contentWithoutFrame, meta: serializeJson(meta), frame });
}

async function runPictureJob({ svg }: PictureJob, send: Send): Promise<void> {
  const { rasterize } = await import('./rasterize.ts');
  await send({ kind: 'picture', png: await rasterize(svg) });
}

/** The maximum number of texts and characters in a message, which is deserialized in a few milliseconds. */
const maxTexts = 5_000;
const maxCharacters = 500_000;

async function sendWithFrame(send: Send, reply: ReaderReply): Promise<void> {
  const { frame } = reply;
  const texts = frame?.columns.flatMap((column, index) => splitTexts(dictionaryOf(column)?.entries ?? [], index)) ?? [];
  const columns = frame?.columns.map(column => replaceTexts(column, []));
  await Promise.all([
    ...texts.map(send),
    send({ ...reply, ...(frame && columns && { frame: { ...frame, columns } }) }),
  ]);
}

function splitTexts(entries: readonly string[], column: number): ReaderTexts[] {
  const slices: ReaderTexts[] = [];
  let start = 0;
  let characters = 0;
  for (let index = 0; index < entries.length; index++) {
    characters += entries[index]?.length ?? 0;
    if (index - start < maxTexts && characters < maxCharacters) continue;
    slices.push({ kind: 'texts', column, entries: entries.slice(start, index + 1) });
    start = index + 1;
    characters = 0;
  }
  if (start < entries.length) slices.push({ kind: 'texts', column, entries: entries.slice(start) });
  return slices;
}
