import type { Analysis, EventFinder, ForecastScore } from '../../shared/analysis.ts';
import type { Derivation, DerivedColumn } from '../../shared/derivedColumns.ts';
import type { EventSearch, UnusualRule } from '../../shared/eventSearch.ts';
import type { Frame } from '../../shared/frame.ts';
import {
  binSizes,
  cyclesOf,
  isCycle,
  type BinSize,
  type Cycle,
  type ResampledFigures,
  type Resampling,
  type StepSpan,
} from '../../shared/resampling.ts';
import type { Scorecard } from '../../shared/scorecard.ts';
import { inEnglish, type Say } from '../bins/binSums.ts';
import { allHours, cycleNames } from '../bins/cycleNames.ts';
import { resampledSteps, resampleFrame } from '../bins/resample.ts';
import { rowSteps } from '../bins/rowSteps.ts';
import { zoneOfRows } from '../bins/dayInterval.ts';
import { isOfComparedPeriod } from '../compare/compare.ts';
import { eventTable, fitsSteps } from '../events/eventFrame.ts';
import { findUnusual } from '../events/unusual.ts';
import { filterRows } from '../filter/filterRows.ts';
import { filterProblems, mostAlternatives } from '../filter/filterTypes.ts';
import { parseFilters } from '../filter/parseFilter.ts';
import { scorecardFrame } from '../forecast/scorecard.ts';
import { FormulaError } from '../formula/formula.ts';
import { parseCondition } from '../formula/parseFormula.ts';
import { derivationOf, deriveColumns, windowRowMs, type WithDerived } from '../formula/deriveColumns.ts';
import { columnsWithSameUnit, numberColumn } from '../frame/chartColumns.ts';
import { takeRows, timeColumnOf } from '../frame/clip.ts';
import { instantsOf, mergeByTime, withMissingRows, type WithMissingRows } from '../frame/frames.ts';
import { sortRows, TextRanks } from '../sort/sortRows.ts';
import { summaryFrame } from '../statistics/summaryFrame.ts';
import type { SummaryFigure } from '../../shared/summaryFigures.ts';
import { binLengths, countRows, passingRows, stepSpanOf, stepSpanOfColumn, zoneOfBins } from './rowIntervals.ts';
import { Recent } from './recent.ts';
import type { ResultRows } from './resultRows.ts';

/** How to parse and format the texts of an analysis. */
export interface AnalysisContext {
  readonly locale: string;
  /** Translates the names of bins, and fills in {0}, {1}, …. */
  readonly say: Say;
}

/** The rows that an analysis returns for those of a result, and how its stages were applied. */
export interface Analysed {
  /** The received rows with the derived columns. */
  readonly whole: ResultRows;
  readonly frame: Frame;
  /** The rows of the frame in display order; undefined for all rows as they are. */
  readonly order: Uint32Array | undefined;
  readonly derivation?: Derivation;
  /** The columns that were derived. Invalid formulas add none. */
  readonly derived: readonly DerivedColumn[];
  /** Why other columns could not be derived, by name. */
  readonly formulaErrors: ReadonlyMap<string, FormulaError>;
  /** Which rows stand for intervals without data, if these were added. */
  readonly missing?: WithMissingRows;
  readonly resampling?: Resampling;
  readonly events?: EventSearch;
  readonly scorecard?: Scorecard;
  /** Why stages were skipped, each as one English sentence. */
  readonly problems: readonly string[];
}

/** Applies the stages of an analysis. Skips a stage that does not apply to the rows, such as resampling days to days. */
export function analyse(rows: ResultRows, analysis: Analysis, context: AnalysisContext): Analysed {
  return new Analyser(context).analyse(rows, analysis);
}

/** The rows of a result with derived columns, the derivation, and why other columns could not be derived, by name. */
export interface Derived {
  readonly whole: ResultRows;
  readonly errors: ReadonlyMap<string, FormulaError>;
  readonly derivation?: Derivation;
}

