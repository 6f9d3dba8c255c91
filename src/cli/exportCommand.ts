import { resolve } from 'node:path';
import { GridError } from '../core/errors.ts';
import { describeFileError, describeForeignHours } from '../host/export/exportMessages.ts';
import { InputError } from '../host/inputError.ts';
import { formatRows } from '../host/messages/numbers.ts';
import { MixedServicesError, writeHive } from '../service/export/hiveFolder.ts';
import { createHiveSeries } from '../service/export/hiveSeries.ts';
import { exitCodes, type CommandArguments } from './commandLine.ts';
import type { CommandContext } from './commandContext.ts';
import { warnOfFailures, writeOrWarn } from './failures.ts';
import { queryOptions, readRequestedQueries } from './requestedQuery.ts';

export const exportCommandOptions = { ...queryOptions, out: { type: 'string' } } as const;

/**
 * Writes the rows of the queries as received to a folder of Parquet files, as the extension's Export Data to Folder does. Files of the same
 * months are replaced. Returns the exit code.
 */
export async function runExportCommand(args: CommandArguments, context: CommandContext): Promise<number> {
  const out = args.text('out') ?? '';
  if (out === '') throw new InputError("'grid export' needs the folder to write to: --out FOLDER.");
  const folder = resolve(context.folder, out);
  const { queries } = await readRequestedQueries(args, context.folder);
  const environment = await context.openEnvironment();
  // The analysis, including a comparison, concerns views of the rows.
  const results = await environment.run(
    queries.map(({ query }) => ({ query })),
    context.requestOptions,
  );
  const hasFailed = warnOfFailures(queries, results, context);
  const source = await environment.getSource(environment.connection);
  const series = results.flatMap(result =>
    result instanceof GridError ? [] : createHiveSeries(result, environment.connection, source),
  );
  const { clock, requestOptions } = context;
  const write = async (): Promise<number> => {
    const { rows, files } = await writeHive({ folder, series, clock, signal: requestOptions.signal });
    context.note(`Exported ${formatRows(rows)} to ${folder} (${files} files).`);
    if (rows === 0 && !hasFailed)
      context.warn('These queries have no rows with a time, so there is nothing to export.');
    return hasFailed || rows === 0 ? exitCodes.failure : exitCodes.success;
  };
  return writeOrWarn(folder, context, write, error =>
    error instanceof MixedServicesError ? describeForeignHours(error.folder) : describeFileError(error, folder),
  );
}
