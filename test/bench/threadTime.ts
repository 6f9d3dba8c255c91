import { setImmediate } from 'node:timers/promises';

/** Some 50 ms on a computer of today. */
export function fixedLoop(): number {
  const began = threadMs();
  let sum = 0;
  for (let step = 0; step < 50_000_000; step++) sum += step % 7;
  if (sum === 0) throw new Error('not reached');
  return threadMs() - began;
}

/** This thread's time on a processor: what other programs take of it is not counted. */
export function threadMs(): number {
  const { user, system } = (process as unknown as { threadCpuUsage(): NodeJS.CpuUsage }).threadCpuUsage();
  return (user + system) / 1000;
}

/** The longest time of this thread in which nothing but the work could run, milliseconds. */
export async function longestDelay(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isDone = false;
  const watch = async (): Promise<void> => {
    for (let last = threadMs(); !isDone;) {
      await setImmediate();
      const now = threadMs();
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
