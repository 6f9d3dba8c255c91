import { startStrictServer } from '../support/strictServer.ts';
import { startWindows } from '../support/limiterWindows.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import type { Bench } from './bench.ts';

const processes = 4;
const requestsEach = 50;
const requests = 10;
const windowMs = 1_000;
const latencyMs = 40;

/** Measures four windows that share ten requests a second at a strict server. At best, the last ten are sent 19 seconds after the first. */
export const bench: Bench = async () => {
  const folder = createTemporaryFolder();
  const server = await startStrictServer(requests, windowMs, latencyMs);
  const tasks = Array.from({ length: processes }, (_, index) => ({
    folder,
    baseUrl: server.baseUrl,
    name: `window${index}`,
    count: requestsEach,
    leaseMs: 5_000,
    limit: { requests, seconds: windowMs / 1000 },
  }));
  const windows = await startWindows(tasks);
  const cpuBefore = process.cpuUsage();
  await Promise.all(windows.map(({ done }) => done));
  await server.close();
  const accepted = server.hits.filter(({ ok }) => ok);
  const elapsedMs = (accepted.at(-1)?.at ?? 0) - (accepted[0]?.at ?? 0);
  const optimumMs = ((processes * requestsEach) / requests - 1) * windowMs;
  const firstHalf = accepted.slice(0, accepted.length / 2);
  const shares = tasks.map(({ name }) => firstHalf.filter(({ client }) => client === name).length);
  const fairShare = firstHalf.length / processes;
  return [
    {
      label: `accepted requests, ${processes} processes × ${requestsEach}`,
      value: accepted.length,
      unit: 'requests',
      atLeast: 200,
    },
    { label: '429', value: server.hits.length - accepted.length, unit: 'requests', atMost: 0 },
    { label: `span; the optimum is ${optimumMs / 1000} s`, value: elapsedMs / 1000, unit: 's' },
    { label: 'of the optimum', value: (optimumMs / elapsedMs) * 100, unit: '%', atLeast: 94 },
    {
      label: 'smallest share when half are done',
      value: (Math.min(...shares) / fairShare) * 100,
      unit: '%',
      atLeast: 80,
    },
    {
      label: 'largest share when half are done',
      value: (Math.max(...shares) / fairShare) * 100,
      unit: '%',
      atMost: 120,
    },
    { label: 'CPU time of this process (the server)', value: process.cpuUsage(cpuBefore).user / 1000, unit: 'ms' },
  ];
};
