import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

const execute = promisify(execFile);
/** A program that hangs must not block the tests. */
const limitMs = 50_000;

export interface RunResult {
  readonly stdout: string;
  readonly stderr: string;
  /** 0 if the program succeeded. */
  readonly code: number;
}

/** Runs a program to its end. The environment has only the paths of programs, of the home directory and of Windows. */
export async function run(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<RunResult> {
  const { PATH = '', HOME = '', SystemRoot } = process.env;
  try {
    const { stdout, stderr } = await execute(program, args, {
      env: { PATH, HOME, ...(SystemRoot && { SystemRoot }), LC_ALL: 'C.UTF-8', ...env },
      maxBuffer: 2 ** 28,
      timeout: limitMs,
    });
    return { stdout, stderr, code: 0 };
  } catch (error) {
    const { stdout = '', stderr = '', code } = error as Partial<RunResult>;
    return { stdout, stderr, code: typeof code === 'number' ? code : 1 };
  }
}

/** Whether the program is installed and succeeds with these arguments. */
export async function has(program: string, ...args: string[]): Promise<boolean> {
  return (await run(program, args)).code === 0;
}

/** Writes the text to a file in a new folder and runs the program on it. */
export async function runText(
  program: string,
  name: string,
  text: string,
  env: Record<string, string> = {},
  ...args: string[]
): Promise<RunResult> {
  const file = join(createTemporaryFolder(), name);
  await writeFile(file, text);
  return run(program, [...args, file], env);
}

/** The Python of `npm run engines`, or the system's. A Python from a version manager has other packages. */
export const python = process.env['GRID_DATA_PYTHON'] ?? '/usr/bin/python3';
