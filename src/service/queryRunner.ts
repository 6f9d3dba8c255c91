import { clip } from '../core/clip.ts';
import { coverageOf } from '../core/coverage.ts';
import { decode } from '../core/decode/decode.ts';
import { GridError } from '../core/errors.ts';
import type { Clock } from '../core/ports.ts';
import { requestParameters, type ResolvedQuery } from '../core/query.ts';
import type { Result } from '../shared/result.ts';
import type { ApiClient } from './apiClient.ts';
import { nextPage } from './nextPage.ts';

/** Where a query goes and with which key. */
export interface Endpoint {
  readonly name: string;
  readonly baseUrl: string;
  readonly key: string;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** Called with the milliseconds until the scope's budget lets the request go. */
  readonly onWait?: (ms: number) => void;
}

/** An answer of more pages than this is a loop or a mistake. */
const maxPages = 50;

/** Sends a resolved query and makes a result of whatever JSON comes back. Throws GridError. */
export class QueryRunner {
  readonly #client: Pick<ApiClient, 'get'>;
  readonly #clock: Clock;

  constructor(deps: { client: Pick<ApiClient, 'get'>; clock: Clock }) {
    this.#client = deps.client;
    this.#clock = deps.clock;
  }

  async run(query: ResolvedQuery, endpoint: Endpoint, options: RunOptions = {}): Promise<Result> {
    const pages = await this.#pages(query, endpoint, options);
    const { frame, meta } = decode(pages.values);
    const clipped = frame && clip(frame, query);
    const now = pages.serverDate ?? this.#clock.now();
    return {
      frame: clipped?.frame,
      json: pages.texts.length === 1 ? (pages.texts[0] ?? '') : `[${pages.texts.join(',\n')}]`,
      coverage: clipped && coverageOf(clipped.frame, query, query.stepMs, now),
      provenance: {
        connection: endpoint.name,
        dataset: query.dataset.id,
        datasetTitle: query.dataset.title,
        range: query.range,
        start: query.start,
        end: query.end,
        interval: query.interval,
        params: query.params,
        fetchedAt: this.#clock.now(),
        requestsSpent: pages.requestsSpent,
        rowsOutside: clipped?.rowsOutside ?? 0,
        incomplete: pages.incomplete,
        meta,
      },
    };
  }

  async #pages(query: ResolvedQuery, endpoint: Endpoint, options: RunOptions): Promise<Pages> {
    const pages: Pages = { values: [], texts: [], requestsSpent: 0, serverDate: undefined, incomplete: false };
    const { path, scope, limit } = query.dataset;
    const asked = new Set<string>();
    let parameters = requestParameters(query);
    for (;;) {
      asked.add(JSON.stringify(parameters));
      const answer = await this.#ask(
        { ...endpoint, path, scope, limit, query: parameters, ...options },
        pages.requestsSpent,
      );
      pages.values.push(answer.value);
      pages.texts.push(answer.text);
      pages.requestsSpent += answer.requestsSpent;
      pages.serverDate = answer.serverDate;
      const next = nextPage(answer.value, path);
      if (next.kind === 'none') return pages;
      const goesOn = next.kind === 'page' && !asked.has(JSON.stringify(next.query)) && pages.values.length < maxPages;
      if (!goesOn) return { ...pages, incomplete: true };
      parameters = next.query;
    }
  }

  /** One page. A failure counts the requests of the pages before it too. */
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

interface Pages {
  readonly values: unknown[];
  readonly texts: string[];
  requestsSpent: number;
  serverDate: number | undefined;
  readonly incomplete: boolean;
}
