import type { SharedText } from '../../../../src/service/files/lockedText.ts';

/** A file in memory that several windows share. Changes run one after another. */
export class FakeFile implements SharedText {
  text: string | undefined;
  readonly aside: string[] = [];
  /** If set, every call rejects with this system error code. */
  broken: string | undefined;
  changes = 0;
  #lastChange: Promise<unknown> = Promise.resolve();

  async read(): Promise<string | undefined> {
    this.#throwIfBroken();
    return Promise.resolve(this.text);
  }

  async change(update: (text: string | undefined) => Promise<string | undefined>): Promise<void> {
    const change = this.#lastChange.then(async () => {
      this.#throwIfBroken();
      const next = await update(this.text);
      if (next === undefined) return;
      this.text = next;
      this.changes += 1;
    });
    this.#lastChange = change.catch(() => undefined);
    return change;
  }

  async backUp(text: string): Promise<string> {
    this.aside.push(text);
    return Promise.resolve('aside.json');
  }

  #throwIfBroken(): void {
    if (this.broken !== undefined) throw Object.assign(new Error('broken'), { code: this.broken });
  }
}
