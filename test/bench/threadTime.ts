import { setImmediate } from 'node:timers/promises';

/** Measures a loop that takes about 50 ms on a current computer. Returns the CPU milliseconds. */
export function measureFixedLoop(): number {
  const startMs = getThreadCpuMs();
  let sum = 0;
  for (let n = 0; n < 50_000_000; n++) sum += n % 7;
  if (sum === 0) throw new Error('The loop ended too early.');
  return getThreadCpuMs() - startMs;
}

/** Returns the CPU time of this thread in milliseconds. Other programs do not affect it. */
export function getThreadCpuMs(): number {
  const { user, system } = (process as unknown as { threadCpuUsage(): NodeJS.CpuUsage }).threadCpuUsage();
  return (user + system) / 1000;
}

/** Returns the longest time for which `work` blocked this thread, in milliseconds. */
export async function measureLongestBlock(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let isDone = false;
  const watch = async (): Promise<void> => {
    for (let last = getThreadCpuMs(); !isDone;) {
      await setImmediate();
      const now = getThreadCpuMs();
      longestMs = Math.max(longestMs, now - last);
      last = now;
    }
  };
  const watching = watch();
  await work();
  isDone = true;
  await watching;
  return longestMs;
}