/** Rows that replace the received ones, and the settings that produced them. */
type Replaced = Pick<Analysed, 'frame' | 'resampling' | 'events' | 'scorecard'>;

/**
 * Analyses results one at a time. Caches the recent results of each stage, because most analyses share their first stages with a
 * previous one.
 */
export class Analyser {
  readonly #context: AnalysisContext;
  readonly #ranks: TextRanks;
  readonly #derived = new Recent<Derived>();
  readonly #columns = new Recent<WithDerived>();
  readonly #replaced = new Recent<Replaced | undefined>();
  readonly #missing = new Recent<WithMissingRows>();
  readonly #summaries = new Recent<Frame>();
  readonly #filtered = new Recent<Uint32Array | undefined>();
  readonly #ordered = new Recent<Uint32Array>();

  constructor(context: AnalysisContext) {
    this.#context = context;
    this.#ranks = new TextRanks(context.locale);
  }

  /** Analyses like the function `analyse`. The same rows and settings return the same frames and orders. */
  analyse(rows: ResultRows, analysis: Analysis): Analysed {
    const { derive, where = {}, within, summarise, sort = [] } = analysis;
    const { whole, errors, derivation } = this.derive(rows, derive);
    const { frame } = whole;
    const replacing = replacementProblems(whole, analysis);
    const withHistory = (): Frame => historyAndRows(rows, derivation);
    const replaced = replacing.length > 0 ? undefined : this.#replace(whole, analysis, withHistory);
    // Filters were already applied to the rows that replacement rows were calculated from.
    const filters = { ...(replaced ? {} : { where }), ...(within && { within }) };
    const missing = replaced || summarise || !analysis.missing ? undefined : this.#withMissing(whole);
    const shown = replaced?.frame ?? missing?.frame ?? frame;
    const summary = summarise && this.#summarise(whole, shown, filters, summarise, replaced !== undefined);
    return {
      whole,
      ...(derivation && { derivation }),
      ...replaced,
      ...(missing && { missing }),
      frame: summary ?? shown,
      order: summary ? this.#order(whole, summary, { sort }) : this.#order(whole, shown, { ...filters, sort }),
      formulaErrors: errors,
      derived: frame.columns
        .slice(rows.frame.columns.length)
        .map(({ name, field }) => ({ name, formula: field?.meaning ?? '' })),
      problems: [
        ...Array.from(errors, ([name, { message }]) => `Column '${name}': ${message}`),
        ...filterProblemsOf(whole, where, this.#context),
        ...replacing,
        ...unknownColumns(summary ?? replaced?.frame ?? frame, columnsOf(analysis)),
      ],
    };
  }

  /** Derives columns, the first stage. The same rows and columns return the same result. */
  derive(rows: ResultRows, columns: readonly DerivedColumn[] = []): Derived {
    if (columns.length === 0) return { whole: rows, errors: new Map() };
    return this.#derived.of(rows, JSON.stringify(columns), () => {
      const derivation = derivationOf(rows, columns);
      const { frame, errors } = this.#columns.of(rows.frame, JSON.stringify(derivation), () =>
        deriveColumns(rows.frame, derivation),
      );
      return { whole: { ...rows, frame }, errors, derivation };
    });
  }

  #replace(rows: ResultRows, analysis: Analysis, withHistory: () => Frame): Replaced | undefined {
    const { where, resample, figures, find, score } = analysis;
    const { frame, zone, interval, tariffs, history } = rows;
    const steps = { where, resample, figures, find, score };
    const key = JSON.stringify([steps, stepSpanOf(rows), zone, interval, tariffs, history?.rowCount]);
    return this.#replaced.of(frame, key, () => replacementRows(rows, analysis, this.#context, withHistory));
  }

  #withMissing({ frame, coverage, start, step }: ResultRows): WithMissingRows | undefined {
    if (!coverage || (step === undefined && !coverage.edges)) return undefined;
    return this.#missing.of(frame, '', () => withMissingRows(frame, coverage, start, step ?? NaN));
  }

  #summarise(
    rows: ResultRows,
    frame: Frame,
    steps: Pick<Analysis, 'where' | 'within'>,
    figures: readonly SummaryFigure[],
    isReplaced: boolean,
  ): Frame {
    const counted = this.#order(rows, frame, steps);
    const step = isReplaced ? undefined : rows.step;
    const make = (): Frame => summaryFrame({ frame, rows: counted, step }, figures, this.#context.say);
    return this.#summaries.of(counted ?? frame, JSON.stringify([figures, step]), make);
  }

  #order(
    { zone: { timeZone }, tariffs }: ResultRows,
    frame: Frame,
    { where = {}, within, sort = [] }: Pick<Analysis, 'where' | 'within' | 'sort'>,
  ): Uint32Array | undefined {
    const { locale } = this.#context;
    const key = JSON.stringify([where, within, timeZone, tariffs]);
    const rows = this.#filtered.of(frame, key, () => {
      const { tests } = parseFilters(frame, where, { timeZone, locale, tariffs });
      return filterRows(frame, tests, within);
    });
    const keys = sort.filter(({ column }) => frame.columns.some(({ name }) => name === column));
    if (keys.length === 0) return rows;
    return this.#ordered.of(rows ?? frame, JSON.stringify(keys), () => sortRows(frame, keys, rows, this.#ranks));
  }
}

