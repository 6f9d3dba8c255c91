import type { DerivedColumns } from '../../shared/derivedColumns.ts';
import { hourMs } from '../../shared/durations.ts';
import type { Column, Frame } from '../../shared/frame.ts';
import type { Resampling } from '../../shared/resampling.ts';
import type { Analysis, SortKey } from '../../shared/analysis.ts';
import type { View } from '../../shared/view.ts';
import { describeAnalysis, describeDerivedColumn, describeFilter, describeSort } from '../analysis/describeAnalysis.ts';
import { describeResampling } from '../bins/resampleFrame.ts';
import { deriveColumns, parseDerived, getWindowRowMs } from '../formula/deriveColumns.ts';
import { FormulaError, getQuotientArgs, type FormulaNode } from '../formula/formula.ts';
import { parseFilterConditions } from '../filter/readFilter.ts';
import { clipFrame, findTimeColumn } from '../frame/clip.ts';
import { listCalendarMacros, formatCalendarMacro, type RangeFilterContext } from './calendarSql.ts';
import { DuckdbNames, describeRenamedColumn } from './duckdbNames.ts';
import { formatFilter, sqlCasts } from './filterSql.ts';
import { formatFormula, type FormulaContext } from './formulaSql.ts';
import { cleanComment, quoteForPython, quoteForSql } from './quote.ts';
import {
  joinConditions,
  formatResampling,
  createGridTable,
  type SqlTable,
  type FilterCondition,
} from './resampledSql.ts';

/** The panel's transformations of the received rows, as DuckDB SQL for programs. DuckDB also reads the frames of pandas and polars. */
export interface PanelTransformations {
  /** Statements that add derived columns to the table `grid`, filter, resample and sort it. */
  readonly sql: readonly string[];
  /** Received columns with another name in the statements. */
  readonly renamed: readonly (readonly [column: string, name: string])[];
  /** The column that identifies the rows. */
  readonly key: string;
  readonly isResampled: boolean;
  /** Descriptions of the transformations that the statements apply, and of the ones that they don't. */
  readonly applied: readonly string[];
  readonly notApplied: readonly string[];
  /** Sentences on columns whose name differs from the panel's. */
  readonly notes: readonly string[];
}

/** The transformations of a result in a panel. */
interface PanelState {
  readonly derivation?: DerivedColumns;
  readonly resampling?: Resampling;
  /** Filters as typed, by column. */
  readonly filters?: Readonly<Record<string, string>>;
  readonly sort?: readonly SortKey[];
  /** Descriptions of other stages, which no statement applies. */
  readonly untranslated?: readonly string[];
}

/**
 * Translates the panel's transformations of a frame; undefined if there are none. Does not apply filters within JSON, resampling of rows
 * with such filters, and sorting by JSON. `isRelative`: resamples the intervals from the first row to the last, instead of the panel's
 * range.
 */
