import type { Clock } from '../../core/ports.ts';
import { SandboxError } from '../sandboxError.ts';
import type { RateLimitScope } from '../../core/query/catalogue.ts';
import { mapScopes, scopes, type Limits } from './scopes.ts';
import { createHash } from 'node:crypto';
import * as v from 'valibot';

const limit = v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0)));

/** The scopes of a key, in files and forms. */
export const scopesShape = v.array(v.picklist(scopes));
/** The limits of a key, in files. */
export const limitsShape = v.partial(v.strictObject(mapScopes(() => limit)));

/** Returns random bytes. */
export type RandomBytes = (count: number) => Uint8Array;

/** A key as a dashboard lists it. Times are UTC milliseconds. */
export interface KeyInfo {
  readonly name: string;
  /** No two keys of a ring share it: what is counted for a key is counted under it. */
  readonly prefix: string;
  readonly created: number;
  readonly lastUsed: number | undefined;
  readonly revoked: boolean;
  /** What it may read; a request for anything else is a 403. */
  readonly scopes: readonly RateLimitScope[];
  /** Limits of its own, where they differ from those of the service. */
  readonly limits: Partial<Limits>;
}

/** The scopes and limits of a key; all scopes, at the limits of the service, where left out. */
export type KeyTerms = Partial<Pick<KeyInfo, 'scopes' | 'limits'>>;

/** A key as it is stored: the SHA-256 of its value in hex, never the value. */
export interface StoredKey extends KeyInfo {
  readonly hash: string;
}

/** Where keys are stored. */
export interface KeyStore {
  load(): readonly StoredKey[];
  /** Throws a SandboxError where they cannot be stored. */
  save(keys: readonly StoredKey[]): void;
}

/** A new key: only now is its value known. */
export interface CreatedKey {
  readonly value: string;
  readonly prefix: string;
}

const valueStart = 'sb_test_';
const prefixLength = valueStart.length + 4;
/** Far below the 65,536 possible prefixes, so that a free one is found soon. Revoked keys are removed for new ones. */
const mostKeys = 10_000;

/**
 * The keys of one sandbox. Values are stored and looked up as SHA-256 only: they have 128 random bits, so that a plain hash
 * cannot be reversed (slow or salted hashes are for passwords), and the time of a lookup by hash reveals nothing about a value.
 */
export class KeyRing {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #randomBytes: RandomBytes;
  readonly #store: KeyStore | undefined;
  #byHash: Map<string, KeyInfo>;
  #unsaved = false;

  /** Without a store the keys live as long as the ring. */
  constructor(clock: Pick<Clock, 'now'>, randomBytes: RandomBytes, store?: KeyStore) {
    this.#clock = clock;
    this.#randomBytes = randomBytes;
    this.#store = store;
    this.#byHash = new Map(store?.load().map(({ hash, ...key }) => [hash, key]));
  }

  /** Throws a SandboxError where there are too many keys, or they cannot be stored, and then changes nothing. */
  create(name: string, terms: KeyTerms = {}): CreatedKey {
    const removed = this.#replaceable();
    const { value, prefix } = this.#newValue();
    this.#change(keys => {
      if (removed !== undefined) keys.delete(removed);
      keys.set(hashOf(value), {
        name,
        prefix,
        created: this.#clock.now(),
        lastUsed: undefined,
        revoked: false,
        ...wholeTerms(terms),
      });
    });
    return { value, prefix };
  }

  /** All keys in the order of their creation, revoked ones too. */
  list(): readonly KeyInfo[] {
    return [...this.#byHash.values()];
  }

  /**
   * Revokes every key with that prefix or name. Returns how many were revoked. They stay revoked even where a SandboxError says
   * that this cannot be stored: a revoked key must not work.
   */
  revoke(prefixOrName: string): number {
    const found = [...this.#byHash].filter(
      ([, key]) => !key.revoked && (key.prefix === prefixOrName || key.name === prefixOrName),
    );
    for (const [hash, key] of found) this.#byHash.set(hash, { ...key, revoked: true });
    if (found.length > 0) this.#save(this.#byHash);
    return found.length;
  }

  /**
   * Changes what the active key with that prefix may do, from the next request on; false where there is none. Throws a
   * SandboxError where it cannot be stored, and then changes nothing.
   */
  setTerms(prefix: string, terms: KeyTerms): boolean {
    const found = [...this.#byHash].find(([, key]) => !key.revoked && key.prefix === prefix);
    if (!found) return false;
    const [hash, key] = found;
    this.#change(keys => keys.set(hash, { ...key, ...wholeTerms(terms) }));
    return true;
  }

  /** The active key of a value, marked as used now; undefined for an unknown or revoked one. */
  authenticate(value: string): KeyInfo | undefined {
    const hash = hashOf(value);
    const key = this.#byHash.get(hash);
    if (!key || key.revoked) return undefined;
    this.#byHash.set(hash, { ...key, lastUsed: this.#clock.now() });
    this.#unsaved = true;
    return key;
  }

  /** Stores the times of last use, which are not written each time. Throws a SandboxError where that fails. */
  flush(): void {
    if (this.#unsaved) this.#save(this.#byHash);
  }

  /** The hash of the oldest revoked key, which is removed for a new one; undefined where there is room. */
  #replaceable(): string | undefined {
    if (this.#byHash.size < mostKeys) return undefined;
    for (const [hash, { revoked }] of this.#byHash) if (revoked) return hash;
    throw new SandboxError(`A sandbox holds ${mostKeys} usable keys at most; revoke one.`);
  }

  #newValue(): CreatedKey {
    const taken = new Set(this.list().map(key => key.prefix));
    for (;;) {
      const value = valueStart + Buffer.from(this.#randomBytes(16)).toString('hex');
      const prefix = value.slice(0, prefixLength);
      if (!taken.has(prefix)) return { value, prefix };
    }
  }

  /** Changes the keys, unless they cannot be stored. */
  #change(change: (keys: Map<string, KeyInfo>) => void): void {
    const keys = new Map(this.#byHash);
    change(keys);
    this.#save(keys);
    this.#byHash = keys;
  }

  #save(keys: ReadonlyMap<string, KeyInfo>): void {
    this.#unsaved = true;
    this.#store?.save(Array.from(keys, ([hash, key]) => ({ hash, ...key })));
    this.#unsaved = false;
  }
}

function wholeTerms({ scopes: own = scopes, limits = {} }: KeyTerms): Required<KeyTerms> {
  return { scopes: own, limits };
}

/** SHA-256 in hex: enough for a secret of 128 random bits or more. */
export function hashOf(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}
