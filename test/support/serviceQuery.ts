import { findDataset, type Dataset } from '../../src/core/query/catalogue.ts';
import { isServiceQuery, type ResolvedQuery, type ServiceQuery } from '../../src/core/query/query.ts';

/** The query, which is for one dataset of the service. */
export function serviceQuery(query: ResolvedQuery): ServiceQuery {
  if (!isServiceQuery(query)) throw new Error(`${query.dataset.id} joins several datasets`);
  return query;
}

/** The dataset of the service with that id. */
export function serviceDataset(id: string): Dataset {
  const dataset = findDataset(id);
  if (!dataset || 'members' in dataset) throw new Error(`${id} is no dataset of the service`);
  return dataset;
}
