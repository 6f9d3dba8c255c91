import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Clock } from '../core/ports.ts';
import { createApp } from './app.ts';
import { hourMs } from './hours.ts';
import { KeyRing } from './keyRing.ts';
import type { CreatedKey, RandomBytes } from './keyRing.ts';
import { openReplay } from './replay/replaySource.ts';
import { jsonReply } from './reply.ts';
import { SandboxError } from './sandboxError.ts';
import { SyntheticSource } from './synthetic/syntheticSource.ts';
import { ScopedThrottle } from './throttle.ts';

export interface SandboxOptions {
  /** The machine's if left out. */
  readonly clock?: Pick<Clock, 'now'>;
  /** 0 or left out: any free port. */
  readonly port?: number;
  /** Of the made-up data; 1 if left out. */
  readonly seed?: number;
  /** The path of a file exported from the Eskom Data Portal, served in the place of made-up data. */
  readonly replay?: string;
  /** The rate limits' window; the documented 60 s if left out. */
  readonly windowMs?: number;
  readonly randomBytes?: RandomBytes;
  /** So many hours the newest data is late; the answers then say so. */
  readonly delayHours?: number;
}

export interface RunningSandbox {
  /** "http://127.0.0.1:<port>", without a slash at its end. */
  readonly baseUrl: string;
  /** Names the data: "synthetic-seed-1", or "replay-" and a hash of the file. Caches of one identity may be shared. */
  readonly identity: string;
  /** UTC milliseconds of the first hour there is, and of the end of the last; the end is left out where data goes on to the present. */
  readonly dataStart: number;
  readonly dataEnd?: number;
  readonly keys: KeyRing;
  createKey(name: string): CreatedKey;
  /** Ends open connections and frees the port. */
  close(): Promise<void>;
}

// This file is where the service is put together, alone or inside the extension.
// eslint-disable-next-line no-restricted-properties
const machineClock = { now: () => Date.now() };

/** Starts the service on 127.0.0.1. Throws a SandboxError for a port in use or a file that cannot be replayed. */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const { clock = machineClock, delayHours = 0, windowMs = 60_000 } = options;
  const source =
    options.replay === undefined ? new SyntheticSource(options.seed ?? 1) : await openReplay(options.replay);
  const keys = new KeyRing(clock, options.randomBytes ?? randomBytes);
  const throttle = new ScopedThrottle(clock, windowMs);
  const server = createServer();
  const port = await listen(server, options.port ?? 0);
  const app = createApp({ source, keys, throttle, clock, port, delayHours });
  const listener = getRequestListener(app.fetch, { hostname: '127.0.0.1', overrideGlobalObjects: false, errorHandler });
  server.on('request', (request, response) => void listener(request, response));
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    identity: source.identity,
    dataStart: source.firstHour * hourMs,
    ...(Number.isFinite(source.endHour) && { dataEnd: source.endHour * hourMs }),
    keys,
    createKey: name => keys.create(name),
    close: () => close(server),
  };
}

/** Requests that never reach the app: a target or Host header that makes no URL. */
function errorHandler(): Response {
  return jsonReply(400, { error: 'bad_request', detail: 'The request is not valid HTTP for this sandbox.' });
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen({ host: '127.0.0.1', port });
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    const reason = code === 'EADDRINUSE' ? 'is already in use' : `cannot be opened (${code})`;
    throw new SandboxError(`Port ${port} ${reason}; give another one, or none for any free port.`);
  }
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
