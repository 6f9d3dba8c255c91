import { createPartError, GridError } from '../core/errors.ts';
import { toInertText } from '../core/inertText.ts';
import { describeFileError } from '../host/export/exportMessages.ts';
import { describeFailure } from '../host/messages/failures.ts';
import { createJoinedPart } from '../host/messages/joined.ts';
import type { JoinedResult } from '../service/query/joinSources.ts';
import type { Result } from '../shared/result.ts';
import { exitCodes } from './commandLine.ts';
import type { CommandContext } from './commandContext.ts';
import type { NamedQuery } from './requestedQuery.ts';

/** Describes a failure in one sentence for the command line, whose remedies differ from those of VS Code. */
export function describeCliFailure(error: GridError): string {
  if (error.reason === 'noKey' || error.reason === 'noConnection')
    return 'No API key, so nothing was sent. Set GRID_DATA_API_KEY, use --key-file FILE, or read only the archive by --offline.';
  return describeFailure(error)?.sentence ?? 'Canceled.';
}

/** Prints a sentence for each query that failed, lacks a part of its rows, or was joined incompletely. Returns whether any failed, at least in part. */
export function warnOfFailures(
  queries: readonly NamedQuery[],
  results: readonly (JoinedResult | GridError)[],
  { warn }: Pick<CommandContext, 'warn'>,
): boolean {
  const sentences = results.flatMap((result, index) => {
    const error = findFailure(result);
    const { name, query } = queries[index] ?? {};
    const title = toInertText(name ?? query?.dataset ?? '');
    const joined = result instanceof GridError ? [] : (result.joined ?? []).map(createJoinedPart);
    return [
      ...(error ? [`${title}: ${describeCliFailure(error)}`] : []),
      ...joined.flatMap(({ text, tooltip = '', tone, action }) => {
        // The first line of a changed file is about a click.
        const lines = tooltip.split('\n').slice(action ? 1 : 0);
        return tone === 'warning' ? [toInertText(`${title}: ${[`${text}.`, ...lines].join(' ')}`)] : [];
      }),
    ];
  });
  for (const sentence of sentences) warn(sentence);
  return results.some(
    result => findFailure(result) ?? ('joined' in result && result.joined.some(({ error }) => error)),
  );
}

/** Returns why a query failed, at least in part; undefined if it did not. */
export function findFailure(result: Result | GridError): GridError | undefined {
  if (result instanceof GridError) return result;
  return result.provenance.failure && createPartError(result.provenance.failure);
}

/** Writes to a path and returns the exit code. An error of the file system becomes a sentence; `describe` returns undefined for any other error. */
export async function writeOrWarn(
  path: string,
  { warn }: Pick<CommandContext, 'warn'>,
  write: () => Promise<number>,
  describe: (error: unknown, path: string) => string | undefined = describeFileError,
): Promise<number> {
  try {
    return await write();
  } catch (error) {
    const sentence = describe(error, path);
    if (sentence === undefined) throw error;
    warn(sentence);
    return exitCodes.failure;
  }
}
