import { setImmediate } from 'node:timers/promises';

/** Runs a loop of some 50 ms on a current computer. Returns the milliseconds it took. */
export function measureFixedLoop(): number {
  const startMs = getThreadCpuMs();
  let sum = 0;
  for (let step = 0; step < 50_000_000; step++) sum += step % 7;
  if (sum === 0) throw new Error('The loop ended too early.');
  return getThreadCpuMs() - startMs;
}

/** Returns the CPU milliseconds of this thread, which other programs do not affect. */
export function getThreadCpuMs(): number {
  const { user, system } = (process as unknown as { threadCpuUsage(): NodeJS.CpuUsage }).threadCpuUsage();
  return (user + system) / 1000;
}

/** Returns the longest time in milliseconds for which the work blocked this thread. */
export async function measureLongestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isDone = false;
  const watch = async (): Promise<void> => {
    for (let last = getThreadCpuMs(); !isDone;) {
      await setImmediate();
      const now = getThreadCpuMs();
      longest = Math.max(longest, now - last);
      last = now;
    }
  };
  const watching = watch();
  await work();
  isDone = true;
  await watching;
  return longest;
}
