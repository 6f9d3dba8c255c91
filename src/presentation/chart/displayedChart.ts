import type { Analyzer } from '../../core/analysis/analyze.ts';
import { hourMs } from '../../shared/durations.ts';
import type { Frame } from '../../shared/frame.ts';
import type { TableState } from '../../shared/protocol.ts';
import type { View } from '../../shared/view.ts';
import type { ComputedRows } from '../result/computedRows.ts';
import type { DisplayedResult } from '../result/displayedRows.ts';
import { buildPlot } from './buildPlot.ts';
import type { ChartModel, ChartOptions } from './chartModel.ts';
import { parseChartOptions } from './chartOptions.ts';
import { fitToPlot } from './plotMove.ts';
import { tabulatePlot } from './plotRows.ts';

/** Creates the chart model of a result. `rows` are the data rows to draw, or undefined for all rows. */
export function createChartModel(
  state: TableState,
  rows: Uint32Array | undefined,
  isResampled: boolean,
  locale: string,
): ChartModel {
  const { frame, zone, intervalMs, start, coverage, compared, title, origin, minCoverage } = state;
  const data = { frame, zone, intervalMs, start, coverage, compared, minCoverage, isResampled };
  return { ...data, title, origin, rows, locale };
}

/** Creates the model and the options of the chart that a view displays. */
export function createDisplayedChart(
  { computeChartRows, analyzed: { resampling } }: DisplayedResult,
  view: View,
  locale: string,
): { readonly model: ChartModel; readonly options: ChartOptions } {
  const { state, rows } = computeChartRows();
  const model = createChartModel(state, rows, resampling !== undefined, locale);
  return { model, options: parseChartOptions(view.chart, state.frame) };
}

/** Creates a frame with the numbers in the visible window of a chart. Returns undefined if there is nothing to draw. */
export function tabulateChart(model: ChartModel, options: ChartOptions): Frame | undefined {
  const plot = buildPlot(model, options);
  return plot && tabulatePlot(plot, model.frame, options.zoom ? fitToPlot(options.zoom, plot) : plot.domain);
}

/** Sorts the numbers of a chart by the sort keys that the view has for the chart's table. */
export function sortChartTable(analyzer: Analyzer, state: TableState, view: View, frame: Frame): ComputedRows {
  const { sort = [] } = view.tables.chart ?? {};
  const { order } = analyzer.analyze({ ...state, frame, coverage: undefined }, { sort });
  return { analysis: undefined, frame, order, zone: state.zone, intervalMs: state.intervalMs ?? hourMs };
}
