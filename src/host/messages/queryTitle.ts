import { getRequestedInterval, type ResolvedQuery } from '../../core/query/query.ts';
import { datasetTitle } from './catalogue.ts';
import { intervalName } from './numbers.ts';
import { translateRange } from './times.ts';

/** Formats a query as the title of its panel: `System state · last 90 days · hourly`. */
export function formatQueryTitle(query: ResolvedQuery): string {
  return [datasetTitle(query.dataset.id), translateRange(query.range), intervalName(getRequestedInterval(query))].join(
    ' · ',
  );
}
