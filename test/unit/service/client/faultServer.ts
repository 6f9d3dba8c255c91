import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { once } from 'node:events';

/** What the server does with a request it has read: it writes to the socket whatever it likes. `hit` counts from 1. */
export type Answer = (socket: Socket, hit: number) => void;

/** A server on a raw loopback socket that answers wrongly, on purpose. */
export interface FaultServer {
  readonly port: number;
  readonly baseUrl: string;
  /** The head of each request, in order. */
  readonly requests: readonly string[];
  readonly openSockets: number;
  close(): Promise<void>;
}

export async function startFaultServer(answer: Answer): Promise<FaultServer> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const server = createServer(socket => {
    sockets.add(socket);
    let received = '';
    socket.on('close', () => sockets.delete(socket));
    // The client may be gone before the answer is: that is part of the play.
    socket.on('error', () => undefined);
    socket.on('data', chunk => {
      received += chunk.toString('latin1');
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      requests.push(received.slice(0, end));
      received = received.slice(end + 4);
      answer(socket, requests.length);
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

/** A whole answer with the right Content-Length, after which the connection ends. */
export function reply(status: number, body: string | Uint8Array, ...headers: string[]): Answer {
  return socket => {
    const bytes = Buffer.from(body);
    socket.write(head(status, `Content-Length: ${bytes.length}`, 'Connection: close', ...headers));
    socket.end(bytes);
  };
}

/** The head alone. */
export function head(status: number, ...headers: string[]): string {
  return [`HTTP/1.1 ${status} Status`, 'Content-Type: application/json', ...headers, '', ''].join('\r\n');
}

/** The first answer for the first request and so on; the last one repeats. */
export function inTurn(...answers: Answer[]): Answer {
  return (socket, hit) => answers[Math.min(hit, answers.length) - 1]?.(socket, hit);
}
