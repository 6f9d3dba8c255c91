import { t } from '@vscode/l10n';
import type { Analyser } from '../../core/analysis/analyse.ts';
import { getMaxRowLength, createRowEndLookup } from '../../core/bins/binEdges.ts';
import { createFewHoursTest } from '../../core/bins/binFrame.ts';
import { getZoneOfRows } from '../../core/bins/dayInterval.ts';
import { findTimeColumn } from '../../core/frame/clip.ts';
import { listSummarisedColumns, type SummaryInput } from '../../core/statistics/summaryFrame.ts';
import { hourMs } from '../../shared/durations.ts';
import { getTimeShape } from '../../shared/formatTime.ts';
import { cellState, getCellState, type Frame, type NumberColumn, type TimeColumn } from '../../shared/frame.ts';
import type { DisplayZone, TableState } from '../../shared/protocol.ts';
import type { View } from '../../shared/view.ts';
import { extentOfAll } from '../columns/gridColumnsOf.ts';
import type { ComputedRows, RowWords } from '../result/computedRows.ts';
import type { ShownResult } from '../result/shownRows.ts';
import { inWords } from '../translate.ts';
import { scopeOfAll, timesOf, type StatisticsScope, type Times } from './scope.ts';

/** The content of the Statistics tab. */
export interface ShownSummary {
  /** The summarised rows, with untranslated columns. */
  readonly counted: SummaryInput;
  /** The columns that have a row in the statistics. */
  readonly columns: readonly NumberColumn[];
  readonly rows: ComputedRows;
  /** The zone of the times. Bins keep their own zone, whichever zone is displayed. */
  readonly zone: DisplayZone;
  readonly scope: StatisticsScope;
  /** Undefined if the rows have no instants. */
  readonly times: Times | undefined;
  readonly words: RowWords;
}

/** Computes the statistics of the displayed rows; undefined if no column has numbers. */
export function shownSummary(
  analyser: Analyser,
  received: TableState,
  view: View,
  { analysis: ofRows, analysed: { resampling }, counted: count, state }: ShownResult,
  locale: string,
): ShownSummary | undefined {
  const counted = count();
  const columns = listSummarisedColumns(counted.frame);
  if (columns.length === 0) return undefined;
  const { sort: _sort, missing: _missing, ...before } = ofRows;
  const { sort = [] } = view.tables.statistics ?? {};
  const analysis = { ...before, summarise: view.figures, ...(sort.length > 0 && { sort }) };
  const { frame: made, order } = analyser.analyse(received, analysis);
  const frame = inWords(made);
  const isResampled = resampling !== undefined;
  const zone = findTimeColumn(counted.frame)?.bins ?? getZoneOfRows(state.interval, state.zone);
  const filterCount = Object.values(view.filters).filter(text => text.trim() !== '').length;
  const of = { zone, filterCount, least: isResampled ? state.leastCoverage : 0 };
  const { scope, times } = scopeOf(counted, of, locale);
  const comparedSentence = textOfComparison(counted.frame, isResampled);
  const figures = frame.columns.flatMap(({ field }) => (field && !field.compares ? [field] : []));
  const definitions = figures.map(({ label, meaning }) => `${label}: ${meaning}.`);
  return {
    counted,
    columns,
    rows: { analysis, frame, order, zone, step: state.step ?? hourMs },
    zone,
    scope,
    times,
    words: {
      title: t('Statistics'),
      sentence: [scopeOfAll(scope, times, locale), comparedSentence].filter(Boolean).join(' · '),
      methods: definitions,
    },
  };
}

function textOfComparison(frame: Frame, isResampled: boolean): string {
  if (!frame.columns.some(({ field }) => field?.compares)) return '';
  return isResampled || findTimeColumn(frame)?.bins
    ? t(
        'Each figure covers the hours of its own period, which may differ. Means over different hours have no difference of energies.',
      )
    : t('Differences and changes cover only hours that both periods have.');
}

/** `least`: the part of its hours, 0 to 1, for which a row must have data. Rows with less are counted as low coverage. */
function scopeOf(
  { frame, rows, intervalMs }: SummaryInput,
  {
    zone,
    filterCount,
    least: enough,
  }: { readonly zone: DisplayZone; readonly filterCount: number; readonly least: number },
  locale: string,
): Pick<ShownSummary, 'scope' | 'times'> {
  const time = findTimeColumn(frame);
  const shown = rows?.length ?? frame.rowCount;
  const few = fewRows(frame, rows, enough);
  const scope = { rows: shown, allRows: frame.rowCount, filterCount, span: undefined, step: intervalMs, few };
  if (!time) return { scope, times: undefined };
  const shape = getTimeShape(time, frame.rowCount);
  const times = timesOf({ ...shape, range: extentOfAll(frame) ?? shape.range }, locale, zone);
  // Rows closer together than the interval requested last no longer than their distance.
  const { bins, lengths } = time;
  const least =
    bins && intervalMs !== undefined ? intervalMs : Math.min(intervalMs ?? Infinity, shape.step ?? Infinity);
  const length = lengths ? getMaxRowLength(lengths) : Number.isFinite(least) ? least : undefined;
  const span = timeSpan(time, rows);
  const from = span && ([span[0], endOf(time, span[1], length)] as const);
  return { scope: { ...scope, span: from, step: length, size: bins?.size }, times };
}

function fewRows(frame: Frame, rows: Uint32Array | undefined, least: number): StatisticsScope['few'] {
  const isFew = least > 0 ? createFewHoursTest(frame, least) : undefined;
  let count = 0;
  for (let at = 0; isFew && at < (rows?.length ?? frame.rowCount); at++) count += Number(isFew(rows?.[at] ?? at));
  return count > 0 ? { rows: count, least } : undefined;
}

/** The earliest and the latest instant of the rows (UTC ms); undefined if no row has an instant. */
function timeSpan(time: TimeColumn, rows?: Uint32Array): readonly [earliest: number, latest: number] | undefined {
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

/** The end of the row that starts at an instant, or its start if the length is unknown. Months differ in length. */
function endOf(time: TimeColumn, instant: number, step = 0): number {
  return createRowEndLookup({ start: instant, end: instant + 1 }, time)?.(instant) ?? instant + step;
}
