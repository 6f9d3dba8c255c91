/** Runs tasks one after the other; one that fails does not hold up the next. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** What the task resolves to, or throws. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(task);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
