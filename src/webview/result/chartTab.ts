import { t } from '@vscode/l10n';
import { sampleDataMark } from '../../core/query/serviceMeta.ts';
import type { Frame } from '../../shared/frame.ts';
import type { ChartHost, ChartPicture, SelectedInterval } from '../chart/chartModel.ts';
import { readChartOptions } from '../chart/chartOptions.ts';
import { ChartView } from '../chart/chartView.ts';
import type { TableState } from './rowModel.ts';
import type { TabParts } from './tabParts.ts';

/** The chart of the rows that the table shows. Its window is the table's where the person links the two. */
export class ChartTab {
  readonly #parts: TabParts;
  readonly #chart: ChartView;
  #frame: Frame | undefined;
  #title = '';
  #isSample = false;
  /** What is selected in the table, and in which frame. */
  #selected: { readonly frame: Frame; readonly intervals: readonly SelectedInterval[] } | undefined;

  /** `select`: selects the rows of a window in the table. */
  constructor(parts: TabParts, events: Required<Pick<ChartHost, 'select' | 'pointed'>>) {
    this.#parts = parts;
    const { host, change } = parts;
    this.#chart = new ChartView({
      optionsChanged: chart => change({ chart }),
      zoomed: window => {
        if (JSON.stringify(window) !== JSON.stringify(parts.view().window)) change({ window });
      },
      ...events,
      announce: text => {
        // A late announcement would interrupt those of the tab opened since.
        if (this.element.isConnected) host.announce(text);
      },
      failed: host.failed,
      save: picture => void this.#save(picture),
    });
  }

  get element(): HTMLElement {
    return this.#chart.element;
  }

  /** `rows`: the data rows drawn; all where it is undefined. */
  show(
    { frame, zone, step, start, coverage, compared, title, origin }: TableState,
    rows: Uint32Array | undefined,
  ): void {
    const { host, view } = this.#parts;
    const { chart } = view();
    // The same frame: only the zone may be another.
    if (frame === this.#frame) this.#chart.setZone(zone);
    this.#frame = frame;
    this.#title = title;
    this.#isSample = origin.isSample;
    const selected = this.#selected?.frame === frame ? this.#selected.intervals : undefined;
    const model = { frame, zone, step, start, coverage, compared, title, origin, rows, selected, locale: host.locale };
    this.#chart.show(model, readChartOptions(chart, frame));
  }

  /** Where the crosshair is, UTC milliseconds. */
  get instant(): number | undefined {
    return this.#chart.pointed;
  }

  /** The data row of the crosshair; undefined where there is none. */
  get row(): number | undefined {
    return this.#chart.row;
  }

  /** Marks what is selected in the table. */
  mark(frame: Frame, intervals: readonly SelectedInterval[]): void {
    const selected = this.#selected;
    // The same object, so that the chart is not drawn anew.
    if (selected?.frame === frame && JSON.stringify(selected.intervals) === JSON.stringify(intervals)) return;
    this.#selected = { frame, intervals };
    if (frame === this.#frame) this.#chart.mark(intervals);
  }

  goToTime(instant: number | undefined): void {
    this.#chart.pointAt(instant);
  }

  focus(): void {
    this.element.querySelector<HTMLElement>('.chart-plot')?.focus();
  }

  themeChanged(): void {
    this.#chart.themeChanged();
  }

  async #save(picture: ChartPicture): Promise<void> {
    const { host } = this.#parts;
    try {
      const data =
        picture.format === 'svg'
          ? new TextEncoder().encode(picture.text)
          : new Uint8Array(await picture.blob.arrayBuffer());
      host.saveFile(pictureName(this.#title, picture.format, this.#isSample), data);
    } catch (error) {
      host.failed(error);
    }
  }
}

const longest = 80;

/**
 * The name of a file for a picture of a result, with what every file system takes: "System state - last 7 days - hourly.png". That of
 * Sample Data says so, once: a title mostly ends with its name.
 */
export function pictureName(title: string, format: 'png' | 'svg', isSample = false): string {
  const name = [title, t('chart')].map(safe).find(name => name !== '') ?? 'chart';
  return `${isSample ? `${withoutMark(name)} ${sampleDataMark}`.trim() : name}.${format}`;
}

function withoutMark(name: string): string {
  const marks = [sampleDataMark, safe(t('Sample Data'))].map(mark => mark.toLowerCase());
  const mark = marks.find(one => name.toLowerCase().endsWith(one)) ?? '';
  return name.slice(0, name.length - mark.length).replace(/[ -]+$/, '');
}

/** Letters lose their accents; other characters than letters, digits, points and brackets become dashes. */
function safe(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '');
  const dashed = plain.replace(/[^\w .()-]+/g, '-').replace(/\s+/g, ' ');
  // Neither hidden nor ending in what some systems drop.
  const trim = (name: string): string => name.replace(/^[ .-]+|[ .-]+$/g, '');
  return trim(trim(dashed).slice(0, longest));
}
