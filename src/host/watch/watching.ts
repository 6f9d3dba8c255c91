import * as v from 'valibot';
import type { Connection } from '../../core/connections/connection.ts';
import { createPartError, GridError } from '../../core/errors.ts';
import type { Clock, KeyValueStore, Logger, Random } from '../../core/ports.ts';
import { type Query, resolveQuery } from '../../core/query/query.ts';
import type { LatestStress } from '../../core/watch/alertReading.ts';
import type { AlertNotification } from '../../core/watch/alertHistory.ts';
import type { WatchedQuery } from '../../core/watch/watchedQuery.ts';
import type { Connections } from '../../service/connections/connections.ts';
import { Emitter } from '../../service/emitter.ts';
import type { ConnectionEndpoints } from '../../service/connections/connectionEndpoints.ts';
import type { QueryEngine } from '../../service/query/queryEngine.ts';
import { RunGroup } from '../../service/query/runGroup.ts';
import type { RunOptions } from '../../service/query/run.ts';
import type { ServiceClock } from '../../service/client/serviceClock.ts';
import type { AlertHistoryStore } from '../../service/watch/alertHistoryStore.ts';
import { Watcher } from '../../service/watch/watcher.ts';
import type { StoppedConnection } from '../../service/watch/stoppedConnections.ts';
import type { Result } from '../../shared/result.ts';
import type { ConnectionChoices } from '../connections/connectionChoices.ts';
import type { SavedQueriesPort, WatchedItem } from './savedQueriesPort.ts';
import type { WatchConsent } from './watchConsent.ts';
import { getSource } from '../../service/connections/endpoint.ts';
import { stateNames } from '../ids.ts';
import { customTariffs } from '../settings.ts';
import { filterValidEntries } from '../../core/json/json.ts';

/** Receives the events of watched queries in this window. */
export interface WatchingEvents {
  refreshed(query: Query, connection: Connection, result: Result): void;
  /** A run fired alerts, which this window shows. */
  alerted(item: WatchedItem, connection: Connection, notifications: readonly AlertNotification[]): void;
  /** The hourly refresh of a connection has paused. Called once per pause, even after a restart. */
  stopped(stop: StoppedConnection, connection: Connection): void;
  /** A connection was removed that had `count` queries with hourly refresh. */
  lost(connectionName: string, count: number): void;
}

interface WatchingDeps {
  readonly queries: SavedQueriesPort;
  readonly consent: WatchConsent;
  readonly pin: PinnedStress;
  readonly reported: ReportedPauses;
  readonly choices: ConnectionChoices;
  readonly connections: Pick<Connections, 'findById' | 'list' | 'onDidChange'>;
  readonly engine: Pick<QueryEngine, 'run'>;
  readonly nowAt: ConnectionEndpoints['nowAt'];
  readonly histories: AlertHistoryStore;
  readonly clock: Clock;
  readonly serviceClock: Pick<ServiceClock, 'now'>;
  readonly random: Random;
  readonly logger: Pick<Logger, 'error'>;
  readonly events: WatchingEvents;
}

/** The current state of the pinned stress. */
export interface Pinned {
  readonly connection: Connection;
  /** The latest value; undefined before the first response. */
  readonly latest: LatestStress | undefined;
  /** The error of the last run, if it failed or was incomplete. */
  readonly error: GridError | undefined;
}

/** Watches the saved queries of this window and the pinned stress, and follows changes of queries and connections. */
export class Watching {
  readonly #deps: WatchingDeps;
  readonly #watcher: Watcher;
  readonly #subscriptions: readonly { dispose(): void }[];
  readonly #pinnedChanged = new Emitter();
  /** Fires when the pinned stress may have changed. */
  readonly onDidChangePinned = this.#pinnedChanged.event;
  /** The connection that refreshes each query, by the query's id. */
  #refreshConnections = new Map<string, Pick<Connection, 'id' | 'name'>>();
  /** The last known state of each connection's key. */
  #keys = new Map<string, string>();
  #pinError: GridError | undefined;

