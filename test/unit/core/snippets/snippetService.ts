import { startSandbox } from '../../../../src/sandbox/embedded.ts';
import { sendJson, startCannedService, type CannedService, type SeenRequest } from '../../../support/cannedService.ts';

/** A service that responds like the sandbox, after the responses that the test prepared. */
export interface SnippetService extends CannedService {
  readonly key: string;
  /** Responses to return instead of the sandbox's, the next one first. */
  readonly before: { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }[];
  /** Rows per page; the sandbox has no pages. */
  pageLength: number;
  /** Escapes & and / in JSON, as some services do. */
  escapes: boolean;
}

/** Wraps the sandbox in a service that counts, rejects and splits into pages. */
export async function startSnippetService(): Promise<SnippetService> {
  const sandbox = await startSandbox();
  const { value: key } = sandbox.createKey('snippets');
  const before: SnippetService['before'] = [];
  const settings = { pageLength: Infinity, escapes: false };
  const service = await startCannedService((request, response) => {
    const said = before.shift();
    if (said) sendJson(response, said.status, said.body ?? { detail: 'said before' }, said.headers);
    else void forward(request).then(body => sendJson(response, 200, spelled(pageOf(body, request))));
  });

  async function forward({ path, query }: SeenRequest): Promise<{ data: unknown[] }> {
    const asked = new URLSearchParams(query);
    asked.delete('page');
    // Each program has its own key, because rate limits are not tested here.
    const headers = { 'X-API-KEY': sandbox.createKey('forwarded').value };
    const response = await fetch(`${sandbox.baseUrl}${path}?${asked.toString()}`, { headers });
    return (await response.json()) as { data: unknown[] };
  }

  function spelled(body: object): string {
    const text = JSON.stringify(body);
    return settings.escapes ? text.replaceAll('&', '\\u0026').replaceAll('/', '\\/') : text;
  }

  function pageOf(body: { data: unknown[] }, { path, query }: SeenRequest): object {
    const page = Number(query.get('page') ?? 1);
    const [from, to] = [(page - 1) * settings.pageLength, page * settings.pageLength];
    if (!(to < body.data.length))
      return Number.isFinite(to) ? { ...body, next: null, data: body.data.slice(from) } : body;
    const following = new URLSearchParams(query);
    following.set('page', String(page + 1));
    // As a service behind a proxy says it: another scheme and host, which nobody may follow with the key.
    // Brackets and braces stand as they are, as many services write them.
    const bare = following.toString().replace(/%[57][BD]/g, decodeURIComponent);
    const next = `http://elsewhere.invalid${path}?${bare}`;
    return { ...body, next, data: body.data.slice(from, to) };
  }

  return {
    ...service,
    key,
    before,
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
