import { dayMs, hourMs } from '../../shared/durations.ts';
import { stressBandIds, stressLimits } from '../../shared/stressBands.ts';
import type { Column, Figure, Frame } from '../../shared/frame.ts';
import { isCycle, type BinSize, type Cycle, type Resampling } from '../../shared/resampling.ts';
import { unitOf } from '../../shared/units.ts';
import { figureName } from '../bins/binFrame.ts';
import { resampleFrame } from '../bins/resample.ts';
import { tariffPeriods } from '../calendar/tariffPeriods.ts';
import type { CalendarMacro } from './calendarSql.ts';
import { DuckdbNames } from './duckdbNames.ts';
import { sqlInstant, sqlName, sqlText } from './quote.ts';

export const table = 'CREATE OR REPLACE TEMP TABLE grid AS';
export const allOf = (conditions: readonly string[]): string => conditions.map(text => `(${text})`).join(' AND ');

/**
 * A valid filter. `sql`: the condition for rows, undefined if SQL cannot express it; `ofSteps`: the condition for instants without a
 * row.
 */
export interface Where {
  readonly text: string;
  readonly sql: string | undefined;
  readonly macros: readonly CalendarMacro[];
  readonly ofSteps?: string | undefined;
}

/** The table `grid` before its rows are resampled. */
export interface StepsTable {
  /** The names of its columns. */
  readonly names: DuckdbNames;
  /** The time column. */
  readonly time: string;
  /** The quoted name of an interval's instant, which need not have a row. */
  readonly stepName: string;
  /** The quoted columns with part and whole of a derived share. */
  readonly shareParts: ReadonlyMap<string, readonly string[]>;
  readonly wheres: readonly Where[];
  readonly moves: boolean;
}

/** Maximum length in days of the bin that contains the first or the last interval. */
const mostDays: Readonly<Record<BinSize, number>> = { '3h': 1, day: 2, week: 8, month: 32, quarter: 93, year: 367 };

const trunc = (unit: string): string => `date_trunc('${unit}', local)`;
/** The start of each bin, or the number of a bin in its cycle (NULL for none). Expressions of `step` and of `local`, its local time. */
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

/**
 * Returns a statement that resamples the table `grid`, with the names of the resulting columns; undefined if the names of the bins are
 * unknown.
 */
export function resampledSql(whole: Frame, resampling: Resampling, grid: StepsTable) {
  const { by, timeZone, stepMs, start, end, names } = resampling;
  const { stepName: step, moves, wheres } = grid;
  const time = grid.names.sql(grid.time);
  // The names of a cycle's bins are only known from a panel.
  if (isCycle(by) && names.length === 0) return undefined;
  const { columns } = resampleFrame(whole, resampling);
  const made = new DuckdbNames(columns.map(({ name }) => name));
  const [key = '', hours = '', ofHours = ''] = made.all.map(sqlName);
  const rowHours = stepMs / hourMs;
  const sources = new Set<string>();
  const figures = columns.flatMap(({ name, field }, at) => {
    const figure = field?.figure;
    if (!figure) return [];
    // Figures of one kind are in the order of their source columns.
    const of = whole.columns.find(one => !sources.has(`${figure} ${one.name}`) && isFigureOf(name, figure, one));
    sources.add(`${figure} ${of?.name ?? ''}`);
    return of ? [`  (${figureSql(figure, of, rowHours, grid)})::DOUBLE AS ${sqlName(made.all[at] ?? '')},`] : [];
  });
  const length = `INTERVAL '${stepMs} milliseconds'`;
  const [from, to] = moves
    ? [`(SELECT min(${time}) FROM grid)`, `(SELECT max(${time}) + ${length} FROM grid)`]
    : [sqlInstant(start), sqlInstant(end)];
  const around = `INTERVAL '${isCycle(by) ? 0 : Math.ceil((mostDays[by] * dayMs) / stepMs) * stepMs} milliseconds'`;
  const [bin, moment, zone] = [grid.names.helper('bin'), grid.names.helper('moment'), sqlText(timeZone)];
  const labels = `[${names.map(sqlText).join(', ')}][steps.${bin} + 1]`;
  // An interval without a row is filtered by its time alone.
  const ofRows = wheres.flatMap(({ sql, ofSteps }) => (ofSteps === undefined ? (sql ?? []) : []));
  const passing = [
    ...wheres.flatMap(({ ofSteps }) => ofSteps ?? []),
    ...(ofRows.length > 0 ? [`${time} IS NULL OR ${allOf(ofRows)}`] : []),
  ];
  const where = passing.length > 0 ? `\nWHERE ${allOf(passing)}` : '';
  const sql = `${table}
WITH near AS (
  -- When each row begins, and when one would that is missing.
  SELECT step AS ${step}, timezone(${zone}, step) AS local, ${binSql[by]} AS ${bin}
  FROM (
    SELECT coalesce(${time}, ${moment}) AS step
    FROM (SELECT unnest(generate_series(${from} - ${around}, ${to} + ${around} - ${length}, ${length})) AS ${moment})
    LEFT JOIN (SELECT DISTINCT ${time} FROM grid) ON time_bucket(${length}, ${time}, ${from}) = ${moment}
  )
), steps AS (
  -- The first and the last bin with all their steps.
  SELECT ${step}, ${bin} FROM near WHERE ${bin} IN (SELECT ${bin} FROM near WHERE ${step} >= ${from} AND ${step} < ${to})
)
SELECT ${isCycle(by) ? labels : `timezone(${zone}, steps.${bin})`} AS ${key},
  (count(${time}) * ${rowHours})::DOUBLE AS ${hours}, (count(*) * ${rowHours})::DOUBLE AS ${ofHours},
${figures.join('\n')}
FROM steps LEFT JOIN grid ON ${time} = ${step}${where}
GROUP BY steps.${bin} ORDER BY steps.${bin}`;
  return { sql, key: columns[0]?.name ?? '', columns, names: made };
}

