import type { Analysis, EventFinder, ForecastScore } from '../../shared/analysis.ts';
import type { DerivedColumns, DerivedColumn } from '../../shared/derivedColumns.ts';
import type { EventSearch, UnusualRule } from '../../shared/eventSearch.ts';
import type { Frame } from '../../shared/frame.ts';
import {
  binSizes,
  listCycles,
  isCycle,
  type BinSize,
  type Cycle,
  type ResampledFigures,
  type Resampling,
  type ElapsedRange,
} from '../../shared/resampling.ts';
import type { Scorecard } from '../../shared/scorecard.ts';
import { formatEnglish, type Translate } from '../bins/binSums.ts';
import { allHoursName, getCycleNames } from '../bins/cycleNames.ts';
import { getResampledIntervals, resampleFrame } from '../bins/resampleFrame.ts';
import { getRowIntervals } from '../bins/rowIntervals.ts';
import { getZoneOfRows } from '../bins/dayInterval.ts';
import { isComparedPeriodColumn } from '../compare/compareFrames.ts';
import { createEventFrame, canFindEvents } from '../events/eventFrame.ts';
import { findUnusual } from '../events/findUnusual.ts';
import { filterRows } from '../filter/filterRows.ts';
import { filterProblems, maxAlternatives } from '../filter/filterTypes.ts';
import { parseFilters } from '../filter/parseFilter.ts';
import { createScorecard } from '../forecast/scorecard.ts';
import { FormulaError } from '../formula/formula.ts';
import { parseCondition } from '../formula/parseFormula.ts';
import { createDerivation, deriveColumns, getWindowRowMs, type DerivedFrame } from '../formula/deriveColumns.ts';
import { columnsWithSameUnit, findNumberColumn } from '../frame/chartColumns.ts';
import { takeRows, findTimeColumn } from '../frame/clip.ts';
import { getInstants, mergeByTime, addMissingRows, type FrameWithMissingRows } from '../frame/frames.ts';
import { sortRows, TextRanks } from '../sort/sortRows.ts';
import { summaryFrame } from '../statistics/summaryFrame.ts';
import type { SummaryFigure } from '../../shared/summaryFigures.ts';
import {
  binLengthsMs,
  selectCountedRows,
  filterPassingRows,
  getIntervalSpan,
  getIntervalSpanOfColumn,
  getZoneOfBins,
} from './rowIntervals.ts';
import { RecentCache } from './recentCache.ts';
import type { ResultRows } from './resultRows.ts';

/** The locale in which filters are parsed and names are formatted, and the translations of names. */
export interface AnalysisContext {
  readonly locale: string;
  /** Translates the names of bins, and fills in {0}, {1}, …. */
  readonly translate: Translate;
}

/** The rows that an analysis returns, and how its stages were applied. */
export interface AnalysisResult {
  /** The received rows with the derived columns. */
  readonly rowsWithDerived: ResultRows;
  readonly frame: Frame;
  /** The rows of the frame in display order; undefined for all rows as they are. */
  readonly order: Uint32Array | undefined;
  readonly derivation?: DerivedColumns;
  /** The derived columns. An invalid formula adds no column. */
  readonly derived: readonly DerivedColumn[];
  /** Why other columns could not be derived, by name. */
  readonly formulaErrors: ReadonlyMap<string, FormulaError>;
  /** The rows that stand for intervals without data, if these were added. */
  readonly missing?: FrameWithMissingRows;
  readonly resampling?: Resampling;
  readonly events?: EventSearch;
  readonly scorecard?: Scorecard;
  /** Why stages were skipped, each as one English sentence. */
  readonly problems: readonly string[];
}

/** Applies the stages of an analysis. Skips a stage that does not apply to the rows, such as resampling days to days. */
export function analyze(rows: ResultRows, analysis: Analysis, context: AnalysisContext): AnalysisResult {
  return new Analyzer(context).analyze(rows, analysis);
}

/** The rows of a result with derived columns, the derivation, and why other columns could not be derived, by name. */
export interface DerivedRows {
  readonly rowsWithDerived: ResultRows;
  readonly errors: ReadonlyMap<string, FormulaError>;
  readonly derivation?: DerivedColumns;
}

/** Rows that replace the received ones, and the settings that produced them. */
type ReplacementRows = Pick<AnalysisResult, 'frame' | 'resampling' | 'events' | 'scorecard'>;

