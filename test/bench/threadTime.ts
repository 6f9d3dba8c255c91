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
