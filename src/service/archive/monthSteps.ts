import type { StorageFs } from '../files/fileSystem.ts';
import type { Scratch } from './archiveFs.ts';
import { timeColumnIn, type PlacedMonth } from './joinMonths.ts';
import { checkLayout, checkOrder, type FileNotes } from './monthNotes.ts';
import { fromRuns, unitsIn, type Month } from './months.ts';
import { notesPlace } from './seal.ts';

/** Mostly enough for the notes and footer of a month of hours. */
const tailBytes = 8_192;

/** A month file without its values: their bytes are not loaded. */
export interface MonthSteps extends PlacedMonth, Pick<FileNotes, 'unitMs' | 'metaAskedAt'> {
  readonly askedAt: Float64Array;
}

/**
 * Reads the notes of a month file, its instants, and which of its numbers are null: a small part of it. Undefined for a file of another
 * version. Throws what the file system throws, and a RangeError or SyntaxError for a damaged file.
 */
export async function readMonthSteps(
  fs: StorageFs,
  path: string,
  month: Month,
  scratch: Scratch,
): Promise<MonthSteps | undefined> {
  const handle = await fs.open(path);
  try {
    const { size } = await handle.stat();
    const file = scratch.take(size);
    const load = async (from: number, length: number): Promise<unknown> => handle.read(file, from, length, from);
    const loaded = Math.max(0, size - tailBytes);
    await load(loaded, size - loaded);
    const place = await notesPlace(file, loaded, async from => load(from, loaded - from));
    if (!place) return undefined;
    const notes = JSON.parse(Buffer.from(file.subarray(place.start, place.end)).toString()) as FileNotes;
    const columns = notes.columns.filter(({ kind, received }) => kind === 'number' || (kind === 'time' && !received));
    checkLayout({ ...notes, columns }, file);
    const { rowCount, unitMs, askedAt, metaAskedAt } = notes;
    const time = timeColumnIn({ file, rowCount, columns });
    if (time) await load(time.at.values, 8 * rowCount);
    checkOrder({ rowCount, columns }, file, month);
    for (const { nullCount, at } of columns) if (nullCount > 0) await load(at.validity, Math.ceil(rowCount / 8));
    const { first, end } = unitsIn(month, unitMs);
    return { file, rowCount, columns, unitMs, metaAskedAt, askedAt: fromRuns(askedAt, end - first) };
  } finally {
    await handle.close();
  }
}
