import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../../../src/cli/grid.ts', import.meta.url));

/** The output of a command that has ended. */
export interface EndedCommand {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `grid` in a folder with only these environment variables besides PATH, and waits for its end. */
export async function runGrid(
  args: readonly string[],
  { folder, variables = {} }: { readonly folder: string; readonly variables?: Readonly<Record<string, string>> },
): Promise<EndedCommand> {
  const env = { PATH: process.env['PATH'], HOME: folder, ...variables };
  const child = spawn(process.execPath, [entry, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', code => resolve({ code, stdout, stderr }));
  });
}
