import { basename, join } from 'node:path';
import type { SeriesKey } from '../../core/seriesKey.ts';
import type { ArchivedSeries } from '../export/exportArchive.ts';
import { mapSeveral, namesIn, unlessGone, type ArchiveFs } from './archiveFs.ts';
import { monthsOf, type Month } from './months.ts';
import { aboutFile, ending } from './seriesFolder.ts';

/** What the folders of series hold, by their names alone: no rows are read. A folder that does not say its series is left out. */
export async function archiveContents(fs: ArchiveFs, folders: readonly string[]): Promise<ArchivedSeries[]> {
  const found = await mapSeveral(folders, async folder => contentsOf(fs, folder));
  return found.filter(contents => contents !== undefined);
}

async function contentsOf(fs: ArchiveFs, folder: string): Promise<ArchivedSeries | undefined> {
  const series = await aboutSeries(fs, join(folder, aboutFile));
  if (!series) return undefined;
  const months = (await namesIn(fs, folder)).map(monthOfFile).filter(month => month !== undefined);
  let bytes = 0;
  for (const { name } of months) bytes += (await unlessGone(fs.stat(join(folder, name + ending))))?.size ?? 0;
  return { series, months: months.sort((a, b) => a.start - b.start), bytes };
}

async function aboutSeries(fs: ArchiveFs, file: string): Promise<SeriesKey | undefined> {
  const text = await unlessGone(fs.readFile(file, 'utf8'));
  try {
    const about = JSON.parse(text ?? '') as Partial<SeriesKey>;
    const { source, dataset, interval, params } = about;
    const isWhole = [source, dataset, interval].every(part => typeof part === 'string') && typeof params === 'object';
    return isWhole ? (about as SeriesKey) : undefined;
  } catch {
    return undefined;
  }
}

function monthOfFile(file: string): Month | undefined {
  const name = basename(file, ending);
  if (!file.endsWith(ending) || !/^\d{4}-\d\d$/.test(name)) return undefined;
  const start = Date.parse(`${name}-01T00:00:00Z`);
  return Number.isNaN(start) ? undefined : monthsOf({ start, end: start + 1 })[0];
}
