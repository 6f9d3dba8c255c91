import type { Derivation } from '../../shared/derivedColumns.ts';
import { hourMs } from '../../shared/durations.ts';
import type { Column, Frame } from '../../shared/frame.ts';
import type { Resampling } from '../../shared/resampling.ts';
import type { Analysis, SortKey } from '../../shared/analysis.ts';
import type { PanelView } from '../../shared/savedView.ts';
import { columnText, filterText, sortedText } from '../analysis/analysisText.ts';
import { resampledText } from '../bins/resample.ts';
import { deriveColumns, parseDerived, windowRowMs } from '../formula/deriveColumns.ts';
import { FormulaError, type FormulaNode } from '../formula/formula.ts';
import { readFilter } from '../filter/readFilter.ts';
import { clipFrame, timeColumnOf } from '../frame/clip.ts';
import { calendarMacrosOf, calendarMacroSql, type StepsContext } from './calendarSql.ts';
import { DuckdbNames, renamedText } from './duckdbNames.ts';
import { filterSql, sqlCasts } from './filterSql.ts';
import { formulaSql, type FormulaTable } from './formulaSql.ts';
import { commentText, pythonText, sqlText } from './quote.ts';
import { allOf, resampledSql, table, type StepsTable, type Where } from './resampledSql.ts';

/** The panel's transformations of the received rows, as DuckDB SQL for programs. DuckDB also reads the frames of pandas and polars. */
export interface PanelSteps {
  /** Statements that add derived columns to the table `grid`, filter, resample and sort it. */
  readonly sql: readonly string[];
  /** Received columns with another name in the statements. */
  readonly renamed: readonly (readonly [column: string, name: string])[];
  /** The column that identifies the rows. */
  readonly key: string;
  readonly isResampled: boolean;
  /** Descriptions of the transformations that the statements apply, and of those that they don't. */
  readonly made: readonly string[];
  readonly notMade: readonly string[];
  /** Sentences on columns whose name differs from the panel's. */
  readonly notes: readonly string[];
}

/** The transformations of a result in a panel. */
interface Shown {
  readonly derivation?: Derivation;
  readonly resampling?: Resampling;
  /** Filters as typed, by column. */
  readonly filters?: Readonly<Record<string, string>>;
  readonly sort?: readonly SortKey[];
}

/**
 * Translates the panel's transformations of a frame; undefined if there are none. Does not apply filters within JSON, resampling of rows
 * with such filters, and sorting by JSON. `isRelative`: resamples the intervals from the first row to the last, instead of the panel's
 * range.
 */
