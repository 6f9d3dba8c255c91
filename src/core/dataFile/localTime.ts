import { ZoneOffsets } from '../time/zoneOffsets.ts';

/**
 * Creates a function that converts local times to instants, called in the order of the rows. If the clock shows a time twice, `isSecond`
 * chooses the instant; without it, the one that continues the order of the rows, ascending or descending. Consecutive rows of the same time
 * have one instant, as long as they are no more than the rows of the time before. A skipped time becomes the instant of the clock change.
 */
export function instantsIn(timeZone: string): (wall: number, isSecond?: boolean) => number {
  const offsets = new ZoneOffsets(timeZone);
  let before = NaN;
  let wallBefore = NaN;
  let [rows, rowsBefore] = [0, 1];
  let descends: boolean | undefined;
  return (wall, isSecond) => {
    const isSame = wall === wallBefore;
    if (!isSame && rows > 0) descends ??= wall < wallBefore;
    if (!isSame) rowsBefore = rows || 1;
    rows = isSame ? rows + 1 : 1;
    wallBefore = wall;
    if (isSame && isSecond === undefined && rows <= rowsBefore) return before;
    const [first, second] = offsets.instantsOf(wall);
    if (first === undefined) return (before = offsets.firstInstantFrom(wall));
    const takesSecond = isSecond ?? (descends ? !(second !== undefined && second >= before) : first <= before);
    return (before = takesSecond ? (second ?? first) : first);
  };
}
