import type { ChildProcess, ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

/** Waits for the next message of a process. Rejects with the process's name if it exits first. */
export async function firstMessage(child: ChildProcess, name: string): Promise<unknown> {
  const ended = once(child, 'exit').then(([code, signal]: unknown[]) => {
    throw new Error(`${name} ended (${String(code ?? signal)}) before it sent a message.`);
  });
  return Promise.race([once(child, 'message').then(([message]: unknown[]) => message), ended]);
}

/** Waits for the first output of a process. Rejects with the process's name and stderr if it exits first. */
export async function firstOutput(
  child: ChildProcessByStdio<Writable | null, Readable, Readable>,
  name: string,
): Promise<string> {
  let errors = '';
  child.stderr.on('data', chunk => (errors += String(chunk)));
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => {
    throw new Error(`${name} ended (${String(code ?? signal)}) before it printed anything: ${errors}`);
  });
  return Promise.race([once(child.stdout, 'data').then(([chunk]: unknown[]) => String(chunk)), ended]);
}