export function panelSteps(
  frame: Frame,
  { derivation, resampling, filters = {}, sort = [] }: Shown,
  context: StepsContext,
  moves = false,
): PanelSteps | undefined {
  const { columns = [], stepMs = NaN } = derivation ?? {};
  const { name: time, bins, lengths } = timeColumnOf(frame) ?? {};
  const hasSteps = columns.length > 0 || resampling || Object.keys(filters).length > 0 || sort.length > 0;
  if (time === undefined || !hasSteps) return undefined;
  const { frame: empty } = clipFrame(frame, { start: 0, end: 0 });
  const { frame: whole } = deriveColumns(empty, { columns, stepMs });
  // Programs read the hours of days, or days without the hours that they count for, and cannot handle rows of several lengths.
  const isOfDays =
    bins !== undefined ||
    lengths !== undefined ||
    frame.columns.some(column => column.kind === 'number' && column.hours);
  const names = new DuckdbNames(whole.columns.map(({ name }) => name));
  const stepName = names.helper('step');
  const inTable: Pick<StepsTable, 'names' | 'time' | 'stepName'> = { names, time, stepName };
  const wheres = wheresOf(whole, filters, context, inTable).map(one => (isOfDays ? { ...one, sql: undefined } : one));
  const isWhole = !isOfDays && wheres.every(({ sql }) => sql !== undefined);
  const by = isWhole ? resampling?.by : undefined;
  const [sql, made, notMade]: [string[], string[], string[]] = [[], [], []];
  const shareParts = new Map<string, readonly string[]>();
  for (const { name, formula } of columns) {
    const at = whole.columns.findIndex(column => column.name === name && column.field?.isDerived);
    const parsed = parseDerived({ name, formula }, whole.columns.slice(0, at), windowRowMs(whole, stepMs));
    // The panel does not have such a column either.
    if (at < 0 || parsed instanceof FormulaError) continue;
    (isOfDays ? notMade : made).push(columnText({ name, formula }));
    if (isOfDays) continue;
    const parts: string[] = [];
    const part = (text: string): string => {
      const free = names.helper(`part ${parts.length + 1} of ${name}`);
      sql.push(added(free, text));
      parts.push(free);
      return free;
    };
    const inTable: FormulaTable = { time: names.sql(time), rowHours: stepMs / hourMs, nameOf: names.sql, part };
    const textOf = (node: FormulaNode): string => formulaSql(node, inTable);
    const { node } = parsed;
    // Resampled shares are calculated from part and whole.
    if (by && node.kind === 'row' && node.name === 'share') {
      const ofShare = node.args.map((_, at) => names.helper(`${at === 0 ? 'part' : 'whole'} of the share ${name}`));
      shareParts.set(name, ofShare);
      sql.push(...node.args.map((arg, at) => added(ofShare[at] ?? '', textOf(arg))));
    }
    sql.push(added(names.sql(name), textOf(node)));
    sql.push(...parts.map(one => `ALTER TABLE grid DROP COLUMN ${one}`));
  }
  for (const where of wheres) (where.sql === undefined ? notMade : made).push(where.text);
  const macros = wheres.flatMap(where => (where.sql === undefined ? [] : where.macros));
  for (const name of new Set([...macros, ...(by === 'tariffPeriod' ? (['tariff_period'] as const) : [])]))
    sql.push(...calendarMacroSql(name, context));
  const longer = resampling && by && resampledSql(whole, resampling, { ...inTable, shareParts, moves, wheres });
  const passing = wheres.flatMap(where => where.sql ?? []);
  if (longer) sql.push(longer.sql);
  else if (passing.length > 0) sql.push(`${table} FROM grid WHERE ${allOf(passing)}`);
  if (resampling) (longer ? made : notMade).push(resampledText(resampling));
  const shown = longer?.columns ?? (resampling ? undefined : whole.columns);
  const keys = sort.filter(({ column }) => !shown || shown.some(({ name }) => name === column));
  const namesNow = longer?.names ?? names;
  const order = isOfDays || !shown ? undefined : orderSql(shown, keys, namesNow);
  if (order?.includes('text_order(')) sql.push(textOrderSql(context.locale));
  // Equal rows stay in the order of time.
  if (order) sql.push(`${table} FROM grid ORDER BY ${order}, ${longer ? 'row_number() OVER ()' : names.sql(time)}`);
  if (keys.length > 0) (order ? made : notMade).push(sortedText(keys));
  const renamed = names.renamed.filter(([name]) => frame.columns.some(column => column.name === name));
  const notes = sql.length > 0 ? [...new Set([...renamed, ...namesNow.renamed].map(renamedText))] : [];
  const key = namesNow.of(longer?.key ?? time);
  return { sql, renamed, key, isResampled: longer !== undefined, made, notMade, notes };
}

/** Translates the panel's valid filters of these columns. */
function wheresOf(
  { columns }: Frame,
  filters: PanelView['filters'],
  context: StepsContext,
  { names, time, stepName }: Pick<StepsTable, 'names' | 'time' | 'stepName'>,
): Where[] {
  return columns.flatMap(column => {
    const typed = Object.hasOwn(filters, column.name) ? filters[column.name] : undefined;
    const read = typed === undefined ? undefined : readFilter(typed, column, context);
    if (typed === undefined || !read?.ok || read.conditions.length === 0) return [];
    const { kind, name } = column;
    const sqlOf = (of: string): string | undefined => filterSql(read, { of, kind, locale: context.locale });
    const ofSteps = name === time ? sqlOf(stepName) : undefined;
    const macros = calendarMacrosOf(read);
    return { text: filterText([name, typed]), sql: sqlOf(names.sql(name)), macros, ofSteps };
  });
}

/** Returns the ORDER BY terms, with missing values last. Undefined without keys, and if one sorts by JSON. */
function orderSql(columns: readonly Column[], keys: readonly SortKey[], names: DuckdbNames): string | undefined {
  const texts = keys.flatMap(({ column: name, descending }) => {
    const { kind = 'nested' } = columns.find(column => column.name === name) ?? {};
    if (kind === 'nested') return [];
    const value = `${names.sql(name)}${sqlCasts[kind]}`;
    const ordered = kind === 'text' ? `text_order(${value})` : value;
    return `${ordered}${descending ? ' DESC' : ''} NULLS LAST`;
  });
  return texts.length > 0 && texts.length === keys.length ? texts.join(', ') : undefined;
}

