import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { logs } from './paths.ts';
import { toSpawnArguments } from './processGroup.ts';

/** A command of an install or a build, whose output goes to a log file. */
export interface Step {
  /** The name in messages, such as "Installing VS Code's server". */
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** File name under .vscode-test/logs. */
  readonly log: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a step and waits for it. If it fails, throws an Error with the title and the last lines of the log. */
export async function runStep(step: Step): Promise<void> {
  const file = join(logs, step.log);
  mkdirSync(dirname(file), { recursive: true });
  const output = openSync(file, 'w');
  try {
    // Windows runs programs such as npm.cmd only in a shell.
    const shell = process.platform === 'win32' && !step.command.endsWith('.exe');
    const child = spawn(...toSpawnArguments(step.command, step.args, shell), {
      cwd: step.cwd,
      stdio: ['ignore', output, output],
      env: { ...process.env, ...step.env },
      shell,
    });
    const code = await new Promise<number | string>(resolve => {
      child.once('error', error => resolve(error.message));
      child.once('exit', (status, signal) => resolve(status ?? signal ?? 1));
    });
    if (code !== 0) throw new Error(`${step.title} failed (${code}). The end of ${file}:\n${lastLines(file, 15)}`);
  } finally {
    closeSync(output);
  }
}

/** Returns the last lines of a text file, for an error message. */
export function lastLines(file: string, count: number): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
}
