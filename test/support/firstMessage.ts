import type { ChildProcess, ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

/** The next message of a process. Rejects, with its name, where it ends before: nothing would come any more. */
export async function firstMessage(child: ChildProcess, name: string): Promise<unknown> {
  const ended = once(child, 'exit').then(([code, signal]: unknown[]) => {
    throw new Error(`${name} ended (${String(code ?? signal)}) before it said anything.`);
  });
  return Promise.race([once(child, 'message').then(([message]: unknown[]) => message), ended]);
}

/** What a process first prints. Rejects, with its name and its errors, where it ends before. */
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