/**
 * Analyzes results one at a time. Caches the recent results of each stage, because most analyses share their first stages with a
 * previous one.
 */
export class Analyzer {
  readonly #context: AnalysisContext;
  readonly #ranks: TextRanks;
  readonly #derivedCache = new RecentCache<DerivedRows>();
  readonly #columnCache = new RecentCache<DerivedFrame>();
  readonly #replacementCache = new RecentCache<ReplacementRows | undefined>();
  readonly #missingCache = new RecentCache<FrameWithMissingRows>();
  readonly #summaryCache = new RecentCache<Frame>();
  readonly #filterCache = new RecentCache<Uint32Array | undefined>();
  readonly #orderCache = new RecentCache<Uint32Array>();

  constructor(context: AnalysisContext) {
    this.#context = context;
    this.#ranks = new TextRanks(context.locale);
  }

  /** Analyzes like the function `analyze`. The same rows and settings return the same frames and orders. */
  analyze(rows: ResultRows, analysis: Analysis): AnalysisResult {
    const { derive, where = {}, within, summarize, sort = [] } = analysis;
    const { rowsWithDerived, errors, derivation } = this.derive(rows, derive);
    const { frame } = rowsWithDerived;
    const replacementProblems = listReplacementProblems(rowsWithDerived, analysis);
    const getRowsWithHistory = (): Frame => prependHistory(rows, derivation);
    const replacement =
      replacementProblems.length > 0 ? undefined : this.#getReplacement(rowsWithDerived, analysis, getRowsWithHistory);
    // Replacement rows are created from filtered rows, so the filters are not applied again.
    const filters = { ...(replacement ? {} : { where }), ...(within && { within }) };
    const missing = replacement || summarize || !analysis.missing ? undefined : this.#addMissingRows(rowsWithDerived);
    const visibleFrame = replacement?.frame ?? missing?.frame ?? frame;
    const summary =
      summarize && this.#getSummary(rowsWithDerived, visibleFrame, filters, summarize, replacement !== undefined);
    return {
      rowsWithDerived,
      ...(derivation && { derivation }),
      ...replacement,
      ...(missing && { missing }),
      frame: summary ?? visibleFrame,
      order: summary
        ? this.#getOrder(rowsWithDerived, summary, { sort })
        : this.#getOrder(rowsWithDerived, visibleFrame, { ...filters, sort }),
      formulaErrors: errors,
      derived: frame.columns.slice(rows.frame.columns.length).map(({ name, field: { meaning = '', source } = {} }) => ({
        name,
        formula: meaning,
        ...(source !== undefined && { source }),
      })),
      problems: [
        ...Array.from(errors, ([name, { message }]) => `Column '${name}': ${message}`),
        ...listFilterProblems(rowsWithDerived, where, this.#context),
        ...replacementProblems,
        ...describeUnknownColumns(summary ?? replacement?.frame ?? frame, listNamedColumns(analysis)),
      ],
    };
  }

  /** Derives columns, the first stage. The same rows and columns return the same result. */
  derive(rows: ResultRows, columns: readonly DerivedColumn[] = []): DerivedRows {
    if (columns.length === 0) return { rowsWithDerived: rows, errors: new Map() };
    return this.#derivedCache.getOrCreate(rows, JSON.stringify(columns), () => {
      const derivation = createDerivation(rows, columns);
      const { frame, errors } = this.#columnCache.getOrCreate(rows.frame, JSON.stringify(derivation), () =>
        deriveColumns(rows.frame, derivation),
      );
      return { rowsWithDerived: { ...rows, frame }, errors, derivation };
    });
  }

  #getReplacement(rows: ResultRows, analysis: Analysis, getRowsWithHistory: () => Frame): ReplacementRows | undefined {
    const { where, resample, figures, find, score } = analysis;
    const { frame, zone, interval, tariffs, history } = rows;
    const stages = { where, resample, figures, find, score };
    const key = JSON.stringify([stages, getIntervalSpan(rows), zone, interval, tariffs, history?.rowCount]);
    return this.#replacementCache.getOrCreate(frame, key, () =>
      createReplacementRows(rows, analysis, this.#context, getRowsWithHistory),
    );
  }

  #addMissingRows({ frame, coverage, start, intervalMs }: ResultRows): FrameWithMissingRows | undefined {
    if (!coverage || (intervalMs === undefined && !coverage.edges)) return undefined;
    return this.#missingCache.getOrCreate(frame, '', () => addMissingRows(frame, coverage, start, intervalMs ?? NaN));
  }

  #getSummary(
    rows: ResultRows,
    frame: Frame,
    filters: Pick<Analysis, 'where' | 'within'>,
    figures: readonly SummaryFigure[],
    isReplaced: boolean,
  ): Frame {
    const countedRows = this.#getOrder(rows, frame, filters);
    const intervalMs = isReplaced ? undefined : rows.intervalMs;
    const createSummary = (): Frame =>
      summaryFrame({ frame, rows: countedRows, intervalMs }, figures, this.#context.translate);
    return this.#summaryCache.getOrCreate(countedRows ?? frame, JSON.stringify([figures, intervalMs]), createSummary);
  }

  #getOrder(
    { zone: { timeZone }, tariffs }: ResultRows,
    frame: Frame,
    { where = {}, within, sort = [] }: Pick<Analysis, 'where' | 'within' | 'sort'>,
  ): Uint32Array | undefined {
    const { locale } = this.#context;
    const key = JSON.stringify([where, within, timeZone, tariffs]);
    const rows = this.#filterCache.getOrCreate(frame, key, () => {
      const { tests } = parseFilters(frame, where, { timeZone, locale, tariffs });
      return filterRows(frame, tests, within);
    });
    const keys = sort.filter(({ column }) => frame.columns.some(({ name }) => name === column));
    if (keys.length === 0) return rows;
    return this.#orderCache.getOrCreate(rows ?? frame, JSON.stringify(keys), () =>
      sortRows(frame, keys, rows, this.#ranks),
    );
  }
}

