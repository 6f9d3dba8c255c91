import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

const execute = promisify(execFile);
/** A program that hangs must not hang the tests. */
const limitMs = 50_000;

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  /** 0 where the program ended well. */
  readonly code: number;
}

/** Runs a program to its end, with nothing of this machine's environment but where programs, the home and Windows are. */
export async function run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  const { PATH = '', HOME = '', SystemRoot } = process.env;
  try {
    const { stdout, stderr } = await execute(program, args, {
      env: { PATH, HOME, ...(SystemRoot && { SystemRoot }), LC_ALL: 'C.UTF-8', ...env },
      maxBuffer: 2 ** 28,
      timeout: limitMs,
    });
    return { stdout, stderr, code: 0 };
  } catch (error) {
    const { stdout = '', stderr = '', code } = error as Partial<Ran>;
    return { stdout, stderr, code: typeof code === 'number' ? code : 1 };
  }
}

/** Whether the program is here and ends well with these arguments. */
export async function has(program: string, ...args: string[]): Promise<boolean> {
  return (await run(program, args)).code === 0;
}

/** Writes the text as a file of a folder of its own and runs the program on it. */
export async function runText(
  program: string,
  name: string,
  text: string,
  env: Record<string, string> = {},
  ...args: string[]
): Promise<Ran> {
  const file = join(temporaryFolder(), name);
  await writeFile(file, text);
  return run(program, [...args, file], env);
}

/** The Python of `npm run engines`, or that of the system: one that a version manager put before it has other packages. */
export const python = process.env['GRID_DATA_PYTHON'] ?? '/usr/bin/python3';
