import type { Column } from '../../shared/frame.ts';
import type { DisplayZone, RowOrigin } from '../../shared/protocol.ts';

/** What is copied: columns and data rows in the order shown, and the zone that times are written in. */
export interface CopyRange {
  readonly columns: readonly Column[];
  readonly rows: ArrayLike<number>;
  readonly zone: DisplayZone;
  readonly origin?: Omit<RowOrigin, 'dates'> | undefined;
}
