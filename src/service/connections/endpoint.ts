import { parseBaseUrl } from '../../core/connections/connection.ts';
import type { Limit } from '../../core/query/catalogue.ts';

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

/** The name of a service's data in the archive: its origin, since keys rotate and hours stay. */
export function sourceOf(baseUrl: string): string {
  const parsed = parseBaseUrl(baseUrl);
  return parsed.ok ? parsed.baseUrl : baseUrl;
}

/** The limit of a dataset's scope at this endpoint: what the provider granted, else the documented one. */
export function limitAt(
  endpoint: Pick<Endpoint, 'limits'>,
  dataset: { readonly scope: string; readonly limit: Limit },
): Limit {
  return endpoint.limits?.[dataset.scope] ?? dataset.limit;
}
