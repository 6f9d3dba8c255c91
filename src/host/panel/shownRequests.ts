import type { ShownTable } from '../../shared/shownTable.ts';

/** Asks a page what it shows. A page that is hidden, goes away or comes anew shows nothing that could be asked for. */
export class ShownRequests {
  readonly #waiting = new Map<number, (shown: ShownTable | undefined) => void>();
  #last = 0;

  /** `post` says whether the page is there to take the question. */
  async ask(post: (ticket: number) => PromiseLike<boolean>): Promise<ShownTable | undefined> {
    const ticket = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(ticket, resolve);
      post(ticket).then(isThere => {
        if (!isThere) this.answer(ticket, undefined);
      }, reject);
    });
  }

  answer(ticket: number, shown: ShownTable | undefined): void {
    this.#waiting.get(ticket)?.(shown);
    this.#waiting.delete(ticket);
  }

  /** Nobody is there to answer any more. */
  forget(): void {
    for (const ticket of [...this.#waiting.keys()]) this.answer(ticket, undefined);
  }
}
