import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { firstMessage } from './firstMessage.ts';

/** The address of the process, and a key without limits. */
export interface ChildSandbox {
  readonly baseUrl: string;
  readonly key: string;
}

/** The resource usage of the process. */
export interface ChildUsage {
  /** The bytes in use after a garbage collection. */
  readonly usedBytes: number;
  /** The maximum of these bytes since `watch`. */
  readonly maxBytes: number;
  /** The CPU time so far. */
  readonly cpuMs: number;
}

interface StartedChild extends ChildSandbox {
  /** Starts measuring the memory ten times a second, which slows the process. */
  watch(): void;
  measureUsage(): Promise<ChildUsage>;
  close(): Promise<void>;
}

/** Starts a sandbox in a separate process, so that its resource usage can be measured without its clients. */
export async function startSandboxChild(): Promise<StartedChild> {
  const child = fork(join(import.meta.dirname, 'sandboxProcess.ts'), [], { execArgv: ['--expose-gc'] });
  const sandbox = (await firstMessage(child, 'the sandbox')) as ChildSandbox;
  return {
    ...sandbox,
    watch: () => void child.send('watch'),
    async measureUsage() {
      const reply = once(child, 'message');
      child.send('use');
      const [measureUsage] = (await reply) as [ChildUsage];
      return measureUsage;
    },
    async close() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
