import { partialDay, getDisplayStates, intervalState, type Coverage } from '../../shared/result.ts';

/** Drawn where all steps at a pixel are from the archive; the other marks are a `stepState` or `partialDay`. */
export const archivedMark = 7;

/** Height of the strip in CSS pixels. */
const stripHeight = 6;

/**
 * How each mark is drawn: its class in the stylesheet, and the tile of its pattern as a path of lines. Each differs from
 * the others in shape: present steps are a low bar, solid from the service and lined from the archive; other steps are
 * higher.
 */
const looks: ReadonlyMap<number, { readonly name: string; readonly tile: number; readonly lines: string }> = new Map([
  [intervalState.present, { name: 'present', tile: 6, lines: 'M0 4.5H6' }],
  [archivedMark, { name: 'kept', tile: 6, lines: 'M0 3.5H6M0 5.5H6' }],
  [intervalState.missing, { name: 'missing', tile: 6, lines: 'M0 3H6' }],
  [partialDay, { name: 'partial', tile: 6, lines: 'M0 4.5H6M1.5 0V4M4.5 0V4' }],
  [intervalState.failed, { name: 'failed', tile: 6, lines: 'M0 0L6 6M6 0L0 6' }],
  [intervalState.late, { name: 'late', tile: 3, lines: 'M1 0V6' }],
  [intervalState.notAsked, { name: 'not-asked', tile: 6, lines: 'M1 5.5H3' }],
  [intervalState.notPublished, { name: 'not-published', tile: 6, lines: 'M-1 7L7 -1M-1 1L1 -1M5 7L7 5' }],
]);

/** An empty drawing with the patterns. */
export function createDrawing(): SVGSVGElement {
  const svg = svgElement('svg', { class: 'coverage-drawing', height: stripHeight, 'aria-hidden': 'true' });
  const patterns = svgElement('defs', {});
  for (const { name, tile, lines } of looks.values()) {
    const size = { width: tile, height: stripHeight, patternUnits: 'userSpaceOnUse' };
    const pattern = svgElement('pattern', { id: `coverage-${name}`, ...size });
    pattern.append(svgElement('path', { d: lines, class: `coverage-lines ${name}` }));
    patterns.append(pattern);
  }
  svg.append(patterns);
  return svg;
}

/** Draws the marks of a row of pixels: one path for each kind, however many segments it has. */
export function drawMarks(svg: SVGSVGElement, marks: Uint8Array): void {
  svg.setAttribute('width', String(marks.length));
  const paths = new Map<number, string>();
  for (let from = 0, to; from < marks.length; from = to) {
    to = from + 1;
    while (to < marks.length && marks[to] === marks[from]) to++;
    const mark = marks[from] ?? intervalState.present;
    paths.set(mark, `${paths.get(mark) ?? ''}M${from} 0H${to}V${stripHeight}H${from}Z`);
  }
  svg.querySelectorAll('.coverage-marks').forEach(path => path.remove());
  for (const [mark, d] of paths) {
    const name = looks.get(mark)?.name ?? 'present';
    svg.append(svgElement('path', { d, class: `coverage-marks ${name}`, fill: `url(#coverage-${name})` }));
  }
}

function svgElement<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** One entry a pixel of width. */
export interface StripPixels {
  /** A `stepState`, `partialDay` or `archivedMark`. */
  readonly marks: Uint8Array;
  /** The first step of that state at the pixel: where a click goes. */
  readonly steps: Uint32Array;
}

// What a person must not miss outweighs the rest of a pixel: a failed request can be repeated, so it counts most.
const order: readonly number[] = [
  archivedMark,
  intervalState.present,
  intervalState.notPublished,
  intervalState.notAsked,
  partialDay,
  intervalState.late,
  intervalState.missing,
  intervalState.failed,
];

const weights = Uint8Array.from({ length: order.length }, (_, mark) => order.indexOf(mark));
const visibleWeight = order.indexOf(partialDay);

/** Patterns narrower than this cannot be told apart. */
const leastWidth = 3;

/**
 * The strip at a width in pixels. Of several steps at one pixel the most serious counts; late, missing and failed segments, and
 * days with some of their hours, take at least three pixels, at the cost of less serious neighbours.
 */
export function stripPixels(coverage: Pick<Coverage, 'states' | 'archived' | 'hours'>, width: number): StripPixels {
  const { archived } = coverage;
  const states = getDisplayStates(coverage);
  const marks = new Uint8Array(width);
  const steps = new Uint32Array(width);
  const count = states.length;
  const markOf = (step: number): number => {
    const state = states[step] ?? intervalState.present;
    return state === intervalState.present && archived[step] === 1 ? archivedMark : state;
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
  const cover = (pixel: number, from: number): void => {
    const mark = marks[from] ?? intervalState.present;
    // What must be seen itself is not covered.
    if (weightOf(marks[pixel] ?? intervalState.present) >= visibleWeight) return;
    if (weightOf(wide.marks[pixel] ?? intervalState.present) >= weightOf(mark)) return;
    wide.marks[pixel] = mark;
    wide.steps[pixel] = steps[from] ?? 0;
  };
  for (let from = 0, to; from < marks.length; from = to) {
    to = from + 1;
    while (to < marks.length && marks[to] === marks[from]) to++;
    if (weightOf(marks[from] ?? intervalState.present) < visibleWeight) continue;
    for (let lacking = leastWidth - (to - from), side = 1; lacking > 0; lacking--, side = -side) {
      const pixel = side > 0 ? to : from - 1;
      if (pixel >= 0 && pixel < marks.length) cover(pixel, side > 0 ? to - 1 : from);
    }
  }
  return wide;
}

function weightOf(mark: number): number {
  return weights[mark] ?? 0;
}
