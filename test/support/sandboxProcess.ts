// A sandbox as a separate process for measuring load and memory; sandboxChild.ts starts it with --expose-gc.
import { startSandbox } from '../../src/sandbox/embedded.ts';
import type { ChildSandbox, ChildUsage } from './sandboxChild.ts';

// The sandbox runs without rate limits, otherwise as for users.
const sandbox = await startSandbox({ limits: { normalized_data: null, features: null } });
const child: ChildSandbox = { baseUrl: sandbox.baseUrl, key: sandbox.createKey('load').value };
// Memory is measured after a collection, since the heap size includes garbage.
const collect = globalThis.gc ?? (() => undefined);
const measureBytes = () => {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};
let maxBytes = 0;
let watching: NodeJS.Timeout | undefined;

process.on('message', command => {
  if (command === 'watch') {
    maxBytes = measureBytes();
    watching = setInterval(() => (maxBytes = Math.max(maxBytes, measureBytes())), 100);
    return;
  }
  clearInterval(watching);
  const { user, system } = process.cpuUsage();
  const usage: ChildUsage = { usedBytes: measureBytes(), maxBytes, cpuMs: (user + system) / 1_000 };
  process.send?.(usage);
});
process.on('disconnect', () => process.exit());
process.send?.(child);
