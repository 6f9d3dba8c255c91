import { render } from 'lit';
import { t } from '@vscode/l10n';
import { parseMark, replayMark, sampleDataMark } from '../../core/query/serviceMeta.ts';
import { isRecord } from '../../shared/view.ts';
import type { Frame } from '../../shared/frame.ts';
import type { ChartHost, ChartOptions, ChartPicture, SelectedInterval } from '../../presentation/chart/chartModel.ts';
import { parseChartOptions } from '../../presentation/chart/chartOptions.ts';
import { createChartModel, sortChartTable } from '../../presentation/chart/displayedChart.ts';
import { LastValueCache } from '../lastValueCache.ts';
import { ChartView } from '../chart/chartView.ts';
import { TabTable } from './tabTable.ts';
import type { TableState } from '../../shared/protocol.ts';
import type { TabDeps } from './tabDeps.ts';

/** The Chart tab: the chart of the rows of the table. If the two are linked, its window also limits the table. */
export class ChartTab {
  readonly #deps: TabDeps;
  readonly view: ChartView;
  readonly #numbersTable: TabTable;
  /** Computes the numbers of the chart. Undefined while the plot is displayed instead of the numbers. */
  #tabulated: { readonly key: string; readonly rows: () => Frame } | undefined;
  readonly #numbersFrame = new LastValueCache<Frame>();
  #tabulationCount = 0;
  #state: TableState | undefined;
  #title = '';
  #originMark = '';
  /** The intervals that are selected in the table, and the frame they belong to. */
  #selection: { readonly frame: Frame; readonly intervals: readonly SelectedInterval[] } | undefined;

  /** `events.select` selects the rows of a window in the table. */
  constructor(deps: TabDeps, events: Pick<ChartHost, 'select' | 'onPointed'>) {
    this.#deps = deps;
    const { host, changeView } = deps;
    this.view = new ChartView({
      onOptionsChanged: options => changeView({ chart: this.#toSavedOptions(options) }),
      onZoomed: window => {
        if (JSON.stringify(window) !== JSON.stringify(deps.view().window)) changeView({ window });
      },
      ...events,
      announce: text => {
        // A late announcement would interrupt the announcements of a tab that was opened since.
        if (this.view.element.isConnected) host.announce(text);
      },
      onError: host.onError,
      save: picture => void this.#save(picture),
      showTable: rows => {
        this.#tabulated = rows && { key: String(++this.#tabulationCount), rows };
        this.#showNumbers();
      },
    });
    const redraw = (): void => {
      this.#renderNumbers();
      host.render();
    };
    this.#numbersTable = new TabTable(
      { ...deps, host: { ...host, render: redraw } },
      'chart',
      t('Numbers of the chart'),
      {
        onOpen: () => this.#showFocusedRow(),
      },
    );
  }

  /** Returns the chart options to save. If only the zoom has changed, the columns are not saved, so that another result still shows its default columns. */
  #toSavedOptions(options: ChartOptions): unknown {
    const { chart } = this.#deps.view();
    const previousOptions = this.#state && parseChartOptions(chart, this.#state.frame);
    const isZoom =
      JSON.stringify({ ...previousOptions, zoom: undefined }) === JSON.stringify({ ...options, zoom: undefined });
    return isZoom ? { ...(isRecord(chart) && chart), zoom: options.zoom } : options;
  }

  /** The table of the drawn numbers; undefined while the plot is shown. */
  get tabTable(): TabTable | undefined {
    return this.#tabulated && this.#numbersTable;
  }

