import type { Steps } from '../core/time/steps.ts';

/** How work in slices yields to the page's other work. */
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

/**
 * The result of steps that end within a slice. Undefined for longer ones: they go on between the page's other work, and `later` gets their
 * result, unless they are `stopped` before.
 */
export function runOrFollow<Result>(
  steps: Steps<Result>,
  scheduling: Scheduling,
  stopped: () => boolean,
  later: (result: Result) => void,
): Result | undefined {
  const since = scheduling.now();
  while (scheduling.now() - since < sliceMs) {
    const step = steps.next();
    if (step.done) return step.value;
  }
  void runInSlices(steps, scheduling, stopped).then(result => {
    if (result !== undefined && !stopped()) later(result);
  });
  return undefined;
}

/** Runs steps in slices of about 8 ms with a pause after each. Undefined, and no further step, once `stopped`. */
export async function runInSlices<Result>(
  steps: Steps<Result>,
  scheduling: Scheduling,
  stopped: () => boolean,
): Promise<Result | undefined> {
  let since = scheduling.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (scheduling.now() - since < sliceMs) continue;
    await scheduling.pause();
    if (stopped()) return undefined;
    since = scheduling.now();
  }
}
