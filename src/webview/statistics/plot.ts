import { svg, type SVGTemplateResult, type TemplateResult, html } from 'lit';
import { createNumberFormatter } from '../../shared/formatNumber.ts';
import type { TimeRange } from '../../presentation/chart/chartModel.ts';
import { scaleX, scaleY } from '../../presentation/chart/marks.ts';
import type { TimeTick } from '../../presentation/chart/timeTicks.ts';
import type { Points } from '../../presentation/chart/traces.ts';
import type { ValueAxis } from '../../presentation/chart/valueAxis.ts';

/** The words of an axis have its unit, and the zone where it is time. */
interface Across {
  readonly window: TimeRange;
  readonly ticks: readonly Omit<TimeTick, 'below'>[];
  readonly label: string;
}

/** From numbers to pixels. */
export interface Plane extends Pick<Points, 'toX' | 'toY'> {
  readonly top: number;
  readonly bottom: number;
}

const width = 380;
const height = 220;
const [top, right, bottom] = [24, 20, 40];
/** Pixels of one digit of the axis. */
const digitWidth = 6.5;

/**
 * A small chart in the colours of the style sheet, which a report has, too: axes with words, what `draw` draws between them, and all of it in
 * one sentence for those who do not see it.
 */
export function plot(
  x: Across,
  y: ValueAxis & { readonly label: string },
  { locale, alternative }: { readonly locale: string; readonly alternative: string },
  draw: (plane: Plane) => SVGTemplateResult | SVGTemplateResult[],
): TemplateResult {
  const texts = y.ticks.map(createNumberFormatter(locale, y.decimals));
  const left = Math.min(width / 3, 14 + Math.max(...texts.map(({ length }) => length)) * digitWidth);
  const [end, base] = [width - right, height - bottom];
  const frame = { box: { x: left, y: top, width: end - left, height: base - top }, window: x.window, axes: [y] };
  const plane = { toX: scaleX(frame), toY: scaleY(frame, 0), top, bottom: base };
  return html`<svg class="statistics-plot" viewBox="0 0 ${width} ${height}" role="img" aria-label=${alternative}>
    ${y.ticks.map((tick, place) => {
      const at = plane.toY(tick);
      return svg`<line class="statistics-rule" x1=${left} x2=${end} y1=${at} y2=${at}></line>
          <text x=${left - 6} y=${at + 4} text-anchor="end">${texts[place]}</text>`;
    })}
    ${x.ticks.map(({ instant, label }) => {
      const at = plane.toX(instant);
      return svg`<line class="statistics-axis" x1=${at} x2=${at} y1=${base} y2=${base + 4}></line>
          <text x=${at} y=${base + 16} text-anchor="middle">${label}</text>`;
    })}
    ${draw(plane)}
    <line class="statistics-axis" x1=${left} x2=${end} y1=${base} y2=${base}></line>
    <text class="statistics-axis-label" x="4" y="12">${y.label}</text>
    <text class="statistics-axis-label" x=${(left + end) / 2} y=${height - 6} text-anchor="middle">${x.label}</text>
  </svg>`;
}

/** The points of a plot that has all of them. */
export function pointsOf(x: readonly number[], { toX, toY }: Plane): Points {
  return { x: Float64Array.from(x), from: 0, to: x.length, toX, toY, hold: undefined };
}
