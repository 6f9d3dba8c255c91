import { t } from '@vscode/l10n';
import { createElement } from '../grid/gridDom.ts';
import { formatTotal } from '../../presentation/chart/incompleteMessages.ts';
import { sortForLegend } from '../../presentation/chart/plot.ts';
import type { PlotScene } from '../../presentation/chart/plotShapes.ts';

/** Creates the elements of a chart, with functions that set their texts. */
export function createChartLayout() {
  const chart = createElement('chart');
  const toolbar = createElement('chart-toolbar');
  const side = createElement('chart-side');
  const timeElement = createElement('chart-time');
  const legend = createElement('chart-legend-place');
  const title = createElement('chart-title');
  const notice = createElement('chart-notice');
  const plot = createElement('chart-plot');
  const table = createElement('chart-table');
  const strip = createElement('chart-strip');
  const summary = document.createElement('ul');
  const message = createElement('chart-message');
  summary.className = 'chart-summary';
  summary.id = 'chart-summary';
  // The role is application and not image, so that screen readers pass on the arrow keys, which read the plot point by point.
  // The description has the alternative text of the chart.
  plot.role = 'application';
  plot.tabIndex = 0;
  plot.ariaLabel = t(
    'Chart. Use arrow keys to read values, Page Up and Page Down to move further, plus and minus to zoom.',
  );
  plot.setAttribute('aria-describedby', summary.id);
  notice.role = 'status';
  side.append(notice, timeElement, legend);
  // The stylesheet arranges this element by a container query, which cannot style the container itself.
  const body = createElement('chart-body');
  body.append(toolbar, title, plot, table, strip, side, summary, message);
  chart.append(body);
  const plotParts = [toolbar, title, plot, strip, side, summary];
  return {
    element: chart,
    toolbar,
    legend,
    /** The element that takes the focus and receives the keys. */
    plot,
    strip,
    /** Contains the table that can replace the plot. */
    table,
    /** Shows the table or the plot. */
    showTable(isTable: boolean): void {
      plot.hidden = isTable;
      table.hidden = !isTable;
    },
    /** Shows a sentence in place of the chart, or the chart again. */
    showMessage(sentence: string | undefined): void {
      message.textContent = sentence ?? '';
      message.hidden = sentence === undefined;
      for (const part of plotParts) part.hidden = sentence !== undefined;
      if (sentence !== undefined) table.hidden = true;
    },
    /** Shows a custom title above the plot and a notice about incomplete data above the legend. */
    showTitleAndNotice(customTitle = '', noticeText = ''): void {
      if (title.textContent !== customTitle) title.textContent = customTitle;
      if (notice.textContent !== noticeText) notice.textContent = noticeText;
    },
    /** Shows time and values at the crosshair or, without one, the time zone. */
    showValues({ plot: currentPlot, formatter }: PlotScene, point: number | undefined): void {
      timeElement.textContent =
        point === undefined ? (currentPlot.axis ?? currentPlot.zone).label : formatter.formatPointTime(point);
      const cells = legend.querySelectorAll('.chart-value');
      sortForLegend(currentPlot.layers).forEach((layer, index) => {
        const cell = cells[index];
        const value = layer.values[point ?? -1] ?? NaN;
        const meaning = formatter.describeMeaning(layer, value);
        const arrow = layer.isChange && meaning ? (value > 0 ? ' ▲' : ' ▼') : '';
        const suffix = arrow || (meaning ? ` ${meaning}` : '');
        if (cell)
          cell.textContent =
            layer.hidden || point === undefined ? '' : `${formatter.formatNumber(layer, value)}${suffix}`;
      });
      const totalCell = cells[currentPlot.layers.length];
      if (totalCell)
        totalCell.textContent =
          point === undefined ? '' : (formatTotal(currentPlot, formatter, point)?.shortText ?? '');
    },
    /** Sets the description of the chart for screen readers. */
    describe(sentences: readonly string[]): void {
      summary.replaceChildren(
        ...sentences.map(textContent => Object.assign(document.createElement('li'), { textContent })),
      );
    },
  };
}
