import { createHash } from 'node:crypto';
import { seriesIdentity, type SeriesKey } from '../../core/seriesKey.ts';

/** What the folder of a series is called within the archive. */
export function seriesName(series: SeriesKey): string {
  return createHash('sha256').update(seriesIdentity(series)).digest('hex').slice(0, 16);
}
