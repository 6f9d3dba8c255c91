import { t } from '@vscode/l10n';
import { element } from '../grid/gridDom.ts';
import { totalAt } from '../../presentation/chart/incompleteWords.ts';
import { inLegend } from '../../presentation/chart/plot.ts';
import type { PlotScene } from '../../presentation/chart/plotShapes.ts';

/** The places of a chart's parts, and its texts. */
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
  // An application, not an image: a screen reader passes the arrow keys on only there, and reading point by point with
  // them is what the plot offers. What an image's text would say stands in the description.
  plot.role = 'application';
  plot.tabIndex = 0;
  plot.ariaLabel = t('Chart. Arrow keys read what is drawn, Page Up and Page Down go further, plus and minus zoom.');
  plot.setAttribute('aria-describedby', summary.id);
  notice.role = 'status';
  side.append(notice, time, legend);
  // What the style sheet arranges by the room there is: an element cannot ask for its own size.
  const body = element('chart-body');
  body.append(toolbar, title, plot, table, strip, side, summary, message);
  chart.append(body);
  const drawn = [toolbar, title, plot, strip, side, summary];
  return {
    element: chart,
    toolbar,
    legend,
    /** Takes the focus, and with it the keys. */
    plot,
    strip,
    /** Where the numbers stand in place of the plot. */
    table,
    /** The place of the numbers, or the plot. */
    showTable(isTable: boolean): void {
      plot.hidden = isTable;
      table.hidden = !isTable;
    },
    /** A sentence in place of the chart. */
    showMessage(sentence: string | undefined): void {
      message.textContent = sentence ?? '';
      message.hidden = sentence === undefined;
      for (const place of drawn) place.hidden = sentence !== undefined;
      if (sentence !== undefined) table.hidden = true;
    },
    /** A title of one's own over the plot, and over the legend what is left out or cannot be drawn whole. */
    showSentences(own = '', lacking = ''): void {
      if (title.textContent !== own) title.textContent = own;
      if (notice.textContent !== lacking) notice.textContent = lacking;
    },
    /** Time and values at the crosshair; without it the zone. */
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
    /** The chart in sentences, for those who do not see it. */
    describe(sentences: readonly string[]): void {
      summary.replaceChildren(
        ...sentences.map(textContent => Object.assign(document.createElement('li'), { textContent })),
      );
    },
  };
}
