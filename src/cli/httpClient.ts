import { ApiClient } from '../service/client/apiClient.ts';
import { ResponseFetcher } from '../service/client/responseFetcher.ts';
import type { ResponseReader } from '../service/client/responseReader.ts';

/** Sends requests. */
export interface HttpClient {
  readonly client: ApiClient;
  readonly fetcher: ResponseFetcher;
}

export function createHttpClient(
  options: ConstructorParameters<typeof ApiClient>[0] & { readonly reader: ResponseReader },
): HttpClient {
  const client = new ApiClient(options);
  return { client, fetcher: new ResponseFetcher(client, options.reader) };
}
