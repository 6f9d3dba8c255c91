import { dayMs, minuteMs, weekMs } from '../../shared/durations.ts';
import type { RowLength } from '../../shared/resampling.ts';
import { tableLimits } from '../../shared/tableLimits.ts';

/** The number of consecutive equal distances that shows a row length: a few irregular rows do not. */
const minRows = 4;

/** The maximum number of intervals in the range of the rows. Coverage is not computed for more, either. */
const maxSteps = 2 * tableLimits.rows;

/** The maximum probability that distances which are taken for longer rows are there by chance, because rows are missing. */
const maxChance = 0.001;

/**
 * Finds where the length of rows changes, such as from hours to quarter-hours; undefined if all rows have one length. A length applies to a run
 * of rows whose distances are multiples of it: rows are missing within the greater distances. `instants` are ascending.
 */
export function findRowLengths(instants: Float64Array): readonly RowLength[] | undefined {
  const times = instants.filter((ms, at) => ms !== instants[at - 1]);
  const distances = times.subarray(1).map((ms, at) => ms - (times[at] ?? NaN));
  const lengths = repeatedDistances(distances);
  if (lengths.length < 2) return undefined;
  const steps = ((times.at(-1) ?? NaN) - (times[0] ?? NaN)) / (lengths.at(-1) ?? NaN);
  if (steps > maxSteps) return undefined;
  const found = new Float64Array(distances.length);
  // The greatest length comes first: hours could also be read as quarter-hours, three of which are missing in each hour.
  for (const length of lengths) findStretches(distances, length, found, length === lengths.at(-1));
  const changes: RowLength[] = [];
  for (let at = 0; at < found.length; at++) {
    const [start, stepMs] = [times[at] ?? NaN, found[at] ?? 0];
    const last = changes.at(-1);
    // A length also starts anew where its rows begin at other minutes than before.
    if (stepMs !== 0 && !(stepMs === last?.stepMs && (start - last.start) % stepMs === 0))
      changes.push({ start, stepMs });
  }
  return changes.some(({ stepMs }) => stepMs !== changes[0]?.stepMs) ? changes : undefined;
}

/** Lists the distances that repeat often enough, in descending order. Only weeks and whole minutes that divide a day count. */
function repeatedDistances(distances: Float64Array): readonly number[] {
  const repeated = new Set<number>();
  for (let at = 0, count = 0; at < distances.length; at++) {
    const distance = distances[at] ?? NaN;
    count = distance === distances[at - 1] ? count + 1 : 1;
    const isLength = (distance % minuteMs === 0 && dayMs % distance === 0) || distance === weekMs;
    if (count === minRows && isLength) repeated.add(distance);
  }
  return [...repeated].sort((a, b) => b - a);
}

/**
 * Sets a length in `lengthOfDistance` for the runs of distances that have it and no greater length yet. Distances of two hours may also mean
 * that every second hour is missing. So a run counts only if it is unlikely to be chance, given how many rows are missing elsewhere.
 * `isShortest`: whether there is no shorter length whose rows could be missing.
 */
function findStretches(distances: Float64Array, length: number, found: Float64Array, isLeast: boolean): void {
  const stretches: { readonly from: number; readonly to: number }[] = [];
  let [others, multiples] = [0, 0];
  const isMultiple = (at: number): boolean => found[at] === 0 && (distances[at] ?? NaN) % length === 0;
  let before = 0;
  for (let at = 0; at < distances.length; at++) {
    before = found[at] || before;
    if (found[at] !== 0) continue;
    let from = at;
    // A row before a greater distance is the last row of the previous length, unless that length is greater than the distance.
    while (isMultiple(from) && distances[from] !== length && (distances[from] ?? NaN) >= before) from++;
    let [to, exact] = [from, 0];
    for (; isMultiple(to); to++) if (distances[to] === length) exact++;
    others += Math.max(1, to - at);
    multiples += to - at;
    if (exact >= minRows) stretches.push({ from, to });
    at = Math.max(at, to - 1);
  }
  // The longest run is the least likely to be chance. Accepted runs no longer count among the others.
  for (const { from, to } of stretches.sort((a, b) => b.to - b.from - (a.to - a.from))) {
    const count = to - from;
    others -= count;
    multiples -= count;
    if (!isLeast && (others + count) * ((multiples + 1) / (others + 1)) ** count > maxChance) return;
    found.fill(length, from, to);
  }
}
