import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Clock } from '../core/ports.ts';
import { hourMs, minuteMs } from '../shared/durations.ts';
import { createApp } from './server/app.ts';
import { cached, Publication } from './data/source.ts';
import { createDashboard } from './dashboard/dashboardApp.ts';
import { dashboardPath, type DashboardSource } from './dashboard/pages.ts';
import { DashboardSessions } from './dashboard/sessions.ts';
import { FaultInjector } from './faults/faultInjector.ts';
import type { FaultRule } from './faults/faultRules.ts';
import type { CreatedKey, KeyTerms, RandomBytes } from './keys/keyRing.ts';
import { openReplay } from './replay/replaySource.ts';
import { jsonReply } from './server/reply.ts';
import { documentedLimits, type Limits } from './keys/scopes.ts';
import { openKeyStore } from './keys/openKeyStore.ts';
import { SyntheticSource } from './synthetic/syntheticSource.ts';
import { ScopedThrottle } from './server/throttle.ts';
import { UsageMeter } from './keys/usage.ts';
import { SandboxError } from './sandboxError.ts';

export interface SandboxOptions {
  /** The machine's if left out. */
  readonly clock?: Pick<Clock, 'now'>;
  /** 0 or left out: any free port. */
  readonly port?: number;
  /** Of the made-up data and of the faults; 1 if left out. */
  readonly seed?: number;
  /** Paths of files exported from the Eskom Data Portal, served in the place of made-up data. */
  readonly replay?: readonly string[] | undefined;
  /** Moves replayed hours to the present, by whole weeks. */
  readonly shiftToNow?: boolean;
  /** The rate limits' window; the documented 60 s if left out. */
  readonly windowMs?: number;
  /** Of keys that have none of their own; the documented ones if left out. */
  readonly limits?: Partial<Limits>;
  readonly randomBytes?: RandomBytes;
  /** So many hours the newest data is late; the answers then say so. */
  readonly delayHours?: number;
  /** What the service takes for the present, UTC milliseconds; the clock's if left out. */
  readonly now?: number | undefined;
  /** A folder in which keys are stored; without it they end with the process. */
  readonly stateFolder?: string | undefined;
  /** Faults to begin with. Left out, none can be switched on. */
  readonly faults?: readonly FaultRule[] | undefined;
  /** The dashboard opens without a link, for everybody on this machine. */
  readonly noSignIn?: boolean;
  readonly patience?: Patience;
  /** Called with what a person has to know while the sandbox runs: a damaged file, a folder that was taken over. */
  readonly say?: (sentence: string) => void;
}

export interface RunningSandbox extends Omit<DashboardSource, 'source'> {
  /** "http://127.0.0.1:<port>", without a slash at its end. */
  readonly baseUrl: string;
  /** Names the data: "synthetic-2-seed-1", or "replay-" and a hash of the file. Caches of one identity may be shared. */
  readonly identity: string;
  /** The start of the first hour and the end of the last, UTC milliseconds; the end is left out where data continues to the present. */
  readonly dataStart: number;
  readonly dataEnd?: number;
  /** Throws a SandboxError where there are too many keys, or they cannot be stored. */
  createKey(name: string, terms?: KeyTerms): CreatedKey;
  /** The address of the dashboard with a token that works once, within `tokenMinutes`: to be shown or opened, never logged. */
  createDashboardLink(): string;
  /** Ends open connections, frees the port and stores the keys. */
  close(): Promise<void>;
}

// This file is where the service is put together, alone or inside the extension.
// oxlint-disable-next-line no-restricted-properties
const machineClock = { now: () => Date.now() };

/** Starts the service on 127.0.0.1. Throws a SandboxError for a port or a state folder in use, or a file that cannot be replayed. */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const { clock = machineClock, windowMs = minuteMs, seed = 1 } = options;
  const publication = new Publication(clock);
  publication.delayHours = options.delayHours ?? 0;
  publication.setNow(options.now);
  const shiftTo = options.shiftToNow === true ? publication.now : undefined;
  const source = cached(options.replay ? await openReplay(options.replay, shiftTo) : new SyntheticSource(seed));
  const limits = { ...documentedLimits, ...options.limits };
  const usage = new UsageMeter(clock);
  const throttle = new ScopedThrottle(clock, windowMs);
  const faults = options.faults && new FaultInjector(seed, options.faults);
  const server = createHttpServer(options.patience ?? usualPatience);
  const opened = await openKeyStore(clock, options);
  // Nothing is awaited from here on, so that no request arrives before the listener is there.
  const port = await listen(server, options.port ?? 0).catch(async (error: unknown) => {
    await opened.close();
    throw error;
  });
  for (const notice of source.notices) options.say?.(notice);
  const { keys } = opened;
  const sessions = new DashboardSessions(clock, options.randomBytes ?? randomBytes);
  const parts = { source, publication, keys, usage, limits, windowMs, faults, port };
  const dashboard = createDashboard({ ...parts, sessions, noSignIn: options.noSignIn === true });
  const app = createApp({ ...parts, throttle, dashboard });
  const invalid = { error: 'bad_request', detail: 'The request is not valid HTTP for this sandbox.' };
  const listening = { overrideGlobalObjects: false, errorHandler: () => jsonReply(400, invalid) };
  const listener = getRequestListener(app.fetch, listening);
  server.on('request', (...wire) => void listener(...wire));
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    baseUrl,
    identity: source.identity,
    dataStart: source.firstHour * hourMs,
    ...(Number.isFinite(source.endHour) && { dataEnd: source.endHour * hourMs }),
    keys,
    usage,
    limits,
    windowMs,
    publication,
    faults,
    createKey: (name, terms) => keys.create(name, terms),
    createDashboardLink: () => `${baseUrl}${dashboardPath}?token=${sessions.issueToken()}`,
    async close() {
      await close(server);
      await opened.close();
    },
  };
}

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
