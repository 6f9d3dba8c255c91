import { join } from 'node:path';
import { timeColumnOf } from '../../core/frame/clip.ts';
import type { ResolvedQuery } from '../../core/query/query.ts';
import { isSandboxSource } from '../../core/query/seriesKey.ts';
import { dataLine } from '../../core/query/serviceMeta.ts';
import type { DataFile } from '../../core/snippets/dataFile.ts';
import type { Archive } from './archive.ts';
import { seriesName } from './years.ts';

/** A query and the source of its series, as in `SeriesKey`. */
interface ArchiveQuery {
  readonly source: string;
  readonly query: ResolvedQuery;
}

/**
 * Describes the archived rows of a query for a program; undefined if there are none. `folder`: the folder of the archive.
 */
export async function archivedData(
  archive: Pick<Archive, 'read'>,
  folder: string,
  { source, query }: ArchiveQuery,
): Promise<DataFile | undefined> {
  const { dataset, interval, params, stepMs, start, end, range, timeZone } = query;
  if (stepMs === undefined) return undefined;
  const series = { source, dataset: dataset.id, interval, params };
  const { frame, meta } = await archive.read(series, stepMs, { start, end });
  const timeColumn = timeColumnOf(frame)?.name;
  if (frame.rowCount === 0 || timeColumn === undefined) return undefined;
  const [, valueColumn] = dataset.fields.keys();
  const path = join(folder, seriesName(series));
  const sample = dataLine({ meta, ...(isSandboxSource(source) && { sample: true }) });
  return {
    path,
    form: 'archive',
    columns: frame.columns.map(({ name }) => name),
    timeColumn,
    valueColumn,
    timeZone,
    asked: { start, end, range },
    ...(interval === '1d' && { isDaily: true }),
    ...(sample && { sample }),
  };
}
