import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { startSandboxChild } from '../support/sandboxChild.ts';
import type { ChildSandbox } from '../support/sandboxChild.ts';
import type { Bench } from './bench.ts';

const rate = 2_000;
const seconds = 30;
const connections = 64;
const day = 'start=2023-06-14T00:00:00Z&end=2023-06-15T00:00:00Z';
const tenYears = 'start=2018-01-01T00:00:00Z&end=2027-12-31T00:00:00Z';

/** Measures requests for a day of hours at a fixed rate, independent of the responses, then ten years in one response. */
export const bench: Bench = async () => {
  const sandbox = await startSandboxChild();
  try {
    await get(sandbox, day, new Agent());
    const idle = await sandbox.measureUsage();
    const load = await sendRequests(sandbox);
    const usageBefore = await sandbox.measureUsage();
    sandbox.watch();
    const long = await get(sandbox, tenYears, new Agent());
    const usageAfter = await sandbox.measureUsage();
    const megabytes = (bytes: number) => bytes / 1_048_576;
    const sorted = load.times.sort((a, b) => a - b);
    return [
      {
        label: `responses, ${rate} requests/s for ${seconds} s`,
        value: sorted.length,
        unit: 'requests',
        atLeast: rate * seconds,
      },
      { label: '… errors', value: load.errors, unit: 'requests', atMost: 0 },
      { label: '… actual rate', value: sorted.length / load.seconds, unit: '/s', atLeast: rate * 0.98 },
      { label: '… p50', value: sorted[Math.floor(sorted.length * 0.5)] ?? NaN, unit: 'ms' },
      { label: '… p99', value: sorted[Math.floor(sorted.length * 0.99)] ?? NaN, unit: 'ms', atMost: 100 },
      { label: '… the slowest', value: sorted.at(-1) ?? NaN, unit: 'ms' },
      {
        label: '… CPU time of the server per request',
        value: ((usageBefore.cpuMs - idle.cpuMs) / sorted.length) * 1_000,
        unit: 'µs',
        atMost: 450,
      },
      { label: 'ten years of hours in one response', value: megabytes(long.bytes), unit: 'MB' },
      { label: '… response time', value: long.ms, unit: 'ms' },
      {
        label: '… peak memory',
        value: megabytes(usageAfter.maxBytes - usageBefore.usedBytes),
        unit: 'MB',
        atMost: megabytes(long.bytes),
      },
      {
        label: '… memory added afterwards',
        value: megabytes(usageAfter.usedBytes - usageBefore.usedBytes),
        unit: 'MB',
        atMost: 20,
      },
    ];
  } finally {
    await sandbox.close();
  }
};

/** Starts each request at its scheduled time, even if earlier ones are pending. The response time includes waiting. */
async function sendRequests(sandbox: ChildSandbox): Promise<{ times: number[]; errors: number; seconds: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' });
  const times: number[] = [];
  let errors = 0;
  const startMs = performance.now();
  const pending: Promise<unknown>[] = [];
  for (let sent = 0; sent < rate * seconds;) {
    const dueCount = Math.min(rate * seconds, Math.floor(((performance.now() - startMs) / 1_000) * rate));
    for (; sent < dueCount; sent++) {
      const dueMs = startMs + (sent / rate) * 1_000;
      pending.push(
        get(sandbox, day, agent).then(
          ({ status }) => {
            if (status === 200) times.push(performance.now() - dueMs);
            else errors += 1;
          },
          () => (errors += 1),
        ),
      );
    }
    await new Promise(resolve => setTimeout(resolve, 1));
  }
  await Promise.all(pending);
  agent.destroy();
  return { times, errors, seconds: (performance.now() - startMs) / 1_000 };
}

async function get({ baseUrl, key }: ChildSandbox, range: string, agent: Agent) {
  const startMs = performance.now();
  return new Promise<{ status: number | undefined; bytes: number; ms: number }>((resolve, reject) => {
    const onResponse = (response: IncomingMessage) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => resolve({ status: response.statusCode, bytes, ms: performance.now() - startMs }));
      response.on('error', reject);
    };
    const url = `${baseUrl}/api/v1/grid/system-state?${range}`;
    request(url, { agent, headers: { 'x-api-key': key } }, onResponse)
      .on('error', reject)
      .end();
  });
}
