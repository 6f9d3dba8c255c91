import { t } from '@vscode/l10n';
import { element } from '../grid/gridDom.ts';
import { totalAt } from '../../presentation/chart/incompleteWords.ts';
import { inLegend } from '../../presentation/chart/plot.ts';
import type { PlotScene } from '../../presentation/chart/plotShapes.ts';

/** Creates the elements of a chart, with functions that set their texts. */
export function chartLayout() {
  const chart = element('chart');
  const toolbar = element('chart-toolbar');
  const side = element('chart-side');
  const time = element('chart-time');
  const legend = element('chart-legend-place');
  const title = element('chart-title');
  const notice = element('chart-notice');
  const plot = element('chart-plot');
  const table = element('chart-table');
  const strip = element('chart-strip');
  const summary = document.createElement('ul');
  const message = element('chart-message');
  summary.className = 'chart-summary';
  summary.id = 'chart-summary';
  // The role is application and not image, so that screen readers pass on the arrow keys, which read the plot point by point.
  // The description has the alternative text of the chart.
  plot.role = 'application';
  plot.tabIndex = 0;
  plot.ariaLabel = t('Chart. Arrow keys read what is drawn, Page Up and Page Down go further, plus and minus zoom.');
  plot.setAttribute('aria-describedby', summary.id);
  notice.role = 'status';
  side.append(notice, time, legend);
  // The stylesheet arranges this element by a container query, which cannot style the container itself.
  const body = element('chart-body');
  body.append(toolbar, title, plot, table, strip, side, summary, message);
  chart.append(body);
  const drawn = [toolbar, title, plot, strip, side, summary];
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
      for (const place of drawn) place.hidden = sentence !== undefined;
      if (sentence !== undefined) table.hidden = true;
    },
    /** Shows a custom title above the plot and a notice about incomplete data above the legend. */
    showSentences(own = '', lacking = ''): void {
      if (title.textContent !== own) title.textContent = own;
      if (notice.textContent !== lacking) notice.textContent = lacking;
    },
    /** Shows time and values at the crosshair or, without one, the time zone. */
    showValues({ plot: shown, words }: PlotScene, point: number | undefined): void {
      time.textContent = point === undefined ? (shown.axis ?? shown.zone).label : words.timeAt(point);
      const places = legend.querySelectorAll('.chart-value');
      inLegend(shown.layers).forEach((layer, index) => {
        const place = places[index];
        const value = layer.values[point ?? -1] ?? NaN;
        const meaning = words.meaning(layer, value);
        const arrow = layer.isChange && meaning ? (value > 0 ? ' ▲' : ' ▼') : '';
        const said = arrow || (meaning ? ` ${meaning}` : '');
        if (place)
          place.textContent = layer.hidden || point === undefined ? '' : `${words.number(layer, value)}${said}`;
      });
      const total = places[shown.layers.length];
      if (total) total.textContent = point === undefined ? '' : (totalAt(shown, words, point)?.short ?? '');
    },
    /** Sets the description of the chart for screen readers. */
    describe(sentences: readonly string[]): void {
      summary.replaceChildren(
        ...sentences.map(textContent => Object.assign(document.createElement('li'), { textContent })),
      );
    },
  };
}
