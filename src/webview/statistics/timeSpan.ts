import { cellState } from '../../shared/frame.ts';
import type { TimeColumn } from '../../shared/frame.ts';
import { stepRows, type Steps } from '../../core/steps.ts';

/** The earliest and the latest instant of the rows (UTC ms); undefined where none has one. */
export function* spanSteps(
  time: TimeColumn,
  rows?: Uint32Array,
): Steps<readonly [earliest: number, latest: number] | undefined> {
  const total = rows?.length ?? time.values.length;
  let earliest = Infinity;
  let latest = -Infinity;
  for (let index = 0; index < total; index++) {
    if (index % stepRows === stepRows - 1) yield;
    const row = rows ? (rows[index] ?? 0) : index;
    const instant = time.values[row] ?? NaN;
    if ((time.gaps?.[row] ?? cellState.value) !== cellState.value) continue;
    if (instant < earliest) earliest = instant;
    if (instant > latest) latest = instant;
  }
  return earliest <= latest ? [earliest, latest] : undefined;
}