/** Returns the rows as a separate frame, with the requested columns and number of rows. */
export function createAnalyzedFrame({ frame, order }: AnalysisResult, { columns, limit = Infinity }: Analysis): Frame {
  const selectedColumns =
    columns?.flatMap(name => frame.columns.find(column => column.name === name) ?? []) ?? frame.columns;
  const selected = { rowCount: frame.rowCount, columns: selectedColumns };
  if (!order && limit >= frame.rowCount) return selected;
  const rows = order ?? Uint32Array.from({ length: Math.min(limit, frame.rowCount) }, (_, row) => row);
  return takeRows(selected, rows.subarray(0, limit));
}

/** Lists the problems of invalid filters, and of filters of unknown columns. */
function listFilterProblems(
  { frame, zone: { timeZone }, tariffs }: ResultRows,
  where: NonNullable<Analysis['where']>,
  { locale }: AnalysisContext,
): string[] {
  const { problems } = parseFilters(frame, where, { timeZone, locale, tariffs });
  const invalidFilters = [...problems].map(([name, { problem, part, example = '' }]) => {
    const parts = [part, String(maxAlternatives), example];
    return `Filter of '${name}': ${formatEnglish(filterProblems[problem], ...parts)}`;
  });
  return [...invalidFilters, ...describeUnknownColumns(frame, Object.keys(where))];
}

/** Lists the reasons why the rows cannot be replaced as requested. */
function listReplacementProblems(rows: ResultRows, { resample, find, score }: Analysis): string[] {
  const { frame } = rows;
  const { intervalMs } = getIntervalSpan(rows) ?? {};
  const time = findTimeColumn(frame);
  const allowedBins = resample ? listResamplingChoices(rows) : [];
  if (resample && !allowedBins.includes(resample))
    return [`These rows cannot be resampled by ${resample}. Use ${allowedBins.join(', ') || 'rows with a time'}.`];
  if ((find || score) && (intervalMs === undefined || time?.bins))
    return ['Events and scores need rows as received, with times at even distances.'];
  const namedColumns = [...(find ? [find.column] : []), ...(score ? [score.actual, score.forecast] : [])];
  const unknown = describeUnknownColumns(frame, namedColumns);
  if (unknown.length > 0) return unknown;
  const nonNumericName = namedColumns.find(name => !findNumberColumn(frame, name));
  if (nonNumericName !== undefined) return [`Column '${nonNumericName}' has no numbers.`];
  const condition = find?.rule.kind === 'condition' ? find.rule.condition : undefined;
  const parsedCondition =
    condition === undefined ? undefined : parseCondition(condition, frame.columns, getWindowRowMs(frame, intervalMs));
  if (parsedCondition instanceof FormulaError) return [`Condition '${condition}': ${parsedCondition.message}`];
  if (find && intervalMs !== undefined && !canFindEvents(find.rule.kind, intervalMs, time))
    return [
      time?.lengths
        ? 'Peaks, ramps and unusual rows need rows of one length.'
        : find.rule.kind === 'unusual'
          ? 'Unusual rows need rows of a day or shorter.'
          : 'Peaks and ramps need rows of an hour, or of a whole part of one.',
    ];
  if (find?.rule.kind === 'unusual' && isComparedPeriodColumn({ name: find.column }))
    return ['Unusual rows can only be found in columns of the base period, not of a compared period.'];
  if (score && intervalMs !== undefined && isCycle(score.by) && !listCycles(intervalMs).includes(score.by))
    return [`These rows cannot be scored by ${score.by}. Use ${['all', ...listCycles(intervalMs)].join(', ')}.`];
  if (score && !hasSameUnit(frame, score)) return ['A forecast and what it forecasts are two columns of one unit.'];
  return [];
}

