import { dayMs, minuteMs, weekMs } from '../../shared/durations.ts';
import type { RowLength } from '../../shared/resampling.ts';
import { tableLimits } from '../../shared/tableLimits.ts';

/** The minimum number of consecutive equal distances that count as a row length, so that a few irregular rows do not. */
const minRepeats = 4;

/** The maximum number of intervals in the range of the rows. Coverage has the same limit. */
const maxIntervals = 2 * tableLimits.rows;

/** The maximum probability that distances which look like longer rows are due to missing rows instead. */
const maxChance = 0.001;

/**
 * Finds where the length of rows changes, such as from hours to quarter-hours; undefined if all rows have one length. A length applies to a run
 * of rows whose distances are multiples of it; rows are missing within the greater distances. `instants` are ascending.
 */
export function findRowLengths(instants: Float64Array): readonly RowLength[] | undefined {
  const times = instants.filter((ms, index) => ms !== instants[index - 1]);
  const distances = times.subarray(1).map((ms, index) => ms - (times[index] ?? NaN));
  const lengths = listRepeatedDistances(distances);
  if (lengths.length < 2) return undefined;
  const intervalCount = ((times.at(-1) ?? NaN) - (times[0] ?? NaN)) / (lengths.at(-1) ?? NaN);
  if (intervalCount > maxIntervals) return undefined;
  const lengthOfDistance = new Float64Array(distances.length);
  // The greatest length comes first: hours could also be read as quarter-hours, three of which are missing in each hour.
  for (const length of lengths) assignLength(distances, length, lengthOfDistance, length === lengths.at(-1));
  const changes: RowLength[] = [];
  for (let index = 0; index < lengthOfDistance.length; index++) {
    const start = times[index] ?? NaN;
    const intervalMs = lengthOfDistance[index] ?? 0;
    const last = changes.at(-1);
    // The same length is added again if its rows begin at different minutes from here on.
    if (intervalMs !== 0 && !(intervalMs === last?.intervalMs && (start - last.start) % intervalMs === 0))
      changes.push({ start, intervalMs });
  }
  return changes.some(({ intervalMs }) => intervalMs !== changes[0]?.intervalMs) ? changes : undefined;
}

/** Lists the distances that repeat often enough, in descending order. Only weeks and whole minutes that divide a day count. */
function listRepeatedDistances(distances: Float64Array): readonly number[] {
  const repeated = new Set<number>();
  for (let index = 0, count = 0; index < distances.length; index++) {
    const distance = distances[index] ?? NaN;
    count = distance === distances[index - 1] ? count + 1 : 1;
    const isLength = (distance % minuteMs === 0 && dayMs % distance === 0) || distance === weekMs;
    if (count === minRepeats && isLength) repeated.add(distance);
  }
  return [...repeated].sort((a, b) => b - a);
}

/**
 * Sets a length in `lengthOfDistance` for the runs of distances that match it and have no greater length yet. Distances of two hours may also
 * mean that every second hour is missing, so a run counts only if it is unlikely to be chance, given how many rows are missing elsewhere.
 * `isShortest`: whether there is no shorter length whose rows could be missing.
 */
function assignLength(
  distances: Float64Array,
  length: number,
  lengthOfDistance: Float64Array,
  isShortest: boolean,
): void {
  const runs: { readonly from: number; readonly to: number }[] = [];
  let otherCount = 0;
  let multipleCount = 0;
  const isMultiple = (index: number): boolean =>
    lengthOfDistance[index] === 0 && (distances[index] ?? NaN) % length === 0;
  let previousLength = 0;
  for (let index = 0; index < distances.length; index++) {
    previousLength = lengthOfDistance[index] || previousLength;
    if (lengthOfDistance[index] !== 0) continue;
    let from = index;
    // A row before a greater distance is the last row of the previous length, unless that length is greater than the distance.
    while (isMultiple(from) && distances[from] !== length && (distances[from] ?? NaN) >= previousLength) from++;
    let to = from;
    let exactCount = 0;
    for (; isMultiple(to); to++) if (distances[to] === length) exactCount++;
    otherCount += Math.max(1, to - index);
    multipleCount += to - index;
    if (exactCount >= minRepeats) runs.push({ from, to });
    index = Math.max(index, to - 1);
  }
  // The longest run is the least likely to be chance. Accepted runs are subtracted from the other distances.
  for (const { from, to } of runs.sort((a, b) => b.to - b.from - (a.to - a.from))) {
    const count = to - from;
    otherCount -= count;
    multipleCount -= count;
    if (!isShortest && (otherCount + count) * ((multipleCount + 1) / (otherCount + 1)) ** count > maxChance) return;
    lengthOfDistance.fill(length, from, to);
  }
}
