/**
 * The default timeout of a wait in a test. It is longer than the rate limit of a minute, and than the delay of an hourly refresh
 * after a publication.
 */
export const waitTimeoutMs = 90_000;

/** The pending waits; each function describes one with its last value. */
const pendingWaits = new Set<() => string>();

/** Describes the pending waits, for a test that has timed out. */
export function describePendingWaits(): string[] {
  return [...pendingWaits].map(describeWait => describeWait());
}

/** Reads repeatedly until `accept` returns true, by default for a truthy value. On timeout throws an Error with the last value. */
export async function until<T>(
  description: string,
  read: () => T | Promise<T>,
  accept: (value: T) => boolean = Boolean,
  limitMs: number = waitTimeoutMs,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  // The pauses grow, since frequent reads slow the window.
  let pauseMs = 50;
  let value: T | undefined;
  const describeWait = (): string => `${description}; last seen: ${JSON.stringify(value)}`;
  pendingWaits.add(describeWait);
  try {
    for (;;) {
      value = await read();
      if (accept(value)) return value;
      if (Date.now() > deadline) throw new Error(`Timed out waiting for ${describeWait()}`);
      await new Promise(resolve => setTimeout(resolve, pauseMs));
      pauseMs = Math.min(200, pauseMs * 1.2);
    }
  } finally {
    pendingWaits.delete(describeWait);
  }
}

/** Whether the promise is fulfilled. */
export async function succeeds(promise: Promise<unknown>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  );
}
