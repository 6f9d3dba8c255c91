/** The world as the lower floors see it: a few lines each, filled by the host (or by a test). */

export interface Clock {
  /** Milliseconds since 1970-01-01T00:00Z. */
  now(): number;
  /** Resolves after `ms`; rejects with `signal.reason` as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A number in [0, 1). */
export type Random = () => number;

/** Secrets, kept by the operating system's keychain where there is one. */
export interface SecretStore {
  get(name: string): Promise<string | undefined>;
  store(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
}

/** Small plain state. Never a secret. */
export interface KeyValueStore {
  get(name: string): unknown;
  update(name: string, value: unknown): Promise<void>;
}

/** One line a call. Callers pass no key; the implementation redacts all the same. */
export interface Logger {
  info(line: string): void;
  warn(line: string): void;
  error(line: string): void;
}
