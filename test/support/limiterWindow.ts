// One window as a process of its own: `node limiterWindow.ts '{"folder": …}'` sends its requests through the shared limiter.
import { Agent, get } from 'node:http';
import { LimitFolder } from '../../src/service/limiter/limitFolder.ts';
import { SharedLimiter } from '../../src/service/limiter/sharedLimiter.ts';
import type { RequestOutcome } from '../../src/service/limiter/limiter.ts';
import { machineWith, realClock as clock } from './realClock.ts';
import { windowsFs } from './windowsFs.ts';

/** What one window is told to do. */
export interface WindowTask {
  readonly folder: string;
  readonly baseUrl: string;
  readonly name: string;
  readonly count: number;
  readonly limit: { readonly requests: number; readonly seconds: number };
  readonly leaseMs: number;
  /** As if on Windows: what its disk refuses. */
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
    // Whoever shares with nobody ends in failure.
    logger: {
      warn: line => {
        console.error(line);
        process.exitCode = 1;
      },
    },
  }),
  clock,
  machine: machineWith(clock),
  window: task.name,
  leaseMs: task.leaseMs,
  // The slow one takes a tenth of a second of each window's start, which the measurement would count as waiting.
  fingerprint: () => Promise.resolve('0123abcd'),
});
const of = { origin: task.baseUrl, key: 'not-a-real-key', scope: 'grid' };

process.send?.('ready');
process.once('message', () => {
  void Promise.all(Array.from({ length: task.count }, one)).then(() => {
    agent.destroy();
    process.disconnect();
  });
});

async function one(): Promise<void> {
  for (;;) {
    const permit = await limiter.acquire(of, task.limit);
    const outcome = await ask();
    permit.release(outcome);
    if (outcome === 'counted') return;
  }
}

function ask(): Promise<RequestOutcome> {
  return new Promise((resolve, reject) => {
    get(`${task.baseUrl}/${task.name}`, { agent }, response => {
      response.resume().once('end', () => {
        const throttled = response.statusCode === 429;
        resolve(throttled ? { throttledUntil: clock.now() + task.limit.seconds * 1000 } : 'counted');
      });
    }).once('error', reject);
  });
}
