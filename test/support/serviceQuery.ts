import { findDataset, type Dataset } from '../../src/core/query/catalogue.ts';
import { isServiceQuery, type ResolvedQuery, type ServiceQuery } from '../../src/core/query/query.ts';

/** Narrows a query to one of a single dataset. Throws if it joins several. */
export function toServiceQuery(query: ResolvedQuery): ServiceQuery {
  if (!isServiceQuery(query)) throw new Error(`${query.dataset.id} joins several datasets`);
  return query;
}

/** Finds a dataset of the service by its id. Throws if there is none. */
export function getServiceDataset(id: string): Dataset {
  const dataset = findDataset(id);
  if (!dataset || 'members' in dataset) throw new Error(`The service has no dataset ${id}`);
  return dataset;
}
