import { render } from 'lit';
import { t } from '@vscode/l10n';
import { parseMark, replayMark, sampleDataMark } from '../../core/query/serviceMeta.ts';
import { isRecord } from '../../shared/view.ts';
import type { Frame } from '../../shared/frame.ts';
import type { ChartHost, ChartOptions, ChartPicture, SelectedInterval } from '../../presentation/chart/chartModel.ts';
import { readChartOptions } from '../../presentation/chart/chartOptions.ts';
import { chartModelOf, chartNumbers } from '../../presentation/chart/shownChart.ts';
import { LastValueCache } from '../lastValueCache.ts';
import { ChartView } from '../chart/chartView.ts';
import { OwnTable } from './ownTable.ts';
import type { TableState } from '../../shared/protocol.ts';
import type { TabParts } from './tabParts.ts';

/** The Chart tab: the chart of the rows of the table. If the two are linked, its window also limits the table. */
export class ChartTab {
  readonly #parts: TabParts;
  readonly view: ChartView;
  readonly #numbers: OwnTable;
  /** Computes the numbers while they are shown in place of the plot. */
  #tabulated: { readonly key: string; readonly rows: () => Frame } | undefined;
  readonly #drawn = new LastValueCache<Frame>();
  #tabulations = 0;
  #state: TableState | undefined;
  #title = '';
  #mark = '';
  /** The intervals that are selected in the table, and the frame they belong to. */
  #selected: { readonly frame: Frame; readonly intervals: readonly SelectedInterval[] } | undefined;

  /** `events.select` selects the rows of a window in the table. */
  constructor(parts: TabParts, events: Pick<ChartHost, 'select' | 'pointed'>) {
    this.#parts = parts;
    const { host, change } = parts;
    this.view = new ChartView({
      optionsChanged: options => change({ chart: this.#chosen(options) }),
      zoomed: window => {
        if (JSON.stringify(window) !== JSON.stringify(parts.view().window)) change({ window });
      },
      ...events,
      announce: text => {
        // A late announcement would interrupt those of the tab that is open by then.
        if (this.view.element.isConnected) host.announce(text);
      },
      failed: host.failed,
      save: picture => void this.#save(picture),
      tabulate: rows => {
        this.#tabulated = rows && { key: String(++this.#tabulations), rows };
        this.#showNumbers();
      },
    });
    const redraw = (): void => {
      this.#renderNumbers();
      host.render();
    };
    this.#numbers = new OwnTable({ ...parts, host: { ...host, render: redraw } }, 'chart', t('Numbers of the chart'), {
      open: () => this.#showFocused(),
    });
  }

  /** Returns the chart options to save. A zoom alone saves no columns, so that another result still shows its own default columns. */
  #chosen(options: ChartOptions): unknown {
    const { chart } = this.#parts.view();
    const before = this.#state && readChartOptions(chart, this.#state.frame);
    const isZoom = JSON.stringify({ ...before, zoom: undefined }) === JSON.stringify({ ...options, zoom: undefined });
    return isZoom ? { ...(isRecord(chart) && chart), zoom: options.zoom } : options;
  }

  /** The table of the drawn numbers; undefined while the plot is shown. */
  get own(): OwnTable | undefined {
    return this.#tabulated && this.#numbers;
  }

  /** Shows a result; `rows` are the data rows to draw, or undefined for all. */
  show(state: TableState, rows: Uint32Array | undefined): void {
    const { frame, zone, title, origin } = state;
    // With the same frame only the zone can have changed.
    const isSame = frame === this.#state?.frame;
    this.#state = state;
    if (isSame) this.view.setZone(zone);
    this.#title = title;
    this.#mark = origin.mark;
    const selected = this.#selected?.frame === frame ? this.#selected.intervals : undefined;
    const { host, view } = this.#parts;
    const model = chartModelOf(state, rows, this.#parts.rows() === 'resampled', host.locale);
    this.view.show({ ...model, selected }, readChartOptions(view().chart, frame));
    this.#showNumbers();
  }

  /** Shows the numbers in the sort and arrangement of the user. The previous numbers stay until the new ones are computed. */
  #showNumbers(): void {
    const [state, tabulated] = [this.#state, this.#tabulated];
    if (!state || !tabulated || !this.view.element.isConnected) return;
    const { analyser, view } = this.#parts;
    const frame = this.#drawn.get(state.frame, tabulated.key, tabulated.rows);
    this.#numbers.take(state, chartNumbers(analyser, state, view(), frame));
    this.#renderNumbers();
    this.#numbers.show();
  }

  #renderNumbers(): void {
    if (this.#tabulated) render(this.#numbers.table.template(), this.view.tableContainer);
  }

  /** Shows the plot, with the crosshair at the focused row. */
  #showFocused(): void {
    const [time] = this.#numbers.rows?.frame.columns ?? [];
    const instant = time && this.#numbers.instantAt(time.name);
    this.view.showAsTable(false);
    if (instant !== undefined) this.view.moveCrosshairTo(instant);
    this.focus();
  }

  /** The instant of the crosshair, in UTC milliseconds. */
  get instant(): number | undefined {
    return this.view.pointed;
  }

  /** Marks the intervals that are selected in the table. */
  mark(frame: Frame, intervals: readonly SelectedInterval[]): void {
    const selected = this.#selected;
    // Keeps the same object if nothing has changed, so that the chart is not redrawn.
    if (selected?.frame === frame && JSON.stringify(selected.intervals) === JSON.stringify(intervals)) return;
    this.#selected = { frame, intervals };
    if (frame === this.#state?.frame) this.view.markSelection(intervals);
  }

  goToTime(instant: number | undefined): void {
    this.view.moveCrosshairTo(instant);
  }

  focus(): void {
    if (this.own) this.own.table.grid.focus();
    else this.view.element.querySelector<HTMLElement>('.chart-plot')?.focus();
  }

  themeChanged(): void {
    this.view.themeChanged();
    this.#numbers.table.themeChanged();
  }

  async #save(picture: ChartPicture): Promise<void> {
    const { host } = this.#parts;
    try {
      const data =
        picture.format === 'svg'
          ? new TextEncoder().encode(picture.text)
          : new Uint8Array(await picture.blob.arrayBuffer());
      host.saveFile(pictureName(this.#title, picture.format, this.#mark), data);
    } catch (error) {
      host.failed(error);
    }
  }
}

const longest = 80;

/**
 * Formats the file name of a picture, such as "System state - last 7 days - hourly.png", with characters that every file system accepts.
 * The name of sample data ends with its mark, which is not repeated if the title already ends with it.
 */
export function pictureName(title: string, format: 'png' | 'svg', mark = ''): string {
  const name = [title, t('chart')].map(safe).find(name => name !== '') ?? 'chart';
  return `${mark ? `${withoutMark(name)} ${parseMark(mark)}`.trim() : name}.${format}`;
}

function withoutMark(name: string): string {
  const marks = [sampleDataMark, replayMark, safe(t('Sample Data'))].map(mark => mark.toLowerCase());
  const mark = marks.find(one => name.toLowerCase().endsWith(one)) ?? '';
  return name.slice(0, name.length - mark.length).replace(/[ -]+$/, '');
}

/** Removes accents and replaces all characters except letters, digits, dots and parentheses by dashes. */
function safe(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '');
  const dashed = plain.replace(/[^\w .()-]+/g, '-').replace(/\s+/g, ' ');
  // A leading dot would hide the file, and some systems drop trailing dots and spaces.
  const trim = (name: string): string => name.replace(/^[ .-]+|[ .-]+$/g, '');
  return trim(trim(dashed).slice(0, longest));
}
