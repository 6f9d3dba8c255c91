import type { CellBadge } from '../grid/gridColumn.ts';

/** The badges of a column of numbers. */
export interface ColumnBadges {
  /** Every badge there may be. */
  readonly badges: readonly CellBadge[];
  readonly badgeOf: (value: number) => CellBadge | undefined;
}
