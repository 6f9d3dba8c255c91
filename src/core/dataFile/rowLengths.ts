import { dayMs, minuteMs, weekMs } from '../../shared/durations.ts';
import type { RowLength } from '../../shared/resampling.ts';
import { tableLimits } from '../../shared/tableLimits.ts';

/** Rows in a row whose next row is at one distance show a length: a single odd row between others does not. */
const minRows = 4;

/** Rows may stand ages apart: of more steps than that it is not told which are missing either. */
const maxSteps = 2 * tableLimits.rows;

/** How likely missing rows may have left what is taken for longer rows. */
const maxChance = 0.001;

/**
 * The lengths of rows that change their length, such as hours and, from a day on, quarters of them; undefined for rows that don't. A length
 * holds for a stretch of rows whose distances are multiples of it: between those that are further apart, rows are missing. `instants`: ascending.
 */
export function findRowLengths(instants: Float64Array): readonly RowLength[] | undefined {
  const times = instants.filter((ms, at) => ms !== instants[at - 1]);
  const distances = times.subarray(1).map((ms, at) => ms - (times[at] ?? NaN));
  const lengths = repeatedDistances(distances);
  if (lengths.length < 2) return undefined;
  const steps = ((times.at(-1) ?? NaN) - (times[0] ?? NaN)) / (lengths.at(-1) ?? NaN);
  if (steps > maxSteps) return undefined;
  const found = new Float64Array(distances.length);
  // Stretches of hours are not also stretches of quarter-hours, three of which are missing in each hour.
  for (const length of lengths) findStretches(distances, length, found, length === lengths.at(-1));
  const changes: RowLength[] = [];
  for (let at = 0; at < found.length; at++) {
    const [start, stepMs] = [times[at] ?? NaN, found[at] ?? 0];
    const last = changes.at(-1);
    // Where the rows of a length begin at other minutes than before, it begins again.
    if (stepMs !== 0 && !(stepMs === last?.stepMs && (start - last.start) % stepMs === 0))
      changes.push({ start, stepMs });
  }
  return changes.some(({ stepMs }) => stepMs !== changes[0]?.stepMs) ? changes : undefined;
}

/** The distances that enough rows in a row have, the greatest first: weeks, days and the whole minutes that a day is a multiple of. */
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
 * Notes a length in `found`, by distance, for the stretches that have it, of the distances that no greater length was found for. Distances of
 * two hours may also be those of hours some of which are missing: as many in a row count only where, with as many missing as elsewhere, that
 * is unlikely. `isLeast`: there are no shorter rows that could be missing.
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
    // A row whose next is further away is the last one of the rows before, unless these are longer than that.
    while (isMultiple(from) && distances[from] !== length && (distances[from] ?? NaN) >= before) from++;
    let [to, exact] = [from, 0];
    for (; isMultiple(to); to++) if (distances[to] === length) exact++;
    others += Math.max(1, to - at);
    multiples += to - at;
    if (exact >= minRows) stretches.push({ from, to });
    at = Math.max(at, to - 1);
  }
  // The longest is the least likely by chance. Those that are rows of the length are none of the others.
  for (const { from, to } of stretches.sort((a, b) => b.to - b.from - (a.to - a.from))) {
    const count = to - from;
    others -= count;
    multiples -= count;
    if (!isLeast && (others + count) * ((multiples + 1) / (others + 1)) ** count > maxChance) return;
    found.fill(length, from, to);
  }
}
