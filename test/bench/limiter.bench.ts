import { startStrictServer } from '../support/strictServer.ts';
import { startWindows } from '../support/limiterWindows.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { Bench } from './bench.ts';

const [processes, each, requests, windowMs, latencyMs] = [4, 50, 10, 1_000, 40];

/** Four windows share ten requests a second at a strict server. The best possible: the last ten go nineteen windows after the first. */
export const bench: Bench = async () => {
  const folder = temporaryFolder();
  const server = await startStrictServer(requests, windowMs, latencyMs);
  const tasks = Array.from({ length: processes }, (_, index) => ({
    folder,
    baseUrl: server.baseUrl,
    name: `window${index}`,
    count: each,
    leaseMs: 5_000,
    limit: { requests, seconds: windowMs / 1000 },
  }));
  const windows = await startWindows(tasks);
  const cpuBefore = process.cpuUsage();
  await Promise.all(windows.map(({ done }) => done));
  await server.close();
  const answered = server.hits.filter(({ ok }) => ok);
  const span = (answered.at(-1)?.at ?? 0) - (answered[0]?.at ?? 0);
  const best = ((processes * each) / requests - 1) * windowMs;
  const half = answered.slice(0, answered.length / 2);
  const shares = tasks.map(({ name }) => half.filter(({ who }) => who === name).length);
  const fair = half.length / processes;
  return [
    { what: `answered, ${processes} processes × ${each}`, value: answered.length, unit: 'requests', atLeast: 200 },
    { what: '429', value: server.hits.length - answered.length, unit: 'requests', atMost: 0 },
    { what: `span; the optimum is ${best / 1000} s`, value: span / 1000, unit: 's' },
    { what: 'of the optimum', value: (best / span) * 100, unit: '%', atLeast: 94 },
    { what: 'smallest share when half are done', value: (Math.min(...shares) / fair) * 100, unit: '%', atLeast: 80 },
    { what: 'largest share when half are done', value: (Math.max(...shares) / fair) * 100, unit: '%', atMost: 120 },
    { what: "this process's own time (the server)", value: process.cpuUsage(cpuBefore).user / 1000, unit: 'ms' },
  ];
};