function hasSameUnit(frame: Frame, { actual, forecast }: ForecastScore): boolean {
  const column = findNumberColumn(frame, actual);
  const matchingColumns = (column && columnsWithSameUnit(frame).get(column)) ?? [];
  return actual !== forecast && matchingColumns.some(({ name }) => name === forecast);
}

/** Lists the columns by which an analysis sorts and which it returns. They are columns of the replacement rows, if there are any. */
function listNamedColumns({ sort = [], columns = [] }: Analysis): string[] {
  return [...sort.map(({ column }) => column), ...columns];
}

function describeUnknownColumns({ columns }: Frame, names: readonly string[]): string[] {
  const unknown = [...new Set(names)].filter(name => !columns.some(column => column.name === name));
  const availableNames = columns.slice(0, 30).map(({ name }) => name);
  return unknown.map(name => `Unknown column '${name}'. There are ${availableNames.join(', ')}.`);
}

/** Creates the rows that replace the received ones. Returns undefined if nothing replaces them. */
function createReplacementRows(
  rows: ResultRows,
  { where = {}, resample, figures, find, score }: Analysis,
  context: AnalysisContext,
  getRowsWithHistory: () => Frame,
): ReplacementRows | undefined {
  const resampling = resample && planResampling(rows, resample, where, context, figures);
  if (resampling) return { frame: resampleFrame(rows.frame, resampling), resampling };
  if (find?.rule.kind === 'unusual')
    return createUnusualRows(rows, getRowsWithHistory(), { rule: find.rule, column: find.column }, where, context);
  const column = find && rows.frame.columns.find(({ name }) => name === find.column);
  const searchSpan = column && getIntervalSpanOfColumn(rows, column);
  if (find && searchSpan) {
    const { rule } = find;
    const events = { ...planEventSearch(rows, searchSpan, find, where, context), rule };
    return { frame: createEventFrame(rows.frame, events), events };
  }
  const scoreSpan = score && getIntervalSpan(rows);
  if (score && scoreSpan) {
    const scorecard = planScoring(rows, scoreSpan, score, where, context);
    return { frame: createScorecard(rows.frame, scorecard), scorecard };
  }
  return undefined;
}

/** Lists the bins by which rows can be resampled: those that are longer than the rows. Returns none for rows without instants. */
export function listResamplingChoices(rows: ResultRows): readonly (BinSize | Cycle)[] {
  const { intervalMs } = getIntervalSpan(rows) ?? {};
  if (intervalMs === undefined) return [];
  return [...binSizes.filter(size => binLengthsMs[size] > intervalMs), ...listCycles(intervalMs)];
}

/**
 * Plans how to resample rows. Returns undefined if they cannot be resampled in this way. The filters are applied first: an excluded
 * interval is not counted in its bin, neither as present nor as missing.
 */
export function planResampling(
  rows: ResultRows,
  by: BinSize | Cycle,
  where: NonNullable<Analysis['where']>,
  { locale, translate }: AnalysisContext,
  figures?: ResampledFigures,
): Resampling | undefined {
  const span = getIntervalSpan(rows);
  if (!span || !listResamplingChoices(rows).includes(by)) return undefined;
  const range = { by, ...getZoneOfBins(by, rows), ...span };
  const names = isCycle(by) ? getCycleNames(by, locale, translate) : [];
  const countedRows = selectCountedRows(where, rows, getResampledIntervals(range), locale);
  return { ...range, ...countedRows, names, ...(figures && { figures }) };
}

