import { GridError } from '../core/errors.ts';
import { requestParameters, type ResolvedQuery } from '../core/query.ts';
import type { ApiClient } from './apiClient.ts';
import { nextPage } from './nextPage.ts';
import { limitAt } from './purse.ts';
import type { Endpoint } from './endpoint.ts';

export interface FetchOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the milliseconds until the scope's budget lets the request go. */
  readonly onWait?: ((ms: number) => void) | undefined;
  readonly priority?: 'person' | 'background' | undefined;
  /** Asked between permit and request: another window may have fetched the same meanwhile. */
  readonly stillNeeded?: (() => Promise<boolean>) | undefined;
}

/** What the service answered, all its pages. */
export interface Answer {
  readonly values: readonly unknown[];
  readonly texts: readonly string[];
  readonly requestsSpent: number;
  /** When it answered, by its own clock where it says, else by ours; UTC milliseconds. */
  readonly answeredAt: number;
  /** The service has more that was not fetched. */
  readonly incomplete: boolean;
}

/** An answer of more pages than this is a loop or a mistake. */
const maxPages = 50;

/** Asks for one range, following the pages of the answer at our own address only. */
export class AnswerFetcher {
  readonly #client: Pick<ApiClient, 'get'>;

  constructor(client: Pick<ApiClient, 'get'>) {
    this.#client = client;
  }

  /** Undefined where it turned out not to be needed. Throws GridError, which counts the requests of all pages. */
  async fetch(query: ResolvedQuery, endpoint: Endpoint, options: FetchOptions = {}): Promise<Answer | undefined> {
    const { path, scope } = query.dataset;
    const { stillNeeded, ...rest } = options;
    const request = { ...endpoint, path, scope, limit: limitAt(endpoint, query.dataset), ...rest };
    const [values, texts]: [unknown[], string[]] = [[], []];
    const asked = new Set<string>();
    let parameters = requestParameters(query);
    let requestsSpent = 0;
    for (;;) {
      asked.add(JSON.stringify(parameters));
      const first = values.length === 0 && stillNeeded ? { stillNeeded } : {};
      const page = await this.#ask({ ...request, ...first, query: parameters }, requestsSpent);
      if (!page) return undefined;
      values.push(page.value);
      texts.push(page.text);
      requestsSpent += page.requestsSpent;
      const next = nextPage(page.value, path);
      const goesOn = next.kind === 'page' && !asked.has(JSON.stringify(next.query)) && values.length < maxPages;
      if (goesOn) parameters = next.query;
      else {
        const answeredAt = page.serverDate ?? page.receivedAt;
        return { values, texts, requestsSpent, answeredAt, incomplete: next.kind !== 'none' };
      }
    }
  }

  async #ask(request: Parameters<ApiClient['get']>[0], spentBefore: number): ReturnType<ApiClient['get']> {
    try {
      return await this.#client.get(request);
    } catch (error) {
      if (!(error instanceof GridError)) throw error;
      const requestsSpent = spentBefore + (error.facts.requestsSpent ?? 0);
      throw new GridError(error.reason, { ...error.facts, requestsSpent });
    }
  }
}