/** Returns the rows as a separate frame, with the requested columns and number of rows. */
export function analysedFrame({ frame, order }: Analysed, { columns, limit = Infinity }: Analysis): Frame {
  const named = columns?.flatMap(name => frame.columns.find(column => column.name === name) ?? []) ?? frame.columns;
  const picked = { rowCount: frame.rowCount, columns: named };
  if (!order && limit >= frame.rowCount) return picked;
  const rows = order ?? Uint32Array.from({ length: Math.min(limit, frame.rowCount) }, (_, row) => row);
  return takeRows(picked, rows.subarray(0, limit));
}

/** Describes invalid filters, and those of unknown columns. */
function filterProblemsOf(
  { frame, zone: { timeZone }, tariffs }: ResultRows,
  where: NonNullable<Analysis['where']>,
  { locale }: AnalysisContext,
): string[] {
  const { problems } = parseFilters(frame, where, { timeZone, locale, tariffs });
  const unread = [...problems].map(([name, { problem, part, example = '' }]) => {
    const parts = [part, String(mostAlternatives), example];
    return `Filter of '${name}': ${inEnglish(filterProblems[problem], ...parts)}`;
  });
  return [...unread, ...unknownColumns(frame, Object.keys(where))];
}

/** Describes why the rows cannot be replaced as requested. */
function replacementProblems(rows: ResultRows, { resample, find, score }: Analysis): string[] {
  const { frame } = rows;
  const { stepMs } = stepSpanOf(rows) ?? {};
  const time = timeColumnOf(frame);
  const choices = resample ? resamplingChoices(rows) : [];
  if (resample && !choices.includes(resample))
    return [`These rows cannot be resampled by ${resample}. Use ${choices.join(', ') || 'rows with a time'}.`];
  if ((find || score) && (stepMs === undefined || time?.bins))
    return ['Events and scores need rows as received, with times at even distances.'];
  const named = [...(find ? [find.column] : []), ...(score ? [score.actual, score.forecast] : [])];
  const unknown = unknownColumns(frame, named);
  if (unknown.length > 0) return unknown;
  const withoutNumbers = named.find(name => !numberColumn(frame, name));
  if (withoutNumbers !== undefined) return [`Column '${withoutNumbers}' has no numbers.`];
  const condition = find?.rule.kind === 'condition' ? find.rule.condition : undefined;
  const read =
    condition === undefined ? undefined : parseCondition(condition, frame.columns, windowRowMs(frame, stepMs));
  if (read instanceof FormulaError) return [`Condition '${condition}': ${read.message}`];
  if (find && stepMs !== undefined && !fitsSteps(find.rule.kind, stepMs, time))
    return [
      time?.lengths
        ? 'Peaks, ramps and unusual rows need rows of one length.'
        : find.rule.kind === 'unusual'
          ? 'Unusual rows need rows of a day or shorter.'
          : 'Peaks and ramps need rows of an hour, or of a whole part of one.',
    ];
  if (find?.rule.kind === 'unusual' && isOfComparedPeriod({ name: find.column }))
    return ['Unusual rows are looked for in the columns of the period itself.'];
  if (score && stepMs !== undefined && isCycle(score.by) && !cyclesOf(stepMs).includes(score.by))
    return [`These rows cannot be scored by ${score.by}. Use ${['all', ...cyclesOf(stepMs)].join(', ')}.`];
  if (score && !haveSameUnit(frame, score)) return ['A forecast and what it forecasts are two columns of one unit.'];
  return [];
}

