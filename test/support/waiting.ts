/**
 * How long a test waits for what it expects: longer than the budget of a minute lets a query wait, and than a watched query
 * rests after a publication.
 */
export const patienceMs = 90_000;

/** What waits now, each with what it read last. */
const waits = new Set<() => string>();

/** What is waited for now, for a test that ran out of its own time meanwhile. */
export function waitsNow(): string[] {
  return [...waits].map(say => say());
}

/** Reads until `accept` is content with what it read, or it is something. Throws an Error that says what was awaited and what was there last. */
export async function until<T>(
  what: string,
  read: () => T | Promise<T>,
  accept: (value: T) => boolean = Boolean,
  limitMs: number = patienceMs,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  // What is read often is what the window is slowed by.
  let pauseMs = 50;
  let value: T | undefined;
  const say = (): string => `${what}; last seen: ${JSON.stringify(value)}`;
  waits.add(say);
  try {
    for (;;) {
      value = await read();
      if (accept(value)) return value;
      if (Date.now() > deadline) throw new Error(`Waited in vain for ${say()}`);
      await new Promise(resolve => setTimeout(resolve, pauseMs));
      pauseMs = Math.min(200, pauseMs * 1.2);
    }
  } finally {
    waits.delete(say);
  }
}

/** Whether the step came to its end instead of failing. */
export async function succeeds(step: Promise<unknown>): Promise<boolean> {
  return step.then(
    () => true,
    () => false,
  );
}
