import { setImmediate } from 'node:timers/promises';

/** Counts the turns of the event loop while the work runs. */
export async function countTurns(work: Promise<unknown>): Promise<number> {
  let turnCount = 0;
  let isDone = false;
  const count = async (): Promise<void> => {
    for (; !isDone; turnCount++) await setImmediate();
  };
  const counting = count();
  await work.finally(() => (isDone = true));
  await counting;
  return turnCount;
}
