import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A child with everything it starts; none of it outlives this process. */
export interface ProcessGroup {
  readonly child: ChildProcess;
  /** Resolves when the child has ended, by itself or by `stop`. */
  readonly ended: Promise<void>;
  /** Ends the whole group: politely, then, after two seconds, by force. */
  stop(): Promise<void>;
}

/** Where a group runs and what it sees. */
export interface GroupOptions {
  readonly cwd?: string;
  /** Added to this process's environment; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether a shell runs the command, as Windows needs for .cmd files; blanks in it and in what it is given are then quoted. */
  readonly shell?: boolean;
  /** File descriptor for the child's stderr; thrown away without one. */
  readonly errors?: number;
}

/** Starts a command in a process group of its own, stdout piped, and ties the group's life to this process. */
export function startGroup(command: string, args: readonly string[], options: GroupOptions = {}): ProcessGroup {
  const child = spawn(...spawned(command, args, options.shell ?? false), {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', options.errors ?? 'ignore'],
    shell: options.shell ?? false,
    detached: process.platform !== 'win32',
  });
  const atExit = () => kill(child, 'SIGKILL');
  // Before whatever removes the folders that it writes into.
  process.prependListener('exit', atExit);
  const ended = new Promise<void>(resolve => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  return {
    child,
    ended,
    async stop() {
      kill(child, 'SIGTERM');
      const force = setTimeout(() => kill(child, 'SIGKILL'), 2_000);
      await ended;
      clearTimeout(force);
      kill(child, 'SIGKILL');
      process.off('exit', atExit);
    },
  };
}

/** What `spawn` takes: a command and what it is given, for a shell as one line with each in quotes, since either may have blanks. */
export function spawned(command: string, args: readonly string[], shell: boolean): [command: string, args: string[]] {
  return shell ? [[command, ...args].map(text => `"${text}"`).join(' '), []] : [command, [...args]];
}

/** Makes INT, TERM and HUP end this process by way of its exit handlers, and so its groups. Returns how to undo that. */
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
    // The group has already gone.
  }
}
