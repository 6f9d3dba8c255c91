import { join } from 'node:path';
import { findTimeColumn } from '../../core/frame/clip.ts';
import type { ResolvedQuery } from '../../core/query/query.ts';
import { isSandboxSource } from '../../core/query/seriesKey.ts';
import { formatDataSentence } from '../../core/query/serviceMeta.ts';
import type { DataFile } from '../../core/snippets/dataFile.ts';
import type { Archive } from './archive.ts';
import { getFolderName } from './years.ts';

/** A query and the source of its series, as in `SeriesKey`. */
interface ArchiveQuery {
  readonly source: string;
  readonly query: ResolvedQuery;
}

/**
 * Describes the archived rows of a query for a program; undefined if there are none. `folder`: the folder of the archive.
 */
export async function describeArchivedData(
  archive: Pick<Archive, 'read'>,
  folder: string,
  { source, query }: ArchiveQuery,
): Promise<DataFile | undefined> {
  const { dataset, interval, params, intervalMs, start, end, range, timeZone } = query;
  if (intervalMs === undefined) return undefined;
  const series = { source, dataset: dataset.id, interval, params };
  const { frame, meta } = await archive.read(series, intervalMs, { start, end });
  const timeColumn = findTimeColumn(frame)?.name;
  if (frame.rowCount === 0 || timeColumn === undefined) return undefined;
  const [, valueColumn] = dataset.fields.keys();
  const path = join(folder, getFolderName(series));
  const sample = formatDataSentence({ meta, ...(isSandboxSource(source) && { sample: true }) });
  return {
    path,
    form: 'archive',
    columns: frame.columns.map(({ name }) => name),
    timeColumn,
    valueColumn,
    timeZone,
    requestedRange: { start, end, range },
    ...(interval === '1d' && { isDaily: true }),
    ...(sample && { sample }),
  };
}
