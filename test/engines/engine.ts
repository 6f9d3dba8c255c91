import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Cells } from './cells.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

/** The outcome of one check of an engine: a line of the summary. */
export interface CheckResult {
  readonly label: string;
  readonly rows?: number;
  readonly seconds: number;
  /** The difference or error; undefined if everything is equal. */
  readonly failure?: string | undefined;
  /** The reason why it could not run on this machine. */
  readonly skipped?: string;
}

/** The environment of an engine. */
export interface Machine {
  /** The Python of the virtual environment, and the folder of its commands. */
  readonly python: string;
  readonly bin: string;
  /** A folder that is removed at the end. */
  readonly folder: string;
}

/** An engine; each `*.engine.ts` file exports one as `engine`. */
export interface Engine {
  /** Whether it runs only with `--all` or by name, since it takes minutes or has special requirements. */
  readonly isLong?: boolean;
  /** Whether it needs Spark, and so Java. */
  readonly usesSpark?: boolean;
  readonly run: (machine: Machine) => AsyncIterable<CheckResult>;
}

/** A program that produces rows; programs.py defines the kinds. */
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
/** The time limit of a program. */
const timeoutMs = 15 * 60_000;

/** Runs a command. If it fails, throws an Error with the end of its output. */
export async function runCommand(
  program: string,
  args: readonly string[],
  { env, cwd }: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): Promise<string> {
  const options = { env: { ...process.env, ...env }, maxBuffer: 2 ** 28, timeout: timeoutMs, ...(cwd && { cwd }) };
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

/** Runs programs one after the other in one process of `launcher`, such as Python or spark-submit with its arguments. */
export async function runPrograms(
  [launcher = '', ...args]: readonly string[],
  programs: readonly Program[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly ProgramOutcome[]> {
  const folder = createTemporaryFolder();
  const jobs = join(folder, 'jobs.json');
  const outcomes = join(folder, 'outcomes.json');
  await writeFile(jobs, JSON.stringify(programs));
  await runCommand(launcher, [...args, join(import.meta.dirname, 'programs.py'), jobs, outcomes], { env });
  return JSON.parse(await readFile(outcomes, 'utf8')) as ProgramOutcome[];
}

/** Returns the seconds since an instant of `performance.now()`. */
export function secondsSince(startMs: number): number {
  return (performance.now() - startMs) / 1000;
}
