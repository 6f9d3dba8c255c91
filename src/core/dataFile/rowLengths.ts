import { dayMs, minuteMs, weekMs } from '../../shared/durations.ts';
import type { RowLength } from '../../shared/resampling.ts';
import { tableLimits } from '../../shared/tableLimits.ts';

/** The number of consecutive rows that must have the same distance for it to be a row length. Fewer rows are ignored as irregular. */
const minRepeats = 4;

/** The maximum number of intervals in the range of the rows. The coverage of a result has the same limit. */
const maxIntervals = 2 * tableLimits.rows;

/** A greater length is accepted only if the probability is lower than this that shorter rows are missing instead. */
const maxChance = 0.001;

/**
 * Finds where the length of rows changes, such as from hours to quarter-hours. Returns undefined if all rows have the same length. A length
 * applies to consecutive rows whose distances are multiples of it. If a distance is greater than the length, rows are missing in between.
 * `instants` must be ascending.
 */
export function findRowLengths(instants: Float64Array): readonly RowLength[] | undefined {
  const times = instants.filter((ms, index) => ms !== instants[index - 1]);
  const distances = times.subarray(1).map((ms, index) => ms - (times[index] ?? NaN));
  const lengths = listRepeatedDistances(distances);
  if (lengths.length < 2) return undefined;
  const intervalCount = ((times.at(-1) ?? NaN) - (times[0] ?? NaN)) / (lengths.at(-1) ?? NaN);
  if (intervalCount > maxIntervals) return undefined;
  const lengthOfDistance = new Float64Array(distances.length);
  // The greatest length comes first. Otherwise, hours would be read as quarter-hours with three missing rows in each hour.
  for (const length of lengths) assignLength(distances, length, lengthOfDistance, length === lengths.at(-1));
  const changes: RowLength[] = [];
  for (let index = 0; index < lengthOfDistance.length; index++) {
    const start = times[index] ?? NaN;
    const intervalMs = lengthOfDistance[index] ?? 0;
    const last = changes.at(-1);
    // The same length is added again if its rows begin at other minutes than before.
    if (intervalMs !== 0 && !(intervalMs === last?.intervalMs && (start - last.start) % intervalMs === 0))
      changes.push({ start, intervalMs });
  }
  return changes.some(({ intervalMs }) => intervalMs !== changes[0]?.intervalMs) ? changes : undefined;
}

/** Lists the distances that occur often enough in a row, in descending order. Only weeks and whole minutes that divide a day can be lengths. */
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
 * Sets a length in `lengthOfDistance` for each run of distances that are multiples of it and have no greater length yet. Distances of two
 * hours may also mean that every second hour is missing. Therefore, a run is accepted only if that is improbable, given how many rows are
 * missing elsewhere. The shortest length (`isShortest`) is always accepted, because no shorter rows could be missing.
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
    // A row before a distance that is greater than this length still has the previous length, unless that is greater than the distance.
    while (isMultiple(from) && distances[from] !== length && (distances[from] ?? NaN) >= previousLength) from++;
    let to = from;
    let exactCount = 0;
    for (; isMultiple(to); to++) if (distances[to] === length) exactCount++;
    otherCount += Math.max(1, to - index);
    multipleCount += to - index;
    if (exactCount >= minRepeats) runs.push({ from, to });
    index = Math.max(index, to - 1);
  }
  // The longest run comes first, because it is the least likely to be due to missing rows. Each run is excluded from the distances that it
  // is compared with.
  for (const { from, to } of runs.sort((a, b) => b.to - b.from - (a.to - a.from))) {
    const count = to - from;
    otherCount -= count;
    multipleCount -= count;
    if (!isShortest && (otherCount + count) * ((multipleCount + 1) / (otherCount + 1)) ** count > maxChance) return;
    lengthOfDistance.fill(length, from, to);
  }
}
