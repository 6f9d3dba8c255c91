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

interface Wanted<Result> {
  readonly of: object;
  readonly key: string;
  made: Result | 'computing';
}

/** The result of the steps that were wanted last. */
export class LatestResult<Result> {
  readonly #scheduling: Scheduling;
  readonly #finished: () => void;
  #last: Wanted<Result> | undefined;

  /** `finished`: what was `computing` is there. */
  constructor(finished: () => void, scheduling = pageScheduling) {
    this.#finished = finished;
    this.#scheduling = scheduling;
  }

  /**
   * The result for a source and a key, which is cached. Steps that take longer than a slice are `computing`: they go on between the page's
   * other work, unless another result is wanted before.
   */
  of(source: object, key: string, steps: () => Steps<Result>): Result | 'computing' {
    if (this.#last?.of === source && this.#last.key === key) return this.#last.made;
    const wanted: Wanted<Result> = { of: source, key, made: 'computing' };
    this.#last = wanted;
    const running = steps();
    const since = this.#scheduling.now();
    while (this.#scheduling.now() - since < sliceMs) {
      const step = running.next();
      if (step.done) return (wanted.made = step.value);
    }
    void this.#follow(wanted, running);
    return 'computing';
  }

  async #follow(wanted: Wanted<Result>, steps: Steps<Result>): Promise<void> {
    const isOther = (): boolean => this.#last !== wanted;
    await this.#scheduling.pause();
    if (isOther()) return;
    const made = await runInSlices(steps, this.#scheduling, isOther);
    if (made === undefined || isOther()) return;
    wanted.made = made;
    this.#finished();
  }
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