  /** Shows a result; `rows` are the data rows to draw, or undefined for all. */
  show(state: TableState, rows: Uint32Array | undefined): void {
    const { frame, zone, title, origin } = state;
    // With the same frame only the zone can have changed.
    const isSame = frame === this.#state?.frame;
    this.#state = state;
    if (isSame) this.view.setZone(zone);
    this.#title = title;
    this.#originMark = origin.mark;
    const selected = this.#selection?.frame === frame ? this.#selection.intervals : undefined;
    const { host, view } = this.#deps;
    const model = createChartModel(state, rows, this.#deps.getRowKind() === 'resampled', host.locale);
    this.view.show({ ...model, selected }, parseChartOptions(view().chart, frame));
    this.#showNumbers();
  }

  /** Shows the numbers in the sort and arrangement of the user. The previous numbers stay until the new ones are computed. */
  #showNumbers(): void {
    const state = this.#state;
    const tabulated = this.#tabulated;
    if (!state || !tabulated || !this.view.element.isConnected) return;
    const { analyzer, view } = this.#deps;
    const frame = this.#numbersFrame.get(state.frame, tabulated.key, tabulated.rows);
    this.#numbersTable.setRows(state, sortChartTable(analyzer, state, view(), frame));
    this.#renderNumbers();
    this.#numbersTable.show();
  }

  #renderNumbers(): void {
    if (this.#tabulated) render(this.#numbersTable.table.template(), this.view.tableContainer);
  }

  /** Shows the plot, with the crosshair at the focused row. */
  #showFocusedRow(): void {
    const [time] = this.#numbersTable.rows?.frame.columns ?? [];
    const instant = time && this.#numbersTable.instantAt(time.name);
    this.view.showAsTable(false);
    if (instant !== undefined) this.view.moveCrosshairTo(instant);
    this.focus();
  }

  /** The instant of the crosshair, in UTC milliseconds. */
  get instant(): number | undefined {
    return this.view.pointedInstant;
  }

  /** Marks the intervals that are selected in the table. */
  markSelection(frame: Frame, intervals: readonly SelectedInterval[]): void {
    const selected = this.#selection;
    // Keeps the same object if nothing has changed, so that the chart is not redrawn.
    if (selected?.frame === frame && JSON.stringify(selected.intervals) === JSON.stringify(intervals)) return;
    this.#selection = { frame, intervals };
    if (frame === this.#state?.frame) this.view.markSelection(intervals);
  }

  goToTime(instant: number | undefined): void {
    this.view.moveCrosshairTo(instant);
  }

  focus(): void {
    if (this.tabTable) this.tabTable.table.grid.focus();
    else this.view.element.querySelector<HTMLElement>('.chart-plot')?.focus();
  }

  themeChanged(): void {
    this.view.themeChanged();
    this.#numbersTable.table.themeChanged();
  }

  async #save(picture: ChartPicture): Promise<void> {
    const { host } = this.#deps;
    try {
      const data =
        picture.format === 'svg'
          ? new TextEncoder().encode(picture.text)
          : new Uint8Array(await picture.blob.arrayBuffer());
      host.saveFile(pictureName(this.#title, picture.format, this.#originMark), data);
    } catch (error) {
      host.onError(error);
    }
  }
}

const maxNameLength = 80;

/**
 * Formats the file name of a picture, such as "System state - last 7 days - hourly.png", with characters that every file system accepts.
 * The name of sample data ends with its mark, which is not repeated if the title already ends with it.
 */
export function pictureName(title: string, format: 'png' | 'svg', mark = ''): string {
  const name = [title, t('chart')].map(toSafeName).find(name => name !== '') ?? 'chart';
  return `${mark ? `${removeMark(name)} ${parseMark(mark)}`.trim() : name}.${format}`;
}

function removeMark(name: string): string {
  const marks = [sampleDataMark, replayMark, toSafeName(t('Sample Data'))].map(mark => mark.toLowerCase());
  const mark = marks.find(candidate => name.toLowerCase().endsWith(candidate)) ?? '';
  return name.slice(0, name.length - mark.length).replace(/[ -]+$/, '');
}

/** Removes accents and replaces all characters except letters, digits, dots and parentheses by dashes. */
function toSafeName(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '');
  const dashed = plain.replace(/[^\w .()-]+/g, '-').replace(/\s+/g, ' ');
  // A leading dot would hide the file, and some systems drop trailing dots and spaces.
  const trim = (name: string): string => name.replace(/^[ .-]+|[ .-]+$/g, '');
  return trim(trim(dashed).slice(0, maxNameLength));
}