/** Whether a figure of this name belongs to the column. The name has a number appended if a column already has it. */
function isFigureOf(name: string, figure: Figure, { name: column, kind, field }: Column): boolean {
  if (kind !== 'number') return false;
  if (['mean', 'share', 'quotient', 'total'].includes(figure)) return name === column;
  if (figure === 'energy' && unitOf(field).mwhPerHour === undefined) return false;
  const isBand = stressBandIds.some(band => band === figure);
  const plain = isBand ? `${column}_${figure}_h` : figureName(column, figure);
  return name === plain || name.startsWith(`${plain} (`);
}

function figureSql(
  figure: Figure,
  { name, field }: Column,
  rowHours: number,
  { names, shareParts }: StepsTable,
): string {
  const own = `${names.sql(name)}::DOUBLE`;
  if (figure === 'mean') return `avg(${own})`;
  if (figure === 'total') return `sum(${own})`;
  if (figure === 'energy') return `sum(${own}) * ${rowHours * (unitOf(field).mwhPerHour ?? NaN)}`;
  if (figure === 'share') {
    // For a row with 0 % the whole of the share is unknown.
    const part = `${names.sql(field?.shareOf ?? '')}::DOUBLE`;
    const parts = `sum(${part}) FILTER (${own} IS NOT NULL)`;
    const wholes = `sum(${part} / nullif(${own}, 0))`;
    const zeros = `count(${part}) FILTER (${own} = 0)`;
    return `CASE WHEN ${zeros} = 0 THEN ${parts} / nullif(${wholes}, 0) WHEN ${wholes} IS NULL AND ${parts} = 0 THEN 0 END`;
  }
  if (figure === 'quotient') {
    const [part = '', whole = ''] = shareParts.get(name) ?? [];
    const sum = (of: string): string => `sum(${of}) FILTER (${part} IS NOT NULL AND ${whole} IS NOT NULL)`;
    return `100 * ${sum(part)} / nullif(${sum(whole)}, 0)`;
  }
  const band = stressBandIds.findIndex(id => id === figure);
  if (band < 0) return `${figure}(${own})`;
  const [from, to] = [band, band + 1].map(at => stressBandIds[at]).map(id => id && stressLimits[id]);
  const within = `${own} >= ${band === 0 ? "'-Infinity'" : from} AND ${own} < ${to ?? "'Infinity'"}`;
  return `CASE WHEN count(${own}) > 0 THEN count(*) FILTER (${within}) * ${rowHours} END`;
}
