import type { RateLimitScope } from '../../core/query/catalogue.ts';
import type { Limits, ScopeLimit } from '../keys/scopes.ts';
import type { ScopeUsage } from '../keys/usage.ts';

/** The state that the dashboard's page requests. Times are UTC milliseconds. */
export interface DashboardState {
  /** The length of the rolling window in which the limits hold. */
  readonly windowMs: number;
  /** Of keys that have none of their own. */
  readonly limits: Limits;
  readonly keys: readonly ListedKey[];
  /** So many keys are not in the list; they can be revoked all the same. */
  readonly unlisted: number;
  /** Undefined where there is no key. */
  readonly chart?: KeyChart;
  readonly data: ServedData;
  /** Undefined where no fault may be switched on. */
  readonly faults?: readonly ListedFault[];
}

export interface ListedKey {
  readonly name: string;
  readonly prefix: string;
  readonly created: number;
  readonly lastUsed?: number;
  readonly revoked: boolean;
  /** What it may read. */
  readonly scopes: readonly RateLimitScope[];
  readonly limits: Limits;
  /** Those of the limits that are its own. */
  readonly ownLimits: Partial<Limits>;
  readonly usage: Readonly<Record<RateLimitScope, ScopeUsage>>;
}

/** The last minutes of one key. */
export interface KeyChart {
  readonly prefix: string;
  /** One for each scope that the key may read. */
  readonly scopes: readonly ScopeChart[];
}

export interface ScopeChart {
  readonly scope: RateLimitScope;
  /** In any `limitSeconds`; null without a limit. */
  readonly limit: ScopeLimit;
  readonly limitSeconds: number;
  /** As `limitSeconds`, but shorter where that is longer than what is counted. */
  readonly windowSeconds: number;
  /** For each of the last seconds, the present one last: requests let in, in the window that ends with it. */
  readonly accepted: readonly number[];
  /** For each of the last seconds: requests refused in it. */
  readonly refused: readonly number[];
}

export interface ServedData {
  readonly identity: string;
  readonly kind: 'synthetic' | 'replay';
  readonly note: string;
  readonly endpoints: readonly {
    readonly title: string;
    readonly path: string;
    readonly scope: RateLimitScope;
    readonly intervals: readonly string[];
  }[];
  readonly start: number;
  /** The end of the last published hour. */
  readonly publishedEnd: number;
  /** The end of all data; undefined where it continues with the clock. */
  readonly end?: number;
  /** The service's current time. */
  readonly now: number;
  readonly standsStill: boolean;
  readonly delayHours: number;
  /** Hours that upstream never delivered. */
  readonly holes: number;
}

export interface ListedFault {
  /** As it is written on the command line, such as `latency=800`. */
  readonly rule: string;
  readonly meaning: string;
  /** The share of the requests, 0 to 1. */
  readonly rate: number;
  /** Undefined for all scopes. */
  readonly scope?: RateLimitScope;
  /** Requests that have met this kind since the start. */
  readonly met: number;
}
