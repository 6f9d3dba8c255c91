/** How long work lets the page do its other work. */
export interface Scheduling {
  /** Milliseconds of any origin. */
  now(): number;
  /** Resolves once the page has drawn and has nothing more urgent to do. */
  pause(): Promise<void>;
}

/** Behind input and drawing where the browser has priorities, else behind a timer. */
export const pageScheduling: Scheduling = {
  now: () => performance.now(),
  pause: () =>
    new Promise<void>(resolve => {
      if ('scheduler' in globalThis) void scheduler.postTask(resolve, { priority: 'background' });
      else setTimeout(resolve);
    }),
};

const sliceMs = 8;

/** Tells a loop when to wait: a promise after each 8 ms of work, which resolves when the page has drawn; undefined before that. */
export function breaks(scheduling: Scheduling): () => Promise<void> | undefined {
  let since = scheduling.now();
  return () => {
    if (scheduling.now() - since < sliceMs) return undefined;
    return scheduling.pause().then(() => {
      since = scheduling.now();
    });
  };
}
