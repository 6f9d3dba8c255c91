import { t } from '@vscode/l10n';
import type { Analyzer } from '../../core/analysis/analyze.ts';
import { getMaxRowLength, createRowEndLookup } from '../../core/bins/binEdges.ts';
import { createFewHoursTest } from '../../core/bins/binFrame.ts';
import { getZoneOfRows } from '../../core/bins/dayInterval.ts';
import { findTimeColumn } from '../../core/frame/clip.ts';
import { listSummarizedColumns, type SummaryInput } from '../../core/statistics/summaryFrame.ts';
import { hourMs } from '../../shared/durations.ts';
import { getTimeShape } from '../../shared/formatTime.ts';
import { cellState, getCellState, type Frame, type NumberColumn, type TimeColumn } from '../../shared/frame.ts';
import type { DisplayZone, TableState } from '../../shared/protocol.ts';
import type { View } from '../../shared/view.ts';
import { getTimeExtent } from '../columns/createGridColumns.ts';
import type { ComputedRows, TabTexts } from '../result/computedRows.ts';
import type { DisplayedResult } from '../result/displayedRows.ts';
import { translateFrame } from '../translate.ts';
import { describeScope, createTimeFormat, type StatisticsScope, type TimeFormat } from './scope.ts';

/** The content of the Statistics tab. */
export interface StatisticsTabContent {
  /** The summarized rows, with untranslated columns. */
  readonly summarized: SummaryInput;
  /** The columns that have a row in the statistics. */
  readonly columns: readonly NumberColumn[];
  readonly rows: ComputedRows;
  /** The zone of the times. Bins keep their own zone, regardless of the display zone. */
  readonly zone: DisplayZone;
  readonly scope: StatisticsScope;
  /** Undefined if the rows have no instants. */
  readonly timeFormat: TimeFormat | undefined;
  readonly texts: TabTexts;
}

/** Computes the statistics of the displayed rows; undefined if no column has numbers. */
export function computeStatisticsTab(
  analyzer: Analyzer,
  received: TableState,
  view: View,
  { analysis: rowAnalysis, analyzed: { resampling }, computeStatisticsRows: computeRows, state }: DisplayedResult,
  locale: string,
): StatisticsTabContent | undefined {
  const summarized = computeRows();
  const columns = listSummarizedColumns(summarized.frame);
  if (columns.length === 0) return undefined;
  const { sort: _sort, missing: _missing, ...analysisWithoutSort } = rowAnalysis;
  const { sort = [] } = view.tables.statistics ?? {};
  const analysis = { ...analysisWithoutSort, summarize: view.figures, ...(sort.length > 0 && { sort }) };
  const { frame: computed, order } = analyzer.analyze(received, analysis);
  const frame = translateFrame(computed);
  const isResampled = resampling !== undefined;
  const zone = findTimeColumn(summarized.frame)?.bins ?? getZoneOfRows(state.interval, state.zone);
  const filterCount = Object.values(view.filters).filter(text => text.trim() !== '').length;
  const scopeInput = { zone, filterCount, minCoverage: isResampled ? state.minCoverage : 0 };
  const { scope, timeFormat } = createScope(summarized, scopeInput, locale);
  const comparisonSentence = describeComparison(summarized.frame, isResampled);
  const figures = frame.columns.flatMap(({ field }) => (field && !field.comparison ? [field] : []));
  const definitions = figures.map(({ label, meaning }) => `${label}: ${meaning}.`);
  return {
    summarized,
    columns,
    rows: { analysis, frame, order, zone, intervalMs: state.intervalMs ?? hourMs },
    zone,
    scope,
    timeFormat,
    texts: {
      title: t('Statistics'),
      sentence: [describeScope(scope, timeFormat, locale), comparisonSentence].filter(Boolean).join(' · '),
      methods: definitions,
    },
  };
}

function describeComparison(frame: Frame, isResampled: boolean): string {
  if (!frame.columns.some(({ field }) => field?.comparison)) return '';
  return isResampled || findTimeColumn(frame)?.bins
    ? t(
        'Each figure covers the hours of its own period, which may differ. Means over different hours have no difference of energies.',
      )
    : t('Differences and changes cover only hours that both periods have.');
}

/** `minCoverage` is the part of its hours, 0 to 1, for which a row must have data. Rows with less are counted as low coverage. */
function createScope(
  { frame, rows, intervalMs }: SummaryInput,
  {
    zone,
    filterCount,
    minCoverage,
  }: { readonly zone: DisplayZone; readonly filterCount: number; readonly minCoverage: number },
  locale: string,
): Pick<StatisticsTabContent, 'scope' | 'timeFormat'> {
  const time = findTimeColumn(frame);
  const rowCount = rows?.length ?? frame.rowCount;
  const fewHours = countFewHours(frame, rows, minCoverage);
  const scope = {
    rows: rowCount,
    allRows: frame.rowCount,
    filterCount,
    span: undefined,
    intervalMs,
    fewHours,
  };
  if (!time) return { scope, timeFormat: undefined };
  const shape = getTimeShape(time, frame.rowCount);
  const timeFormat = createTimeFormat({ ...shape, range: getTimeExtent(frame) ?? shape.range }, locale, zone);
  // Rows that are closer together than the requested interval cannot be longer than their distance.
  const { bins, lengths } = time;
  const rowDistance =
    bins && intervalMs !== undefined ? intervalMs : Math.min(intervalMs ?? Infinity, shape.step ?? Infinity);
  const length = lengths ? getMaxRowLength(lengths) : Number.isFinite(rowDistance) ? rowDistance : undefined;
  const span = findTimeSpan(time, rows);
  const rowSpan = span && ([span[0], getRowEnd(time, span[1], length)] as const);
  return { scope: { ...scope, span: rowSpan, intervalMs: length, binSize: bins?.size }, timeFormat };
}

function countFewHours(frame: Frame, rows: Uint32Array | undefined, minCoverage: number): StatisticsScope['fewHours'] {
  const isFew = minCoverage > 0 ? createFewHoursTest(frame, minCoverage) : undefined;
  let count = 0;
  for (let index = 0; isFew && index < (rows?.length ?? frame.rowCount); index++)
    count += Number(isFew(rows?.[index] ?? index));
  return count > 0 ? { rows: count, minCoverage } : undefined;
}

/** Finds the earliest and the latest instant of the rows in UTC milliseconds; undefined if no row has an instant. */
function findTimeSpan(time: TimeColumn, rows?: Uint32Array): readonly [earliest: number, latest: number] | undefined {
  const total = rows?.length ?? time.values.length;
  let earliest = Infinity;
  let latest = -Infinity;
  for (let index = 0; index < total; index++) {
    const row = rows ? (rows[index] ?? 0) : index;
    const instant = time.values[row] ?? NaN;
    if (getCellState(time, row) !== cellState.value) continue;
    if (instant < earliest) earliest = instant;
    if (instant > latest) latest = instant;
  }
  return earliest <= latest ? [earliest, latest] : undefined;
}

/** Returns the end of the row that starts at an instant, or its start if the length is unknown. Months differ in length. */
function getRowEnd(time: TimeColumn, instant: number, intervalMs = 0): number {
  return createRowEndLookup({ start: instant, end: instant + 1 }, time)?.(instant) ?? instant + intervalMs;
}
