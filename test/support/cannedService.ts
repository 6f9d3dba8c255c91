import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a canned service received. */
export interface ReceivedRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly key: string | undefined;
}

export interface CannedService {
  readonly baseUrl: string;
  readonly receivedRequests: readonly ReceivedRequest[];
  close(): Promise<void>;
}

/** Starts a service on loopback that responds as the test defines and records all requests. */
export async function startCannedService(
  respond: (request: ReceivedRequest, response: ServerResponse) => void,
): Promise<CannedService> {
  const receivedRequests: ReceivedRequest[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://canned.invalid');
    const key = request.headers['x-api-key'];
    const received = { path: pathname, query: searchParams, key: typeof key === 'string' ? key : undefined };
    receivedRequests.push(received);
    respond(received, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    receivedRequests,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Sends a JSON response. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
