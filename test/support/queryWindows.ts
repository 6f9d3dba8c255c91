import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { WindowMessage, QueryTask } from './queryWindow.ts';

/** A window that runs as a process, and its messages so far. */
export class QueryProcess {
  readonly #name: string;
  readonly #process: ChildProcess;
  readonly #messages: WindowMessage[] = [];
  #listeners: (() => void)[] = [];
  #exited = false;

  constructor(task: QueryTask) {
    this.#name = task.name;
    this.#process = fork(join(import.meta.dirname, 'queryWindow.ts'), [JSON.stringify(task)], { execArgv: [] });
    this.#process.on('message', message => {
      this.#messages.push(message as WindowMessage);
      this.#wake();
    });
    this.#process.once('exit', () => {
      this.#exited = true;
      this.#wake();
    });
  }

  /** Returns all messages of a kind so far. */
  listMessages<K extends WindowMessage['type']>(type: K): Extract<WindowMessage, { type: K }>[] {
    return this.#messages.filter((message): message is Extract<WindowMessage, { type: K }> => message.type === type);
  }

  /** Waits for message number `count` of a kind. Rejects if the window fails or exits first. */
  async waitForMessage<K extends WindowMessage['type']>(
    type: K,
    count = 1,
  ): Promise<Extract<WindowMessage, { type: K }>> {
    for (;;) {
      const match = this.listMessages(type)[count - 1];
      if (match) return match;
      const failure = this.listMessages('failed')[0];
      if (failure ?? this.#exited)
        throw new Error(
          `${this.#name} sent no ${type} message number ${count}: ${failure?.reason ?? `it exited after ${JSON.stringify(this.#messages.at(-1))}`}`,
        );
      await new Promise<void>(resolve => this.#listeners.push(resolve));
    }
  }

  /** Makes the window run a query. */
  runQuery(range: string): void {
    this.#process.send(range);
  }

  /** Kills the process without cleanup. */
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
