import { parseBaseUrl } from '../../core/connections/connection.ts';
import type { Limit } from '../../core/query/catalogue.ts';

/** The address and key that a query uses. */
export interface Endpoint {
  readonly name: string;
  readonly baseUrl: string;
  readonly key: string;
  /** Identifies the data in the archive: the base URL, or the identity of the sandbox's data. */
  readonly source: string;
  /** What the provider granted beyond the documented limits, by scope. */
  readonly limits?: Readonly<Record<string, Limit>> | undefined;
}

/** The name of a service's data in the archive: its address without the key, since keys change and hours do not. */
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
