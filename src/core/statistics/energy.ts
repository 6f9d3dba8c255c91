import { timeShape } from '../../shared/formatTime.ts';
import type { TimeColumn } from '../../shared/frame.ts';
import type { Unit } from '../../shared/units.ts';

const hourMs = 3_600_000;

export interface Energy {
  readonly mwh: number;
  /** How long the values it is made of last together. */
  readonly hours: number;
}

/**
 * How long the value of a row lasts, in milliseconds: the length of the interval asked for. Undefined where that is unknown, where no row says
 * when it is, and where rows are closer together than the interval: each would be counted for longer than it lasts.
 */
export function rowDuration(time: TimeColumn | undefined, stepMs: number | undefined): number | undefined {
  if (!time || stepMs === undefined) return undefined;
  return (leastStep(time) ?? stepMs) < stepMs ? undefined : stepMs;
}

const leastSteps = new WeakMap<TimeColumn, { readonly step: number | undefined }>();

/** Of each column once: a selection asks at each of its changes. */
function leastStep(time: TimeColumn): number | undefined {
  const known = leastSteps.get(time) ?? timeShape(time, time.values.length);
  leastSteps.set(time, known);
  return known.step;
}

/** The energy of values with this sum, which together fill `rows` rows. Undefined where the unit or the interval has none. */
export function energyOf(unit: Unit, sum: number, rows: number, rowMs: number | undefined): Energy | undefined {
  if (unit.mwhPerHour === undefined || rowMs === undefined || rows === 0) return undefined;
  const perHour = sum * unit.mwhPerHour;
  // By whole numbers where the interval is a multiple or a part of the hour: these leave the digits of the sum as they are.
  const mwh = rowMs < hourMs ? perHour / (hourMs / rowMs) : perHour * (rowMs / hourMs);
  return { mwh, hours: (rows * rowMs) / hourMs };
}