  constructor(deps: WatchingDeps) {
    this.#deps = deps;
    const { histories, clock, serviceClock, random, logger, queries, consent, choices, connections, pin } = deps;
    this.#watcher = new Watcher({
      histories,
      clock,
      serviceClock,
      random,
      logger,
      run: async (query, options) => this.#run(query, options),
      events: {
        refreshed: (query, result) => this.#refreshed(query, result),
        alerted: ({ id }, notifications) => this.#alerted(id, notifications),
        failed: ({ id }, error) => this.#failed(id, error),
        stopped: stop => void this.#stopped(stop),
      },
    });
    const refresh = (): void => this.refresh();
    this.#subscriptions = [
      queries.onDidChange(refresh),
      consent.onDidChange(refresh),
      choices.onDidChange(refresh),
      connections.onDidChange(refresh),
      pin.onDidChange(refresh),
      this.#watcher.stress.onDidChange(id => id === pinnedId && this.#pinnedChanged.fire()),
    ];
    this.refresh();
  }

  /** The pinned stress; undefined if it is not pinned or its connection was removed. */
  get pinned(): Pinned | undefined {
    const { pin, connections } = this.#deps;
    const connection = pin.connectionId === undefined ? undefined : connections.findById(pin.connectionId);
    return connection && { connection, latest: this.#watcher.stress.get(pinnedId), error: this.#pinError };
  }

  /** Updates the list of watched queries, which other windows may have changed. */
  refresh(): void {
    const { connections } = this.#deps;
    for (const { id, state, keyPrefix } of connections.list()) {
      const key = `${state} ${keyPrefix}`;
      const previousKey = this.#keys.get(id);
      this.#keys.set(id, key);
      if (previousKey !== undefined && previousKey !== key && state !== 'rejected' && state !== 'forbidden')
        this.resume(id);
    }
    const list = listWatched(this.#deps);
    const refreshed = list.flatMap(({ id, keepFresh, connectionId }) => {
      const connection = connections.findById(connectionId);
      return keepFresh && connection && id !== pinnedId ? [[id, connection] as const] : [];
    });
    const previousConnections = this.#refreshConnections;
    this.#refreshConnections = new Map(refreshed);
    this.#watcher.watch(list);
    this.#reportLost(previousConnections);
    this.#pinnedChanged.fire();
  }

  /** Resumes the refresh of a connection whose key was replaced or may have more access. */
  resume(connectionId: string): void {
    void this.#deps.reported.forget(connectionId);
    this.#watcher.resume(connectionId);
  }

  /** Returns the hours of the last two weeks that the user was notified of, by alert id; empty for a query that is not watched. */
  async getNotifiedHours({ id }: Pick<WatchedItem, 'id'>): Promise<ReadonlyMap<string, readonly number[]>> {
    const query = listWatched(this.#deps).find(watched => watched.id === id);
    return query ? this.#watcher.listNotifiedHours(query) : new Map();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#watcher.dispose();
  }

  async #run({ connectionId, query }: WatchedQuery, options: RunOptions): Promise<Result> {
    const { connections, engine, nowAt } = this.#deps;
    const connection = connections.findById(connectionId);
    if (!connection) throw new GridError('noConnection');
    const resolved = resolveQuery(query, nowAt(connection));
    if (!resolved.ok) throw new GridError('badRequest', { detail: resolved.problem });
    // The other queries run within the same minute, so one request can fetch the hours that they share.
    const sameConnection = listWatched(this.#deps).filter(item => item.keepFresh && item.connectionId === connectionId);
    const resolvedQueries = sameConnection.map(item => resolveQuery(item.query, nowAt(connection)));
    const group = new RunGroup(resolvedQueries.flatMap(item => (item.ok ? [item.value] : [])));
    // A run sends one request at most. Later runs fetch the rest of a long range.
    return engine.run(resolved.value, connection, { ...options, group, maxRequests: 1, isRecorded: true }).result;
  }

  #refreshed({ id, query, connectionId }: WatchedQuery, result: Result): void {
    const { failure } = result.provenance;
    if (id === pinnedId) this.#pinError = failure && createPartError(failure);
    const connection = this.#deps.connections.findById(connectionId);
    if (connection) this.#deps.events.refreshed(query, connection, result);
    if (id === pinnedId) this.#pinnedChanged.fire();
  }

  #alerted(id: string, notifications: readonly AlertNotification[]): void {
    const item = this.#deps.queries.all().find(candidate => candidate.id === id);
    const connection = this.#deps.connections.findById(this.#refreshConnections.get(id)?.id ?? '');
    if (item && connection) this.#deps.events.alerted(item, connection, notifications);
  }

  #failed(id: string, error: GridError): void {
    if (id !== pinnedId) return;
    this.#pinError = error;
    this.#pinnedChanged.fire();
  }

  async #stopped(stop: StoppedConnection): Promise<void> {
    const connection = this.#deps.connections.findById(stop.connectionId);
    if (connection && (await this.#deps.reported.recordIfNew(stop))) this.#deps.events.stopped(stop, connection);
  }

  #reportLost(previousConnections: ReadonlyMap<string, Pick<Connection, 'id' | 'name'>>): void {
    const lostCounts = new Map<string, number>();
    for (const [id, { id: connectionId, name }] of previousConnections)
      if (!this.#refreshConnections.has(id) && !this.#deps.connections.findById(connectionId))
        lostCounts.set(name, (lostCounts.get(name) ?? 0) + 1);
    for (const [name, count] of lostCounts) this.#deps.events.lost(name, count);
  }
}

