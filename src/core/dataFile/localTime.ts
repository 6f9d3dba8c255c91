import { ZoneOffsets } from '../time/zoneOffsets.ts';

/**
 * Creates a function that converts local times to instants. Call it in the order of the rows. If a local time occurs twice, because
 * clocks went back, `isSecond` selects the instant; without it, the function selects the instant that continues the ascending or descending
 * order of the rows. Consecutive rows with the same time get the same instant, unless they outnumber the rows of the previous time. A time that
 * a clock change skipped becomes the instant of the change.
 */
export function createInstantConverter(timeZone: string): (localTime: number, isSecond?: boolean) => number {
  const offsets = new ZoneOffsets(timeZone);
  let previousInstant = NaN;
  let previousTime = NaN;
  let rowsOfTime = 0;
  let rowsOfPreviousTime = 1;
  let isDescending: boolean | undefined;
  return (localTime, isSecond) => {
    const isSame = localTime === previousTime;
    if (!isSame && rowsOfTime > 0) isDescending ??= localTime < previousTime;
    if (!isSame) rowsOfPreviousTime = rowsOfTime || 1;
    rowsOfTime = isSame ? rowsOfTime + 1 : 1;
    previousTime = localTime;
    if (isSame && isSecond === undefined && rowsOfTime <= rowsOfPreviousTime) return previousInstant;
    const [first, second] = offsets.findInstants(localTime);
    if (first === undefined) return (previousInstant = offsets.firstInstantFrom(localTime));
    const takesSecond =
      isSecond ?? (isDescending ? !(second !== undefined && second >= previousInstant) : first <= previousInstant);
    return (previousInstant = takesSecond ? (second ?? first) : first);
  };
}
