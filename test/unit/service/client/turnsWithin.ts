import { setImmediate } from 'node:timers/promises';

/** How often this thread could do something else until the work was done. */
export async function turnsWithin(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = async (): Promise<void> => {
    for (; !isDone; turns++) await setImmediate();
  };
  const counting = count();
  await work.finally(() => (isDone = true));
  await counting;
  return turns;
}
