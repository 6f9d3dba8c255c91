import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A child process and its descendants, which are killed when this process exits. */
export interface ProcessGroup {
  readonly child: ChildProcess;
  /** Resolves when the child has exited, by itself or through `stop`. */
  readonly ended: Promise<void>;
  /** Ends the whole group with SIGTERM, and after two seconds with SIGKILL. */
  stop(): Promise<void>;
}

/** The working folder, environment and output of a process group. */
export interface GroupOptions {
  readonly cwd?: string;
  /** Added to this process's environment; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether to run the command in a shell, as Windows requires for .cmd files; the command and its arguments are then quoted. */
  readonly shell?: boolean;
  /** The file descriptor for the child's stderr, which is ignored by default. */
  readonly stderr?: number;
}

/** Starts a command in a new process group with stdout piped, and kills the group when this process exits. */
export function startGroup(command: string, args: readonly string[], options: GroupOptions = {}): ProcessGroup {
  const child = spawn(...toSpawnArguments(command, args, options.shell ?? false), {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', options.stderr ?? 'ignore'],
    shell: options.shell ?? false,
    detached: process.platform !== 'win32',
  });
  const killGroup = () => kill(child, 'SIGKILL');
  // Runs before the handlers that remove the folders the child writes to.
  process.prependListener('exit', killGroup);
  const ended = new Promise<void>(resolve => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  return {
    child,
    ended,
    async stop() {
      kill(child, 'SIGTERM');
      const killTimer = setTimeout(() => kill(child, 'SIGKILL'), 2_000);
      await ended;
      clearTimeout(killTimer);
      kill(child, 'SIGKILL');
      process.off('exit', killGroup);
    },
  };
}

/** Returns the command and arguments for `spawn`. A shell gets one line with each part in quotes, since it may contain spaces. */
export function toSpawnArguments(
  command: string,
  args: readonly string[],
  shell: boolean,
): [command: string, args: string[]] {
  return shell ? [[command, ...args].map(text => `"${text}"`).join(' '), []] : [command, [...args]];
}

/** Makes SIGINT, SIGTERM and SIGHUP run this process's exit handlers, which kill its groups. Returns a function that undoes this. */
export function exitOnSignals(): () => void {
  const exit = (signal: NodeJS.Signals) => process.exit(128 + constants.signals[signal]);
  for (const signal of signals) process.on(signal, exit);
  return () => {
    for (const signal of signals) process.off(signal, exit);
  };
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has already exited.
  }
}
