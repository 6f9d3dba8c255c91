// A sandbox as a process of its own, for load and memory; started by sandboxChild.ts with --expose-gc.
import { startSandbox } from '../../src/sandbox/embedded.ts';
import type { ChildSandbox, ChildUse } from './sandboxChild.ts';

// As patient as it always is: what is measured is what people have.
const sandbox = await startSandbox({ limits: { normalized_data: null, features: null } });
const child: ChildSandbox = { baseUrl: sandbox.baseUrl, key: sandbox.createKey('load').value };
// Of a heap alone one cannot tell what is held from what nobody has collected yet.
const collect = globalThis.gc ?? (() => undefined);
const held = () => {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};
let largest = 0;
let watching: NodeJS.Timeout | undefined;

process.on('message', question => {
  if (question === 'watch') {
    largest = held();
    watching = setInterval(() => (largest = Math.max(largest, held())), 100);
    return;
  }
  clearInterval(watching);
  const { user, system } = process.cpuUsage();
  const news: ChildUse = { held: held(), largest, cpuMs: (user + system) / 1_000 };
  process.send?.(news);
});
process.on('disconnect', () => process.exit());
process.send?.(child);
