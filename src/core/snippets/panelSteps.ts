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
import { formulaSql } from './formulaSql.ts';
import { commentText, pythonText, sqlText } from './quote.ts';
import { allOf, resampledSql, table, type StepsTable, type Where } from './resampledSql.ts';

/** What a panel makes of the rows received, for programs: SQL for DuckDB, which reads the frames of pandas and polars too. */
export interface PanelSteps {
  /** Statements that add derived columns to the table `grid`, filter, resample and sort it. */
  readonly sql: readonly string[];
  /** Columns of the rows received that have another name in the statements. */
  readonly renamed: readonly (readonly [column: string, name: string])[];
  /** The column that tells the rows apart. */
  readonly key: string;
  readonly isResampled: boolean;
  /** In words, what the statements make, and what they don't. */
  readonly made: readonly string[];
  readonly notMade: readonly string[];
  /** Sentences on columns that have another name than in the panel. */
  readonly notes: readonly string[];
}

/** What a page makes of a result. */
interface Shown {
  readonly derivation?: Derivation;
  readonly resampling?: Resampling;
  /** As typed, by column. */
  readonly filters?: Readonly<Record<string, string>>;
  readonly sort?: readonly SortKey[];
}

/**
 * The steps of what a page shows of a frame; undefined for none. Not made are filters in JSON, longer rows of rows that these filter, and the
 * order of JSON.
 * `moves`: the steps to resample are those from the first row to the last, not those of the page.
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
  // Programs have the hours of days, or days without the hours that they count for, and know nothing of rows of several lengths.
  const isOfDays =
    bins !== undefined ||
    lengths !== undefined ||
    frame.columns.some(column => column.kind === 'number' && column.hours);
  const names = new DuckdbNames(whole.columns.map(({ name }) => name));
  const stepName = names.helper('step');
  const inTable = { names, time, stepName };
  const wheres = wheresOf(whole, filters, context, inTable).map(one => (isOfDays ? { ...one, sql: undefined } : one));
  const isWhole = !isOfDays && wheres.every(({ sql }) => sql !== undefined);
  const by = isWhole ? resampling?.by : undefined;
  const [sql, made, notMade]: [string[], string[], string[]] = [[], [], []];
  const shareParts = new Map<string, readonly string[]>();
  for (const { name, formula } of columns) {
    const at = whole.columns.findIndex(column => column.name === name && column.field?.isDerived);
    const parsed = parseDerived({ name, formula }, whole.columns.slice(0, at), windowRowMs(whole, stepMs));
    // The page has no such column either.
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
    const inTable = { time: names.sql(time), rowHours: stepMs / hourMs, nameOf: names.sql, part };
    const textOf = (node: FormulaNode): string => formulaSql(node, inTable);
    const { node } = parsed;
    // Longer rows are made of what a share is made of.
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
  // Rows that are equal stay in the order of time.
  if (order) sql.push(`${table} FROM grid ORDER BY ${order}, ${longer ? 'row_number() OVER ()' : names.sql(time)}`);
  if (keys.length > 0) (order ? made : notMade).push(sortedText(keys));
  const renamed = names.renamed.filter(([name]) => frame.columns.some(column => column.name === name));
  const notes = sql.length > 0 ? [...new Set([...renamed, ...namesNow.renamed].map(renamedText))] : [];
  const key = namesNow.of(longer?.key ?? time);
  return { sql, renamed, key, isResampled: longer !== undefined, made, notMade, notes };
}

/** The filters that a page has of these columns and can read. */
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

/** Values that are missing come last. Undefined for no key, and for one of JSON. */
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

/** A macro for the order of texts in a locale, "2" before "10": digits are padded, since not every DuckDB has a collation that reads them. */
function textOrderSql(locale: string): string {
  const digits = "ltrim(part, '0')";
  const padded = `repeat('0', 40 - length(${digits})) || ${digits}`;
  const parts = `[CASE WHEN part[1] BETWEEN '0' AND '9' THEN ${padded} ELSE part END FOR part IN regexp_extract_all(value, '[0-9]+|[^0-9]+')]`;
  return `CREATE OR REPLACE TEMP MACRO text_order(value) AS icu_sort_key(array_to_string(${parts}, ''), ${sqlText(locale)})`;
}

/**
 * The same for a saved query that no panel shows. `frame`: some of its rows; without them it is not known which columns there are, and nothing
 * is made. `span`: of all steps, and what filters are read by.
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

/** What a program says that has one of the datasets that a panel joins. `all`: the title of the joined ones. */
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

/** Comments on what a program makes as the panel does, and what not. `makes`: whether it makes what there is SQL for. */
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

/** Python statements that take the steps to the data frame `frame` by way of DuckDB; `as`: what it is read back as. */
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

/** A Python dictionary of names. */
export function pythonNames(renamed: PanelSteps['renamed']): string {
  return `{${renamed.map(pair => pair.map(pythonText).join(': ')).join(', ')}}`;
}

/** `name`: quoted. */
const added = (name: string, text: string): string => `${table} SELECT *, (${text})::DOUBLE AS ${name} FROM grid`;
