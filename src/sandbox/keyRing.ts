import { createHash } from 'node:crypto';
import type { Clock } from '../core/ports.ts';

/** So many bytes nobody can guess. */
export type RandomBytes = (count: number) => Uint8Array;

/** A key as a dashboard lists it. Times are UTC milliseconds. */
export interface KeyInfo {
  readonly name: string;
  readonly prefix: string;
  readonly created: number;
  readonly lastUsed: number | undefined;
  readonly revoked: boolean;
}

/** A new key: the only time its value is seen. */
export interface CreatedKey {
  readonly value: string;
  readonly prefix: string;
}

const valueStart = 'sb_test_';
const prefixLength = valueStart.length + 4;

/**
 * The keys of one sandbox. Values are kept as SHA-256 only and looked up by it: they carry 128 random bits, so a plain
 * hash cannot be searched, and a lookup by hash tells a timer nothing about a value.
 */
export class KeyRing {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #randomBytes: RandomBytes;
  readonly #byHash = new Map<string, KeyInfo>();

  constructor(clock: Pick<Clock, 'now'>, randomBytes: RandomBytes) {
    this.#clock = clock;
    this.#randomBytes = randomBytes;
  }

  create(name: string): CreatedKey {
    const value = valueStart + Buffer.from(this.#randomBytes(16)).toString('hex');
    const prefix = value.slice(0, prefixLength);
    this.#byHash.set(hashOf(value), {
      name,
      prefix,
      created: this.#clock.now(),
      lastUsed: undefined,
      revoked: false,
    });
    return { value, prefix };
  }

  /** All keys in the order of their creation, revoked ones too. */
  list(): readonly KeyInfo[] {
    return [...this.#byHash.values()];
  }

  /** Revokes every key of that prefix or name, at once and for good. Returns how many became unusable by it. */
  revoke(prefixOrName: string): number {
    let count = 0;
    for (const [hash, key] of this.#byHash) {
      if (key.revoked || (key.prefix !== prefixOrName && key.name !== prefixOrName)) continue;
      this.#byHash.set(hash, { ...key, revoked: true });
      count++;
    }
    return count;
  }

  /** The id under which a usable key is counted, and marks it as used; undefined for an unknown or revoked value. */
  authenticate(value: string): string | undefined {
    const hash = hashOf(value);
    const key = this.#byHash.get(hash);
    if (!key || key.revoked) return undefined;
    this.#byHash.set(hash, { ...key, lastUsed: this.#clock.now() });
    return hash;
  }
}

function hashOf(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}
