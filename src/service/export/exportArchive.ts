import { findDataset, getIntervalMs } from '../../core/query/catalogue.ts';
import { clipFrame } from '../../core/frame/clip.ts';
import { describeFields, getResponseFields } from '../../core/frame/describeFields.ts';
import { createArchiveOrigin } from '../../core/export/exportProvenance.ts';
import { isSandboxSource, type SeriesKey } from '../../core/query/seriesKey.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import type { ArchivedRange } from '../archive/archive.ts';
import { writeToHive, removeEmptyColumns, type HiveOutcome } from './hiveFolder.ts';
import { throwIfStopped } from '../../core/errors.ts';
import type { WriteDeps } from './writeExport.ts';

/** A series of the archive with its archived UTC years: each [start, end), UTC milliseconds, ascending. */
export interface ArchivedSeries {
  readonly series: SeriesKey;
  readonly years: readonly Span[];
  /** The size on disk. */
  readonly bytes: number;
}

/** Reads the archive without sending requests. */
export interface ArchiveContents {
  /** Lists all archived series. A series whose description cannot be read is omitted. */
  contents(): Promise<readonly ArchivedSeries[]>;
  read(
    series: SeriesKey,
    intervalMs: number,
    span: Span,
  ): Promise<Pick<ArchivedRange, 'frame' | 'requestedAt' | 'meta'>>;
}

interface ExportArchiveOptions extends WriteDeps {
  readonly archive: ArchiveContents;
  readonly folder: string;
  /** The current time, UTC milliseconds. Later hours are not reported as missing. */
  readonly now: number;
  /** Selects the series to write; all by default. */
  readonly filter?: ((series: SeriesKey) => boolean) | undefined;
  /** Called with the number of years written so far, and their total. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Writes the archive as a hive-partitioned folder of Parquet files, month by month. Throws as `writeHive`. */
export async function exportArchive(options: ExportArchiveOptions): Promise<HiveOutcome> {
  const { archive, folder, now, filter = () => true, onProgress, ...deps } = options;
  const contents = (await archive.contents()).filter(({ series }) => filter(series));
  const total = contents.reduce((sum, { years }) => sum + years.length, 0);
  return writeToHive(folder, deps, async hive => {
    let yearsDone = 0;
    for (const { series, years } of contents) {
      const start = years[0]?.start ?? 0;
      const end = years.at(-1)?.end ?? 0;
      const intervalMs = getIntervalMs(series.interval) ?? end - start;
      throwIfStopped(deps.signal);
      // All years are read together, so that a column has the same type in all of them.
      const { frame, requestedAt, meta } = await archive.read(series, intervalMs, { start, end });
      const dataset = findDataset(series.dataset);
      const sandbox = isSandboxSource(series.source) && ({ sample: true } as const);
      const fields = dataset ? getResponseFields(dataset, { ...sandbox, meta, interval: series.interval }) : new Map();
      const described = describeFields(removeEmptyColumns(frame), fields);
      for (const year of years) {
        for (const span of listMonths(year)) {
          throwIfStopped(deps.signal);
          const from = (span.start - start) / intervalMs;
          const to = (span.end - start) / intervalMs;
          const { frame: rows } = clipFrame(described, span);
          const facts = { frame: rows, now, requestedAt: requestedAt.subarray(from, to), meta };
          await hive.write(series, rows, [createArchiveOrigin(series, span, facts)]);
        }
        onProgress?.(++yearsDone, total);
      }
    }
  });
}

function listMonths({ start }: Span): Span[] {
  const monthStart = (month: number): number => new Date(start).setUTCMonth(month);
  return Array.from({ length: 12 }, (_, month) => ({ start: monthStart(month), end: monthStart(month + 1) }));
}
