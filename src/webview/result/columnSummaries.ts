import { t } from '@vscode/l10n';
import { cellState, type Column, getCellState } from '../../shared/frame.ts';
import { createCountFormatter } from '../../presentation/columns/numberColumnFormat.ts';
import type { ColumnSummary } from '../../presentation/table/gridColumn.ts';
import { formatRangeFilter } from '../../core/filter/parseFilter.ts';
import { pageScheduler } from '../scheduling.ts';
import { createColumnReport } from '../statistics/columnReport.ts';
import { describeColumn } from '../../core/statistics/columnStatistics.ts';
import { computeHistogram } from '../../presentation/statistics/niceNumbers.ts';
import { formatBin, describeHistogram } from '../statistics/histogramChart.ts';
import type { DisplayedRows } from '../../presentation/result/displayedRows.ts';
import type { TabDeps } from './tabDeps.ts';

/**
 * The summaries in the headers of a table. They cover the visible rows without the placeholders of missing intervals. They are computed for
 * the columns in view, one after the other, while the page has nothing more urgent to do.
 */
export class ColumnSummaries {
  readonly #deps: TabDeps;
  readonly #onComputed: () => void;
  #rows: DisplayedRows | undefined;
  /** The summaries by field. After a change of the filters, the old summaries stay until the new ones are computed. */
  readonly #summaries = new Map<string, ColumnSummary>();
  readonly #requested = new Set<string>();
  #queue = Promise.resolve();

  /** `onComputed` is called after each summary. */
  constructor(deps: TabDeps, onComputed: () => void) {
    this.#deps = deps;
    this.#onComputed = onComputed;
  }

  /** Returns a function that looks up the summary of a field over these rows: undefined until it is computed, or without rows. */
  getSummaries(rows: DisplayedRows | undefined): (name: string) => ColumnSummary | undefined {
    const isSameFrame = rows?.frame === this.#rows?.frame;
    if (!isSameFrame) this.#summaries.clear();
    if (!isSameFrame || rows?.order !== this.#rows?.order) {
      this.#requested.clear();
      this.#rows = rows;
    }
    const currentRows = this.#rows;
    return name => {
      if (currentRows && !this.#requested.has(name))
        this.#queue = this.#queue.then(() => this.#compute(name, currentRows)).catch(this.#deps.host.onError);
      this.#requested.add(name);
      return this.#summaries.get(name);
    };
  }

  async #compute(name: string, rows: DisplayedRows): Promise<void> {
    const isOutdated = (): boolean => rows !== this.#rows;
    const column = rows.frame.columns.find(candidate => candidate.name === name);
    if (!column || isOutdated()) return;
    await pageScheduler.pause();
    if (isOutdated()) return;
    this.#summaries.set(name, this.#summarize(column, rows));
    this.#onComputed();
  }

  #summarize(column: Column, { frame, order, getNote }: DisplayedRows): ColumnSummary {
    const { host, getRowKind, view, changeView } = this.#deps;
    const dataRows = order ?? new Uint32Array(frame.rowCount).map((_, row) => row);
    const received = getNote ? dataRows.filter(row => getNote(row) === undefined) : dataRows;
    const gaps = column.gaps ? received.filter(row => getCellState(column, row) !== cellState.value).length : 0;
    const formatCount = createCountFormatter(host.locale);
    const gapCount = gaps === 0 ? t('no gaps') : gaps === 1 ? t('1 gap') : t('{0} gaps', formatCount(gaps));
    const gapText = received.length > 0 ? gapCount : '';
    const emptySummary = { label: '', gaps: gapText, counts: [], describeBins: () => '' };
    if (column.kind !== 'number') return emptySummary;
    const statistics = describeColumn(column, undefined, received);
    const { summary } = statistics;
    if (!summary) return emptySummary;
    const histogram = computeHistogram(summary.ascending, summary.isWhole);
    const report = createColumnReport(column, statistics, host.locale, view().numbers);
    // Picked from the report, so that the closures below do not keep all statistics in memory.
    const format = { digits: report.digits, unit: report.unit };
    const { edges, counts } = histogram;
    const brush = (from: number, to: number): void => {
      const text = formatRangeFilter(edges[from] ?? NaN, edges[to + 1] ?? NaN, to === counts.length - 1, host.locale);
      changeView({ filters: { ...view().filters, [column.name]: text } });
    };
    const describeBins = (from: number, to: number): string => {
      const rowCount = counts.slice(from, to + 1).reduce((sum, count) => sum + count, 0);
      return t('{0}: {1} rows', formatBin(format, histogram, from, to), formatCount(rowCount));
    };
    const label = describeHistogram(report, histogram);
    // Brushing sets a filter, and filters apply to received rows only.
    return { label, gaps: gapText, counts, describeBins, ...(getRowKind() === 'received' && { brush }) };
  }
}
