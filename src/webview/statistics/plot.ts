import { svg, type SVGTemplateResult, type TemplateResult, html } from 'lit';
import { createNumberFormatter } from '../../shared/formatNumber.ts';
import type { TimeWindow } from '../../presentation/chart/chartModel.ts';
import { scaleX, scaleY } from '../../presentation/chart/marks.ts';
import type { TimeTick } from '../../presentation/chart/timeTicks.ts';
import type { Points } from '../../presentation/chart/traces.ts';
import type { ValueAxis } from '../../presentation/chart/valueAxis.ts';

/** The horizontal axis. Its label includes the unit, or the zone of a time axis. */
interface HorizontalAxis {
  readonly window: TimeWindow;
  readonly ticks: readonly Omit<TimeTick, 'below'>[];
  readonly label: string;
}

/** Converts numbers to pixels of the plot. */
export interface Plane extends Pick<Points, 'toX' | 'toY'> {
  readonly top: number;
  readonly bottom: number;
}

const width = 380;
const height = 220;
const top = 24;
const right = 20;
const bottom = 40;
/** The width of a digit of the axis, in pixels. */
const digitWidth = 6.5;

/**
 * Renders a small chart with labeled axes and the shapes of `draw` between them. The stylesheet of the page, or of a report, defines
 * its colors. `alternative` describes the chart for screen readers.
 */
export function renderPlot(
  x: HorizontalAxis,
  y: ValueAxis & { readonly label: string },
  { locale, alternative }: { readonly locale: string; readonly alternative: string },
  draw: (plane: Plane) => SVGTemplateResult | SVGTemplateResult[],
): TemplateResult {
  const tickTexts = y.ticks.map(createNumberFormatter(locale, y.decimals));
  const left = Math.min(width / 3, 14 + Math.max(...tickTexts.map(({ length }) => length)) * digitWidth);
  const end = width - right;
  const baseline = height - bottom;
  const frame = { box: { x: left, y: top, width: end - left, height: baseline - top }, window: x.window, axes: [y] };
  const plane = { toX: scaleX(frame), toY: scaleY(frame, 0), top, bottom: baseline };
  return html`<svg class="statistics-plot" viewBox="0 0 ${width} ${height}" role="img" aria-label=${alternative}>
    ${y.ticks.map((tick, index) => {
      const tickY = plane.toY(tick);
      return svg`<line class="statistics-rule" x1=${left} x2=${end} y1=${tickY} y2=${tickY}></line>
          <text x=${left - 6} y=${tickY + 4} text-anchor="end">${tickTexts[index]}</text>`;
    })}
    ${x.ticks.map(({ instant, label }) => {
      const tickX = plane.toX(instant);
      return svg`<line class="statistics-axis" x1=${tickX} x2=${tickX} y1=${baseline} y2=${baseline + 4}></line>
          <text x=${tickX} y=${baseline + 16} text-anchor="middle">${label}</text>`;
    })}
    ${draw(plane)}
    <line class="statistics-axis" x1=${left} x2=${end} y1=${baseline} y2=${baseline}></line>
    <text class="statistics-axis-label" x="4" y="12">${y.label}</text>
    <text class="statistics-axis-label" x=${(left + end) / 2} y=${height - 6} text-anchor="middle">${x.label}</text>
  </svg>`;
}

/** Creates the points of a plot. All of them are drawn. */
export function toPoints(x: readonly number[], { toX, toY }: Plane): Points {
  return { x: Float64Array.from(x), from: 0, to: x.length, toX, toY, hold: undefined };
}
