import type { SeriesKey } from '../../core/seriesKey.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import type { Frame } from '../../shared/frame.ts';
import type { HiveArguments, HiveOutcome } from './hiveFolder.ts';

/** A series of the archive, and the months of which something is kept: each [start, end), UTC milliseconds, ascending. */
export interface ArchivedSeries {
  readonly series: SeriesKey;
  readonly months: readonly Span[];
  /** On disk. */
  readonly bytes: number;
}

/** What can be read out of the archive without asking for anything. */
export interface ArchiveContents {
  /** All series that are kept; one whose description cannot be read is left out. */
  contents(): Promise<readonly ArchivedSeries[]>;
  read(series: SeriesKey, stepMs: number, span: Span): Promise<{ readonly frame: Frame }>;
}

export interface ExportArchiveArguments extends Omit<HiveArguments, 'series' | 'onProgress'> {
  readonly archive: ArchiveContents;
  /** The series to write; all without it. */
  readonly wanted?: ((series: SeriesKey) => boolean) | undefined;
  /** Months written so far, of how many. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Writes what the archive keeps as a hive-partitioned folder of Parquet files, month by month. Throws as `writeHive`. */
export async function exportArchive(args: ExportArchiveArguments): Promise<HiveOutcome> {
  throw new Error(`not yet ${args.folder}`);
}
