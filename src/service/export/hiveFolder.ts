import type { SeriesKey } from '../../core/seriesKey.ts';
import type { Clock } from '../../core/ports.ts';
import type { Frame } from '../../shared/frame.ts';
import type { ExportProvenance } from '../../shared/exportOptions.ts';
import type { ExportFs } from './writeExport.ts';

/** Rows of one series; the same series may come again with other rows. */
export interface HiveSeries extends SeriesKey {
  readonly frame: Frame;
  readonly provenance?: ExportProvenance | undefined;
}

export interface HiveArguments {
  readonly folder: string;
  readonly series: Iterable<HiveSeries> | AsyncIterable<HiveSeries>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly signal?: AbortSignal | undefined;
  /** Files written so far. */
  readonly onProgress?: ((files: number) => void) | undefined;
  readonly fs?: ExportFs | undefined;
}

export interface HiveOutcome {
  readonly files: number;
  readonly rows: number;
  readonly bytes: number;
}

/**
 * Writes `dataset=…/interval=…/year=YYYY/month=MM/part-….parquet` (UTC months) below the folder. A file is named after its
 * series, so that the same month written again takes its place; each file whole or not at all. Throws as `writeExport`.
 */
export async function writeHive(args: HiveArguments): Promise<HiveOutcome> {
  throw new Error(`not yet ${args.folder}`);
}
