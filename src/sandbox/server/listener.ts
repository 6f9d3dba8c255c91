import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { jsonReply, methodNotAllowed } from './reply.ts';

/** Both ends of a request's connection. A fault may write to it, or cut it, in the place of a response. */
export interface Wire {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

type Fetch = (request: Request, wire: Wire) => Response | Promise<Response>;

/** Answers a request of Node's server by a function of Request and Response. Never rejects: a client that goes needs no answer. */
export async function answerBy(fetch: Fetch, wire: Wire): Promise<void> {
  const { incoming, outgoing } = wire;
  try {
    const request = requestOf(incoming);
    const response = request ? await fetch(request, wire) : refused(incoming);
    if (outgoing.headersSent || incoming.socket.destroyed) return;
    outgoing.writeHead(response.status, [...response.headers].flat());
    if (response.body) await pipeline(Readable.fromWeb(response.body), outgoing);
    else outgoing.end();
  } catch {
    outgoing.destroy();
  }
}

/** Undefined where the target, the Host header or the method is not one of an HTTP request to a server. */
function requestOf(incoming: IncomingMessage): Request | undefined {
  const { method = 'GET', headers, headersDistinct, url = '' } = incoming;
  const address = `http://${headers.host ?? '127.0.0.1'}${url}`;
  if (!url.startsWith('/') || !URL.canParse(address)) return undefined;
  const pairs = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const hasBody = method !== 'GET' && method !== 'HEAD';
  try {
    const init = { method, headers: pairs };
    if (!hasBody) return new Request(address, init);
    return new Request(address, { ...init, body: Readable.toWeb(incoming), duplex: 'half' });
  } catch {
    return undefined;
  }
}

/** TRACE is HTTP, but no Request can have it. */
function refused({ method }: IncomingMessage): Response {
  if (method === 'TRACE') return methodNotAllowed(method);
  return jsonReply(400, { error: 'bad_request', detail: 'The request is not valid HTTP for this sandbox.' });
}
