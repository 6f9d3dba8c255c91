import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { GridError } from '../core/errors.ts';
import { describeFileError } from '../host/export/exportMessages.ts';
import { removeHidden } from '../core/inertText.ts';
import { InputError } from '../host/inputError.ts';
import { getQueryZone } from '../host/settings.ts';
import { writeExport } from '../service/export/writeExport.ts';
import { exportFormats, type ExportFormat } from '../shared/exportOptions.ts';
import type { Result } from '../shared/result.ts';
import type { CommandArguments } from './commandLine.ts';
import type { CommandContext } from './commandContext.ts';
import { describeService, type Environment } from './environment.ts';
import { warnOfFailures } from './failures.ts';
import { queryOptions, readRequestedQueries, type NamedQuery } from './requestedQuery.ts';
import { formatTextTable } from './textTable.ts';

export const queryCommandOptions = { ...queryOptions, format: { type: 'string' }, out: { type: 'string' } } as const;

/** Prints the rows of one query, or writes them to a file. Returns the exit code. */
export async function runQueryCommand(args: CommandArguments, context: CommandContext): Promise<number> {
  const format = parseFormat(args.text('format'), args.text('out'));
  const isTerminal = args.text('out') === undefined && (context.stdout as Partial<WriteStream>).isTTY === true;
  if (isTerminal && binaryFormats.includes(format))
    throw new InputError(`A terminal cannot show ${format}. Use --out FILE, or a pipe.`);
  const { queries } = await readRequestedQueries(args, context.folder);
  const [query, ...others] = queries;
  if (!query || others.length > 0)
    throw new InputError("'grid query' prints one query. Name one, or use 'grid export' or 'grid report' for several.");
  const environment = await context.openEnvironment();
  const [received = new GridError('cancelled')] = await environment.run([query], context.requestOptions);
  if (received instanceof GridError) throw received;
  const result = await applyAnalysis(received, query);
  await context.noteResult(result);
  // Archived rows are printed even if a request for the others failed.
  const hasFailed = warnOfFailures([query], [received], context);
  const out = args.text('out');
  const { coverage } = received;
  if (coverage && coverage.present === 0 && coverage.notRequested > 0 && !hasFailed)
    context.warn('The archive has no rows of this range, and no request was allowed.');
  if (!result.frame && format !== 'json') {
    context.warn('The response is not a table, so only --format json can write it.');
    return context.exitCodes.failure;
  }
  try {
    await writeRows(result, query, { format, out, environment, context });
  } catch (error) {
    const sentence = out === undefined ? undefined : describeFileError(error, resolve(context.folder, out));
    if (sentence === undefined) throw error;
    context.warn(sentence);
    return context.exitCodes.failure;
  }
  return hasFailed ? context.exitCodes.failure : context.exitCodes.success;
}

/** Applies the analysis of a query. Throws InputError with the first problem. */
async function applyAnalysis(
  result: Result,
  { analysis, query }: Pick<NamedQuery, 'analysis' | 'query'>,
): Promise<Result> {
  if (!analysis) return result;
  const { analyzeResult } = await import('../host/query/analyzeResult.ts');
  const { result: analyzed, problems } = analyzeResult(result, analysis, query);
  const [problem] = problems;
  if (problem !== undefined) throw new InputError(`The analysis cannot be applied: ${problem}`);
  return analyzed;
}

type OutputFormat = ExportFormat | 'table';
const binaryFormats: readonly OutputFormat[] = ['xlsx', 'parquet', 'arrow'];

function parseFormat(text: string | undefined, out: string | undefined): OutputFormat {
  const formats: readonly OutputFormat[] = ['table', ...exportFormats];
  const extension = /\.(\w+)$/
    .exec(out ?? '')?.[1]
    ?.replace(/^md$/, 'markdown')
    .replace(/^jsonl$/, 'ndjson')
    .replace(/^feather$/, 'arrow');
  const name = text ?? exportFormats.find(format => format === extension) ?? 'table';
  const format = formats.find(candidate => candidate === name);
  if (!format) throw new InputError(`Unknown format '${name}'. Use ${formats.join(', ')}.`);
  return format;
}

interface OutputTarget {
  readonly format: OutputFormat;
  readonly out: string | undefined;
  readonly environment: Environment;
  readonly context: CommandContext;
}

async function writeRows(
  result: Result,
  { query }: NamedQuery,
  { format, out, environment, context }: OutputTarget,
): Promise<void> {
  const { signal } = context.requestOptions;
  const zone = getQueryZone(query);
  if (format === 'table' && result.frame) {
    const text = formatTextTable(result.frame, zone.timeZone);
    await writeChunks([Buffer.from(text)], out, context, signal);
    return;
  }
  const { connection } = environment;
  const { jsonContent, tableContent } = await import('../host/export/exportContent.ts');
  const content = result.frame
    ? tableContent(
        { frame: result.frame },
        {
          format: format as ExportFormat,
          dialect: 'standard',
          times: 'utc',
          zone,
          heading: 'names',
          provenance: 'none',
        },
        result,
        connection,
      )
    : jsonContent(result.bodies.map(body => Buffer.from(body).toString()).join('\n'));
  context.note(`From ${describeService(connection)}.`);
  await writeChunks(content.chunks({ signal }), out, context, signal);
}

async function writeChunks(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  out: string | undefined,
  { folder, stdout, clock }: CommandContext,
  signal: AbortSignal,
): Promise<void> {
  if (out === undefined) {
    const isTerminal = (stdout as Partial<WriteStream>).isTTY === true;
    const texts = isTerminal ? removeControls(chunks) : chunks;
    for await (const chunk of texts) await write(stdout, chunk);
    return;
  }
  await writeExport({ file: resolve(folder, out), chunks: toAsync(chunks), clock, signal });
}

/** Removes the characters of a UTF-8 text that a terminal obeys or that hide text. A file or a pipe gets the text as it is. */
export async function* removeControls(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks) yield Buffer.from(removeHidden(decoder.decode(chunk, { stream: true })));
}

async function* toAsync(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** Writes to a stream, and waits while its reader is slower. A reader that has ended, such as `head`, ends the output without an error. */
async function write(stream: Writable, chunk: Uint8Array): Promise<void> {
  await new Promise<void>(resolveWritten => stream.write(chunk, () => resolveWritten()));
}
