import { svg, type SVGTemplateResult, type TemplateResult, html } from 'lit';
import { hidesDigits, numberFormatter } from '../../shared/formatNumber.ts';
import { ticks } from './niceSteps.ts';

/** One axis: what is shown from `from` to `to`, where the marks are, and what it counts in. */
interface Axis {
  readonly from: number;
  readonly to: number;
  readonly marks: readonly PlotMark[];
  /** Words with the unit, and with the zone where it is time. */
  readonly label: string;
}

interface PlotMark {
  readonly at: number;
  readonly text: string;
}

/** From numbers to pixels. */
export interface Plane {
  x(value: number): number;
  y(value: number): number;
  readonly bottom: number;
}

const width = 380;
const height = 220;
const [top, right, bottom] = [24, 20, 40];
/** Pixels of one digit of the axis. */
const digitWidth = 6.5;

/** A small chart: axes with words, what `draw` draws between them, and all of it in one sentence for those who do not see it. */
export function plot(
  x: Axis,
  y: Axis,
  alternative: string,
  draw: (plane: Plane) => SVGTemplateResult | SVGTemplateResult[],
): TemplateResult {
  const longest = Math.max(...y.marks.map(({ text }) => text.length));
  const left = Math.min(width / 3, 14 + longest * digitWidth);
  const plane: Plane = {
    x: value => left + (share(value, x) || 0) * (width - left - right),
    y: value => height - bottom - (share(value, y) || 0) * (height - top - bottom),
    bottom: height - bottom,
  };
  const base = plane.bottom;
  return html`<svg class="statistics-plot" viewBox="0 0 ${width} ${height}" role="img" aria-label=${alternative}>
    ${y.marks.map(
      ({ at, text }) =>
        svg`<line class="statistics-rule" x1=${left} x2=${width - right} y1=${plane.y(at)} y2=${plane.y(at)}></line>
          <text x=${left - 6} y=${plane.y(at) + 4} text-anchor="end">${text}</text>`,
    )}
    ${x.marks.map(
      ({ at, text }) =>
        svg`<line class="statistics-axis" x1=${plane.x(at)} x2=${plane.x(at)} y1=${base} y2=${base + 4}></line>
          <text x=${plane.x(at)} y=${base + 16} text-anchor="middle">${text}</text>`,
    )}
    ${draw(plane)}
    <line class="statistics-axis" x1=${left} x2=${width - right} y1=${base} y2=${base}></line>
    <text class="statistics-axis-label" x="4" y="12">${y.label}</text>
    <text class="statistics-axis-label" x=${(left + width - right) / 2} y=${height - 6} text-anchor="middle">
      ${x.label}
    </text>
  </svg>`;
}

/** Marks with as many decimals as the one that needs most. */
export function numberMarks(values: readonly number[], locale: string): PlotMark[] {
  const decimals = [0, 1, 2, 3, 4, 5, 6].find(digits => values.every(value => !hidesDigits(value, digits))) ?? 6;
  const write = numberFormatter(locale, decimals);
  return values.map(at => ({ at, text: write(at) }));
}

/** Halves first: the difference of the largest numbers is not finite. */
function share(value: number, { from, to }: Axis): number {
  return (value / 2 - from / 2) / (to / 2 - from / 2);
}

/** The axis of these values, from one round mark to another. */
export function roundAxis(values: readonly number[], locale: string, label: string): Axis {
  const [least, greatest] = valueRange(values);
  const marks = ticks(least, greatest, 4);
  return { from: marks[0] ?? least, to: marks.at(-1) ?? greatest, marks: numberMarks(marks, locale), label };
}

/** What an axis has to show of these values; around a single one, some room. */
function valueRange(values: readonly number[]): readonly [least: number, greatest: number] {
  const least = Math.min(...values);
  const greatest = Math.max(...values);
  if (!(least <= greatest)) return [0, 1];
  const room = Math.abs(least) / 10 || 1;
  return least < greatest ? [least, greatest] : [least - room, greatest + room];
}
