import { streams } from './noise.ts';
import type { Noise } from './noise.ts';

const longestGap = 4;
/** With 1…4 hours a gap, about 0.2 % of all hours are missing. */
const gapsPerHour = 0.0008;
const nullsPerCell = 0.001;

/** Whether the hour never reached the publisher, as happens for an hour or a few. */
export function isMissing(hour: number, noise: Noise): boolean {
  for (let back = 0; back < longestGap; back++) {
    const start = hour - back;
    if (noise.uniform(streams.missingHour, start) >= gapsPerHour) continue;
    const length = 1 + Math.floor(noise.uniform(streams.missingLength, start) * longestGap);
    if (back < length) return true;
  }
  return false;
}

/** Whether the hour came without this one reading; `cell` numbers the readings of an hour. */
export function isNull(hour: number, cell: number, noise: Noise): boolean {
  return noise.uniform(streams.nullCell, hour * 16 + cell) < nullsPerCell;
}
