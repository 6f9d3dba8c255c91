import { startSandbox } from '../../../../src/sandbox/embedded.ts';
import {
  sendJson,
  startCannedService,
  type CannedService,
  type ReceivedRequest,
} from '../../../support/cannedService.ts';

/** A service that responds like the sandbox, after the responses that a test prepared. */
export interface SnippetService extends CannedService {
  readonly key: string;
  /** Responses that are returned instead of the sandbox's, the first one next. */
  readonly before: { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }[];
  /** The number of rows per page. The sandbox has no pages. */
  pageLength: number;
  /** Whether & and / are escaped in JSON, as some services do. */
  escapes: boolean;
}

/** Starts a sandbox behind a service that records, rejects and splits into pages. */
export async function startSnippetService(): Promise<SnippetService> {
  const sandbox = await startSandbox();
  const { value: key } = sandbox.createKey('snippets');
  const preparedResponses: SnippetService['before'] = [];
  const settings = { pageLength: Infinity, escapes: false };
  const service = await startCannedService((request, response) => {
    const prepared = preparedResponses.shift();
    if (prepared) sendJson(response, prepared.status, prepared.body ?? { detail: 'said before' }, prepared.headers);
    else void forwardToSandbox(request).then(body => sendJson(response, 200, formatBody(createPage(body, request))));
  });

  async function forwardToSandbox({ path, query }: ReceivedRequest): Promise<{ data: unknown[] }> {
    const parameters = new URLSearchParams(query);
    parameters.delete('page');
    // Each program has its own key, because rate limits are not tested here.
    const headers = { 'X-API-KEY': sandbox.createKey('forwarded').value };
    const response = await fetch(`${sandbox.baseUrl}${path}?${parameters.toString()}`, { headers });
    return (await response.json()) as { data: unknown[] };
  }

  function formatBody(body: object): string {
    const text = JSON.stringify(body);
    return settings.escapes ? text.replaceAll('&', '\\u0026').replaceAll('/', '\\/') : text;
  }

  function createPage(body: { data: unknown[] }, { path, query }: ReceivedRequest): object {
    const page = Number(query.get('page') ?? 1);
    const from = (page - 1) * settings.pageLength;
    const to = page * settings.pageLength;
    if (!(to < body.data.length))
      return Number.isFinite(to) ? { ...body, next: null, data: body.data.slice(from) } : body;
    const nextParameters = new URLSearchParams(query);
    nextParameters.set('page', String(page + 1));
    // A service behind a proxy may name another scheme and host, which must not receive the key.
    // Many services do not escape brackets and braces.
    const unescapedQuery = nextParameters.toString().replace(/%[57][BD]/g, decodeURIComponent);
    const nextUrl = `http://elsewhere.invalid${path}?${unescapedQuery}`;
    return { ...body, next: nextUrl, data: body.data.slice(from, to) };
  }

  return {
    ...service,
    key,
    before: preparedResponses,
    get pageLength() {
      return settings.pageLength;
    },
    set pageLength(length) {
      settings.pageLength = length;
    },
    get escapes() {
      return settings.escapes;
    },
    set escapes(escapes) {
      settings.escapes = escapes;
    },
    async close() {
      await service.close();
      await sandbox.close();
    },
  };
}
