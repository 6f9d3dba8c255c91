import { datasetById, stepOf } from '../../core/query/catalogue.ts';
import { describeFields, fieldsOf } from '../../core/frame/describeFields.ts';
import { archiveOrigin } from '../../core/export/exportProvenance.ts';
import { isSandboxSource, type SeriesKey } from '../../core/query/seriesKey.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import type { Archived } from '../archive/archive.ts';
import { withHive, type HiveOutcome } from './hiveFolder.ts';
import { throwIfStopped } from '../pausedSteps.ts';
import type { WriteDeps } from './writeExport.ts';

/** A series of the archive, and the months it has: each [start, end), UTC milliseconds, ascending. */
export interface ArchivedSeries {
  readonly series: SeriesKey;
  readonly months: readonly Span[];
  /** On disk. */
  readonly bytes: number;
}

/** Reads the archive without sending requests. */
export interface ArchiveContents {
  /** All archived series; one whose description cannot be read is left out. */
  contents(): Promise<readonly ArchivedSeries[]>;
  read(series: SeriesKey, stepMs: number, span: Span): Promise<Pick<Archived, 'frame' | 'askedAt' | 'meta'>>;
}

interface ExportArchiveArguments extends WriteDeps {
  readonly archive: ArchiveContents;
  readonly folder: string;
  /** The current time, UTC milliseconds: later hours are not missing. */
  readonly now: number;
  /** Which series to write; all without it. */
  readonly wanted?: ((series: SeriesKey) => boolean) | undefined;
  /** Called with the months written so far, and how many there are. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Writes the archive as a hive-partitioned folder of Parquet files, month by month. Throws as `writeHive`. */
export async function exportArchive(args: ExportArchiveArguments): Promise<HiveOutcome> {
  const { archive, folder, now, wanted = () => true, onProgress, ...deps } = args;
  const contents = (await archive.contents()).filter(({ series }) => wanted(series));
  const months = contents.flatMap(({ series, months: spans }) => spans.map(span => ({ series, span })));
  return withHive(folder, deps, async hive => {
    for (const [done, { series, span }] of months.entries()) {
      throwIfStopped(deps.signal);
      const { frame, askedAt, meta } = await archive.read(
        series,
        stepOf(series.interval) ?? span.end - span.start,
        span,
      );
      const origin = archiveOrigin(series, span, { frame, now, askedAt, meta });
      const dataset = datasetById(series.dataset);
      const sandbox = isSandboxSource(series.source) && ({ sample: true } as const);
      const fields = dataset ? fieldsOf(dataset, { ...sandbox, meta, interval: series.interval }) : new Map();
      await hive.write(series, describeFields(frame, fields), [origin]);
      onProgress?.(done + 1, months.length);
    }
  });
}
