import { dayMs, minuteMs, weekMs } from '../../shared/durations.ts';
import type { RowLength } from '../../shared/resampling.ts';
import { tableLimits } from '../../shared/tableLimits.ts';

/** The number of consecutive equal distances that shows a row length: a few irregular rows do not. */
const minRepeats = 4;

/** The maximum number of intervals in the range of the rows. Coverage is not computed for more, either. */
const maxIntervals = 2 * tableLimits.rows;

/** The maximum probability that distances which are taken for longer rows are there by chance, because rows are missing. */
const maxChance = 0.001;

/**
 * Finds where the length of rows changes, such as from hours to quarter-hours; undefined if all rows have one length. A length applies to a run
 * of rows whose distances are multiples of it: rows are missing within the greater distances. `instants` are ascending.
 */
export function findRowLengths(instants: Float64Array): readonly RowLength[] | undefined {
  const times = instants.filter((ms, at) => ms !== instants[at - 1]);
  const distances = times.subarray(1).map((ms, at) => ms - (times[at] ?? NaN));
  const lengths = listRepeatedDistances(distances);
  if (lengths.length < 2) return undefined;
  const intervalCount = ((times.at(-1) ?? NaN) - (times[0] ?? NaN)) / (lengths.at(-1) ?? NaN);
  if (intervalCount > maxIntervals) return undefined;
  const lengthOfDistance = new Float64Array(distances.length);
  // The greatest length comes first: hours could also be read as quarter-hours, three of which are missing in each hour.
  for (const length of lengths) assignLength(distances, length, lengthOfDistance, length === lengths.at(-1));
  const changes: RowLength[] = [];
  for (let at = 0; at < lengthOfDistance.length; at++) {
    const [start, intervalMs] = [times[at] ?? NaN, lengthOfDistance[at] ?? 0];
    const last = changes.at(-1);
    // A length also starts anew where its rows begin at other minutes than before.
    if (intervalMs !== 0 && !(intervalMs === last?.intervalMs && (start - last.start) % intervalMs === 0))
      changes.push({ start, intervalMs });
  }
  return changes.some(({ intervalMs }) => intervalMs !== changes[0]?.intervalMs) ? changes : undefined;
}

/** Lists the distances that repeat often enough, in descending order. Only weeks and whole minutes that divide a day count. */
function listRepeatedDistances(distances: Float64Array): readonly number[] {
  const repeated = new Set<number>();
  for (let at = 0, count = 0; at < distances.length; at++) {
    const distance = distances[at] ?? NaN;
    count = distance === distances[at - 1] ? count + 1 : 1;
    const isLength = (distance % minuteMs === 0 && dayMs % distance === 0) || distance === weekMs;
    if (count === minRepeats && isLength) repeated.add(distance);
  }
  return [...repeated].sort((a, b) => b - a);
}

/**
 * Sets a length in `lengthOfDistance` for the runs of distances that have it and no greater length yet. Distances of two hours may also mean
 * that every second hour is missing. So a run counts only if it is unlikely to be chance, given how many rows are missing elsewhere.
 * `isShortest`: whether there is no shorter length whose rows could be missing.
 */
function assignLength(
  distances: Float64Array,
  length: number,
  lengthOfDistance: Float64Array,
  isShortest: boolean,
): void {
  const runs: { readonly from: number; readonly to: number }[] = [];
  let [otherCount, multipleCount] = [0, 0];
  const isMultiple = (at: number): boolean => lengthOfDistance[at] === 0 && (distances[at] ?? NaN) % length === 0;
  let previousLength = 0;
  for (let at = 0; at < distances.length; at++) {
    previousLength = lengthOfDistance[at] || previousLength;
    if (lengthOfDistance[at] !== 0) continue;
    let from = at;
    // A row before a greater distance is the last row of the previous length, unless that length is greater than the distance.
    while (isMultiple(from) && distances[from] !== length && (distances[from] ?? NaN) >= previousLength) from++;
    let [to, exactCount] = [from, 0];
    for (; isMultiple(to); to++) if (distances[to] === length) exactCount++;
    otherCount += Math.max(1, to - at);
    multipleCount += to - at;
    if (exactCount >= minRepeats) runs.push({ from, to });
    at = Math.max(at, to - 1);
  }
  // The longest run is the least likely to be chance. Accepted runs no longer count among the others.
  for (const { from, to } of runs.sort((a, b) => b.to - b.from - (a.to - a.from))) {
    const count = to - from;
    otherCount -= count;
    multipleCount -= count;
    if (!isShortest && (otherCount + count) * ((multipleCount + 1) / (otherCount + 1)) ** count > maxChance) return;
    lengthOfDistance.fill(length, from, to);
  }
}