/** Plans the search for events. `span`: the intervals of the searched column. */
function planEventSearch(
  rows: ResultRows,
  span: ElapsedRange,
  { column: name }: EventFinder,
  where: NonNullable<Analysis['where']>,
  { locale }: Pick<AnalysisContext, 'locale'>,
): Omit<EventSearch, 'rule'> {
  const search = { column: name, ...span, ...(rows.tariffs && { tariffs: rows.tariffs }) };
  // The intervals of a compared period are not counted. If one has no row, it is unknown whether it passes the filters.
  const { rows: passingRows, ...countedIntervals } = selectCountedRows(where, rows, getRowIntervals(search), locale);
  return {
    ...search,
    ...(passingRows && { rows: passingRows }),
    ...(isComparedPeriodColumn({ name }) ? {} : countedIntervals),
  };
}

/** Returns the rows of the history followed by the rows of the result, with the derived columns. */
function prependHistory({ history, frame }: ResultRows, derivation: DerivedColumns | undefined): Frame {
  const merged = mergeByTime(history ?? { rowCount: 0, columns: [] }, frame);
  return derivation ? deriveColumns(merged, derivation).frame : merged;
}

/**
 * Finds unusual rows. `rowsWithHistory` has the rows and earlier ones. They are filtered and resampled together, because the history
 * may have the first hours of the first day.
 */
function createUnusualRows(
  rows: ResultRows,
  rowsWithHistory: Frame,
  { rule, column: name }: { readonly rule: UnusualRule; readonly column: string },
  where: NonNullable<Analysis['where']>,
  context: AnalysisContext,
): ReplacementRows | undefined {
  const span = getIntervalSpan(rows);
  const [earliest] = getInstants(rowsWithHistory);
  if (!span || earliest === undefined) return undefined;
  const { by } = rule;
  const rowsAndHistory = {
    ...rows,
    frame: rowsWithHistory,
    coverage: undefined,
    start: Math.min(earliest, rows.start),
  };
  const resampling = by === 'row' ? undefined : planResampling(rowsAndHistory, by, where, context);
  // Rows that do not pass the filters are still used for the comparison. Resampled rows are computed only from hours that pass.
  const passingRows = resampling ? undefined : filterPassingRows(where, rowsAndHistory, context.locale);
  const passes = passingRows && createFlags(passingRows, rowsWithHistory.rowCount);
  const frame = resampling ? resampleFrame(rowsWithHistory, resampling) : rowsWithHistory;
  const time = findTimeColumn(frame);
  const column = findNumberColumn(frame, name);
  if (!time || !column) return undefined;
  const { timeZone } = time.bins ?? getZoneOfRows(rows.interval, rows.zone);
  const search = { frame, time, column, by, judged: span, passes, timeZone, intervalMs: span.intervalMs };
  const unusualResult = findUnusual(search, context.locale, context.translate);
  const passingRowIndexes = filterPassingRows(where, rows, context.locale);
  const unusual = { unrated: unusualResult.unrated, earliest };
  return {
    frame: unusualResult.frame,
    events: { rule, column: name, ...span, ...(passingRowIndexes && { rows: passingRowIndexes }), unusual },
  };
}

function createFlags(rows: Uint32Array, count: number): Uint8Array {
  const flags = new Uint8Array(count);
  for (const row of rows) flags[row] = 1;
  return flags;
}

/** Plans how to score a forecast. `span`: the intervals of the rows. */
function planScoring(
  rows: ResultRows,
  span: ElapsedRange,
  { actual, forecast, by }: ForecastScore,
  where: NonNullable<Analysis['where']>,
  { locale, translate }: AnalysisContext,
): Scorecard {
  const names = [...(isCycle(by) ? getCycleNames(by, locale, translate) : []), translate(allHoursName)];
  const scorecard = { actual, forecast, by, ...getZoneOfBins(by, rows), ...span, names, locale };
  return { ...scorecard, ...selectCountedRows(where, rows, getRowIntervals(scorecard), locale) };
}
