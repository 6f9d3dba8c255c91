import type { DerivedColumn } from '../../shared/derivedColumns.ts';
import { hourMs } from '../../shared/durations.ts';
import { stressBandIds, stressLimits } from '../../shared/stressBands.ts';
import type { Column, Figure, Frame } from '../../shared/frame.ts';
import type { ShownTable } from '../../shared/protocol.ts';
import { isCycle, type BinSize, type Cycle, type Resampling } from '../../shared/resampling.ts';
import { readView, type PanelView, type SavedView, type SortKey } from '../../shared/savedView.ts';
import { unitOf } from '../../shared/units.ts';
import { figureName } from '../bins/binFrame.ts';
import { resampledText, resampleSteps } from '../bins/resample.ts';
import { tariffPeriods } from '../calendar/tariffPeriods.ts';
import { deriveColumnsSteps, parseDerived } from '../formula/deriveColumns.ts';
import { FormulaError, type FormulaNode } from '../formula/formula.ts';
import { readFilter } from '../filter/readFilter.ts';
import { clipSteps, timeColumnOf } from '../frame/clip.ts';
import { runSteps } from '../time/steps.ts';
import { calendarMacrosOf, calendarMacroSql, type CalendarMacro, type StepsContext } from './calendarSql.ts';
import { filterSql, sqlCasts } from './filterSql.ts';
import { formulaSql } from './formulaSql.ts';
import { commentText, pythonText, sqlInstant, sqlName, sqlText } from './quote.ts';

/** At most: how long a bin is in which the first or the last step lies. */
const mostDays: Readonly<Record<BinSize, number>> = { '3h': 1, day: 2, week: 8, month: 32, quarter: 93, year: 367 };

/** What a panel makes of the rows received, for programs: SQL for DuckDB, which reads the frames of pandas and polars too. */
export interface PanelSteps {
  /** Statements that add derived columns to the table `grid`, filter, resample and sort it. */
  readonly sql: readonly string[];
  /** The column that tells the rows apart. */
  readonly key: string;
  readonly isResampled: boolean;
  /** In words, what the statements make, and what they don't. */
  readonly made: readonly string[];
  readonly notMade: readonly string[];
}

const table = 'CREATE OR REPLACE TEMP TABLE grid AS';
const stepName = sqlName('step of the panel');

/** What its page shows of a result. */
type Shown = Pick<ShownTable, 'derivation' | 'resampling' | 'filters' | 'sort'>;

