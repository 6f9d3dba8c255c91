import { ZoneOffsets } from '../time/zoneOffsets.ts';

/**
 * Creates a function that converts local times to instants, called in the order of the rows. If the clock shows a time twice, `isSecond`
 * chooses the instant; without it, the one that continues the order of the rows, ascending or descending. Consecutive rows of the same time
 * have one instant, as long as they are no more than the rows of the time before. A skipped time becomes the instant of the clock change.
 */
export function createInstantConverter(timeZone: string): (wall: number, isSecond?: boolean) => number {
  const offsets = new ZoneOffsets(timeZone);
  let previousInstant = NaN;
  let previousWall = NaN;
  let [rowsOfTime, rowsOfPreviousTime] = [0, 1];
  let isDescending: boolean | undefined;
  return (wall, isSecond) => {
    const isSame = wall === previousWall;
    if (!isSame && rowsOfTime > 0) isDescending ??= wall < previousWall;
    if (!isSame) rowsOfPreviousTime = rowsOfTime || 1;
    rowsOfTime = isSame ? rowsOfTime + 1 : 1;
    previousWall = wall;
    if (isSame && isSecond === undefined && rowsOfTime <= rowsOfPreviousTime) return previousInstant;
    const [first, second] = offsets.findInstants(wall);
    if (first === undefined) return (previousInstant = offsets.firstInstantFrom(wall));
    const takesSecond =
      isSecond ?? (isDescending ? !(second !== undefined && second >= previousInstant) : first <= previousInstant);
    return (previousInstant = takesSecond ? (second ?? first) : first);
  };
}
