import { cellState, stateAt, type TimeColumn } from '../../shared/frame.ts';
import type { Unit } from '../../shared/units.ts';

const hourMs = 3_600_000;

export interface Energy {
  readonly mwh: number;
  /** How long the values it is made of last together. */
  readonly hours: number;
}

/**
 * How long the value of a row lasts, in milliseconds: the length of the interval asked for. Undefined where that is unknown, where no row says
 * when it is, and where rows are closer together than the interval, or of one instant: each would be counted for longer than it lasts.
 */
export function rowDuration(time: TimeColumn | undefined, stepMs: number | undefined): number | undefined {
  if (!time || stepMs === undefined) return undefined;
  return leastDistance(time) < stepMs ? undefined : stepMs;
}

const leastDistances = new WeakMap<TimeColumn, number>();

/** Between any two rows with an instant; Infinity below two of them. Of each column once: a selection asks at each of its changes. */
function leastDistance(time: TimeColumn): number {
  const known = leastDistances.get(time);
  if (known !== undefined) return known;
  const times = time.gaps ? time.values.filter((_, row) => stateAt(time, row) === cellState.value) : time.values;
  let least = distanceIn(times);
  // Sorted only where they are not: most are.
  if (least < 0) least = distanceIn(times.toSorted());
  leastDistances.set(time, least);
  return least;
}

/** The least step from a number to the next; negative where they do not ascend. */
function distanceIn(times: Float64Array): number {
  let least = Infinity;
  for (let row = 1; row < times.length; row++) least = Math.min(least, (times[row] ?? NaN) - (times[row - 1] ?? NaN));
  return least;
}

/** The energy of values with this sum, which together fill `rows` rows. Undefined where the unit or the interval has none. */
export function energyOf(unit: Unit, sum: number, rows: number, rowMs: number | undefined): Energy | undefined {
  if (unit.mwhPerHour === undefined || rowMs === undefined || rows === 0) return undefined;
  const perHour = sum * unit.mwhPerHour;
  // By whole numbers where the interval is a multiple or a part of the hour: these leave the digits of the sum as they are.
  const mwh = rowMs < hourMs ? perHour / (hourMs / rowMs) : perHour * (rowMs / hourMs);
  return { mwh, hours: (rows * rowMs) / hourMs };
}