/** A filter that can be read. `sql`: of the rows that pass, undefined where SQL cannot say it; `ofSteps`: of instants without a row. */
interface Where {
  readonly text: string;
  readonly sql: string | undefined;
  readonly macros: readonly CalendarMacro[];
  readonly ofSteps?: string | undefined;
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
  const { name: time, bins } = timeColumnOf(frame) ?? {};
  const hasSteps = columns.length > 0 || resampling || Object.keys(filters).length > 0 || sort.length > 0;
  if (time === undefined || !hasSteps) return undefined;
  const { frame: empty } = runSteps(clipSteps(frame, { start: 0, end: 0 }));
  const { frame: whole } = runSteps(deriveColumnsSteps(empty, { columns }));
  // Programs have the hours of days, or days without the hours that they count for.
  const isOfDays = bins !== undefined || frame.columns.some(column => column.kind === 'number' && column.hours);
  const wheres = wheresOf(whole, filters, context, time).map(one => (isOfDays ? { ...one, sql: undefined } : one));
  const isWhole = !isOfDays && wheres.every(({ sql }) => sql !== undefined);
  const by = isWhole ? resampling?.by : undefined;
  const [sql, made, notMade]: [string[], string[], string[]] = [[], [], []];
  for (const { name, formula } of columns) {
    const at = whole.columns.findIndex(column => column.name === name && column.field?.isDerived);
    const parsed = parseDerived({ name, formula }, whole.columns.slice(0, at));
    // The page has no such column either.
    if (at < 0 || parsed instanceof FormulaError) continue;
    (isOfDays ? notMade : made).push(columnText({ name, formula }));
    if (isOfDays) continue;
    const parts: string[] = [];
    const part = (text: string): string => {
      const free = `part ${parts.length + 1} of ${name}`;
      sql.push(added(free, text));
      parts.push(sqlName(free));
      return sqlName(free);
    };
    const textOf = (node: FormulaNode): string => formulaSql(node, sqlName(time), stepMs / hourMs, part);
    const { node } = parsed;
    // Longer rows are made of what a share is made of.
    if (by && node.kind === 'row' && node.name === 'share')
      sql.push(...node.args.map((arg, at) => added(partName(at === 0 ? 'part' : 'whole', name), textOf(arg))));
    sql.push(added(name, textOf(node)));
    sql.push(...parts.map(one => `ALTER TABLE grid DROP COLUMN ${one}`));
  }
  for (const where of wheres) (where.sql === undefined ? notMade : made).push(where.text);
  const macros = wheres.flatMap(where => (where.sql === undefined ? [] : where.macros));
  for (const name of new Set([...macros, ...(by === 'tariffPeriod' ? (['tariff_period'] as const) : [])]))
    sql.push(...calendarMacroSql(name, context));
  const longer = resampling && by && resampledSql(whole, resampling, sqlName(time), moves, wheres);
  const passing = wheres.flatMap(where => where.sql ?? []);
  if (longer) sql.push(longer.sql);
  else if (passing.length > 0) sql.push(`${table} FROM grid WHERE ${allOf(passing)}`);
  if (resampling) (longer ? made : notMade).push(resampledText(resampling));
  const shown = longer?.columns ?? (resampling ? undefined : whole.columns);
  const keys = sort.filter(({ column }) => !shown || shown.some(({ name }) => name === column));
  const order = isOfDays || !shown ? undefined : orderSql(shown, keys);
  if (order?.includes('text_order(')) sql.push(textOrderSql(context.locale));
  // Rows that are equal stay in the order of time.
  if (order) sql.push(`${table} FROM grid ORDER BY ${order}, ${longer ? 'rowid' : sqlName(time)}`);
  if (keys.length > 0) (order ? made : notMade).push(sortText(keys));
  return { sql, key: longer?.key ?? time, isResampled: longer !== undefined, made, notMade };
}

/** The filters that a page has of these columns and can read. `time`: the column of instants. */
function wheresOf({ columns }: Frame, filters: PanelView['filters'], context: StepsContext, time: string): Where[] {
  return columns.flatMap(column => {
    const typed = Object.hasOwn(filters, column.name) ? filters[column.name] : undefined;
    const read = typed === undefined ? undefined : readFilter(typed, column, context);
    if (typed === undefined || !read?.ok || read.conditions.length === 0) return [];
    const ofSteps = column.name === time ? filterSql(read, column, stepName) : undefined;
    const macros = calendarMacrosOf(read);
    return { text: filterText([column.name, typed]), sql: filterSql(read, column), macros, ofSteps };
  });
}

