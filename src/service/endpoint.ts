import type { Limit } from '../core/catalogue.ts';

/** Where a query goes and with which key. */
export interface Endpoint {
  readonly name: string;
  readonly baseUrl: string;
  readonly key: string;
  /** Names the data in the archive: the origin, or the identity of the sandbox's data. */
  readonly source: string;
  /** What the provider granted beyond the documented limits, by scope. */
  readonly limits?: Readonly<Record<string, Limit>> | undefined;
}
