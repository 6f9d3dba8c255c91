import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { GridError } from '../core/errors.ts';
import { removeHidden } from '../core/inertText.ts';
import { InputError } from '../host/inputError.ts';
import { getQueryZone } from '../host/settings.ts';
import { writeExport } from '../service/export/writeExport.ts';
import { exportFormats, type ExportFormat } from '../shared/exportOptions.ts';
import type { JoinedResult } from '../service/query/joinSources.ts';
import type { Result } from '../shared/result.ts';
import { exitCodes, type CommandArguments } from './commandLine.ts';
import type { CommandContext } from './commandContext.ts';
import { describeService, type Environment } from './environment.ts';
import { warnOfFailures, writeOrWarn } from './failures.ts';
import { queryOptions, readRequestedQueries, type NamedQuery } from './requestedQuery.ts';
import { formatTextTable } from './textTable.ts';

export const queryCommandOptions = { ...queryOptions, format: { type: 'string' }, out: { type: 'string' } } as const;

/** Prints the rows of one query, or writes them to a file. Returns the exit code. */
export async function runQueryCommand(args: CommandArguments, context: CommandContext): Promise<number> {
  const out = args.text('out');
  const format = parseFormat(args.text('format'), out);
  if (out === undefined && context.stdout.isTTY && binaryFormats.includes(format))
    throw new InputError(`A terminal cannot show ${format}. Use --out FILE, or a pipe.`);
  const { queries } = await readRequestedQueries(args, context.folder);
  const [query, ...others] = queries;
  if (!query || others.length > 0)
    throw new InputError("'grid query' prints one query. Name one, or use 'grid export' or 'grid report' for several.");
  const environment = await context.openEnvironment();
  const [received = new GridError('cancelled')] = await environment.run([query], context.requestOptions);
  if (received instanceof GridError) throw received;
  // Archived rows are printed even if a request for the others failed. The analysis may need a column that could not be joined.
  const hasFailed = warnOfFailures([query], [received], context);
  const result = await applyAnalysis(received, query, context);
  await context.noteResult(result);
  const { coverage } = received;
  if (coverage && coverage.present === 0 && coverage.notRequested > 0 && !hasFailed)
    context.warn('The archive has no rows of this range, and no request was allowed.');
  if (!result.frame && format !== 'json') {
    context.warn('The response is not a table, so only --format json can write it.');
    return exitCodes.failure;
  }
  const write = async (): Promise<number> => {
    await writeRows(createChunks(result, query, { format, environment, context }), out, context);
    return hasFailed ? exitCodes.failure : exitCodes.success;
  };
  return out === undefined ? write() : writeOrWarn(resolve(context.folder, out), context, write);
}

/** Applies the analysis of a query. Throws InputError with the first problem, unless columns are missing that could not be joined. */
async function applyAnalysis(
  result: JoinedResult,
  { analysis, query }: Pick<NamedQuery, 'analysis' | 'query'>,
  { warn }: Pick<CommandContext, 'warn'>,
): Promise<Result> {
  if (!analysis) return result;
  const { analyzeResult } = await import('../host/query/analyzeResult.ts');
  const { result: analyzed, problems } = analyzeResult(result, analysis, query);
  const sentences = problems.map(problem => `The analysis cannot be applied: ${problem}`);
  if (result.joined?.some(({ error }) => error)) for (const sentence of sentences) warn(sentence);
  else if (sentences[0] !== undefined) throw new InputError(sentences[0]);
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

interface RowFormat {
  readonly format: OutputFormat;
  readonly environment: Environment;
  readonly context: CommandContext;
}

/** Yields the rows as the bytes of a file. */
async function* createChunks(
  result: Result,
  { query }: NamedQuery,
  { format, environment: { connection }, context }: RowFormat,
): AsyncGenerator<Uint8Array> {
  const zone = getQueryZone(query);
  if (format === 'table' && result.frame) {
    yield Buffer.from(formatTextTable(result.frame, zone.timeZone));
    return;
  }
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
  yield* content.chunks({ signal: context.requestOptions.signal });
}

/** Writes to a file, or to stdout if `out` is undefined. */
async function writeRows(
  chunks: AsyncIterable<Uint8Array>,
  out: string | undefined,
  { folder, stdout, clock, requestOptions: { signal } }: CommandContext,
): Promise<void> {
  if (out !== undefined) {
    await writeExport({ file: resolve(folder, out), chunks, clock, signal });
    return;
  }
  for await (const chunk of stdout.isTTY ? removeControls(chunks) : chunks) await write(stdout, chunk);
}

/** Removes the characters of a UTF-8 text that a terminal obeys or that hide text. A file or a pipe gets the text as it is. */
export async function* removeControls(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks) yield Buffer.from(removeHidden(decoder.decode(chunk, { stream: true })));
}

/** Writes to a stream, and waits while its reader is slower. A reader that has ended, such as `head`, ends the output without an error. */
async function write(stream: Writable, chunk: Uint8Array): Promise<void> {
  await new Promise<void>(resolveWritten => stream.write(chunk, () => resolveWritten()));
}
