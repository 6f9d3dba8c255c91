import * as v from 'valibot';
import {
  isLoopback,
  parseBaseUrl,
  keyPrefix,
  connectionSchema,
  type Connection,
  type ConnectionState,
} from '../../core/connections/connection.ts';
import type { KeyValueStore, SecretStore } from '../../core/ports.ts';
import { Emitter } from '../emitter.ts';

export interface NewConnection {
  readonly name: string;
  readonly service: Connection['service'];
  readonly baseUrl: string;
  readonly key: string;
  readonly state: ConnectionState;
  readonly limits?: Connection['limits'];
  readonly isSample?: Connection['isSample'];
}

const listName = 'connections';
const activeName = 'activeConnection';

/** A connection as stored beside its origin: the secret's name holds the origin, so another origin finds no key. */
function secretName(connection: Pick<Connection, 'id' | 'baseUrl'>): string {
  const parsed = parseBaseUrl(connection.baseUrl);
  return `key ${parsed.ok ? parsed.origin : 'no-origin'} ${connection.id}`;
}

/** The person's connections: names and addresses in plain state, keys in the secret store, never both in one place. */
export class Connections {
  readonly #state: KeyValueStore;
  readonly #secrets: SecretStore;
  readonly #newId: () => string;
  readonly #listeners = new Emitter();

  constructor(deps: { state: KeyValueStore; secrets: SecretStore; newId: () => string }) {
    this.#state = deps.state;
    this.#secrets = deps.secrets;
    this.#newId = deps.newId;
  }

  /** Calls back after each change; returns what ends that. */
  onDidChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** In the order in which they were added. An entry that cannot be read is passed over, not deleted. */
  list(): Connection[] {
    return this.#stored().flatMap(entry => (v.is(connectionSchema, entry) ? [entry] : []));
  }

  byId(id: string): Connection | undefined {
    return this.list().find(connection => connection.id === id);
  }

  byName(name: string): Connection | undefined {
    const wanted = name.trim().toLowerCase();
    return this.list().find(connection => connection.name.toLowerCase() === wanted);
  }

  /** The one queries go to; the first where none was chosen. */
  active(): Connection | undefined {
    const id = this.#state.get(activeName);
    const all = this.list();
    return all.find(connection => connection.id === id) ?? all[0];
  }

  async activate(id: string): Promise<void> {
    await this.#update(activeName, id);
  }

  /**
   * Whether a new connection may bear this name. One at the same origin may (its key is replaced), and so may a service
   * on this machine that came back on another port; a name that stands for another origin may not be taken over.
   */
  nameIsFree(name: string, baseUrl: string): boolean {
    const existing = this.byName(name);
    return !existing || isSamePlace(existing.baseUrl, baseUrl);
  }

  /** Keeps the connection and its key, replacing the one of that name, and makes it the active one. */
  async add(wanted: NewConnection): Promise<Connection> {
    const existing = this.byName(wanted.name);
    const { key, ...rest } = wanted;
    const connection: Connection = {
      ...rest,
      name: wanted.name.trim(),
      id: existing?.id ?? this.#newId(),
      keyPrefix: keyPrefix(key),
    };
    // The embedded sandbox makes its own key each time it starts: there is nothing to keep.
    if (connection.service !== 'sandbox') await this.#secrets.store(secretName(connection), key);
    // Only now, so that a keychain that takes no new key leaves the old one.
    if (existing && secretName(existing) !== secretName(connection)) await this.#secrets.delete(secretName(existing));
    await this.#put(connection);
    await this.activate(connection.id);
    return connection;
  }

  /** Limits by scope; none of a scope means the documented one. */
  async setLimits(id: string, limits: NonNullable<Connection['limits']>): Promise<void> {
    await this.#change(id, { limits });
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#change(id, { name: name.trim() });
  }

  /** A new key for the same address. What the service thinks of it is not known yet. */
  async replaceKey(connection: Connection, key: string, state: ConnectionState): Promise<void> {
    if (connection.service !== 'sandbox') await this.#secrets.store(secretName(connection), key);
    await this.#change(connection.id, { keyPrefix: keyPrefix(key), state });
  }

  async mark(id: string, state: ConnectionState): Promise<void> {
    if (this.list().some(connection => connection.id === id && connection.state !== state))
      await this.#change(id, { state });
  }

  /** Whether its answers say that they are Sample Data: another service may have come to the address. */
  async markSample(id: string, isSample: boolean): Promise<void> {
    const connection = this.byId(id);
    if (!connection || (connection.isSample === true) === isSample) return;
    const changed: Connection = { ...connection, isSample: true };
    if (!isSample) delete changed.isSample;
    await this.#put(changed);
  }

  async remove(connection: Connection): Promise<void> {
    await this.#secrets.delete(secretName(connection));
    await this.#update(
      listName,
      this.#stored().filter(entry => !isEntry(entry, connection.id)),
    );
  }

  /** The key kept for this connection's origin; undefined where there is none (or the keychain lost it). */
  async keyOf(connection: Connection): Promise<string | undefined> {
    return this.#secrets.get(secretName(connection));
  }

  async #change(id: string, change: Partial<Connection>): Promise<void> {
    const connection = this.list().find(entry => entry.id === id);
    if (connection) await this.#put({ ...connection, ...change });
  }

  async #put(connection: Connection): Promise<void> {
    const all = this.#stored();
    const known = all.some(entry => isEntry(entry, connection.id));
    const next = known ? all.map(entry => (isEntry(entry, connection.id) ? connection : entry)) : [...all, connection];
    await this.#update(listName, next);
  }

  async #update(name: string, value: unknown): Promise<void> {
    await this.#state.update(name, value);
    this.#listeners.fire();
  }

  #stored(): readonly unknown[] {
    const stored = this.#state.get(listName);
    return Array.isArray(stored) ? stored : [];
  }
}

function isEntry(entry: unknown, id: string): boolean {
  return v.is(connectionSchema, entry) && entry.id === id;
}

function isSamePlace(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [parseBaseUrl(one), parseBaseUrl(other)];
  if (!a.ok || !b.ok) return false;
  return a.origin === b.origin || (isLoopback(new URL(a.origin)) && isLoopback(new URL(b.origin)));
}
