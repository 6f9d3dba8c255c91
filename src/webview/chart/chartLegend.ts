import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import { t } from '@vscode/l10n';
import { labelWithUnit } from '../../presentation/columns/columnHeader.ts';
import type { TimeWindow } from '../../presentation/chart/chartModel.ts';
import { getFewHoursLabel } from '../../presentation/chart/incompleteMessages.ts';
import { createFewHoursSwatch, createSumSign, createSwatch } from '../../presentation/chart/picture.ts';
import { hasFewHours, sortForLegend, type Layer } from '../../presentation/chart/plot.ts';
import type { PlotScene } from '../../presentation/chart/plotShapes.ts';
import type { Shape } from '../../presentation/chart/scene.ts';
import {
  createFigureColumns,
  formatFigures,
  computeWindowFigures,
  type FigureColumns,
  type WindowFigures,
} from '../../presentation/chart/windowFigures.ts';
import type { PlotFormatter } from '../../presentation/chart/plotFormatter.ts';
import { rove } from '../views/roving.ts';
import type { ChartActions } from './chartControls.ts';
import { clearCanvas, paint } from './paint.ts';

/**
 * Renders the legend: a table of the series with swatch and name (a button that shows or hides the series), the value at the crosshair, and
 * energy and share in `window`. The unit is in the heading or, if units differ, beside each name. `chartLayout` writes the values at the
 * crosshair into `.chart-value`, because they change with every move of the pointer.
 */
export function chartLegend(
  scene: PlotScene,
  window: TimeWindow,
  { toggle, isolate }: Pick<ChartActions, 'toggle' | 'isolate'>,
): TemplateResult {
  const layers = sortForLegend(scene.plot.layers);
  const figures = computeWindowFigures(scene.plot, window);
  const columns = createFigureColumns(figures, scene.formatter);
  const units = new Set(layers.map(({ unit }) => unit));
  const [unit = ''] = units.size === 1 ? units : [];
  const { totalLabel } = scene.plot;
  return html`<table class="chart-legend" aria-label=${t('Series')} ${ref(rove)}>
    <thead>
      <tr>
        <td></td>
        <th scope="col" title=${t('Value at the crosshair')}>${unit || t('Value')}</th>
        ${columns.energy && html`<th scope="col" title=${t('Energy in the range shown')}>${columns.energy.unit}</th>`}
        ${columns.share && html`<th scope="col" title=${t('Share of the energy of all areas')}>%</th>`}
      </tr>
    </thead>
    <tbody>
      ${repeat(
        layers,
        ({ column, comparedTo }) => `${comparedTo ?? ''}\n${column}`,
        layer =>
          html`<tr>
            <th scope="row">
              <button
                type="button"
                class="chart-series"
                data-column=${layer.column}
                title=${describeSeries(layer, figures.get(layer), scene.formatter)}
                aria-pressed=${!layer.hidden}
                @click=${() => toggle(layer.comparedTo ?? layer.column)}
                @dblclick=${() => isolate(layer.comparedTo ?? layer.column)}
              >
                ${swatch(scene, createSwatch(layer, scene.palette, 0, 6))}<span class="chart-label"
                  >${unit ? layer.label : labelWithUnit(layer)}</span
                >
              </button>
            </th>
            <td><span class="chart-value"></span></td>
            ${figureCells(columns, layer.hidden ? undefined : figures.get(layer))}
          </tr>`,
      )}
      ${
        totalLabel === undefined
          ? nothing
          : html`<tr class="chart-total" title=${t('Sum of the areas shown')}>
              ${namedSwatch(scene, createSumSign(scene.palette, 0, 6), totalLabel)}
              <td><span class="chart-value"></span></td>
              ${figureCells(columns, undefined)}
            </tr>`
      }
      ${
        hasFewHours(scene.plot)
          ? html`<tr>
              ${namedSwatch(scene, createFewHoursSwatch(scene.palette, 0, 6), getFewHoursLabel())}
              <td></td>
              ${figureCells(columns, undefined)}
            </tr>`
          : nothing
      }
    </tbody>
  </table>`;
}

function describeSeries(layer: Layer, figures: WindowFigures | undefined, formatter: PlotFormatter): string {
  const figuresInWindow = figures && formatFigures(layer, figures, formatter);
  const definition = figures?.loadFactor !== undefined && t('Load factor = mean ÷ peak (IEC 60050-691)');
  return [layer.help, figuresInWindow, definition, t('Double-click to show it alone.')].filter(Boolean).join('\n');
}

function figureCells({ energy, share }: FigureColumns, figures: WindowFigures | undefined): TemplateResult {
  const cell = (column: FigureColumns['share'], value: number | undefined) =>
    column && html`<td>${value === undefined ? '' : column.format(value)}</td>`;
  return html`${cell(energy, figures?.energy)}${cell(share, figures?.share)}`;
}

/** Renders a row header for something that is not a series and cannot be hidden. */
function namedSwatch(scene: PlotScene, shape: Shape, name: string): TemplateResult {
  return html`<th scope="row">
    <span class="chart-mark">${swatch(scene, shape)}<span class="chart-label">${name}</span></span>
  </th>`;
}

function swatch({ font }: PlotScene, shape: Shape): TemplateResult {
  return html`<canvas aria-hidden="true" ${ref(canvas => paintSwatch(canvas, shape, font))}></canvas>`;
}

function paintSwatch(element: Element | undefined, shape: Shape, font: string): void {
  if (!(element instanceof HTMLCanvasElement)) return;
  paint(clearCanvas(element, 20, 12), [shape], font);
}
