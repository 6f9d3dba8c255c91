import { dayMs, hourMs } from '../../shared/durations.ts';
import { stressBandIds, stressLimits } from '../../shared/stressBands.ts';
import type { Column, Figure, Frame } from '../../shared/frame.ts';
import { isCycle, type BinSize, type Cycle, type Resampling } from '../../shared/resampling.ts';
import { unitOf } from '../../shared/units.ts';
import { getFigureName } from '../bins/binFrame.ts';
import { resampleFrame } from '../bins/resampleFrame.ts';
import { tariffPeriods } from '../calendar/tariffPeriods.ts';
import type { CalendarMacro } from './calendarSql.ts';
import { DuckdbNames } from './duckdbNames.ts';
import { formatSqlInstant, quoteSqlName, quoteForSql } from './quote.ts';

export const createGridTable = 'CREATE OR REPLACE TEMP TABLE grid AS';
export const joinConditions = (conditions: readonly string[]): string =>
  conditions.map(text => `(${text})`).join(' AND ');

/** A valid filter. */
export interface FilterCondition {
  readonly text: string;
  /** The condition for rows. Undefined if SQL cannot express the filter. */
  readonly sql: string | undefined;
  readonly macros: readonly CalendarMacro[];
  /** The condition for intervals, which may have no row. Undefined if the filter depends on other columns than the time. */
  readonly intervalSql?: string | undefined;
}

/** The table `grid` before its rows are resampled. */
export interface SqlTable {
  /** The names of the columns. */
  readonly names: DuckdbNames;
  /** The name of the time column. */
  readonly time: string;
  /** The quoted name of the column with the start of each interval, including intervals without a row. */
  readonly intervalName: string;
  /** The quoted names of the columns with the part and the whole of each derived share or rate, by its name. */
  readonly shareParts: ReadonlyMap<string, readonly string[]>;
  readonly filterConditions: readonly FilterCondition[];
  readonly isRelative: boolean;
}

/** The maximum length of a bin, in days. */
const maxBinDays: Readonly<Record<BinSize, number>> = { '3h': 1, day: 2, week: 8, month: 32, quarter: 93, year: 367 };

const truncateTo = (unit: string): string => `date_trunc('${unit}', local)`;
/**
 * SQL expressions for the start of a bin, or for the number of a bin in its cycle (NULL if no bin contains the interval). `step` is the start
 * of an interval, and `local` is its local time.
 */
const binSql: Readonly<Record<BinSize | Cycle, string>> = {
  '3h': "time_bucket(INTERVAL '3 hours', local)",
  day: truncateTo('day'),
  week: truncateTo('week'),
  month: truncateTo('month'),
  quarter: truncateTo('quarter'),
  year: truncateTo('year'),
  hourOfDay: 'hour(local)',
  weekday: 'isodow(local) - 1',
  monthOfYear: 'month(local) - 1',
  season: 'month(local) % 12 // 3',
  tariffPeriod: `CASE tariff_period(step)${tariffPeriods.map((period, index) => ` WHEN '${period}' THEN ${index}`).join('')} END`,
};

/**
 * Formats a statement that resamples the table `grid`. Returns it with the resulting columns. Returns undefined if the names of the bins are
 * unknown.
 */
