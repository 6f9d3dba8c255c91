import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SandboxError } from '../sandboxError.ts';

/** How long a client may take, in milliseconds. */
export interface Patience {
  /** From the connection, or the previous response, to the end of the request's head: ends connections that send it very slowly. */
  readonly headMs: number;
  /** From the beginning of the request to its end. */
  readonly requestMs: number;
  /** Without a byte in either direction: ends connections that stop reading a response. */
  readonly stillMs: number;
}

export const usualPatience: Patience = { headMs: 15_000, requestMs: 30_000, stillMs: 120_000 };

/** The interval at which idle connections are checked. */
const checkMs = 1_000;
const waitingConnections = 4_096;

/** A server for 127.0.0.1 that has not begun to listen. */
export function createHttpServer(patience: Patience): Server {
  const server = createServer({
    headersTimeout: patience.headMs,
    requestTimeout: patience.requestMs,
    connectionsCheckingInterval: Math.min(checkMs, patience.headMs),
  });
  server.timeout = patience.stillMs;
  return server;
}

/** Returns the port. Throws a SandboxError where it cannot be opened. */
export async function listen(server: Server, port: number): Promise<number> {
  server.listen({ host: '127.0.0.1', port, backlog: waitingConnections });
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    const reason = code === 'EADDRINUSE' ? 'is already in use' : `cannot be opened (${code})`;
    throw new SandboxError(`Port ${port} ${reason}; give another one, or none for any free port.`);
  }
  return (server.address() as AddressInfo).port;
}

/** Ends open connections and frees the port. */
export async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
