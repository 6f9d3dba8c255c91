import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The next message of a process. Rejects, with its name, where it ends before: nothing would come any more. */
export async function firstMessage(child: ChildProcess, name: string): Promise<unknown> {
  const ended = once(child, 'exit').then(([code, signal]: unknown[]) => {
    throw new Error(`${name} ended (${String(code ?? signal)}) before it said anything.`);
  });
  return Promise.race([once(child, 'message').then(([message]: unknown[]) => message), ended]);
}
