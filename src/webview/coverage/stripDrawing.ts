import { partialDay, stepState } from '../../shared/result.ts';
import { keptMark } from './stripPixels.ts';

/** Height of the strip in CSS pixels. */
const stripHeight = 6;
const svgNamespace = 'http://www.w3.org/2000/svg';

/**
 * How each mark is drawn: its class in the stylesheet, and the tile of its pattern as a path of lines. Each differs from
 * the others in shape: what came is a low bar, whole from the service and lined from the archive; what did not come
 * stands higher.
 */
const looks: ReadonlyMap<number, { readonly name: string; readonly tile: number; readonly lines: string }> = new Map([
  [stepState.present, { name: 'present', tile: 6, lines: 'M0 4.5H6' }],
  [keptMark, { name: 'kept', tile: 6, lines: 'M0 3.5H6M0 5.5H6' }],
  [stepState.missing, { name: 'missing', tile: 6, lines: 'M0 3H6' }],
  [partialDay, { name: 'partial', tile: 6, lines: 'M0 4.5H6M1.5 0V4M4.5 0V4' }],
  [stepState.failed, { name: 'failed', tile: 6, lines: 'M0 0L6 6M6 0L0 6' }],
  [stepState.late, { name: 'late', tile: 3, lines: 'M1 0V6' }],
  [stepState.notAsked, { name: 'not-asked', tile: 6, lines: 'M1 5.5H3' }],
  [stepState.notPublished, { name: 'not-published', tile: 6, lines: 'M-1 7L7 -1M-1 1L1 -1M5 7L7 5' }],
]);

/** An empty drawing with the patterns; `id` keeps them apart from those of another strip. */
export function createDrawing(id: string): SVGSVGElement {
  const svg = svgElement('svg', { class: 'coverage-drawing', height: stripHeight, 'aria-hidden': 'true' });
  const patterns = svgElement('defs', {});
  for (const { name, tile, lines } of looks.values()) {
    const size = { width: tile, height: stripHeight, patternUnits: 'userSpaceOnUse' };
    const pattern = svgElement('pattern', { id: `${id}-${name}`, ...size });
    pattern.append(svgElement('path', { d: lines, class: `coverage-lines ${name}` }));
    patterns.append(pattern);
  }
  svg.append(patterns);
  return svg;
}

/** Draws the marks of a row of pixels: one path for each kind, however many stretches it has. */
export function drawMarks(svg: SVGSVGElement, id: string, marks: Uint8Array): void {
  svg.setAttribute('width', String(marks.length));
  const paths = new Map<number, string>();
  for (let from = 0, to; from < marks.length; from = to) {
    to = from + 1;
    while (to < marks.length && marks[to] === marks[from]) to++;
    const mark = marks[from] ?? stepState.present;
    paths.set(mark, `${paths.get(mark) ?? ''}M${from} 0H${to}V${stripHeight}H${from}Z`);
  }
  svg.querySelectorAll('.coverage-marks').forEach(path => path.remove());
  for (const [mark, d] of paths) {
    const name = looks.get(mark)?.name ?? 'present';
    svg.append(svgElement('path', { d, class: `coverage-marks ${name}`, fill: `url(#${id}-${name})` }));
  }
}

function svgElement<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}
