import type { Frame } from '../../shared/frame.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { Tariff } from '../../shared/resampling.ts';
import type { Coverage } from '../../shared/result.ts';

/** The rows of a result, and the facts about them that an analysis needs. */
export interface ResultRows {
  readonly frame: Frame;
  /** The interval as requested: "1h", "1d". */
  readonly interval: string;
  /** The length of the requested interval in milliseconds, if known. */
  readonly intervalMs: number | undefined;
  /** The start of the range, in UTC milliseconds. */
  readonly start: number;
  readonly coverage: Coverage | undefined;
  /** The display zone, in which filters of times are interpreted. */
  readonly zone: DisplayZone;
  /** Custom tariff periods; omitted for Eskom's. */
  readonly tariffs?: readonly Tariff[];
  /** Earlier rows from the archive, sorted by time, for searches that compare with them. */
  readonly history?: Frame;
  /** Set while the frame has only the first rows. */
  readonly isHead?: true;
}