/** Returns the queries to watch now: saved queries that have a connection, and the pinned stress. */
function listWatched({ queries, consent, pin, choices, connections }: WatchingDeps): WatchedQuery[] {
  const { tariffs } = customTariffs();
  const savedQueries = queries.all().flatMap((item): WatchedQuery[] => {
    const allowed = consent.filterAllowed(item);
    const { query, keepFresh, alerts, analysis } = allowed;
    const queryWithId = { id: item.id, query: allowed };
    const connection = keepFresh ? choices.getRefreshConnection(queryWithId) : choices.getConnection(queryWithId);
    return connection
      ? [{ id: item.id, ...toSource(connection), query, derive: analysis?.derive, tariffs, keepFresh, alerts }]
      : [];
  });
  const pinned = pin.connectionId === undefined ? undefined : connections.findById(pin.connectionId);
  return pinned
    ? [...savedQueries, { id: pinnedId, ...toSource(pinned), query: pinnedQuery, keepFresh: true }]
    : savedQueries;
}

function toSource({ id, baseUrl }: Connection): Pick<WatchedQuery, 'connectionId' | 'source'> {
  return { connectionId: id, source: getSource(baseUrl) };
}

/** The pauses of hourly refresh that the user was notified of, shared by all windows and kept over restarts. */
export class ReportedPauses {
  readonly #state: KeyValueStore;

  constructor(state: KeyValueStore) {
    this.#state = state;
  }

  /** Records a pause. Returns false if it was recorded before. */
  async recordIfNew({ connectionId, dataset, reason }: StoppedConnection): Promise<boolean> {
    const reported = this.#reported();
    const name = getPauseKey(connectionId, dataset);
    if (reported[name] === reason) return false;
    await this.#state.update(stateNames.reportedPauses, { ...reported, [name]: reason });
    return true;
  }

  /** Forgets the pauses of a connection that has resumed, so that the next one is reported again. */
  async forget(connectionId: string): Promise<void> {
    const reported = Object.entries(this.#reported());
    const rest = reported.filter(([name]) => !name.startsWith(getPauseKey(connectionId)));
    if (rest.length < reported.length) await this.#state.update(stateNames.reportedPauses, Object.fromEntries(rest));
  }

  #reported(): Readonly<Record<string, string>> {
    return filterValidEntries(this.#state.get(stateNames.reportedPauses), v.string());
  }
}

function getPauseKey(connectionId: string, dataset = ''): string {
  return `${connectionId} ${dataset}`;
}

/** The query of the pinned stress. It is the most common stress query, so most of its hours are in the archive already. */
export const pinnedQuery: Query = {
  dataset: 'gridStress',
  range: 'last 24 hours',
  interval: '1h',
  params: {},
  timeZone: 'UTC',
};

/** The id of the pinned stress among watched queries. No saved query has such an id. */
const pinnedId = 'pinned stress';

/** Stores the connection whose latest stress is pinned to the status bar. */
export class PinnedStress {
  readonly #state: KeyValueStore;
  readonly #changed = new Emitter();
  readonly onDidChange = this.#changed.event;

  constructor(state: KeyValueStore) {
    this.#state = state;
  }

  get connectionId(): string | undefined {
    const stored = this.#state.get(stateNames.pinnedStress);
    return typeof stored === 'string' ? stored : undefined;
  }

  /** Pins the stress of a connection; undefined unpins it. */
  async pin(connectionId: string | undefined): Promise<void> {
    await this.#state.update(stateNames.pinnedStress, connectionId);
    this.#changed.fire();
  }
}
