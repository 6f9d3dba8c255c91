import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Cells } from './cells.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

/** What an engine made of something, a line of the summary. */
export interface Line {
  readonly what: string;
  readonly rows?: number;
  readonly seconds: number;
  /** What differs, or why it did not run; undefined where all is equal. */
  readonly failure?: string | undefined;
  /** Why it could not run on this machine. */
  readonly skipped?: string;
}

/** What an engine may use. */
export interface Machine {
  /** The Python of the virtual environment, and the folder of its commands. */
  readonly python: string;
  readonly bin: string;
  /** A folder that is removed at the end. */
  readonly folder: string;
}

/** Each file of an engine exports one as `engine`. */
export interface Engine {
  /** Runs with `--all` or by name only: it takes minutes, or what not everybody has. */
  readonly isLong?: boolean;
  /** Needs Spark, and with it Java. */
  readonly usesSpark?: boolean;
  readonly run: (machine: Machine) => AsyncIterable<Line>;
}

/** A program that ends with rows; `kind` as programs.py reads it. */
export interface Program {
  readonly name: string;
  readonly kind: 'pandas' | 'polars' | 'duckdb' | 'sql' | 'spark' | 'records';
  readonly code: string;
}

interface ProgramOutcome {
  readonly name: string;
  readonly seconds: number;
  readonly rows?: readonly Cells[];
  readonly error?: string;
}

const execute = promisify(execFile);
/** A program that hangs must not hang the run. */
const limitMs = 15 * 60_000;

/** Runs a command to its end. Throws an Error with the end of what it printed where it fails. */
export async function command(
  program: string,
  args: readonly string[],
  { env, cwd }: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): Promise<string> {
  const options = { env: { ...process.env, ...env }, maxBuffer: 2 ** 28, timeout: limitMs, ...(cwd && { cwd }) };
  try {
    return (await execute(program, args, options)).stdout;
  } catch (error) {
    const {
      stdout = '',
      stderr = '',
      message = '',
    } = error as Partial<Record<'stdout' | 'stderr' | 'message', string>>;
    const [first = ''] = message.split('\n');
    throw new Error(`${first}\n${stdout.slice(-1500)}\n${stderr.slice(-1500)}`, { cause: error });
  }
}

/** Runs programs one after the other in one process: `launcher`, such as Python or spark-submit with its arguments. */
export async function runPrograms(
  [launcher = '', ...args]: readonly string[],
  programs: readonly Program[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly ProgramOutcome[]> {
  const folder = temporaryFolder();
  const [jobs, outcomes] = [join(folder, 'jobs.json'), join(folder, 'outcomes.json')];
  await writeFile(jobs, JSON.stringify(programs));
  await command(launcher, [...args, join(import.meta.dirname, 'programs.py'), jobs, outcomes], { env });
  return JSON.parse(await readFile(outcomes, 'utf8')) as ProgramOutcome[];
}

/** Seconds since an instant of `performance.now()`. */
export function secondsSince(from: number): number {
  return (performance.now() - from) / 1000;
}
