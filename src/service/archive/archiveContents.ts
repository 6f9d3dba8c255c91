import { basename, join } from 'node:path';
import * as v from 'valibot';
import type { SeriesKey } from '../../core/seriesKey.ts';
import type { ArchivedSeries } from '../export/exportArchive.ts';
import { mapSeveral, namesIn, unlessGone, type ArchiveFs } from './archiveFs.ts';
import { monthsOf, type Month } from './months.ts';
import { aboutFile, ending } from './seriesFolder.ts';
import { seriesName } from './seriesName.ts';

/** Far more than any series needs to be named. */
const mostAboutBytes = 100_000;

/** What the folders of series hold, by their names alone: no rows are read. A folder that does not say its series is left out. */
export async function archiveContents(fs: ArchiveFs, folders: readonly string[]): Promise<ArchivedSeries[]> {
  const found = await mapSeveral(folders, async folder => contentsOf(fs, folder));
  return found.filter(contents => contents !== undefined);
}

async function contentsOf(fs: ArchiveFs, folder: string): Promise<ArchivedSeries | undefined> {
  const series = await aboutSeries(fs, folder);
  if (!series) return undefined;
  const months = (await namesIn(fs, folder)).map(monthOfFile).filter(month => month !== undefined);
  let bytes = 0;
  for (const { name } of months) bytes += (await unlessGone(fs.stat(join(folder, name + ending))))?.size ?? 0;
  return { series, months: months.sort((a, b) => a.start - b.start), bytes };
}

const aboutSchema = v.object({
  source: v.string(),
  dataset: v.string(),
  interval: v.string(),
  params: v.record(v.string(), v.string()),
});

/** Undefined where the file cannot be read, or says another series than the folder is for. */
async function aboutSeries(fs: ArchiveFs, folder: string): Promise<SeriesKey | undefined> {
  const file = join(folder, aboutFile);
  const size = (await unlessGone(fs.stat(file)))?.size;
  if (size === undefined || size > mostAboutBytes) return undefined;
  const text = await unlessGone(fs.readFile(file, 'utf8'));
  try {
    const about = v.parse(aboutSchema, JSON.parse(text ?? ''));
    return seriesName(about) === basename(folder) ? about : undefined;
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
