import type { Analyser } from '../../core/analysis/analyse.ts';
import { hourMs } from '../../shared/durations.ts';
import type { Frame } from '../../shared/frame.ts';
import type { TableState } from '../../shared/protocol.ts';
import type { View } from '../../shared/view.ts';
import type { ComputedRows } from '../result/computedRows.ts';
import type { ShownResult } from '../result/shownRows.ts';
import { buildPlot } from './buildPlot.ts';
import type { ChartModel, ChartOptions } from './chartModel.ts';
import { readChartOptions } from './chartOptions.ts';
import { fitted } from './plotMove.ts';
import { plotRows } from './plotRows.ts';

/** Creates the chart model of a result, with all rows or the given ones. */
export function chartModelOf(
  state: TableState,
  rows: Uint32Array | undefined,
  isResampled: boolean,
  locale: string,
): ChartModel {
  const { frame, zone, step, start, coverage, compared, title, origin, leastCoverage } = state;
  const drawn = { frame, zone, step, start, coverage, compared, leastCoverage, isResampled };
  return { ...drawn, title, origin, rows, locale };
}

/** Creates the chart model and options of a view. */
export function shownChart(
  { charted, analysed: { resampling } }: ShownResult,
  view: View,
  locale: string,
): { readonly model: ChartModel; readonly options: ChartOptions } {
  const { state, rows } = charted();
  const model = chartModelOf(state, rows, resampling !== undefined, locale);
  return { model, options: readChartOptions(view.chart, state.frame) };
}

/** The numbers that a chart draws in its window; undefined if it draws none. */
export function drawnNumbers(model: ChartModel, options: ChartOptions): Frame | undefined {
  const plot = buildPlot(model, options);
  return plot && plotRows(plot, model.frame, options.zoom ? fitted(options.zoom, plot) : plot.domain);
}

/** Sorts these numbers for the chart's table as the view has it. */
export function chartNumbers(analyser: Analyser, state: TableState, view: View, frame: Frame): ComputedRows {
  const { sort = [] } = view.tables.chart ?? {};
  const { order } = analyser.analyse({ ...state, frame, coverage: undefined }, { sort });
  return { analysis: undefined, frame, order, zone: state.zone, step: state.step ?? hourMs };
}
