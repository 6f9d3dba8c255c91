import { partialDay, getDisplayStates, intervalState, type Coverage } from '../../shared/result.ts';

/** The mark of present intervals from the archive. Every other mark is an `intervalState` or `partialDay`. */
export const archivedMark = 7;

/** The height of the strip in CSS pixels. */
const stripHeight = 6;

/**
 * The style of each mark: its class in the stylesheet, and the width and the lines of its pattern. The patterns differ in shape, so that
 * they can be distinguished without colors. Present intervals are a low bar, with one line if they are from the service and two if they
 * are from the archive. The other patterns are higher.
 */
const markStyles: ReadonlyMap<number, { readonly name: string; readonly tile: number; readonly lines: string }> =
  new Map([
    [intervalState.present, { name: 'present', tile: 6, lines: 'M0 4.5H6' }],
    [archivedMark, { name: 'kept', tile: 6, lines: 'M0 3.5H6M0 5.5H6' }],
    [intervalState.missing, { name: 'missing', tile: 6, lines: 'M0 3H6' }],
    [partialDay, { name: 'partial', tile: 6, lines: 'M0 4.5H6M1.5 0V4M4.5 0V4' }],
    [intervalState.failed, { name: 'failed', tile: 6, lines: 'M0 0L6 6M6 0L0 6' }],
    [intervalState.late, { name: 'late', tile: 3, lines: 'M1 0V6' }],
    [intervalState.notRequested, { name: 'not-asked', tile: 6, lines: 'M1 5.5H3' }],
    [intervalState.notPublished, { name: 'not-published', tile: 6, lines: 'M-1 7L7 -1M-1 1L1 -1M5 7L7 5' }],
  ]);

/** Creates an empty drawing that defines the patterns. */
export function createStripDrawing(): SVGSVGElement {
  const svg = createSvgElement('svg', { class: 'coverage-drawing', height: stripHeight, 'aria-hidden': 'true' });
  const patterns = createSvgElement('defs', {});
  for (const { name, tile, lines } of markStyles.values()) {
    const size = { width: tile, height: stripHeight, patternUnits: 'userSpaceOnUse' };
    const pattern = createSvgElement('pattern', { id: `coverage-${name}`, ...size });
    pattern.append(createSvgElement('path', { d: lines, class: `coverage-lines ${name}` }));
    patterns.append(pattern);
  }
  svg.append(patterns);
  return svg;
}

/** Draws the marks of a row of pixels, with one path for each kind of mark. */
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
    const name = markStyles.get(mark)?.name ?? 'present';
    svg.append(createSvgElement('path', { d, class: `coverage-marks ${name}`, fill: `url(#coverage-${name})` }));
  }
}

function createSvgElement<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** The content of the strip, with an entry for each pixel of its width. */
export interface StripPixels {
  /** An `intervalState`, `partialDay` or `archivedMark`. */
  readonly marks: Uint8Array;
  /** The first interval with the mark at each pixel. A click on the pixel scrolls to it. */
  readonly intervals: Uint32Array;
}

/** The marks in ascending severity. A failed request is the most severe, because the user can repeat it. */
const severityOrder: readonly number[] = [
  archivedMark,
  intervalState.present,
  intervalState.notPublished,
  intervalState.notRequested,
  partialDay,
  intervalState.late,
  intervalState.missing,
  intervalState.failed,
];

const severities = Uint8Array.from({ length: severityOrder.length }, (_, mark) => severityOrder.indexOf(mark));
const minWidenedSeverity = severityOrder.indexOf(partialDay);

/** The minimum width in pixels at which patterns can be distinguished. */
const minSegmentWidth = 3;

/**
 * Computes the strip for a width in pixels. If several intervals are at one pixel, it gets the most severe mark. Late, missing and failed
 * segments and partial days are at least three pixels wide, and cover less severe neighbors if necessary.
 */
export function computeStripPixels(
  coverage: Pick<Coverage, 'states' | 'archived' | 'hours'>,
  width: number,
): StripPixels {
  const { archived } = coverage;
  const states = getDisplayStates(coverage);
  const marks = new Uint8Array(width);
  const intervals = new Uint32Array(width);
  const count = states.length;
  const getMark = (interval: number): number => {
    const state = states[interval] ?? intervalState.present;
    return state === intervalState.present && archived[interval] === 1 ? archivedMark : state;
  };
  for (let pixel = 0; pixel < width; pixel++) {
    const from = Math.floor((pixel * count) / width);
    const to = Math.max(from + 1, Math.floor(((pixel + 1) * count) / width));
    let mark = getMark(from);
    let firstInterval = from;
    for (let interval = from + 1; interval < to; interval++) {
      const nextMark = getMark(interval);
      if (getSeverity(nextMark) > getSeverity(mark)) [mark, firstInterval] = [nextMark, interval];
    }
    marks[pixel] = mark;
    intervals[pixel] = firstInterval;
  }
  return widenMarks({ marks, intervals });
}

function widenMarks({ marks, intervals }: StripPixels): StripPixels {
  const widenedPixels = { marks: marks.slice(), intervals: intervals.slice() };
  const coverPixel = (pixel: number, from: number): void => {
    const mark = marks[from] ?? intervalState.present;
    // A mark that is widened too is not covered.
    if (getSeverity(marks[pixel] ?? intervalState.present) >= minWidenedSeverity) return;
    if (getSeverity(widenedPixels.marks[pixel] ?? intervalState.present) >= getSeverity(mark)) return;
    widenedPixels.marks[pixel] = mark;
    widenedPixels.intervals[pixel] = intervals[from] ?? 0;
  };
  for (let from = 0, to; from < marks.length; from = to) {
    to = from + 1;
    while (to < marks.length && marks[to] === marks[from]) to++;
    if (getSeverity(marks[from] ?? intervalState.present) < minWidenedSeverity) continue;
    for (
      let missingPixels = minSegmentWidth - (to - from), side = 1;
      missingPixels > 0;
      missingPixels--, side = -side
    ) {
      const pixel = side > 0 ? to : from - 1;
      if (pixel >= 0 && pixel < marks.length) coverPixel(pixel, side > 0 ? to - 1 : from);
    }
  }
  return widenedPixels;
}

function getSeverity(mark: number): number {
  return severities[mark] ?? 0;
}
