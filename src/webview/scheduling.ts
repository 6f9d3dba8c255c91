/** The clock and the scheduler that long work uses to keep the page responsive. */
export interface PageScheduler {
  /** The current time in milliseconds, from an arbitrary origin. */
  now(): number;
  /** Resolves after the page has painted and handled more urgent tasks. */
  pause(): Promise<void>;
}

/** Pauses by a background task if the browser supports task priorities, else by a timer. */
export const pageScheduler: PageScheduler = {
  now: () => performance.now(),
  pause: () =>
    new Promise<void>(resolve => {
      if ('scheduler' in globalThis) void scheduler.postTask(resolve, { priority: 'background' });
      else setTimeout(resolve);
    }),
};

const sliceMs = 8;

/** Returns a function that a loop calls regularly. After every 8 ms of work it returns a promise of a pause to await, else undefined. */
export function createYieldPoint(scheduling: PageScheduler): () => Promise<void> | undefined {
  let sliceStart = scheduling.now();
  return () => {
    if (scheduling.now() - sliceStart < sliceMs) return undefined;
    return scheduling.pause().then(() => {
      sliceStart = scheduling.now();
    });
  };
}
