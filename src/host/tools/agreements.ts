const mostKept = 50;

/** What persons agreed to in the confirmations of tools: so many requests for a question, once. */
export class Agreements {
  readonly #requests = new Map<string, number>();

  /** The confirmation said this price; an older one for the same question no longer counts. */
  priced(question: string, requests: number): void {
    this.#requests.delete(question);
    this.#requests.set(question, requests);
    const [oldest] = this.#requests.keys();
    if (this.#requests.size > mostKept && oldest !== undefined) this.#requests.delete(oldest);
  }

  /** The requests agreed to, for one call; 0 where no price was said. */
  take(question: string): number {
    const requests = this.#requests.get(question) ?? 0;
    this.#requests.delete(question);
    return requests;
  }
}
