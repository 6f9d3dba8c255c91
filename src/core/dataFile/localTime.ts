import { ZoneOffsets } from '../time/zoneOffsets.ts';

/**
 * Makes instants of the times of a zone, in the order of the rows. Of a time that the clock shows twice the second instant counts where
 * `isSecond` says so, or, where nothing does, the first is not after that of the row before; of one that it skips, the instant of the change.
 */
export function instantsIn(timeZone: string): (wall: number, isSecond?: boolean) => number {
  const offsets = new ZoneOffsets(timeZone);
  let before = -Infinity;
  return (wall, isSecond) => {
    const [first, second] = offsets.instantsOf(wall);
    const takesSecond = isSecond ?? (first !== undefined && first <= before);
    const instant = first === undefined ? offsets.firstInstantFrom(wall) : takesSecond ? (second ?? first) : first;
    return (before = instant);
  };
}
