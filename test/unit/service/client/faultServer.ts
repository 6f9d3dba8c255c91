import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { once } from 'node:events';

/** Handles a received request by writing to the socket. `requestNumber` counts from 1. */
export type Responder = (socket: Socket, requestNumber: number) => void;

/** A server on a raw loopback socket, for invalid responses. */
export interface FaultServer {
  readonly port: number;
  readonly baseUrl: string;
  /** The head of each request, in order. */
  readonly requests: readonly string[];
  readonly openSockets: number;
  close(): Promise<void>;
}

export async function startFaultServer(respond: Responder): Promise<FaultServer> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const server = createServer(socket => {
    sockets.add(socket);
    let received = '';
    socket.on('close', () => sockets.delete(socket));
    // The client may have disconnected before the response.
    socket.on('error', () => undefined);
    socket.on('data', chunk => {
      received += chunk.toString('latin1');
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      requests.push(received.slice(0, end));
      received = received.slice(end + 4);
      respond(socket, requests.length);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    get openSockets() {
      return sockets.size;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Creates a complete response with the right Content-Length, after which the connection ends. */
export function reply(status: number, body: string | Uint8Array, ...headers: string[]): Responder {
  return socket => {
    const bytes = Buffer.from(body);
    socket.write(head(status, `Content-Length: ${bytes.length}`, 'Connection: close', ...headers));
    socket.end(bytes);
  };
}

/** Creates only the head of a response. */
export function head(status: number, ...headers: string[]): string {
  return [`HTTP/1.1 ${status} Status`, 'Content-Type: application/json', ...headers, '', ''].join('\r\n');
}

/** Uses one responder for each request in order, and repeats the last one. */
export function respondInTurn(...responders: Responder[]): Responder {
  return (socket, requestNumber) => responders[Math.min(requestNumber, responders.length) - 1]?.(socket, requestNumber);
}