/**
 * Returns a macro for the order of texts in a locale, "2" before "10". Digits are padded, because not every DuckDB has a numeric
 * collation.
 */
function textOrderSql(locale: string): string {
  const digits = "ltrim(part, '0')";
  const padded = `repeat('0', 40 - length(${digits})) || ${digits}`;
  const parts = `[CASE WHEN part[1] BETWEEN '0' AND '9' THEN ${padded} ELSE part END FOR part IN regexp_extract_all(value, '[0-9]+|[^0-9]+')]`;
  return `CREATE OR REPLACE TEMP MACRO text_order(value) AS icu_sort_key(array_to_string(${parts}, ''), ${sqlText(locale)})`;
}

/**
 * Translates the transformations of a saved query that no panel displays. `frame`: some of its rows; without them the columns are
 * unknown, and nothing is applied. `span`: the range of all intervals, and the context for filters.
 */
export function viewSteps(
  frame: Frame | undefined,
  { derive: columns = [], compare, resample: by, figures, where: filters = {}, sort = [] }: Analysis,
  span: Omit<Resampling, 'by' | 'names'> & StepsContext,
  moves = false,
): PanelSteps | undefined {
  const resampling = by && { ...span, by, names: [], ...(figures && { figures }) };
  if (frame && !compare)
    return panelSteps(
      frame,
      { derivation: { columns, stepMs: span.stepMs }, ...(resampling && { resampling }), filters, sort },
      span,
      moves,
    );
  const notMade = [
    ...(compare ? ['the comparison with another period'] : []),
    ...columns.map(columnText),
    ...Object.entries(filters).map(filterText),
    ...(resampling ? [resampledText(resampling)] : []),
    ...(sort.length > 0 ? [sortedText(sort)] : []),
  ];
  return notMade.length > 0 ? nothingMade(notMade) : undefined;
}

/** Describes the transformations for a program that reads one member of a joined dataset. `all`: the title of the joined dataset. */
export function stepsOfMember(steps: PanelSteps | undefined, all: string): PanelSteps {
  const { made = [], notMade = [] } = steps ?? {};
  return nothingMade([`the other columns of ${all}`, ...made, ...notMade]);
}

const nothingMade = (notMade: readonly string[]): PanelSteps => ({
  sql: [],
  renamed: [],
  key: '',
  isResampled: false,
  made: [],
  notMade,
  notes: [],
});

/**
 * Returns comments on the transformations that a program applies and on those that it does not. `isApplied`: whether the program runs
 * the SQL statements.
 */
export function aboutSteps({ made, notMade, notes }: PanelSteps, makes: boolean): string[] {
  const [as, lacks] = [makes ? made : [], makes ? notMade : [...made, ...notMade]];
  const received = as.length === 0 ? ['All rows as received: not filtered, resampled or sorted as in the panel.'] : [];
  const lines = [
    ...received,
    ...as.map(text => `As in the panel: ${text}.`),
    ...lacks.map(text => `Only in the panel: ${text}.`),
    ...(makes ? notes : []),
  ];
  return lines.map(commentText);
}

/**
 * Returns Python statements that apply the transformations to the data frame `frame` with DuckDB. `as`: the type of the resulting frame.
 */
export function pythonSteps({ sql, key, renamed }: PanelSteps, as: 'df' | 'pl'): string[] {
  if (sql.length === 0) return [];
  const names = pythonNames(renamed);
  const statements = ["SET TimeZone = 'UTC'", 'CREATE TEMP TABLE grid AS FROM received', ...sql];
  return [
    '',
    '# The columns and rows of the panel.',
    'import duckdb',
    '',
    ...(renamed.length > 0
      ? [`frame = frame${as === 'df' ? '.reset_index().rename(columns=' : '.rename('}${names})`]
      : []),
    'database = duckdb.connect()',
    `database.register("received", frame${as === 'df' && renamed.length === 0 ? '.reset_index()' : ''})`,
    ...statements.map(text => `database.execute(${pythonText(text)})`),
    `frame = database.table("grid").${as}()${as === 'df' ? `.set_index(${pythonText(key)})` : ''}`,
  ];
}

/** Formats a Python dictionary of names. */
export function pythonNames(renamed: PanelSteps['renamed']): string {
  return `{${renamed.map(pair => pair.map(pythonText).join(': ')).join(', ')}}`;
}

/** `name` must be quoted. */
const added = (name: string, text: string): string => `${table} SELECT *, (${text})::DOUBLE AS ${name} FROM grid`;
