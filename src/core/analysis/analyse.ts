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

/** What texts of an analysis are read and written by. */
export interface AnalysisContext {
  readonly locale: string;
  /** Translates the names of bins, and fills in {0} and so on. */
  readonly say: Say;
}

/** The rows that an analysis makes of those of a result, and how each step was taken. */
export interface Analysed {
  /** The rows as received, with the derived columns. */
  readonly whole: ResultRows;
  readonly frame: Frame;
  /** Rows of the frame in their order; undefined for all as they are. */
  readonly order: Uint32Array | undefined;
  readonly derivation?: Derivation;
  /** The columns that were derived: formulas that cannot be read make none. */
  readonly derived: readonly DerivedColumn[];
  /** Why other columns could not be derived, by name. */
  readonly formulaErrors: ReadonlyMap<string, FormulaError>;
  /** What the rows of the frame stand for where there is one for each interval without data. */
  readonly missing?: WithMissingRows;
  readonly resampling?: Resampling;
  readonly events?: EventSearch;
  readonly scorecard?: Scorecard;
  /** Why steps were left out, each as one English sentence. */
  readonly problems: readonly string[];
}

/** Takes the steps of an analysis, each. One that the rows cannot have, such as days of days, is left out. */
export function analyse(rows: ResultRows, analysis: Analysis, context: AnalysisContext): Analysed {
  return new Analyser(context).analyse(rows, analysis);
}

/** The rows of a result with derived columns, how these are made, and why others could not be, by name. */
export interface Derived {
  readonly whole: ResultRows;
  readonly errors: ReadonlyMap<string, FormulaError>;
  readonly derivation?: Derivation;
}

/** Rows in place of those received, and what made them. */
type Replaced = Pick<Analysed, 'frame' | 'resampling' | 'events' | 'scorecard'>;

/** Analyses one result after the other, and keeps what the last steps made: most analyses share their first steps with one before. */
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

  /** As `analyse`. The same rows and steps make the same frames and orders. */
  analyse(rows: ResultRows, analysis: Analysis): Analysed {
    const { derive, where = {}, within, summarise, sort = [] } = analysis;
    const { whole, errors, derivation } = this.derive(rows, derive);
    const { frame } = whole;
    const replacing = replacementProblems(whole, analysis);
    const withHistory = (): Frame => historyAndRows(rows, derivation);
    const replaced = replacing.length > 0 ? undefined : this.#replace(whole, analysis, withHistory);
    // Filters of rows that were replaced have done their work before.
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

  /** The first step: columns are added. The same rows and columns make the same. */
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

/** The rows as a frame of their own, with the columns and the number of rows that the analysis asks for. */
export function analysedFrame({ frame, order }: Analysed, { columns, limit = Infinity }: Analysis): Frame {
  const named = columns?.flatMap(name => frame.columns.find(column => column.name === name) ?? []) ?? frame.columns;
  const picked = { rowCount: frame.rowCount, columns: named };
  if (!order && limit >= frame.rowCount) return picked;
  const rows = order ?? Uint32Array.from({ length: Math.min(limit, frame.rowCount) }, (_, row) => row);
  return takeRows(picked, rows.subarray(0, limit));
}

/** Filters that cannot be read, and those of columns that are not there. */
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

/** Why other rows cannot stand in place of these. */
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

/** The columns that are named after the rows are made. */
function columnsOf({ sort = [], columns = [] }: Analysis): string[] {
  return [...sort.map(({ column }) => column), ...columns];
}

function unknownColumns({ columns }: Frame, names: readonly string[]): string[] {
  const unknown = [...new Set(names)].filter(name => !columns.some(column => column.name === name));
  const some = columns.slice(0, 30).map(({ name }) => name);
  return unknown.map(name => `Unknown column '${name}'. There are ${some.join(', ')}.`);
}

/** Rows in place of those received; undefined where these stay. */
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

/** What rows can be resampled by: bins longer than they are. None without instants. */
export function resamplingChoices(rows: ResultRows): readonly (BinSize | Cycle)[] {
  const { stepMs } = stepSpanOf(rows) ?? {};
  if (stepMs === undefined) return [];
  return [...binSizes.filter(size => binLengths[size] > stepMs), ...cyclesOf(stepMs)];
}

/**
 * How rows are resampled; undefined where they cannot be. Filters come first: what they leave out counts for no bin, neither as an hour with
 * data nor as one without.
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

/** The search for events. `span`: the intervals of the column that is searched. */
function planEventSearch(
  rows: ResultRows,
  span: StepSpan,
  { column: name }: EventFinder,
  where: NonNullable<Analysis['where']>,
  { locale }: Pick<AnalysisContext, 'locale'>,
): Omit<EventSearch, 'rule'> {
  const search = { column: name, ...span };
  // Whether the filters let an hour of the compared period pass without its row is not known.
  const { rows: passing, ...ofSteps } = countRows(where, rows, rowSteps(search), locale);
  return { ...search, ...(passing && { rows: passing }), ...(isOfComparedPeriod({ name }) ? {} : ofSteps) };
}

/** The rows and, before them, those of the history, with the derived columns. */
function historyAndRows({ history, frame }: ResultRows, derivation: Derivation | undefined): Frame {
  const all = mergeByTime(history ?? { rowCount: 0, columns: [] }, frame);
  return derivation ? deriveColumns(all, derivation).frame : all;
}

/**
 * Unusual rows in place of all. `withHistory`: the rows with those before, which are filtered and resampled together: a day that the range
 * begins in may have its first hours from the history.
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
  // What the filters leave out of rows is no less there to compare with; of longer rows they decide which hours count.
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

/** How a forecast is scored. `span`: the intervals of the rows. */
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
