import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { QueryNews, QueryTask } from './queryWindow.ts';

/** A window that runs as a process, and what it has told so far. */
export class QueryProcess {
  readonly #name: string;
  readonly #process: ChildProcess;
  readonly #news: QueryNews[] = [];
  #listeners: (() => void)[] = [];
  #exited = false;

  constructor(task: QueryTask) {
    this.#name = task.name;
    this.#process = fork(join(import.meta.dirname, 'queryWindow.ts'), [JSON.stringify(task)], { execArgv: [] });
    this.#process.on('message', news => {
      this.#news.push(news as QueryNews);
      this.#wake();
    });
    this.#process.once('exit', () => {
      this.#exited = true;
      this.#wake();
    });
  }

  /** All of one kind so far. */
  all<K extends QueryNews['is']>(is: K): Extract<QueryNews, { is: K }>[] {
    return this.#news.filter((news): news is Extract<QueryNews, { is: K }> => news.is === is);
  }

  /** The news of that kind number `count`; rejects where the window fails or ends before. */
  async told<K extends QueryNews['is']>(is: K, count = 1): Promise<Extract<QueryNews, { is: K }>> {
    for (;;) {
      const found = this.all(is)[count - 1];
      if (found) return found;
      const failure = this.all('failed')[0];
      if (failure ?? this.#exited)
        throw new Error(
          `${this.#name} told no ${is} number ${count}: ${failure?.why ?? `it ended after ${JSON.stringify(this.#news.at(-1))}`}`,
        );
      await new Promise<void>(resolve => this.#listeners.push(resolve));
    }
  }

  /** Lets it run a query. */
  ask(range: string): void {
    this.#process.send(range);
  }

  /** Ends it without a chance to tidy up. */
  async kill(): Promise<void> {
    if (this.#exited) return;
    const exit = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exit;
  }

  #wake(): void {
    for (const listener of this.#listeners.splice(0)) listener();
  }
}
