import type { MiddlewareHandler } from 'hono';
import { jsonReply } from './reply.ts';

/**
 * Lets only requests through that were meant for this server. A web page can make its own host name resolve to 127.0.0.1
 * (DNS rebinding) but cannot change the Host header; a page of any other origin gives itself away by Origin.
 */
export function ownOriginOnly(port: number): MiddlewareHandler {
  // Clients leave the port of http out.
  const suffix = port === 80 ? '' : `:${port}`;
  const hosts = [`127.0.0.1${suffix}`, `localhost${suffix}`];
  return async (context, next) => {
    const host = context.req.header('host')?.toLowerCase() ?? '';
    if (!hosts.includes(host))
      return jsonReply(400, { error: 'bad_request', detail: 'The Host header is not the address of this sandbox.' });
    const origin = context.req.header('origin')?.toLowerCase();
    if (origin !== undefined && !hosts.some(own => origin === `http://${own}`))
      return jsonReply(403, { error: 'forbidden', detail: 'The sandbox does not answer to web pages.' });
    return next();
  };
}