/** Values that are missing come last. Undefined for no key, and for one of JSON. */
function orderSql(columns: readonly Column[], keys: readonly SortKey[]): string | undefined {
  const texts = keys.flatMap(({ column: name, descending }) => {
    const { kind = 'nested' } = columns.find(column => column.name === name) ?? {};
    if (kind === 'nested') return [];
    const value = `${sqlName(name)}${sqlCasts[kind]}`;
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
  view: SavedView,
  span: Omit<Resampling, 'by' | 'names'> & StepsContext,
  moves = false,
): PanelSteps | undefined {
  const { derived: columns, resample: by, filters: typed, sort } = readView(view);
  const filters = Object.fromEntries(Object.entries(typed).filter(([, text]) => text.trim() !== ''));
  const resampling = by && { ...span, by, names: [] };
  if (frame)
    return panelSteps(
      frame,
      { derivation: { columns, stepMs: span.stepMs }, ...(resampling && { resampling }), filters, sort },
      span,
      moves,
    );
  const notMade = [
    ...columns.map(columnText),
    ...Object.entries(filters).map(filterText),
    ...(resampling ? [resampledText(resampling)] : []),
    ...(sort.length > 0 ? [sortText(sort)] : []),
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
  key: '',
  isResampled: false,
  made: [],
  notMade,
});
const filterText = ([name, text]: readonly [string, string]): string => `only rows where ${name} is ${text}`;
const sortText = (sort: readonly SortKey[]): string =>
  `rows sorted by ${sort.map(({ column, descending }) => `${column}${descending ? ' (descending)' : ''}`).join(', ')}`;
const columnText = ({ name, formula }: DerivedColumn): string => `the column ${name} = ${formula}`;

/** Comments on what a program makes as the panel does, and what not. `makes`: whether it makes what there is SQL for. */
export function aboutSteps({ made, notMade }: PanelSteps, makes: boolean): string[] {
  const [as, lacks] = [makes ? made : [], makes ? notMade : [...made, ...notMade]];
  const received = as.length === 0 ? ['All rows as received: not filtered, resampled or sorted as in the panel.'] : [];
  const lines = [
    ...received,
    ...as.map(text => `As in the panel: ${text}.`),
    ...lacks.map(text => `Only in the panel: ${text}.`),
  ];
  return lines.map(commentText);
}

/** Python statements that take the steps to the data frame `frame` by way of DuckDB; `as`: what it is read back as. */
export function pythonSteps({ sql, key }: PanelSteps, as: 'df' | 'pl'): string[] {
  if (sql.length === 0) return [];
  const statements = ["SET TimeZone = 'UTC'", 'CREATE TEMP TABLE grid AS FROM received', ...sql];
  return [
    '',
    '# The columns and rows of the panel.',
    'import duckdb',
    '',
    'database = duckdb.connect()',
    `database.register("received", frame${as === 'df' ? '.reset_index()' : ''})`,
    ...statements.map(text => `database.execute(${pythonText(text)})`),
    `frame = database.table("grid").${as}()${as === 'df' ? `.set_index(${pythonText(key)})` : ''}`,
  ];
}

const allOf = (conditions: readonly string[]): string => conditions.map(text => `(${text})`).join(' AND ');
const partName = (of: 'part' | 'whole', share: string): string => `${of} of the share ${share}`;

const added = (name: string, text: string): string =>
  `${table} SELECT *, (${text})::DOUBLE AS ${sqlName(name)} FROM grid`;
const trunc = (unit: string): string => `date_trunc('${unit}', local)`;
/** Of `step` and `local`, what clocks show then: the beginning of each bin, or the number of a bin in its cycle, NULL for none. */
const binSql: Readonly<Record<BinSize | Cycle, string>> = {
  '3h': "time_bucket(INTERVAL '3 hours', local)",
  day: trunc('day'),
  week: trunc('week'),
  month: trunc('month'),
  quarter: trunc('quarter'),
  year: trunc('year'),
  hourOfDay: 'hour(local)',
  weekday: 'isodow(local) - 1',
  monthOfYear: 'month(local) - 1',
  season: 'month(local) % 12 // 3',
  tariffPeriod: `CASE tariff_period(step)${tariffPeriods.map((period, at) => ` WHEN '${period}' THEN ${at}`).join('')} END`,
};

/** `time`: the column of instants, quoted. */
function resampledSql(whole: Frame, resampling: Resampling, time: string, moves: boolean, wheres: readonly Where[]) {
  const { by, timeZone, stepMs, start, end, names } = resampling;
  // Without a page nobody knows what it calls the bins of a cycle.
  if (isCycle(by) && names.length === 0) return undefined;
  const { columns } = runSteps(resampleSteps(whole, resampling));
  const [key = '', hours = '', ofHours = ''] = columns.map(({ name }) => name);
  const rowHours = stepMs / hourMs;
  const figures = columns.flatMap(({ name, field }) => {
    const figure = field?.figure;
    const of = figure && whole.columns.find(column => nameOf(column.name, figure) === name);
    return of ? [`  (${figureSql(figure, of, rowHours)})::DOUBLE AS ${sqlName(name)},`] : [];
  });
  const length = `INTERVAL '${stepMs} milliseconds'`;
  const [from, to] = moves
    ? [`(SELECT min(${time}) FROM grid)`, `(SELECT max(${time}) + ${length} FROM grid)`]
    : [sqlInstant(start), sqlInstant(end)];
  const around = `INTERVAL '${isCycle(by) ? 0 : mostDays[by]} days'`;
  const [bin, step, zone] = [sqlName('bin of the panel'), stepName, sqlText(timeZone)];
  const labels = `[${names.map(sqlText).join(', ')}][${bin} + 1]`;
  // A step without a row is left out by its time alone.
  const ofRows = wheres.flatMap(({ sql, ofSteps }) => (ofSteps === undefined ? (sql ?? []) : []));
  const passing = [
    ...wheres.flatMap(({ ofSteps }) => ofSteps ?? []),
    ...(ofRows.length > 0 ? [`${time} IS NULL OR ${allOf(ofRows)}`] : []),
  ];
  const where = passing.length > 0 ? `\nWHERE ${allOf(passing)}` : '';
  const sql = `${table}
WITH near AS (
  SELECT step AS ${step}, timezone(${zone}, step) AS local, ${binSql[by]} AS ${bin}
  FROM (SELECT unnest(generate_series(${from} - ${around}, ${to} + ${around} - ${length}, ${length})) AS step)
), steps AS (
  -- The first and the last bin with all their steps.
  SELECT ${step}, ${bin} FROM near WHERE ${bin} IN (SELECT ${bin} FROM near WHERE ${step} >= ${from} AND ${step} < ${to})
)
SELECT ${isCycle(by) ? labels : `timezone(${zone}, ${bin})`} AS ${sqlName(key)},
  (count(${time}) * ${rowHours})::DOUBLE AS ${sqlName(hours)}, (count(*) * ${rowHours})::DOUBLE AS ${sqlName(ofHours)},
${figures.join('\n')}
FROM steps LEFT JOIN grid ON ${time} = ${step}${where}
GROUP BY ${bin} ORDER BY ${bin}`;
  return { sql, key, columns };
}

function nameOf(column: string, figure: Figure): string {
  if (['mean', 'share', 'quotient', 'total'].includes(figure)) return column;
  return stressBandIds.some(band => band === figure) ? `${column}_${figure}_h` : figureName(column, figure);
}

function figureSql(figure: Figure, { name, field }: Column, rowHours: number): string {
  const own = `${sqlName(name)}::DOUBLE`;
  if (figure === 'mean') return `avg(${own})`;
  if (figure === 'total') return `sum(${own})`;
  if (figure === 'energy') return `sum(${own}) * ${rowHours * (unitOf(field).mwhPerHour ?? NaN)}`;
  if (figure === 'share') {
    // Of a row with 0 % it is not known what that is a share of.
    const part = `${sqlName(field?.shareOf ?? '')}::DOUBLE`;
    const parts = `sum(${part}) FILTER (${own} IS NOT NULL)`;
    const wholes = `sum(${part} / nullif(${own}, 0))`;
    const zeros = `count(${part}) FILTER (${own} = 0)`;
    return `CASE WHEN ${zeros} = 0 THEN ${parts} / nullif(${wholes}, 0) WHEN ${wholes} IS NULL AND ${parts} = 0 THEN 0 END`;
  }
  if (figure === 'quotient') {
    const [part, whole] = [sqlName(partName('part', name)), sqlName(partName('whole', name))];
    const sum = (of: string): string => `sum(${of}) FILTER (${part} IS NOT NULL AND ${whole} IS NOT NULL)`;
    return `100 * ${sum(part)} / nullif(${sum(whole)}, 0)`;
  }
  const band = stressBandIds.findIndex(id => id === figure);
  if (band < 0) return `${figure}(${own})`;
  const [from, to] = [band, band + 1].map(at => stressBandIds[at]).map(id => id && stressLimits[id]);
  const within = `${own} >= ${band === 0 ? "'-Infinity'" : from} AND ${own} < ${to ?? "'Infinity'"}`;
  return `CASE WHEN count(${own}) > 0 THEN count(*) FILTER (${within}) * ${rowHours} END`;
}
