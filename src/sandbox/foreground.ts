import { spawnSync } from 'node:child_process';

/**
 * Whether this process is in the foreground of its terminal: in the background, to read the terminal is to be stopped
 * (SIGTTIN). False where nobody can tell. `ask` runs a command and returns what it printed.
 */
export function isInForeground(
  { platform, pid }: Pick<NodeJS.Process, 'platform' | 'pid'>,
  ask: (command: string, args: readonly string[]) => string = printed,
): boolean {
  // No job control there: nothing is stopped.
  if (platform === 'win32') return true;
  const numbers = /^\s*(\d+)\s+(\d+)\s*$/.exec(ask('ps', ['-o', 'pgid=', '-o', 'tpgid=', '-p', String(pid)]));
  return numbers !== null && numbers[1] === numbers[2];
}

function printed(command: string, args: readonly string[]): string {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return status === 0 ? stdout : '';
}
