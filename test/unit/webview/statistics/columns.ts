import type { NumberColumn, TimeColumn } from '../../../../src/shared/frame.ts';
import { power } from '../../../../src/shared/units.ts';
import { describeColumn, type ColumnStatistics } from '../../../../src/core/statistics/columnStatistics.ts';

export const hourMs = 3_600_000;

/** Creates a column of megawatts; `undefined` stands for an absent cell. */
export function powerColumn(cells: readonly (number | null | undefined)[]): NumberColumn {
  return {
    kind: 'number',
    name: 'wind_mw',
    path: ['wind_mw'],
    field: { label: 'Wind', unit: power, meaning: 'Wind generation' },
    values: Float64Array.from(cells, cell => cell ?? 123),
    ...(cells.some(cell => cell == null) && {
      gaps: Uint8Array.from(cells, cell => (cell === null ? 1 : cell === undefined ? 2 : 0)),
    }),
  };
}

/** Computes the statistics of a column synchronously, over all rows unless `rows` are given. */
export function columnStatistics(
  ...[column, time, rows, parts, rowMs]: Parameters<typeof describeColumn>
): ColumnStatistics {
  return describeColumn(column, time, rows, parts, rowMs);
}

export function timesFrom(start: number, rows: number, intervalMs = hourMs): TimeColumn {
  return {
    kind: 'time',
    name: 'ts',
    path: ['ts'],
    values: Float64Array.from({ length: rows }, (_, row) => start + row * intervalMs),
  };
}
