import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Clock } from '../core/ports.ts';
import { hourMs, minuteMs } from '../shared/durations.ts';
import { createApp } from './server/app.ts';
import { withHourCache, Publication } from './data/source.ts';
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
  /** Defaults to the clock of the machine. */
  readonly clock?: Pick<Clock, 'now'>;
  /** 0, the default, selects any free port. */
  readonly port?: number;
  /** The seed of the synthetic data and of the faults; 1 by default. */
  readonly seed?: number;
  /** Paths of files exported from the Eskom Data Portal, served instead of synthetic data. */
  readonly replay?: readonly string[] | undefined;
  /** Moves replayed hours to the present, by whole weeks. */
  readonly shiftToNow?: boolean;
  /** The window of the rate limits; the documented 60 s by default. */
  readonly windowMs?: number;
  /** The limits of keys without custom limits; the documented ones by default. */
  readonly limits?: Partial<Limits>;
  readonly randomBytes?: RandomBytes;
  /** The number of hours by which the newest data is late, which responses report. */
  readonly delayHours?: number;
  /** The current time of the service, UTC milliseconds; by default the time of the clock. */
  readonly now?: number | undefined;
  /** The folder in which keys are stored; without it they are lost when the process ends. */
  readonly stateFolder?: string | undefined;
  /** The initial faults. If undefined, no faults can be switched on. */
  readonly faults?: readonly FaultRule[] | undefined;
  /** Whether the dashboard opens without a link, for everybody on this machine. */
  readonly noSignIn?: boolean;
  readonly timeouts?: ConnectionTimeouts;
  /** Called with a message for the user: a damaged file, a folder that another sandbox took over. */
  readonly report?: (sentence: string) => void;
}

export interface RunningSandbox extends Omit<DashboardSource, 'source'> {
  /** "http://127.0.0.1:<port>", without a slash at its end. */
  readonly baseUrl: string;
  /** Names the data: "synthetic-2-seed-1", or "replay-" and a hash of the file. Caches of one identity may be shared. */
  readonly identity: string;
  /** The start of the first hour and the end of the last, UTC milliseconds. The end is undefined if data continues to the present. */
  readonly dataStart: number;
  readonly dataEnd?: number;
  /** Throws a SandboxError if there are too many keys, or they cannot be stored. */
  createKey(name: string, terms?: KeyTerms): CreatedKey;
  /** Returns the address of the dashboard with a token that works once, within `tokenMinutes`. It must never be logged. */
  createDashboardLink(): string;
  /** Ends open connections, frees the port and stores the keys. */
  close(): Promise<void>;
}

// This file is the composition root of the service, which runs alone or inside the extension.
// oxlint-disable-next-line no-restricted-properties
const machineClock = { now: () => Date.now() };

/** Starts the service on 127.0.0.1. Throws a SandboxError for a port or a state folder in use, or a file that cannot be replayed. */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const { clock = machineClock, windowMs = minuteMs, seed = 1 } = options;
  const publication = new Publication(clock);
  publication.delayHours = options.delayHours ?? 0;
  publication.setNow(options.now);
  const shiftTo = options.shiftToNow === true ? publication.now : undefined;
  const source = withHourCache(options.replay ? await openReplay(options.replay, shiftTo) : new SyntheticSource(seed));
  const limits = { ...documentedLimits, ...options.limits };
  const usage = new UsageMeter(clock);
  const throttle = new ScopedThrottle(clock, windowMs);
  const faults = options.faults && new FaultInjector(seed, options.faults);
  const server = createHttpServer(options.timeouts ?? defaultTimeouts);
  const openedKeys = await openKeyStore(clock, options);
  // Nothing is awaited after this, so that no request arrives before the listener is registered.
  const port = await listen(server, options.port ?? 0).catch(async (error: unknown) => {
    await openedKeys.close();
    throw error;
  });
  for (const notice of source.notices) options.report?.(notice);
  const { keys } = openedKeys;
  const sessions = new DashboardSessions(clock, options.randomBytes ?? randomBytes);
  const parts = { source, publication, keys, usage, limits, windowMs, faults, port };
  const dashboard = createDashboard({ ...parts, sessions, noSignIn: options.noSignIn === true });
  const app = createApp({ ...parts, throttle, dashboard });
  const invalidRequest = { error: 'bad_request', detail: 'The request is not valid HTTP for this sandbox.' };
  const listenerOptions = { overrideGlobalObjects: false, errorHandler: () => jsonReply(400, invalidRequest) };
  const listener = getRequestListener(app.fetch, listenerOptions);
  server.on('request', (...bindings) => void listener(...bindings));
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
      await openedKeys.close();
    },
  };
}

/** The timeouts of a connection, in milliseconds. */
export interface ConnectionTimeouts {
  /** The time to receive the headers, from the connection or the previous response on. */
  readonly headMs: number;
  /** The time to receive a whole request. */
  readonly requestMs: number;
  /** The time without a byte in either direction, such as when a client stops reading a response. */
  readonly idleMs: number;
}

export const defaultTimeouts: ConnectionTimeouts = { headMs: 15_000, requestMs: 30_000, idleMs: 120_000 };

/** The interval at which idle connections are checked. */
const connectionCheckMs = 1_000;
const maxPendingConnections = 4_096;

/** Creates a server that does not listen yet. */
export function createHttpServer(timeouts: ConnectionTimeouts): Server {
  const server = createServer({
    headersTimeout: timeouts.headMs,
    requestTimeout: timeouts.requestMs,
    connectionsCheckingInterval: Math.min(connectionCheckMs, timeouts.headMs),
  });
  server.timeout = timeouts.idleMs;
  return server;
}

/** Listens on 127.0.0.1 and returns the port. Throws a SandboxError if it cannot be opened. */
export async function listen(server: Server, port: number): Promise<number> {
  server.listen({ host: '127.0.0.1', port, backlog: maxPendingConnections });
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
