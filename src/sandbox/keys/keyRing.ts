import type { Clock } from '../../core/ports.ts';
import { SandboxError } from '../sandboxError.ts';
import type { RateLimitScope } from '../../core/query/catalogue.ts';
import { mapScopes, scopes, type Limits } from './scopes.ts';
import { createHash } from 'node:crypto';
import * as v from 'valibot';

const limitSchema = v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0)));

/** The scopes of a key, in files and forms. */
export const scopesSchema = v.array(v.picklist(scopes));
/** The limits of a key, in files. */
export const limitsSchema = v.partial(v.strictObject(mapScopes(() => limitSchema)));

/** Returns random bytes. */
export type RandomBytes = (count: number) => Uint8Array;

/** A key as listed in the dashboard. Times are UTC milliseconds. */
export interface KeyInfo {
  readonly name: string;
  /** The unique id of the key in its ring, also for rate limits and usage. */
  readonly prefix: string;
  readonly created: number;
  readonly lastUsed: number | undefined;
  readonly revoked: boolean;
  /** The scopes that it may read; a request for another one is a 403. */
  readonly scopes: readonly RateLimitScope[];
  /** Custom limits, where they differ from the service's limits. */
  readonly limits: Partial<Limits>;
}

/** The scopes and limits of a key; by default all scopes, at the limits of the service. */
export type KeyTerms = Partial<Pick<KeyInfo, 'scopes' | 'limits'>>;

/** A stored key: the SHA-256 of its value in hex, never the value. */
export interface StoredKey extends KeyInfo {
  readonly hash: string;
}

/** Persists keys. */
export interface KeyStore {
  load(): readonly StoredKey[];
  /** Throws a SandboxError if they cannot be stored. */
  save(keys: readonly StoredKey[]): void;
}

/** A new key. Its value cannot be read again later. */
export interface CreatedKey {
  readonly value: string;
  readonly prefix: string;
}

const valuePrefix = 'sb_test_';
const prefixLength = valuePrefix.length + 4;
/** The maximum number of keys, far below the 65,536 possible prefixes, so that a free one is found quickly. Revoked keys are removed to make room. */
const maxKeys = 10_000;

/**
 * The keys of one sandbox. Values are stored and looked up as SHA-256 only: they have 128 random bits, so that a plain hash
 * cannot be reversed (slow or salted hashes are for passwords), and the time of a lookup by hash reveals nothing about a value.
 */
export class KeyRing {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #randomBytes: RandomBytes;
  readonly #store: KeyStore | undefined;
  #keysByHash: Map<string, KeyInfo>;
  #hasUnsavedUse = false;

  /** Without a store the keys are lost with the ring. */
  constructor(clock: Pick<Clock, 'now'>, randomBytes: RandomBytes, store?: KeyStore) {
    this.#clock = clock;
    this.#randomBytes = randomBytes;
    this.#store = store;
    this.#keysByHash = new Map(store?.load().map(({ hash, ...key }) => [hash, key]));
  }

  /** Creates a key. Throws a SandboxError, and changes nothing, if there are too many keys or they cannot be stored. */
  create(name: string, terms: KeyTerms = {}): CreatedKey {
    const replacedHash = this.#findReplaceable();
    const { value, prefix } = this.#generateValue();
    this.#change(keys => {
      if (replacedHash !== undefined) keys.delete(replacedHash);
      keys.set(hashSecret(value), {
        name,
        prefix,
        created: this.#clock.now(),
        lastUsed: undefined,
        revoked: false,
        ...completeTerms(terms),
      });
    });
    return { value, prefix };
  }

  /** Lists all keys in the order of their creation, including revoked ones. */
  list(): readonly KeyInfo[] {
    return [...this.#keysByHash.values()];
  }

  /**
   * Revokes every key with that prefix or name, and returns their number. Throws a SandboxError if this cannot be stored; the
   * keys are revoked nevertheless, because a revoked key must not work.
   */
  revoke(prefixOrName: string): number {
    const matches = [...this.#keysByHash].filter(
      ([, key]) => !key.revoked && (key.prefix === prefixOrName || key.name === prefixOrName),
    );
    for (const [hash, key] of matches) this.#keysByHash.set(hash, { ...key, revoked: true });
    if (matches.length > 0) this.#save(this.#keysByHash);
    return matches.length;
  }

  /**
   * Changes the terms of the active key with that prefix from the next request on; returns false if there is none. Throws a
   * SandboxError, and changes nothing, if the keys cannot be stored.
   */
  setTerms(prefix: string, terms: KeyTerms): boolean {
    const match = [...this.#keysByHash].find(([, key]) => !key.revoked && key.prefix === prefix);
    if (!match) return false;
    const [hash, key] = match;
    this.#change(keys => keys.set(hash, { ...key, ...completeTerms(terms) }));
    return true;
  }

  /** Returns the active key of a value and updates its time of last use; undefined for an unknown or revoked value. */
  authenticate(value: string): KeyInfo | undefined {
    const hash = hashSecret(value);
    const key = this.#keysByHash.get(hash);
    if (!key || key.revoked) return undefined;
    this.#keysByHash.set(hash, { ...key, lastUsed: this.#clock.now() });
    this.#hasUnsavedUse = true;
    return key;
  }

  /** Stores the times of last use, which are not written at each request. Throws a SandboxError if that fails. */
  flush(): void {
    if (this.#hasUnsavedUse) this.#save(this.#keysByHash);
  }

  /** Returns the hash of the oldest revoked key, to be replaced by a new key; undefined if there is room. */
  #findReplaceable(): string | undefined {
    if (this.#keysByHash.size < maxKeys) return undefined;
    for (const [hash, { revoked }] of this.#keysByHash) if (revoked) return hash;
    throw new SandboxError(`A sandbox holds ${maxKeys} usable keys at most; revoke one.`);
  }

  #generateValue(): CreatedKey {
    const usedPrefixes = new Set(this.list().map(key => key.prefix));
    for (;;) {
      const value = valuePrefix + Buffer.from(this.#randomBytes(16)).toString('hex');
      const prefix = value.slice(0, prefixLength);
      if (!usedPrefixes.has(prefix)) return { value, prefix };
    }
  }

  /** Applies a change if the changed keys can be stored. */
  #change(change: (keys: Map<string, KeyInfo>) => void): void {
    const keys = new Map(this.#keysByHash);
    change(keys);
    this.#save(keys);
    this.#keysByHash = keys;
  }

  #save(keys: ReadonlyMap<string, KeyInfo>): void {
    this.#hasUnsavedUse = true;
    this.#store?.save(Array.from(keys, ([hash, key]) => ({ hash, ...key })));
    this.#hasUnsavedUse = false;
  }
}

function completeTerms({ scopes: keyScopes = scopes, limits = {} }: KeyTerms): Required<KeyTerms> {
  return { scopes: keyScopes, limits };
}

/** Returns the SHA-256 in hex, which is sufficient for a secret of at least 128 random bits. */
export function hashSecret(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}