function haveSameUnit(frame: Frame, { actual, forecast }: ForecastScore): boolean {
  const column = numberColumn(frame, actual);
  const same = (column && columnsWithSameUnit(frame).get(column)) ?? [];
  return actual !== forecast && same.some(({ name }) => name === forecast);
}

/** Lists the columns that an analysis names after rows are replaced. */
function columnsOf({ sort = [], columns = [] }: Analysis): string[] {
  return [...sort.map(({ column }) => column), ...columns];
}

function unknownColumns({ columns }: Frame, names: readonly string[]): string[] {
  const unknown = [...new Set(names)].filter(name => !columns.some(column => column.name === name));
  const some = columns.slice(0, 30).map(({ name }) => name);
  return unknown.map(name => `Unknown column '${name}'. There are ${some.join(', ')}.`);
}

/** Creates the rows that replace the received ones; undefined if these stay. */
function replacementRows(
  rows: ResultRows,
  { where = {}, resample, figures, find, score }: Analysis,
  context: AnalysisContext,
  withHistory: () => Frame,
): Replaced | undefined {
  const resampling = resample && planResampling(rows, resample, where, context, figures);
  if (resampling) return { frame: resampleFrame(rows.frame, resampling), resampling };
  if (find?.rule.kind === 'unusual')
    return unusualRows(rows, withHistory(), { rule: find.rule, column: find.column }, where, context);
  const column = find && rows.frame.columns.find(({ name }) => name === find.column);
  const searched = column && stepSpanOfColumn(rows, column);
  if (find && searched) {
    const { rule } = find;
    const events = { ...planEventSearch(rows, searched, find, where, context), rule };
    return { frame: eventTable(rows.frame, events), events };
  }
  const scored = score && stepSpanOf(rows);
  if (score && scored) {
    const scorecard = planScoring(rows, scored, score, where, context);
    return { frame: scorecardFrame(rows.frame, scorecard), scorecard };
  }
  return undefined;
}

/** Lists the bins by which rows can be resampled, which must be longer than the rows. Empty without instants. */
export function resamplingChoices(rows: ResultRows): readonly (BinSize | Cycle)[] {
  const { stepMs } = stepSpanOf(rows) ?? {};
  if (stepMs === undefined) return [];
  return [...binSizes.filter(size => binLengths[size] > stepMs), ...cyclesOf(stepMs)];
}

/**
 * Plans how to resample rows; undefined if that is not possible. Filters come first: excluded intervals count for no bin, neither as
 * hours with data nor as hours without.
 */
