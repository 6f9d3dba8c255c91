import type { SharedText } from '../../../../src/service/savedQueries/lockedText.ts';

/** A file in memory that several windows share. One at a time changes it. */
export class FakeFile implements SharedText {
  text: string | undefined;
  readonly aside: string[] = [];
  /** Rejects with this system code from now on. */
  broken: string | undefined;
  changes = 0;
  #last: Promise<unknown> = Promise.resolve();

  async read(): Promise<string | undefined> {
    this.#mayFail();
    return Promise.resolve(this.text);
  }

  async change(update: (text: string | undefined) => Promise<string | undefined>): Promise<void> {
    const change = this.#last.then(async () => {
      this.#mayFail();
      const next = await update(this.text);
      if (next === undefined) return;
      this.text = next;
      this.changes += 1;
    });
    this.#last = change.catch(() => undefined);
    return change;
  }

  async backUp(text: string): Promise<string> {
    this.aside.push(text);
    return Promise.resolve('aside.json');
  }

  #mayFail(): void {
    if (this.broken !== undefined) throw Object.assign(new Error('broken'), { code: this.broken });
  }
}
