import type { Page } from 'playwright-core';

/** Returns a function that measures the CPU milliseconds of the page's main thread during an action. */
export async function busyTimer(page: Page): Promise<(act: () => Promise<unknown>) => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const read = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? NaN);
  };
  return async act => {
    const startMs = await read();
    await act();
    return (await read()) - startMs;
  };
}
