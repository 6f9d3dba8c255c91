/** The maximum number of concurrent operations: more would not be faster, and other windows need file descriptors too. */
const maxConcurrency = 8;

/** Runs the work for all items with limited concurrency. Rejects with the first error, once all started work has ended. */
export async function mapConcurrently<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length);
  const errors: unknown[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length && errors.length === 0) {
      const index = next++;
      try {
        results[index] = await work(items[index] as T);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: maxConcurrency }, worker));
  if (errors.length > 0) throw errors[0];
  return results;
}