export function translateTransformations(
  frame: Frame,
  { derivation, resampling, filters = {}, sort = [], untranslated = [] }: PanelState,
  context: RangeFilterContext,
  isRelative = false,
): PanelTransformations | undefined {
  const { columns = [], intervalMs = NaN } = derivation ?? {};
  const { name: time, bins, lengths } = findTimeColumn(frame) ?? {};
  const hasTransformations =
    resampling || [columns, Object.keys(filters), sort, untranslated].some(({ length }) => length > 0);
  if (time === undefined || !hasTransformations) return undefined;
  const { frame: emptyFrame } = clipFrame(frame, { start: 0, end: 0 });
  const { frame: derivedFrame } = deriveColumns(emptyFrame, { columns, intervalMs });
  // Programs read the hours of days, or days without the hours that they count for, and cannot handle rows of several lengths.
  const isUntranslatable =
    bins !== undefined ||
    lengths !== undefined ||
    frame.columns.some(column => column.kind === 'number' && column.hours);
  const names = new DuckdbNames(derivedFrame.columns.map(({ name }) => name));
  const intervalName = names.createHelperName('step');
  const formulaContext: Pick<SqlTable, 'names' | 'time' | 'intervalName'> = { names, time, intervalName };
  const filterConditions = translateFilters(derivedFrame, filters, context, formulaContext).map(condition =>
    isUntranslatable ? { ...condition, sql: undefined } : condition,
  );
  const areFiltersTranslated = !isUntranslatable && filterConditions.every(({ sql }) => sql !== undefined);
  const by = areFiltersTranslated ? resampling?.by : undefined;
  const sql: string[] = [];
  const applied: string[] = [];
  const notApplied: string[] = [];
  const shareParts = new Map<string, readonly string[]>();
  for (const column of columns) {
    const { name } = column;
    const columnIndex = derivedFrame.columns.findIndex(column => column.name === name && column.field?.isDerived);
    const parsed = parseDerived(
      column,
      derivedFrame.columns.slice(0, columnIndex),
      getWindowRowMs(derivedFrame, intervalMs),
    );
    // The panel does not have such a column either.
    if (columnIndex < 0 || parsed instanceof FormulaError) continue;
    (isUntranslatable ? notApplied : applied).push(describeDerivedColumn(column));
    if (isUntranslatable) continue;
    const parts: string[] = [];
    const addPart = (text: string): string => {
      const partName = names.createHelperName(`part ${parts.length + 1} of ${name}`);
      sql.push(addColumnSql(partName, text));
      parts.push(partName);
      return partName;
    };
    const formulaContext: FormulaContext = {
      time: names.quote(time),
      rowHours: intervalMs / hourMs,
      quoteName: names.quote,
      addColumn: addPart,
    };
    const format = (node: FormulaNode): string => formatFormula(node, formulaContext);
    const { node } = parsed;
    // Resampled shares and rates are calculated from part and whole.
    const quotientArgs = getQuotientArgs(node);
    if (by && quotientArgs) {
      const shareColumns = quotientArgs.map((_, columnIndex) =>
        names.createHelperName(`${columnIndex === 0 ? 'part' : 'whole'} of the share ${name}`),
      );
      shareParts.set(name, shareColumns);
      sql.push(...quotientArgs.map((arg, columnIndex) => addColumnSql(shareColumns[columnIndex] ?? '', format(arg))));
    }
    sql.push(addColumnSql(names.quote(name), format(node)));
    sql.push(...parts.map(partName => `ALTER TABLE grid DROP COLUMN ${partName}`));
  }
  for (const filter of filterConditions) (filter.sql === undefined ? notApplied : applied).push(filter.text);
  const macros = filterConditions.flatMap(filter => (filter.sql === undefined ? [] : filter.macros));
  const needsTariffs = by === 'tariffPeriod' || sql.some(statement => /tariff_(?:period|hours)\(/.test(statement));
  for (const name of new Set([...(needsTariffs ? (['tariff_period'] as const) : []), ...macros]))
    sql.unshift(...formatCalendarMacro(name, context));
  const resampled =
    resampling &&
    by &&
    formatResampling(derivedFrame, resampling, { ...formulaContext, shareParts, isRelative, filterConditions });
  const rowConditions = filterConditions.flatMap(filter => filter.sql ?? []);
  if (resampled) sql.push(resampled.sql);
  else if (rowConditions.length > 0) sql.push(`${createGridTable} FROM grid WHERE ${joinConditions(rowConditions)}`);
  if (resampling) (resampled ? applied : notApplied).push(describeResampling(resampling));
  const visibleColumns = resampled?.columns ?? (resampling ? undefined : derivedFrame.columns);
  const keys = sort.filter(({ column }) => !visibleColumns || visibleColumns.some(({ name }) => name === column));
  const currentNames = resampled?.names ?? names;
  const orderBy = isUntranslatable || !visibleColumns ? undefined : formatOrder(visibleColumns, keys, currentNames);
  if (orderBy?.includes('text_order(')) sql.push(formatTextOrderMacro(context.locale));
  // Equal rows stay in the order of time.
  if (orderBy)
    sql.push(
      `${createGridTable} FROM grid ORDER BY ${orderBy}, ${resampled ? 'row_number() OVER ()' : names.quote(time)}`,
    );
  notApplied.push(...untranslated);
  if (keys.length > 0) (orderBy ? applied : notApplied).push(describeSort(keys));
  const renamed = names.renamed.filter(([name]) => frame.columns.some(column => column.name === name));
  const notes = sql.length > 0 ? [...new Set([...renamed, ...currentNames.renamed].map(describeRenamedColumn))] : [];
  const key = currentNames.getName(resampled?.key ?? time);
  return { sql, renamed, key, isResampled: resampled !== undefined, applied, notApplied, notes };
}

/** Translates the panel's valid filters of these columns. */
function translateFilters(
  { columns }: Frame,
  filters: View['filters'],
  context: RangeFilterContext,
  { names, time, intervalName }: Pick<SqlTable, 'names' | 'time' | 'intervalName'>,
): FilterCondition[] {
  return columns.flatMap(column => {
    const typed = Object.hasOwn(filters, column.name) ? filters[column.name] : undefined;
    const parsed = typed === undefined ? undefined : parseFilterConditions(typed, column, context);
    if (typed === undefined || !parsed?.ok || parsed.conditions.length === 0) return [];
    const { kind, name } = column;
    const format = (expression: string): string | undefined =>
      formatFilter(parsed, { expression, kind, locale: context.locale });
    const intervalSql = name === time ? format(intervalName) : undefined;
    const macros = listCalendarMacros(parsed);
    return { text: describeFilter([name, typed]), sql: format(names.quote(name)), macros, intervalSql };
  });
}

/** Returns the ORDER BY terms, with missing values last. Undefined without keys, and if one sorts by JSON. */
function formatOrder(columns: readonly Column[], keys: readonly SortKey[], names: DuckdbNames): string | undefined {
  const texts = keys.flatMap(({ column: name, descending }) => {
    const { kind = 'nested' } = columns.find(column => column.name === name) ?? {};
    if (kind === 'nested') return [];
    const value = `${names.quote(name)}${sqlCasts[kind]}`;
    const sortValue = kind === 'text' ? `text_order(${value})` : value;
    return `${sortValue}${descending ? ' DESC' : ''} NULLS LAST`;
  });
  return texts.length > 0 && texts.length === keys.length ? texts.join(', ') : undefined;
}

/**
 * Returns a macro for the order of texts in a locale, "2" before "10". Digits are padded, because not every DuckDB has a numeric
 * collation.
 */
function formatTextOrderMacro(locale: string): string {
  const digits = "ltrim(part, '0')";
  const padded = `repeat('0', 40 - length(${digits})) || ${digits}`;
  const parts = `[CASE WHEN part[1] BETWEEN '0' AND '9' THEN ${padded} ELSE part END FOR part IN regexp_extract_all(value, '[0-9]+|[^0-9]+')]`;
  return `CREATE OR REPLACE TEMP MACRO text_order(value) AS icu_sort_key(array_to_string(${parts}, ''), ${quoteForSql(locale)})`;
}

/**
 * Translates the transformations of a saved query that no panel displays, and lists the stages that no program applies, such as a search
 * for events. `frame`: some of its rows; without them the columns are unknown, and nothing is applied. `span`: the range of all intervals,
 * and the context for filters.
 */
export function translateViewTransformations(
  frame: Frame | undefined,
  analysis: Analysis,
  span: Omit<Resampling, 'by' | 'names'> & RangeFilterContext,
  isRelative = false,
): PanelTransformations | undefined {
  const { derive: columns = [], where: filters = {}, resample: by, figures, missing, sort = [], ...stages } = analysis;
  const { join, compare, find, score, summarize } = stages;
  const resampling = by && { ...span, by, names: [], ...(figures && { figures }) };
  const described = {
    ...(find && { events: { ...find, ...span } }),
    ...(score && { scorecard: { ...score, ...span } }),
  };
  if (!frame || join || compare) {
    const notApplied = describeAnalysis(analysis, {
      derived: columns,
      ...(resampling && { resampling }),
      ...described,
    });
    return notApplied.length > 0 ? createUnapplied(notApplied) : undefined;
  }
  // Events, scores and summaries are sorted by their own columns, which the program does not have.
  const hasOwnColumns = (find ?? score ?? summarize) !== undefined;
  const untranslated = {
    ...stages,
    ...(missing && !resampling && { missing }),
    ...(hasOwnColumns && { sort }),
  };
  return translateTransformations(
    frame,
    {
      derivation: { columns, intervalMs: span.intervalMs },
      ...(resampling && { resampling }),
      filters,
      sort: hasOwnColumns ? [] : sort,
      untranslated: describeAnalysis(untranslated, { derived: [], ...described }),
    },
    span,
    isRelative,
  );
}

/** Describes the transformations for a program that reads one member of a joined dataset. `joinedTitle`: the title of that dataset. */
export function describeMemberTransformations(
  transformations: PanelTransformations | undefined,
  joinedTitle: string,
): PanelTransformations {
  const { applied = [], notApplied = [] } = transformations ?? {};
  return createUnapplied([`the other columns of ${joinedTitle}`, ...applied, ...notApplied]);
}

const createUnapplied = (notApplied: readonly string[]): PanelTransformations => ({
  sql: [],
  renamed: [],
  key: '',
  isResampled: false,
  applied: [],
  notApplied,
  notes: [],
});

/**
 * Returns comments on the transformations that a program applies and the ones that it does not. `isApplied`: whether the program runs
 * the SQL statements.
 */
export function describeTransformations(
  { applied, notApplied, notes }: PanelTransformations,
  isApplied: boolean,
): string[] {
  const appliedTexts = isApplied ? applied : [];
  const missingTexts = isApplied ? notApplied : [...applied, ...notApplied];
  const receivedNote =
    appliedTexts.length === 0 ? ['All rows as received: not filtered, resampled or sorted as in the panel.'] : [];
  const lines = [
    ...receivedNote,
    ...appliedTexts.map(text => `As in the panel: ${text}.`),
    ...missingTexts.map(text => `Only in the panel: ${text}.`),
    ...(isApplied ? notes : []),
  ];
  return lines.map(cleanComment);
}

/**
 * Returns Python statements that apply the transformations to the data frame `frame` with DuckDB. `frameType`: the type of the resulting frame.
 */
export function formatPythonTransformations(
  { sql, key, renamed }: PanelTransformations,
  frameType: 'df' | 'pl',
): string[] {
  if (sql.length === 0) return [];
  const names = formatPythonNames(renamed);
  const statements = ["SET TimeZone = 'UTC'", 'CREATE TEMP TABLE grid AS FROM received', ...sql];
  return [
    '',
    '# The columns and rows of the panel.',
    'import duckdb',
    '',
    ...(renamed.length > 0
      ? [`frame = frame${frameType === 'df' ? '.reset_index().rename(columns=' : '.rename('}${names})`]
      : []),
    'database = duckdb.connect()',
    `database.register("received", frame${frameType === 'df' && renamed.length === 0 ? '.reset_index()' : ''})`,
    ...statements.map(text => `database.execute(${quoteForPython(text)})`),
    `frame = database.table("grid").${frameType}()${frameType === 'df' ? `.set_index(${quoteForPython(key)})` : ''}`,
  ];
}

/** Formats a Python dictionary of names. */
export function formatPythonNames(renamed: PanelTransformations['renamed']): string {
  return `{${renamed.map(pair => pair.map(quoteForPython).join(': ')).join(', ')}}`;
}

/** `name` must be quoted. */
const addColumnSql = (name: string, text: string): string =>
  `${createGridTable} SELECT *, (${text})::DOUBLE AS ${name} FROM grid`;
