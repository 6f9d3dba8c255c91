import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { startSandboxChild } from '../support/sandboxChild.ts';
import type { ChildSandbox } from '../support/sandboxChild.ts';
import type { Bench } from './bench.ts';

const [rate, seconds, connections] = [2_000, 30, 64];
const day = 'start=2023-06-14T00:00:00Z&end=2023-06-15T00:00:00Z';
const tenYears = 'start=2018-01-01T00:00:00Z&end=2027-12-31T00:00:00Z';

/** So many requests a second for a day of hours, at times that do not wait for the answers; then ten years in one answer. */
export const bench: Bench = async () => {
  const sandbox = await startSandboxChild();
  try {
    await get(sandbox, day, new Agent());
    const idle = await sandbox.use();
    const load = await sendAll(sandbox);
    const before = await sandbox.use();
    sandbox.watch();
    const long = await get(sandbox, tenYears, new Agent());
    const after = await sandbox.use();
    const megabytes = (bytes: number) => bytes / 1_048_576;
    const sorted = load.times.sort((a, b) => a - b);
    return [
      {
        what: `answered, ${rate} requests/s for ${seconds} s`,
        value: sorted.length,
        unit: 'requests',
        atLeast: rate * seconds,
      },
      { what: '… errors', value: load.errors, unit: 'requests', atMost: 0 },
      { what: '… the rate that was reached', value: sorted.length / load.seconds, unit: '/s', atLeast: rate * 0.98 },
      { what: '… p50', value: sorted[Math.floor(sorted.length * 0.5)] ?? NaN, unit: 'ms' },
      { what: '… p99', value: sorted[Math.floor(sorted.length * 0.99)] ?? NaN, unit: 'ms', atMost: 100 },
      { what: '… the slowest', value: sorted.at(-1) ?? NaN, unit: 'ms' },
      {
        what: "… the server's own time for one",
        value: ((before.cpuMs - idle.cpuMs) / sorted.length) * 1_000,
        unit: 'µs',
        atMost: 450,
      },
      { what: 'ten years of hours in one answer', value: megabytes(long.bytes), unit: 'MB' },
      { what: '… took', value: long.ms, unit: 'ms' },
      {
        what: '… held at most',
        value: megabytes(after.largest - before.held),
        unit: 'MB',
        atMost: megabytes(long.bytes),
      },
      { what: '… and left behind', value: megabytes(after.held - before.held), unit: 'MB', atMost: 20 },
    ];
  } finally {
    await sandbox.close();
  }
};

/** Each request starts at its own time, whether those before it are answered or not: waiting counts as time of the answer. */
async function sendAll(sandbox: ChildSandbox): Promise<{ times: number[]; errors: number; seconds: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' });
  const times: number[] = [];
  let errors = 0;
  const began = performance.now();
  const pending: Promise<unknown>[] = [];
  for (let sent = 0; sent < rate * seconds;) {
    const due = Math.min(rate * seconds, Math.floor(((performance.now() - began) / 1_000) * rate));
    for (; sent < due; sent++) {
      const from = began + (sent / rate) * 1_000;
      pending.push(
        get(sandbox, day, agent).then(
          ({ status }) => {
            if (status === 200) times.push(performance.now() - from);
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
  return { times, errors, seconds: (performance.now() - began) / 1_000 };
}

async function get({ baseUrl, key }: ChildSandbox, range: string, agent: Agent) {
  const from = performance.now();
  return new Promise<{ status: number | undefined; bytes: number; ms: number }>((resolve, reject) => {
    const answered = (response: IncomingMessage) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => resolve({ status: response.statusCode, bytes, ms: performance.now() - from }));
      response.on('error', reject);
    };
    const url = `${baseUrl}/api/v1/grid/system-state?${range}`;
    request(url, { agent, headers: { 'x-api-key': key } }, answered)
      .on('error', reject)
      .end();
  });
}
