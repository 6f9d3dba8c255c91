// A window as a separate process: `node limiterWindow.ts '{"folder": …}'` sends requests through the shared limiter.
import { Agent, get } from 'node:http';
import { LimitFolder } from '../../src/service/limiter/limitFolder.ts';
import { SharedLimiter } from '../../src/service/limiter/sharedLimiter.ts';
import type { RequestOutcome } from '../../src/service/limiter/limiter.ts';
import { createMachine, realClock as clock } from './realClock.ts';
import { windowsFs } from './windowsFs.ts';

/** The task of a window. */
export interface WindowTask {
  readonly folder: string;
  readonly baseUrl: string;
  readonly name: string;
  readonly count: number;
  readonly limit: { readonly requests: number; readonly seconds: number };
  readonly leaseMs: number;
  /** The seed of the simulated Windows file system, if it is used. */
  readonly windowsSeed?: number;
}

const task = JSON.parse(process.argv[2] ?? '{}') as WindowTask;
const agent = new Agent({ keepAlive: true });
const limiter = new SharedLimiter({
  store: new LimitFolder({
    folder: task.folder,
    clock,
    random: Math.random,
    ...(task.windowsSeed !== undefined && { fs: windowsFs(task.windowsSeed) }),
    // A warning means that the window does not share its limits, which is a failure.
    logger: {
      warn: line => {
        console.error(line);
        process.exitCode = 1;
      },
    },
  }),
  clock,
  machine: createMachine(clock),
  window: task.name,
  leaseMs: task.leaseMs,
  // The real fingerprint takes a tenth of a second at startup, which the measurement would count as waiting.
  fingerprint: () => Promise.resolve('0123abcd'),
});
const permitKey = { origin: task.baseUrl, key: 'not-a-real-key', scope: 'grid' };

process.send?.('ready');
process.once('message', () => {
  void Promise.all(Array.from({ length: task.count }, sendUntilAccepted)).then(() => {
    agent.destroy();
    process.disconnect();
  });
});

async function sendUntilAccepted(): Promise<void> {
  for (;;) {
    const permit = await limiter.acquire(permitKey, task.limit);
    const outcome = await sendRequest();
    permit.release(outcome);
    if (outcome === 'counted') return;
  }
}

function sendRequest(): Promise<RequestOutcome> {
  return new Promise((resolve, reject) => {
    get(`${task.baseUrl}/${task.name}`, { agent }, response => {
      response.resume().once('end', () => {
        const throttled = response.statusCode === 429;
        resolve(throttled ? { throttledUntil: clock.now() + task.limit.seconds * 1000 } : 'counted');
      });
    }).once('error', reject);
  });
}