export function planResampling(
  rows: ResultRows,
  by: BinSize | Cycle,
  where: NonNullable<Analysis['where']>,
  { locale, say }: AnalysisContext,
  figures?: ResampledFigures,
): Resampling | undefined {
  const span = stepSpanOf(rows);
  if (!span || !resamplingChoices(rows).includes(by)) return undefined;
  const range = { by, ...zoneOfBins(by, rows), ...span };
  const names = isCycle(by) ? cycleNames(by, locale, say) : [];
  const counted = countRows(where, rows, resampledSteps(range), locale);
  return { ...range, ...counted, names, ...(figures && { figures }) };
}

/** Plans the search for events. `span`: the intervals of the searched column. */
function planEventSearch(
  rows: ResultRows,
  span: StepSpan,
  { column: name }: EventFinder,
  where: NonNullable<Analysis['where']>,
  { locale }: Pick<AnalysisContext, 'locale'>,
): Omit<EventSearch, 'rule'> {
  const search = { column: name, ...span };
  // It is unknown whether the filters would accept an hour of the compared period that has no row.
  const { rows: passing, ...ofSteps } = countRows(where, rows, rowSteps(search), locale);
  return { ...search, ...(passing && { rows: passing }), ...(isOfComparedPeriod({ name }) ? {} : ofSteps) };
}

/** Returns the rows preceded by those of the history, with the derived columns. */
function historyAndRows({ history, frame }: ResultRows, derivation: Derivation | undefined): Frame {
  const all = mergeByTime(history ?? { rowCount: 0, columns: [] }, frame);
  return derivation ? deriveColumns(all, derivation).frame : all;
}

/**
 * Finds unusual rows. `withHistory`: the rows with earlier ones, which are filtered and resampled together, because the first day of the
 * range may have its first hours in the history.
 */
function unusualRows(
  rows: ResultRows,
  withHistory: Frame,
  { rule, column: name }: { readonly rule: UnusualRule; readonly column: string },
  where: NonNullable<Analysis['where']>,
  context: AnalysisContext,
): Replaced | undefined {
  const span = stepSpanOf(rows);
  const [earliest] = instantsOf(withHistory);
  if (!span || earliest === undefined) return undefined;
  const { by } = rule;
  const all = { ...rows, frame: withHistory, coverage: undefined, start: Math.min(earliest, rows.start) };
  const resampling = by === 'row' ? undefined : planResampling(all, by, where, context);
  // Filtered-out rows still serve as comparison; for longer rows, filters decide which hours count.
  const passing = resampling ? undefined : passingRows(where, all, context.locale);
  const passes = passing && flagged(passing, withHistory.rowCount);
  const frame = resampling ? resampleFrame(withHistory, resampling) : withHistory;
  const [time, column] = [timeColumnOf(frame), numberColumn(frame, name)];
  if (!time || !column) return undefined;
  const { timeZone } = time.bins ?? zoneOfRows(rows.interval, rows.zone);
  const search = { frame, time, column, by, judged: span, passes, timeZone, stepMs: span.stepMs };
  const found = findUnusual(search, context.locale, context.say);
  const counted = passingRows(where, rows, context.locale);
  const unusual = { unjudged: found.unjudged, earliest };
  return { frame: found.frame, events: { rule, column: name, ...span, ...(counted && { rows: counted }), unusual } };
}

function flagged(rows: Uint32Array, count: number): Uint8Array {
  const flags = new Uint8Array(count);
  for (const row of rows) flags[row] = 1;
  return flags;
}

/** Plans how to score a forecast. `span`: the intervals of the rows. */
function planScoring(
  rows: ResultRows,
  span: StepSpan,
  { actual, forecast, by }: ForecastScore,
  where: NonNullable<Analysis['where']>,
  { locale, say }: AnalysisContext,
): Scorecard {
  const names = [...(isCycle(by) ? cycleNames(by, locale, say) : []), say(allHours)];
  const scorecard = { actual, forecast, by, ...zoneOfBins(by, rows), ...span, names, locale };
  return { ...scorecard, ...countRows(where, rows, rowSteps(scorecard), locale) };
}
