import { createServer, request as send } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export interface StandIn {
  /** The paths of all requests in order. */
  readonly paths: readonly string[];
  /** The environment variables that make the companion redirect requests for the documented service here. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** The extension that redirects requests to the stand-in. */
export const standInCompanion = join(import.meta.dirname, '..', 'standInExtension');

/** Starts a server that records requests for the documented service and forwards them to a sandbox. */
export async function startStandIn(sandboxUrl: string): Promise<StandIn> {
  const paths: string[] = [];
  const { hostname, port, host } = new URL(sandboxUrl);
  const server = createServer((incoming, outgoing) => {
    paths.push(incoming.url ?? '');
    const { method, url: path } = incoming;
    const forwarded = send({ hostname, port, method, path, headers: { ...incoming.headers, host } }, response => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    paths,
    env: {
      GRID_DATA_STAND_IN: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
