import { hourMs } from '../../shared/durations.ts';
import type { Decoded } from '../../core/decode/decode.ts';
import { GridError } from '../../core/errors.ts';
import { createRequestParameters, type ServiceQuery } from '../../core/query/query.ts';
import type { ResponseReader } from './responseReader.ts';
import {
  type ApiResponse,
  type ApiClient,
  type ApiRequest,
  transportDefaults,
  type AlreadyFetched,
} from './apiClient.ts';
import type { WireTrace } from './requestTrace.ts';
import { getLimit, type Endpoint } from '../connections/endpoint.ts';
import type { NextLink } from './readResponse.ts';

/** The options of a request that the caller of a fetch may set. */
type CallerOptions = Pick<ApiRequest, 'signal' | 'onWait' | 'onThrottled' | 'priority' | 'gate' | 'confirmRetry'>;

export interface ResponseFetcherOptions extends CallerOptions {
  /** Confirms each further page, which is another request, given the number of pages so far. If omitted, only the first page is fetched. */
  readonly confirmPage?: ((pages: number) => Promise<boolean>) | undefined;
}

/** A response of the service with all its pages. */
export interface FetchedResponse {
  readonly decoded: Decoded;
  /** The body of each page as received. */
  readonly bodies: readonly Uint8Array[];
  /** The request of each page. */
  readonly traces: readonly WireTrace[];
  readonly requestsSpent: number;
  /** When the first page was sent by the service, by its clock if known, otherwise by ours; UTC milliseconds. */
  readonly respondedAt: number;
  /** When the first page was requested and its response began, by our clock. */
  readonly sentAt: number;
  readonly headAt: number;
  /** Whether the service has more pages that were not fetched. */
  readonly incomplete: boolean;
  /** The error of the page after these. Its requests are included in `requestsSpent`. */
  readonly failure?: GridError;
}

/** The maximum number of pages. A response with more is a loop or a mistake. */
const maxPages = 50;
/** The size limit of all pages together, which equals the limit of a single response. */
const maxBytes = transportDefaults.maxBytes;

/** Requests a range, with all pages of the response, from the configured address only. */
export class ResponseFetcher {
  readonly #client: Pick<ApiClient, 'get'>;
  readonly #reader: Pick<ResponseReader, 'read' | 'prepare'>;

  constructor(client: Pick<ApiClient, 'get'>, reader: Pick<ResponseReader, 'read' | 'prepare'>) {
    this.#client = client;
    this.#reader = reader;
  }

  /**
   * Fetches a response; `AlreadyFetched` if another window has fetched it meanwhile. Throws a GridError if the first page fails. If a later page
   * fails, the pages before it are returned, since their requests are spent.
   */
  async fetch(
    query: ServiceQuery,
    endpoint: Endpoint,
    options: ResponseFetcherOptions = {},
  ): Promise<FetchedResponse | AlreadyFetched> {
    const { path, scope } = query.dataset;
    const request = { ...endpoint, path, scope, limit: getLimit(endpoint, query.dataset), ...options };
    const pages: ApiResponse[] = [];
    this.#reader.prepare((query.end - query.start) / (query.intervalMs ?? hourMs));
    const requested = new Set<string>();
    let parameters = createRequestParameters(query);
    for (;;) {
      requested.add(JSON.stringify(parameters));
      const isLaterPage = pages.length > 0;
      const page = await this.#getPage({ ...request, query: parameters }, isLaterPage);
      if (page instanceof GridError) return this.#createResponse(pages, true, page);
      if ('unneeded' in page) return { ...page, requestsSpent: sumRequests(pages) + page.requestsSpent };
      pages.push(page);
      const next = parseNextPage(page.next, path);
      const hasRoom = pages.length < maxPages && pages.reduce((sum, { bytes }) => sum + bytes, 0) < maxBytes;
      const isNew = next.kind === 'page' && !requested.has(JSON.stringify(next.query)) && hasRoom;
      const isConfirmed = isNew && (await options.confirmPage?.(pages.length)) === true;
      if (isNew && options.signal?.aborted)
        return this.#createResponse(pages, true, new GridError('cancelled', { requestsSpent: 0 }));
      if (!isConfirmed) return this.#createResponse(pages, next.kind !== 'none');
      parameters = next.query;
    }
  }

  async #getPage(request: ApiRequest, isLaterPage: boolean): Promise<ApiResponse | AlreadyFetched | GridError> {
    try {
      return await this.#client.get(request);
    } catch (error) {
      if (isLaterPage && error instanceof GridError) return error;
      throw error;
    }
  }

  async #createResponse(
    pages: readonly ApiResponse[],
    incomplete: boolean,
    failure?: GridError,
  ): Promise<FetchedResponse> {
    const { sentAt = 0, headAt = 0, serverDate } = pages[0] ?? {};
    return {
      decoded: await this.#decodeTogether(pages),
      bodies: pages.map(({ body }) => body),
      traces: pages.map(({ trace }) => trace),
      requestsSpent: sumRequests(pages) + (failure?.facts.requestsSpent ?? 0),
      // The first page is the oldest: it may miss what was published while the others were fetched.
      respondedAt: serverDate ?? headAt,
      sentAt,
      headAt,
      incomplete,
      ...(failure && { failure }),
    };
  }

  /** Decodes all pages as one table, since the kind of a column depends on all of them. The signal does not abort this: the requests are spent. */
  async #decodeTogether(pages: readonly ApiResponse[]): Promise<Decoded> {
    const [first] = pages;
    if (first && pages.length === 1) return first.decoded;
    const content = await this.#reader.read(
      pages.map(({ body }) => body),
      '',
    );
    if (content.ok) return content.decoded;
    throw new GridError('damagedResponse', { detail: content.why, requestsSpent: sumRequests(pages) });
  }
}

function sumRequests(pages: readonly ApiResponse[]): number {
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
export function parseNextPage(link: NextLink, path: string): NextPage {
  if (link === null) return { kind: 'none' };
  if (link === false || !URL.canParse(link, 'http://base.invalid')) return { kind: 'elsewhere' };
  const url = new URL(link, `http://base.invalid${path}`);
  const samePath = trimSlashes(url.pathname).endsWith(trimSlashes(path)) && url.search !== '';
  return samePath ? { kind: 'page', query: [...url.searchParams] } : { kind: 'elsewhere' };
}

function trimSlashes(path: string): string {
  return path.replace(/\/+$/, '');
}
