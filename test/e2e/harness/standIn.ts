import { createServer, request as send } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export interface StandIn {
  /** The path of each request, in the order in which they came. */
  readonly paths: readonly string[];
  /** For the environment of an extension host with the companion, whose requests to the documented service then come here. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** The extension that leads requests here. */
export const standInCompanion = join(import.meta.dirname, '..', 'standInExtension');

/** Stands in for the documented service: counts what comes and hands it on to a sandbox. */
export async function startStandIn(sandboxUrl: string): Promise<StandIn> {
  const paths: string[] = [];
  const { hostname, port, host } = new URL(sandboxUrl);
  const server = createServer((asked, answer) => {
    paths.push(asked.url ?? '');
    const { method, url: path } = asked;
    const onward = send({ hostname, port, method, path, headers: { ...asked.headers, host } }, response => {
      answer.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
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
