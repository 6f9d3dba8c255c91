import { partialDay, shownStates, stepState, type Coverage } from '../../shared/result.ts';

/** What is drawn at a pixel: a `stepState`, or that all its steps came from the archive. */
export const keptMark = 7;

/** One entry a pixel of width. */
export interface StripPixels {
  /** A `stepState`, `partialDay` or `keptMark`. */
  readonly marks: Uint8Array;
  /** The first step of that state at the pixel: where a click goes. */
  readonly steps: Uint32Array;
}

// What a person must not miss outweighs the rest of a pixel: a failed request can be repeated, so it comes first.
const order: readonly number[] = [
  keptMark,
  stepState.present,
  stepState.notPublished,
  stepState.notAsked,
  partialDay,
  stepState.late,
  stepState.missing,
  stepState.failed,
];
const weights = Uint8Array.from({ length: order.length }, (_, mark) => order.indexOf(mark));
const seenWeight = order.indexOf(partialDay);
/** Narrower, no eye tells a pattern. */
const leastWidth = 3;

/**
 * The strip at a width in pixels. Of several steps at one pixel the most serious counts; a late, missing or failed stretch, and days with some of their hours,
 * takes at least three pixels, at the cost of less serious neighbours.
 */
export function stripPixels(coverage: Pick<Coverage, 'states' | 'kept' | 'hours'>, width: number): StripPixels {
  const { kept } = coverage;
  const states = shownStates(coverage);
  const marks = new Uint8Array(width);
  const steps = new Uint32Array(width);
  const count = states.length;
  const markOf = (step: number): number => {
    const state = states[step] ?? stepState.present;
    return state === stepState.present && kept[step] === 1 ? keptMark : state;
  };
  for (let pixel = 0; pixel < width; pixel++) {
    const from = Math.floor((pixel * count) / width);
    const to = Math.max(from + 1, Math.floor(((pixel + 1) * count) / width));
    let [mark, first] = [markOf(from), from];
    for (let step = from + 1; step < to; step++) {
      const next = markOf(step);
      if (weightOf(next) > weightOf(mark)) [mark, first] = [next, step];
    }
    marks[pixel] = mark;
    steps[pixel] = first;
  }
  return widen({ marks, steps });
}

function widen({ marks, steps }: StripPixels): StripPixels {
  const wide = { marks: marks.slice(), steps: steps.slice() };
  const take = (pixel: number, from: number): void => {
    const mark = marks[from] ?? stepState.present;
    // What must be seen itself is not covered.
    if (weightOf(marks[pixel] ?? stepState.present) >= seenWeight) return;
    if (weightOf(wide.marks[pixel] ?? stepState.present) >= weightOf(mark)) return;
    wide.marks[pixel] = mark;
    wide.steps[pixel] = steps[from] ?? 0;
  };
  for (let from = 0, to; from < marks.length; from = to) {
    to = from + 1;
    while (to < marks.length && marks[to] === marks[from]) to++;
    if (weightOf(marks[from] ?? stepState.present) < seenWeight) continue;
    for (let lack = leastWidth - (to - from), side = 1; lack > 0; lack--, side = -side) {
      const pixel = side > 0 ? to : from - 1;
      if (pixel >= 0 && pixel < marks.length) take(pixel, side > 0 ? to - 1 : from);
    }
  }
  return wide;
}

function weightOf(mark: number): number {
  return weights[mark] ?? 0;
}