export function formatResampling(sourceFrame: Frame, resampling: Resampling, gridTable: SqlTable) {
  const { by, timeZone, intervalMs, start, end, names } = resampling;
  const { intervalName: interval, isRelative, filterConditions } = gridTable;
  const time = gridTable.names.quote(gridTable.time);
  // Only a panel knows the names of the bins of a cycle.
  if (isCycle(by) && names.length === 0) return undefined;
  const { columns } = resampleFrame(sourceFrame, resampling);
  const resampledNames = new DuckdbNames(columns.map(({ name }) => name));
  const [key = '', hours = '', ofHours = ''] = resampledNames.allNames.map(quoteSqlName);
  const rowHours = intervalMs / hourMs;
  const sources = new Set<string>();
  const figures = columns.flatMap(({ name, field }, index) => {
    const figure = field?.figure;
    if (!figure) return [];
    // Columns of the same figure are in the order of their source columns, so each source column is used once.
    const sourceColumn = sourceFrame.columns.find(
      column => !sources.has(`${figure} ${column.name}`) && isFigureOfColumn(name, figure, column),
    );
    sources.add(`${figure} ${sourceColumn?.name ?? ''}`);
    return sourceColumn
      ? [
          `  (${formatFigure(figure, sourceColumn, rowHours, gridTable)})::DOUBLE AS ${quoteSqlName(resampledNames.allNames[index] ?? '')},`,
        ]
      : [];
  });
  const length = `INTERVAL '${intervalMs} milliseconds'`;
  const [from, to] = isRelative
    ? [`(SELECT min(${time}) FROM grid)`, `(SELECT max(${time}) + ${length} FROM grid)`]
    : [formatSqlInstant(start), formatSqlInstant(end)];
  const margin = `INTERVAL '${isCycle(by) ? 0 : Math.ceil((maxBinDays[by] * dayMs) / intervalMs) * intervalMs} milliseconds'`;
  const bin = gridTable.names.createHelperName('bin');
  const instant = gridTable.names.createHelperName('instant');
  const zone = quoteForSql(timeZone);
  const labels = `[${names.map(quoteForSql).join(', ')}][steps.${bin} + 1]`;
  // Conditions on the time also apply to intervals without a row. Other conditions apply only to rows.
  const rowConditions = filterConditions.flatMap(({ sql, intervalSql }) =>
    intervalSql === undefined ? (sql ?? []) : [],
  );
  const conditions = [
    ...filterConditions.flatMap(({ intervalSql }) => intervalSql ?? []),
    ...(rowConditions.length > 0 ? [`${time} IS NULL OR ${joinConditions(rowConditions)}`] : []),
  ];
  const whereClause = conditions.length > 0 ? `\nWHERE ${joinConditions(conditions)}` : '';
  const sql = `${createGridTable}
WITH near AS (
  -- When each row begins, and when one would that is missing.
  SELECT step AS ${interval}, timezone(${zone}, step) AS local, ${binSql[by]} AS ${bin}
  FROM (
    SELECT coalesce(${time}, ${instant}) AS step
    FROM (SELECT unnest(generate_series(${from} - ${margin}, ${to} + ${margin} - ${length}, ${length})) AS ${instant})
    LEFT JOIN (SELECT DISTINCT ${time} FROM grid) ON time_bucket(${length}, ${time}, ${from}) = ${instant}
  )
), steps AS (
  -- The first and the last bin with all their steps.
  SELECT ${interval}, ${bin} FROM near WHERE ${bin} IN (SELECT ${bin} FROM near WHERE ${interval} >= ${from} AND ${interval} < ${to})
)
SELECT ${isCycle(by) ? labels : `timezone(${zone}, steps.${bin})`} AS ${key},
  (count(${time}) * ${rowHours})::DOUBLE AS ${hours}, (count(*) * ${rowHours})::DOUBLE AS ${ofHours},
${figures.join('\n')}
FROM steps LEFT JOIN grid ON ${time} = ${interval}${whereClause}
GROUP BY steps.${bin} ORDER BY steps.${bin}`;
  return { sql, key: columns[0]?.name ?? '', columns, names: resampledNames };
}

/** Returns whether a resampled column of this name comes from the column. Its name ends with a number if another column has the same name. */
function isFigureOfColumn(name: string, figure: Figure, { name: column, kind, field }: Column): boolean {
  if (kind !== 'number') return false;
  if (['mean', 'share', 'quotient', 'total'].includes(figure)) return name === column;
  if (figure === 'energy' && unitOf(field).mwhPerHour === undefined) return false;
  const isBand = stressBandIds.some(band => band === figure);
  const unnumberedName = isBand ? `${column}_${figure}_h` : getFigureName(column, figure);
  return name === unnumberedName || name.startsWith(`${unnumberedName} (`);
}

function formatFigure(
  figure: Figure,
  { name, field }: Column,
  rowHours: number,
  { names, shareParts }: SqlTable,
): string {
  const valueSql = `${names.quote(name)}::DOUBLE`;
  if (figure === 'mean') return `avg(${valueSql})`;
  if (figure === 'total') return `sum(${valueSql})`;
  if (figure === 'energy') return `sum(${valueSql}) * ${rowHours * (unitOf(field).mwhPerHour ?? NaN)}`;
  if (figure === 'share') {
    // If a share is 0 %, its whole cannot be computed.
    const part = `${names.quote(field?.shareOf ?? '')}::DOUBLE`;
    const parts = `sum(${part}) FILTER (${valueSql} IS NOT NULL)`;
    const wholes = `sum(${part} / nullif(${valueSql}, 0))`;
    const zeros = `count(${part}) FILTER (${valueSql} = 0)`;
    return `CASE WHEN ${zeros} = 0 THEN ${parts} / nullif(${wholes}, 0) WHEN ${wholes} IS NULL AND ${parts} = 0 THEN 0 END`;
  }
  if (figure === 'quotient') {
    const [part = '', whole = ''] = shareParts.get(name) ?? [];
    const sum = (operand: string): string => `sum(${operand}) FILTER (${part} IS NOT NULL AND ${whole} IS NOT NULL)`;
    const scale = unitOf(field).kind === 'rate' ? '' : '100 * ';
    return `${scale}${sum(part)} / nullif(${sum(whole)}, 0)`;
  }
  const band = stressBandIds.findIndex(id => id === figure);
  if (band < 0) return `${figure}(${valueSql})`;
  const [from, to] = [band, band + 1].map(index => stressBandIds[index]).map(id => id && stressLimits[id]);
  const isInBand = `${valueSql} >= ${band === 0 ? "'-Infinity'" : from} AND ${valueSql} < ${to ?? "'Infinity'"}`;
  return `CASE WHEN count(${valueSql}) > 0 THEN count(*) FILTER (${isInBand}) * ${rowHours} END`;
}
