import { hourMs } from '../../shared/durations.ts';
import type { Decoded } from '../../core/decode/decode.ts';
import { GridError } from '../../core/errors.ts';
import { requestParameters, type ServiceQuery } from '../../core/query/query.ts';
import type { AnswerReader } from './answerReader.ts';
import { type ApiAnswer, type ApiClient, type ApiRequest, transportDefaults, type Unneeded } from './apiClient.ts';
import type { WireTrace } from './requestTrace.ts';
import { limitAt, type Endpoint } from '../connections/endpoint.ts';
import type { NextLink } from './readAnswer.ts';

/** The options of a request that the caller of a fetch may set. */
type CallerOptions = Pick<ApiRequest, 'signal' | 'onWait' | 'onThrottled' | 'priority' | 'gate' | 'mayRetry'>;

export interface FetchOptions extends CallerOptions {
  /** Confirms each further page, which is another request, given the number of pages so far. If omitted, only the first page is fetched. */
  readonly mayTakePage?: ((pages: number) => Promise<boolean>) | undefined;
}

/** A response of the service with all its pages. */
export interface Answer {
  readonly decoded: Decoded;
  /** The body of each page as received. */
  readonly bodies: readonly Uint8Array[];
  /** The request of each page. */
  readonly traces: readonly WireTrace[];
  readonly requestsSpent: number;
  /** When the first page was sent by the service, by its clock if known, else by ours; UTC milliseconds. */
  readonly answeredAt: number;
  /** When the first page was requested and its response began, by our clock. */
  readonly sentAt: number;
  readonly headAt: number;
  /** Whether the service has more pages that were not fetched. */
  readonly incomplete: boolean;
  /** The error of the page after these. Its requests are included in `requestsSpent`. */
  readonly failure?: GridError;
}

/** A response with more pages than this is a loop or a mistake. */
const maxPages = 50;
/** The size limit of all pages together, which is that of a single response. */
const maxBytes = transportDefaults.maxBytes;

/** Requests a range, with all pages of the response, from the configured address only. */
export class AnswerFetcher {
  readonly #client: Pick<ApiClient, 'get'>;
  readonly #reader: Pick<AnswerReader, 'read' | 'prepare'>;

  constructor(client: Pick<ApiClient, 'get'>, reader: Pick<AnswerReader, 'read' | 'prepare'>) {
    this.#client = client;
    this.#reader = reader;
  }

  /**
   * Fetches a response; `AlreadyFetched` if another window has fetched it meanwhile. Throws a GridError if the first page fails. If a later page
   * fails, the pages before it are returned, since their requests are spent.
   */
  async fetch(query: ServiceQuery, endpoint: Endpoint, options: FetchOptions = {}): Promise<Answer | Unneeded> {
    const { path, scope } = query.dataset;
    const request = { ...endpoint, path, scope, limit: limitAt(endpoint, query.dataset), ...options };
    const pages: ApiAnswer[] = [];
    this.#reader.prepare((query.end - query.start) / (query.stepMs ?? hourMs));
    const requested = new Set<string>();
    let parameters = requestParameters(query);
    for (;;) {
      requested.add(JSON.stringify(parameters));
      const isLater = pages.length > 0;
      const page = await this.#get({ ...request, query: parameters }, isLater);
      if (page instanceof GridError) return this.#answerOf(pages, true, page);
      if ('unneeded' in page) return { ...page, requestsSpent: spentOn(pages) + page.requestsSpent };
      pages.push(page);
      const next = nextPage(page.next, path);
      const hasRoom = pages.length < maxPages && pages.reduce((sum, { bytes }) => sum + bytes, 0) < maxBytes;
      const isNew = next.kind === 'page' && !requested.has(JSON.stringify(next.query)) && hasRoom;
      const isTaken = isNew && (await options.mayTakePage?.(pages.length)) === true;
      if (isNew && options.signal?.aborted)
        return this.#answerOf(pages, true, new GridError('cancelled', { requestsSpent: 0 }));
      if (!isTaken) return this.#answerOf(pages, next.kind !== 'none');
      parameters = next.query;
    }
  }

  async #get(request: ApiRequest, isLater: boolean): Promise<ApiAnswer | Unneeded | GridError> {
    try {
      return await this.#client.get(request);
    } catch (error) {
      if (isLater && error instanceof GridError) return error;
      throw error;
    }
  }

  async #answerOf(pages: readonly ApiAnswer[], incomplete: boolean, failure?: GridError): Promise<Answer> {
    const { sentAt = 0, headAt = 0, serverDate } = pages[0] ?? {};
    return {
      decoded: await this.#decodedTogether(pages),
      bodies: pages.map(({ body }) => body),
      traces: pages.map(({ trace }) => trace),
      requestsSpent: spentOn(pages) + (failure?.facts.requestsSpent ?? 0),
      // The first page is the oldest: it may miss what was published while the others were fetched.
      answeredAt: serverDate ?? headAt,
      sentAt,
      headAt,
      incomplete,
      ...(failure && { failure }),
    };
  }

  /** Decodes all pages as one table, since the kind of a column depends on all of them. The signal does not abort this: the requests are spent. */
  async #decodedTogether(pages: readonly ApiAnswer[]): Promise<Decoded> {
    const [first] = pages;
    if (first && pages.length === 1) return first.decoded;
    const read = await this.#reader.read(
      pages.map(({ body }) => body),
      '',
    );
    if (read.ok) return read.decoded;
    throw new GridError('damagedResponse', { detail: read.why, requestsSpent: spentOn(pages) });
  }
}

function spentOn(pages: readonly ApiAnswer[]): number {
  return pages.reduce((sum, { requestsSpent }) => sum + requestsSpent, 0);
}

type NextPage =
  | { readonly kind: 'none' }
  | { readonly kind: 'page'; readonly query: [name: string, value: string][] }
  /** A link to another path, or an invalid URL, which is not followed. */
  | { readonly kind: 'elsewhere' };

/**
 * Parses the link to the next page (Django REST framework's `next`). Only its query parameters are used; the address stays the configured one,
 * so that no response can send the key to another host or downgrade https to http.
 */
export function nextPage(link: NextLink, path: string): NextPage {
  if (link === null) return { kind: 'none' };
  if (link === false || !URL.canParse(link, 'http://base.invalid')) return { kind: 'elsewhere' };
  const url = new URL(link, `http://base.invalid${path}`);
  const samePath = trimmed(url.pathname).endsWith(trimmed(path)) && url.search !== '';
  return samePath ? { kind: 'page', query: [...url.searchParams] } : { kind: 'elsewhere' };
}

function trimmed(path: string): string {
  return path.replace(/\/+$/, '');
}
