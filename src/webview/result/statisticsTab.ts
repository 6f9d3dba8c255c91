import { StatisticsView } from '../statistics/statisticsView.ts';
import type { ShownRows, TableState } from './rowModel.ts';
import type { TabParts } from './tabParts.ts';

/** Statistics of the rows that the table shows. */
export class StatisticsTab {
  readonly #parts: TabParts;
  readonly #statistics: StatisticsView;

  constructor(parts: TabParts) {
    this.#parts = parts;
    const { host, change } = parts;
    this.#statistics = new StatisticsView({ announce: host.announce, chosen: chosen => change({ chosen }) });
  }

  get element(): HTMLElement {
    return this.#statistics.element;
  }

  show({ frame, zone, step, compared }: TableState, { order }: Pick<ShownRows, 'order'>): void {
    const { host, view } = this.#parts;
    const { filters, chosen } = view();
    const filterCount = Object.values(filters).filter(text => text.trim() !== '').length;
    const { locale } = host;
    this.#statistics.show({
      frame,
      locale,
      zone,
      step,
      compared,
      filterCount,
      ...(order && { rows: order }),
      ...(chosen && { chosen }),
    });
  }
}
