import type { Frame } from '../../shared/frame.ts';
import { ChartView } from '../chart/chartView.ts';
import type { ChartPicture, SelectedInterval } from '../chart/chartModel.ts';
import { readChartOptions } from '../chart/chartColumns.ts';
import type { TimeWindow } from './panelView.ts';
import { pictureName } from './pictureName.ts';
import type { ShownRows, TableState } from './rowModel.ts';
import type { TabParts } from './tabParts.ts';

/** The chart of the rows that the table shows. Its window is the table's where the person links the two. */
export class ChartTab {
  readonly #parts: TabParts;
  readonly #chart: ChartView;
  #frame: Frame | undefined;
  #title = '';
  #isSample = false;

  /** What was selected in the table when it was left, and in which frame. */
  #selected: { readonly frame: Frame; readonly stretches: readonly SelectedInterval[] } | undefined;

  /** `selectTimes`: selects the rows of a window in the table. */
  constructor(parts: TabParts, selectTimes: (window: TimeWindow) => void) {
    this.#parts = parts;
    const { host, change } = parts;
    this.#chart = new ChartView({
      optionsChanged: chart => change({ chart }),
      zoomed: window => change({ window }),
      select: selectTimes,
      announce: text => {
        // What comes after another tab was opened would speak over what that has to say.
        if (this.element.isConnected) host.announce(text);
      },
      failed: host.failed,
      save: picture => void this.#save(picture),
    });
  }

  get element(): HTMLElement {
    return this.#chart.element;
  }

  show({ frame, zone, step, compared, title, origin }: TableState, { order }: Pick<ShownRows, 'order'>): void {
    const { host, view } = this.#parts;
    const { filters, chart } = view();
    // The order of the rows says nothing in a chart, and a linked table must not narrow the chart it follows.
    const rows = Object.keys(filters).length > 0 && !view().linked ? order : undefined;
    // Another zone alone is other words on the same picture.
    if (frame === this.#frame) this.#chart.setZone(zone);
    this.#frame = frame;
    this.#title = title;
    this.#isSample = origin.isSample;
    const selected = this.#selected?.frame === frame ? this.#selected.stretches : undefined;
    const model = { frame, zone, step, compared, title, origin, rows, selected, locale: host.locale };
    this.#chart.show(model, readChartOptions(chart, frame));
  }

  /** Where the crosshair is, UTC milliseconds. */
  get instant(): number | undefined {
    return this.#chart.pointed;
  }

  /** Marks what is selected in the table, from the next time it is shown. */
  mark(frame: Frame, stretches: readonly SelectedInterval[]): void {
    const selected = this.#selected;
    // The same stretches are no reason to draw the chart anew.
    if (selected?.frame === frame && JSON.stringify(selected.stretches) === JSON.stringify(stretches)) return;
    this.#selected = { frame, stretches };
  }

  goToTime(instant: number): void {
    this.#chart.pointAt(instant);
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
