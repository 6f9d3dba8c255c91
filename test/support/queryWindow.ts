// One window as a process of its own: `node queryWindow.ts '{"folder": …}'` runs each query that it is sent.
import { createFingerprint } from '../../src/service/limiter/sharedLimiter.ts';
import { resolveQuery } from '../../src/core/query/query.ts';
import axios from 'axios';
import type { Limit } from '../../src/core/query/catalogue.ts';
import { diskWindow } from './diskWindow.ts';
import { realClock as clock } from './realClock.ts';

/** What one window is told to do. */
export interface QueryTask {
  readonly folder: string;
  readonly baseUrl: string;
  readonly name: string;
  readonly key: string;
  readonly limit: Limit;
}

/** What a window tells: that it can be sent a range, that a request of its own leaves, what its query came to. */
export type QueryNews =
  | { readonly is: 'ready' | 'asks' | 'waits' }
  | { readonly is: 'done'; readonly rows: number; readonly requestsSpent: number }
  | { readonly is: 'failed'; readonly why: string }
  | { readonly is: 'warning'; readonly line: string };

const task = JSON.parse(process.argv[2] ?? '{}') as QueryTask;
const tell = (news: QueryNews): void => void process.send?.(news);
const warn = (line: string): void => tell({ is: 'warning', line });
const { runner } = diskWindow({
  folder: task.folder,
  name: task.name,
  clock,
  fingerprint: createFingerprint(),
  logger: { info: () => undefined, warn, error: warn },
  transportOptions: {
    adapter: config => {
      tell({ is: 'asks' });
      return axios.getAdapter('http')(config);
    },
  },
});
const { key, baseUrl } = task;
const endpoint = { name: 'World', source: baseUrl, baseUrl, key, limits: { normalized_data: task.limit } };

process.on('message', (range: string) => {
  run(range).catch((error: unknown) => tell({ is: 'failed', why: String(error) }));
});
tell({ is: 'ready' });

async function run(range: string): Promise<void> {
  const query = resolveQuery(
    { dataset: 'systemState', range, interval: '1h', params: {}, timeZone: 'UTC' },
    clock.now(),
  );
  if (!query.ok) throw new Error(query.problem);
  const { frame, provenance } = await runner.run(query.value, endpoint, { onWait: () => tell({ is: 'waits' }) });
  tell({ is: 'done', rows: frame?.rowCount ?? 0, requestsSpent: provenance.requestsSpent });
}
