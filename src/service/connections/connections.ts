import * as v from 'valibot';
import {
  isLoopback,
  parseBaseUrl,
  getKeyPrefix,
  connectionSchema,
  type Connection,
  type ConnectionState,
} from '../../core/connections/connection.ts';
import type { KeyValueStore, SecretStore } from '../../core/ports.ts';
import { storedNames } from '../../core/storedNames.ts';
import { Emitter } from '../emitter.ts';

export type NewConnection = Omit<Connection, 'id' | 'keyPrefix'> & { readonly key: string };

const activeKey = 'activeConnection';

/** Returns the name of a connection's key in the secret store. It includes the origin, so that another origin has no access to the key. */
function getSecretName(connection: Pick<Connection, 'id' | 'baseUrl'>): string {
  const parsed = parseBaseUrl(connection.baseUrl);
  return `key ${parsed.ok ? parsed.origin : 'no-origin'} ${connection.id}`;
}

interface ConnectionsDeps {
  readonly state: KeyValueStore;
  readonly secrets: SecretStore;
  readonly newId: () => string;
}

/** The user's connections. Names and addresses are stored as plain state, keys in the secret store. */
export class Connections {
  readonly #deps: ConnectionsDeps;
  readonly #changed = new Emitter();
  readonly onDidChange = this.#changed.event;

  constructor(deps: ConnectionsDeps) {
    this.#deps = deps;
  }

  /** Lists the connections in the order in which they were added. An entry that cannot be read is skipped, not deleted. */
  list(): Connection[] {
    return this.#listEntries().flatMap(entry => (v.is(connectionSchema, entry) ? [entry] : []));
  }

  findById(id: string): Connection | undefined {
    return this.list().find(connection => connection.id === id);
  }

  findByName(name: string): Connection | undefined {
    const normalized = name.trim().toLowerCase();
    return this.list().find(connection => connection.name.toLowerCase() === normalized);
  }

  /** Returns the active connection; the first one if none was selected. */
  active(): Connection | undefined {
    const id = this.#deps.state.get(activeKey);
    const connections = this.list();
    return connections.find(connection => connection.id === id) ?? connections[0];
  }

  async activate(id: string): Promise<void> {
    await this.#update(activeKey, id);
  }

  /**
   * Whether a new connection may have this name. A connection with the same origin may be replaced, and so may a service on this machine that now
   * has another port. A connection with another origin may not be replaced.
   */
  isNameFree(name: string, baseUrl: string): boolean {
    const existing = this.findByName(name);
    return !existing || isReplaceable(existing.baseUrl, baseUrl);
  }

  /** Stores a connection and its key, replacing a connection with the same name, and activates it. */
  async add(newConnection: NewConnection): Promise<Connection> {
    const existing = this.findByName(newConnection.name);
    const { key, ...rest } = newConnection;
    const connection: Connection = {
      ...rest,
      name: newConnection.name.trim(),
      id: existing?.id ?? this.#deps.newId(),
      keyPrefix: getKeyPrefix(key),
    };
    // The embedded sandbox creates a key at each start, so there is none to store.
    if (connection.service !== 'sandbox') await this.#deps.secrets.store(getSecretName(connection), key);
    // Deleted last, so that the old key is preserved if storing the new one fails.
    if (existing && getSecretName(existing) !== getSecretName(connection))
      await this.#deps.secrets.delete(getSecretName(existing));
    await this.#save(connection);
    await this.activate(connection.id);
    return connection;
  }

  /** Sets limits by scope. Without one, the documented limit of the scope applies. */
  async setLimits(id: string, limits: NonNullable<Connection['limits']>): Promise<void> {
    await this.#change(id, { limits });
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#change(id, { name: name.trim() });
  }

  /** Replaces the key for the same address. Whether the service accepts it is not known yet. */
  async replaceKey(connection: Connection, key: string): Promise<void> {
    if (connection.service !== 'sandbox') await this.#deps.secrets.store(getSecretName(connection), key);
    await this.#change(connection.id, { keyPrefix: getKeyPrefix(key), state: 'unchecked' });
  }

  async setState(id: string, state: ConnectionState): Promise<void> {
    const connection = this.findById(id);
    if (connection && connection.state !== state) await this.#save({ ...connection, state });
  }

  /** Stores the kind of data in the responses, since the service at an address may change. */
  async setDataKind(id: string, data: Connection['data']): Promise<void> {
    const connection = this.findById(id);
    if (!connection || connection.data === data) return;
    const { data: _before, ...changed } = connection;
    await this.#save({ ...changed, ...(data && { data }) });
  }

  async remove(connection: Connection): Promise<void> {
    await this.#deps.secrets.delete(getSecretName(connection));
    await this.#update(
      storedNames.connections,
      this.#listEntries().filter(entry => !isEntry(entry, connection.id)),
    );
  }

  /** Returns the stored key for the connection's origin; undefined if there is none (or the keychain lost it). */
  async getKey(connection: Connection): Promise<string | undefined> {
    return this.#deps.secrets.get(getSecretName(connection));
  }

  async #change(id: string, change: Partial<Connection>): Promise<void> {
    const connection = this.findById(id);
    if (connection) await this.#save({ ...connection, ...change });
  }

  async #save(connection: Connection): Promise<void> {
    const stored = this.#listEntries();
    const exists = stored.some(entry => isEntry(entry, connection.id));
    const next = exists
      ? stored.map(entry => (isEntry(entry, connection.id) ? connection : entry))
      : [...stored, connection];
    await this.#update(storedNames.connections, next);
  }

  async #update(name: string, value: unknown): Promise<void> {
    await this.#deps.state.update(name, value);
    this.#changed.fire();
  }

  #listEntries(): readonly unknown[] {
    const stored = this.#deps.state.get(storedNames.connections);
    return Array.isArray(stored) ? stored : [];
  }
}

function isEntry(entry: unknown, id: string): boolean {
  return v.is(connectionSchema, entry) && entry.id === id;
}

function isReplaceable(existingUrl: string, newUrl: string): boolean {
  if (existingUrl === newUrl) return true;
  const existing = parseBaseUrl(existingUrl);
  const replacement = parseBaseUrl(newUrl);
  if (!existing.ok || !replacement.ok) return false;
  if (existing.origin === replacement.origin) return true;
  return isLoopback(new URL(existing.origin)) && isLoopback(new URL(replacement.origin));
}
