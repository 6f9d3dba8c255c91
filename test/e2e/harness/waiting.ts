/**
 * How long a UI test waits for what it expects: longer than the budget of a minute lets a query wait, and than a watched query
 * rests after a publication.
 */
export const patienceMs = 90_000;

/** Reads until `accept` is content with what it read. Throws an Error that says what was awaited and what was there last. */
export async function until<T>(
  what: string,
  read: () => Promise<T>,
  accept: (value: T) => boolean,
  limitMs: number = patienceMs,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const value = await read();
    if (accept(value)) return value;
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}; last seen: ${JSON.stringify(value)}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

/** Whether the step came to its end instead of failing. */
export async function succeeds(step: Promise<unknown>): Promise<boolean> {
  return step.then(
    () => true,
    () => false,
  );
}
