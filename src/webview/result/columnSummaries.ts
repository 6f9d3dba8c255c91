import { t } from '@vscode/l10n';
import { cellState, type Column, getCellState } from '../../shared/frame.ts';
import { countFormatter } from '../../presentation/columns/numberTexts.ts';
import type { ColumnSummary } from '../../presentation/table/gridColumn.ts';
import { rangeFilter } from '../../core/filter/parseFilter.ts';
import { pageScheduler } from '../scheduling.ts';
import { columnReport } from '../statistics/columnReport.ts';
import { describeColumn } from '../../core/statistics/columnStatistics.ts';
import { histogramOf } from '../../presentation/statistics/niceSteps.ts';
import { binWords, histogramWords } from '../statistics/histogramChart.ts';
import type { ShownRows } from '../../presentation/result/shownRows.ts';
import type { TabParts } from './tabParts.ts';

/**
 * The summaries in the headers of a table. They cover the visible rows without the placeholders of missing intervals. They are computed for
 * the columns in view, one after the other, while the page has nothing more urgent to do.
 */
export class ColumnSummaries {
  readonly #parts: TabParts;
  readonly #computed: () => void;
  #shown: ShownRows | undefined;
  /** The summaries by field. After another filter the old ones stay until they are computed again. */
  readonly #made = new Map<string, ColumnSummary>();
  readonly #wanted = new Set<string>();
  #queue = Promise.resolve();

  /** `computed` is called after each summary. */
  constructor(parts: TabParts, computed: () => void) {
    this.#parts = parts;
    this.#computed = computed;
  }

  /** Returns a function that looks up the summary of a field over these rows: undefined until it is computed, or without rows. */
  of(shown: ShownRows | undefined): (name: string) => ColumnSummary | undefined {
    const isSameFrame = shown?.frame === this.#shown?.frame;
    if (!isSameFrame) this.#made.clear();
    if (!isSameFrame || shown?.order !== this.#shown?.order) {
      this.#wanted.clear();
      this.#shown = shown;
    }
    const rows = this.#shown;
    return name => {
      if (rows && !this.#wanted.has(name))
        this.#queue = this.#queue.then(() => this.#compute(name, rows)).catch(this.#parts.host.failed);
      this.#wanted.add(name);
      return this.#made.get(name);
    };
  }

  async #compute(name: string, shown: ShownRows): Promise<void> {
    const isOther = (): boolean => shown !== this.#shown;
    const column = shown.frame.columns.find(one => one.name === name);
    if (!column || isOther()) return;
    await pageScheduler.pause();
    if (isOther()) return;
    this.#made.set(name, this.#summary(column, shown));
    this.#computed();
  }

  #summary(column: Column, { frame, order, note }: ShownRows): ColumnSummary {
    const { host, rows, view, change } = this.#parts;
    const all = order ?? new Uint32Array(frame.rowCount).map((_, row) => row);
    const received = note ? all.filter(row => note(row) === undefined) : all;
    const gaps = column.gaps ? received.filter(row => getCellState(column, row) !== cellState.value).length : 0;
    const counted = countFormatter(host.locale);
    const some = gaps === 0 ? t('no gaps') : gaps === 1 ? t('1 gap') : t('{0} gaps', counted(gaps));
    const gapText = received.length > 0 ? some : '';
    const none = { label: '', gaps: gapText, counts: [], words: () => '' };
    if (column.kind !== 'number') return none;
    const statistics = describeColumn(column, undefined, received);
    const { summary } = statistics;
    if (!summary) return none;
    const histogram = histogramOf(summary.ascending, summary.isWhole);
    const report = columnReport(column, statistics, host.locale, view().numbers);
    // Picked from the report, so that the closures below do not keep all statistics in memory.
    const writing = { digits: report.digits, unit: report.unit };
    const { edges, counts } = histogram;
    const brush = (from: number, to: number): void => {
      const text = rangeFilter(edges[from] ?? NaN, edges[to + 1] ?? NaN, to === counts.length - 1, host.locale);
      change({ filters: { ...view().filters, [column.name]: text } });
    };
    const words = (from: number, to: number): string => {
      const rowCount = counts.slice(from, to + 1).reduce((sum, count) => sum + count, 0);
      return t('{0}: {1} rows', binWords(writing, histogram, from, to), counted(rowCount));
    };
    const label = histogramWords(report, histogram);
    // Brushing sets a filter, and filters apply to received rows only.
    return { label, gaps: gapText, counts, words, ...(rows() === 'received' && { brush }) };
  }
}
