import { datasetById, stepOf } from '../../core/catalogue.ts';
import { describeFields } from '../../core/describeFields.ts';
import { GridError } from '../../core/errors.ts';
import type { SeriesKey } from '../../core/seriesKey.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import type { Frame } from '../../shared/frame.ts';
import { withHive, type HiveOutcome } from './hiveFolder.ts';
import type { WriteDeps } from './writeExport.ts';

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

export interface ExportArchiveArguments extends WriteDeps {
  readonly archive: ArchiveContents;
  readonly folder: string;
  /** The series to write; all without it. */
  readonly wanted?: ((series: SeriesKey) => boolean) | undefined;
  /** Months written so far, of how many. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Writes what the archive keeps as a hive-partitioned folder of Parquet files, month by month. Throws as `writeHive`. */
export async function exportArchive(args: ExportArchiveArguments): Promise<HiveOutcome> {
  const { archive, folder, wanted = () => true, onProgress, ...deps } = args;
  const contents = (await archive.contents()).filter(({ series }) => wanted(series));
  const months = contents.flatMap(({ series, months: spans }) => spans.map(span => ({ series, span })));
  return withHive(folder, deps, async hive => {
    for (const [done, { series, span }] of months.entries()) {
      if (deps.signal?.aborted) throw new GridError('cancelled');
      const { frame } = await archive.read(series, stepOf(series.interval) ?? span.end - span.start, span);
      await hive.write(series, describeFields(frame, datasetById(series.dataset)?.fields ?? new Map()));
      onProgress?.(done + 1, months.length);
    }
  });
}
