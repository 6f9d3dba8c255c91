import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { firstMessage } from './firstMessage.ts';
import type { WindowTask } from './limiterWindow.ts';

interface RunningWindow {
  readonly process: ChildProcess;
  /** Resolves when the process has exited, to whether it succeeded. */
  readonly done: Promise<boolean>;
}

/** Starts windows as processes, and signals them to begin once all are ready. */
export async function startWindows(tasks: readonly WindowTask[]): Promise<RunningWindow[]> {
  const windows = tasks.map(task => {
    const child = fork(join(import.meta.dirname, 'limiterWindow.ts'), [JSON.stringify(task)], { execArgv: [] });
    return { process: child, done: once(child, 'exit').then(([code]) => code === 0) };
  });
  await Promise.all(windows.map(({ process }, index) => firstMessage(process, tasks[index]?.name ?? 'a window')));
  for (const { process } of windows) process.send('go');
  return windows;
}
