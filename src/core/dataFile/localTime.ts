import { ZoneOffsets } from '../time/zoneOffsets.ts';

/**
 * Makes instants of the times of a zone, in the order of the rows. Of a time that the clock shows twice the second instant counts where
 * `isSecond` says so, or, where nothing does, where the first does not follow that of the row before, which in descending rows it precedes; as
 * many rows as the time before had are of one instant. Of a time that the clock skips, the instant of the change.
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
