/** Interfaces to the environment, implemented by the host or a test. */

export interface Clock {
  /** Milliseconds since 1970-01-01T00:00Z. */
  now(): number;
  /** Resolves after `ms`; rejects with `signal.reason` as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A number in [0, 1). */
export type Random = () => number;

/** Stores secrets, in the operating system's keychain if there is one. */
export interface SecretStore {
  get(name: string): Promise<string | undefined>;
  store(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
}

/** Stores small values as JSON, never secrets. */
export interface KeyValueStore {
  get(name: string): unknown;
  update(name: string, value: unknown): Promise<void>;
}

/** Logs one line for each call. Callers never pass keys, and the implementation redacts them anyway. */
export interface Logger {
  info(line: string): void;
  warn(line: string): void;
  error(line: string): void;
}
