import { homedir } from 'node:os';
import type { Writable } from 'node:stream';
import type { Clock, Logger } from '../core/ports.ts';
import { systemClock } from '../host/systemPorts.ts';
import { parseCount, type CommandArguments } from './commandLine.ts';
import { connectionOptions, readConnection } from './connection.ts';
import type { Environment, RequestOptions } from './environment.ts';
import type { Result } from '../shared/result.ts';
import { findStorage, systemStorageEnvironment } from './storage.ts';

/** The options of all commands that read data. */
export const commonOptions = {
  ...connectionOptions,
  storage: { type: 'string' },
  'max-requests': { type: 'string' },
  offline: { type: 'boolean' },
  verbose: { type: 'boolean' },
} as const;

/** The number of requests that a command may send unless --max-requests says otherwise: the budget of one minute. */
const defaultMaxRequests = 10;

/** Everything that a command gets from its process. */
export interface CommandContext {
  readonly folder: string;
  /** The folder of the archive and the rate limits. */
  readonly storage: string;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly clock: Clock;
  /** Writes an unexpected error to stderr with --verbose. */
  readonly logError: (error: unknown) => void;
  readonly requestOptions: RequestOptions;
  /** Writes a line about the result: to a terminal only, so that a pipe and a cron job stay silent. */
  readonly note: (line: string) => void;
  /** Writes the query, coverage and provenance of a result as notes. */
  readonly noteResult: (result: Result) => Promise<void>;
  /** Writes a sentence about something that failed. */
  readonly warn: (sentence: string) => void;
  /** Opens the archive and the rate limits once, and closes them when the command ends. */
  readonly openEnvironment: () => Promise<Environment>;
  readonly close: () => Promise<void>;
}

/** Creates the context of a command. Throws InputError. */
export async function createContext(
  args: CommandArguments,
  process: NodeJS.Process,
  signal: AbortSignal,
): Promise<CommandContext> {
  const { stdout, stderr, env } = process;
  const maxRequests = args.has('offline')
    ? 0
    : (parseCount('max-requests', args.text('max-requests')) ?? defaultMaxRequests);
  // Read before anything else, because it removes the key from the environment.
  const connection = await readConnection(args, env);
  const storage = args.text('storage') ?? findStorage(systemStorageEnvironment(homedir()));
  const isTerminal = stderr.isTTY;
  const log = (line: string): void => void (args.has('verbose') && stderr.write(`${line}\n`));
  const logger: Logger = { info: log, warn: log, error: log };
  const note = (line: string): void => void (isTerminal && stderr.write(`${line}\n`));
  const warn = (sentence: string): void => void stderr.write(`${sentence}\n`);
  let environment: Promise<Environment> | undefined;
  return {
    folder: process.cwd(),
    storage,
    stdout,
    clock: systemClock,
    logError: error => log(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    requestOptions: {
      maxRequests,
      signal,
      onWait: ms =>
        void (isTerminal && stderr.write(`\rWaiting ${Math.ceil(ms / 1000)} s for the rate limit. Ctrl+C cancels.  `)),
    },
    note,
    noteResult: async result => {
      if (!isTerminal) return;
      const { describeQuery } = await import('../core/summary/describeQuery.ts');
      for (const line of describeQuery(result)) note(line);
    },
    warn,
    openEnvironment: async () => {
      environment ??= import('./environment.ts').then(({ openEnvironment }) =>
        openEnvironment(storage, connection, { logger, warn }),
      );
      return environment;
    },
    close: async () => (await environment)?.close(),
  };
}
