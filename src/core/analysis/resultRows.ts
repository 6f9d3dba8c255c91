import type { Frame } from '../../shared/frame.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { Tariff } from '../../shared/resampling.ts';
import type { Coverage } from '../../shared/result.ts';

/** The rows of a result, and what an analysis has to know of them. */
export interface ResultRows {
  readonly frame: Frame;
  /** As requested: "1h", "1d". */
  readonly interval: string;
  /** The length of the requested interval in milliseconds, where it is known. */
  readonly step: number | undefined;
  /** The beginning of the range, UTC milliseconds. */
  readonly start: number;
  readonly coverage: Coverage | undefined;
  /** The zone shown: filters of times are read in it. */
  readonly zone: DisplayZone;
  /** The person's own tariff periods; left out for Eskom's. */
  readonly tariffs?: readonly Tariff[];
  /** Earlier rows that the archive has, ascending by time, for a search that compares with them. */
  readonly history?: Frame;
  /** The frame has only the first rows. */
  readonly isHead?: true;
}
