import type { Turns } from './slices.ts';

/** The page's own turns: behind input and drawing where the browser can tell, else behind a timer. */
export function pageTurns(): Turns {
  const pause = () =>
    new Promise<void>(resolve => {
      if ('scheduler' in globalThis) void scheduler.postTask(resolve, { priority: 'background' });
      else setTimeout(resolve);
    });
  return { now: () => performance.now(), pause };
}
