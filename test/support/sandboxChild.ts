import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { firstMessage } from './firstMessage.ts';

/** Where the process serves, and a key without limits. */
export interface ChildSandbox {
  readonly baseUrl: string;
  readonly key: string;
}

/** What the process uses. */
export interface ChildUse {
  /** Bytes that are in use once garbage is collected. */
  readonly held: number;
  /** The same at its largest since `watch`. */
  readonly largest: number;
  /** Time of the processor so far. */
  readonly cpuMs: number;
}

interface StartedChild extends ChildSandbox {
  /** Looks at the memory ten times a second from now on, which slows the process. */
  watch(): void;
  use(): Promise<ChildUse>;
  close(): Promise<void>;
}

/** Starts a sandbox in a process of its own, so that what it uses can be told from what its clients use. */
export async function startSandboxChild(): Promise<StartedChild> {
  const child = fork(join(import.meta.dirname, 'sandboxProcess.ts'), [], { execArgv: ['--expose-gc'] });
  const facts = (await firstMessage(child, 'the sandbox')) as ChildSandbox;
  return {
    ...facts,
    watch: () => void child.send('watch'),
    async use() {
      const answered = once(child, 'message');
      child.send('use');
      const [use] = (await answered) as [ChildUse];
      return use;
    },
    async close() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
