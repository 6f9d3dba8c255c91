import { parseBaseUrl } from '../../core/connections/connection.ts';
import type { Limit } from '../../core/query/catalogue.ts';

/** The address and key that a query uses. */
export interface Endpoint {
  readonly name: string;
  readonly baseUrl: string;
  readonly key: string;
  /** Identifies the data in the archive: the base URL, or the identity of the sandbox's data. */
  readonly source: string;
  /** Limits by scope that the provider has granted in place of the documented ones. */
  readonly limits?: Readonly<Record<string, Limit>> | undefined;
}

/** Returns the name of a service's data in the archive: its address without the key, since the data does not depend on the key. */
export function getSource(baseUrl: string): string {
  const parsed = parseBaseUrl(baseUrl);
  return parsed.ok ? parsed.baseUrl : baseUrl;
}

/** Returns the limit of a dataset's scope at this endpoint: the granted one, else the documented one. */
export function getLimit(
  endpoint: Pick<Endpoint, 'limits'>,
  dataset: { readonly scope: string; readonly limit: Limit },
): Limit {
  return endpoint.limits?.[dataset.scope] ?? dataset.limit;
}
