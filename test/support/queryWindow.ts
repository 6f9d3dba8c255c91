// A window as a separate process: `node queryWindow.ts '{"folder": …}'` runs each query that it receives.
import { createFingerprint } from '../../src/service/limiter/sharedLimiter.ts';
import { resolveQuery } from '../../src/core/query/query.ts';
import axios from 'axios';
import type { Limit } from '../../src/core/query/catalogue.ts';
import { createDiskWindow } from './diskWindow.ts';
import { realClock as clock } from './realClock.ts';

/** The task of a window. */
export interface QueryTask {
  readonly folder: string;
  readonly baseUrl: string;
  readonly name: string;
  readonly key: string;
  readonly limit: Limit;
}

/** A message of a window: it is ready, sends a request or waits, or its query has finished or failed. */
export type WindowMessage =
  | { readonly type: 'ready' | 'requesting' | 'waiting' }
  | { readonly type: 'done'; readonly rows: number; readonly requestsSpent: number }
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'warning'; readonly line: string };

const task = JSON.parse(process.argv[2] ?? '{}') as QueryTask;
const sendMessage = (message: WindowMessage): void => void process.send?.(message);
const warn = (line: string): void => sendMessage({ type: 'warning', line });
const { runner } = createDiskWindow({
  folder: task.folder,
  name: task.name,
  clock,
  fingerprint: createFingerprint(),
  logger: { info: () => undefined, warn, error: warn },
  transportOptions: {
    adapter: config => {
      sendMessage({ type: 'requesting' });
      return axios.getAdapter('http')(config);
    },
  },
});
const { key, baseUrl } = task;
const endpoint = { name: 'World', source: baseUrl, baseUrl, key, limits: { normalized_data: task.limit } };

process.on('message', (range: string) => {
  run(range).catch((error: unknown) => sendMessage({ type: 'failed', reason: String(error) }));
});
sendMessage({ type: 'ready' });

async function run(range: string): Promise<void> {
  const query = resolveQuery(
    { dataset: 'systemState', range, interval: '1h', params: {}, timeZone: 'UTC' },
    clock.now(),
  );
  if (!query.ok) throw new Error(query.problem);
  const { frame, provenance } = await runner.run(query.value, endpoint, {
    onWait: () => sendMessage({ type: 'waiting' }),
  });
  sendMessage({ type: 'done', rows: frame?.rowCount ?? 0, requestsSpent: provenance.requestsSpent });
}
