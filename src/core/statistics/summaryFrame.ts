import { translateField, findShareParts, type Translate } from '../bins/binSums.ts';
import {
  getColumnDuration,
  createComparedColumns,
  findComparedTimeOfColumn,
  getTimesOfColumn,
} from '../compare/compareFrames.ts';
import { findCycleColumn } from '../frame/chartColumns.ts';
import { findTimeColumn } from '../frame/clip.ts';
import { getMixDerivedColumns, getMixColumns } from '../frame/mixColumns.ts';
import {
  cellState,
  type Column,
  type ColumnComparison,
  type FieldInfo,
  type Frame,
  type NumberColumn,
} from '../../shared/frame.ts';
import { totalRenewableField } from '../../shared/fields.ts';
import { summaryFigures, type SummaryFigure } from '../../shared/summaryFigures.ts';
import {
  energy,
  energyChange,
  hourCount,
  isAmount,
  isDifferenceOfQuotients,
  isHourCount,
  share,
  unitOf,
  type Unit,
} from '../../shared/units.ts';
import { describeColumn, type ColumnStatistics } from './columnStatistics.ts';
import { subtractDecimals } from './decimalSum.ts';
import { hasRepeatedInstants } from './energy.ts';

/** The columns of a summary. */
export const summaryFields = {
  column: { label: 'Column', meaning: 'The column that the figures describe' },
  unit: { label: 'Unit', meaning: 'For total, mean, lowest, highest and quantiles' },
  energy_mwh: {
    label: 'Energy',
    meaning: 'Power times time: the sum of the values times the hours that a row lasts',
  },
  total: { label: 'Total', meaning: 'Sum of the values of money or mass' },
  share_pct: {
    label: 'Share',
    meaning: 'Share of the energy of total generation, over the hours in which all of its parts are known',
  },
  energy_hours: { label: 'Hours', meaning: 'Total duration of the rows with a value, which the energy covers' },
  mean: {
    label: 'Mean',
    meaning: 'Mean of the values weighted by hours; for a share, the share of the energies',
  },
  load_factor_pct: { label: 'Load factor', meaning: 'Mean as a percentage of the highest value' },
  min: { label: 'Lowest', meaning: 'Lowest value' },
  min_at: { label: 'Lowest at', meaning: 'First time of the lowest value' },
  max: { label: 'Highest', meaning: 'Highest value' },
  max_at: { label: 'Highest at', meaning: 'First time of the highest value' },
  p5: {
    label: 'p5',
    meaning: '5 % of the values are at or below it (interpolated linearly: type 7 of Hyndman and Fan)',
  },
  median: { label: 'Median', meaning: 'Half of the values are at or below it' },
  p95: {
    label: 'p95',
    meaning: '95 % of the values are at or below it (interpolated linearly: type 7 of Hyndman and Fan)',
  },
  deviation: { label: 'σ (n − 1)', meaning: 'Standard deviation of the sample' },
  null: { label: 'Null', meaning: 'Rows for which the service sent no value' },
  absent: { label: 'Absent', meaning: 'Rows for which the service did not send the field' },
  values: { label: 'Values', meaning: 'Rows with a value' },
  field: { label: 'Field', meaning: 'The name of the column in formulas, files and programs' },
} as const satisfies Record<string, FieldInfo>;

type FigureName = Exclude<keyof typeof summaryFields, 'column' | 'unit' | 'field'>;

const figureColumns: Readonly<Record<SummaryFigure, readonly FigureName[]>> = {
  energy: ['energy_mwh', 'total', 'share_pct', 'energy_hours'],
  mean: ['mean', 'load_factor_pct'],
  extremes: ['min', 'min_at', 'max', 'max_at'],
  quantiles: ['p5', 'median', 'p95', 'deviation'],
  gaps: ['null', 'absent'],
};

const figureUnits: Readonly<Partial<Record<FigureName, Unit>>> = {
  energy_mwh: energy,
  share_pct: share,
  energy_hours: hourCount,
  load_factor_pct: share,
};

/** Figures that count rows. All other figures without a unit have the unit of the summarized column. */
const countFigures: ReadonlySet<FigureName> = new Set(['null', 'absent', 'values']);

/** How each figure is compared with other periods. Differences of other figures are of little use. */
const comparisonKinds: Readonly<Partial<Record<FigureName, readonly ColumnComparison['role'][]>>> = {
  energy_mwh: ['compared', 'difference', 'percent'],
  total: ['compared', 'difference', 'percent'],
  share_pct: ['compared', 'difference'],
  mean: ['compared', 'difference'],
};

/** Rows of a result to summarize. */
export interface SummaryInput {
  readonly frame: Frame;
  /** The rows to include; all if omitted. */
  readonly rows?: Uint32Array | undefined;
  /** The requested interval in milliseconds, if known. */
  readonly intervalMs: number | undefined;
}

/** A summarized column with the columns that a comparison added for it. */
interface SummaryLine {
  readonly column: NumberColumn;
  readonly comparisons: Readonly<Partial<Record<ColumnComparison['role'], NumberColumn | undefined>>> & {
    /** One column for each further period, in order. */
    readonly further?: readonly (NumberColumn | undefined)[];
  };
}

/** Returns the columns with the values of the compared period and the differences for a summarized column. */
export function listComparedColumns(frame: Frame, { name }: NumberColumn): readonly NumberColumn[] {
  const { compared, difference } = getLines(frame).find(({ column }) => column.name === name)?.comparisons ?? {};
  return [compared, difference].filter(column => column !== undefined);
}

/** Returns the columns that have a row in a summary: numbers, then the generation mix, then the hours per row. */
export function listSummarizedColumns(frame: Frame): readonly NumberColumn[] {
  return getLines(frame).map(({ column }) => column);
}

/**
 * Summarizes each numeric column and each series of the generation mix in a row. With a comparison, the figures of the other periods,
 * differences and the changes of energies and totals in percent are in further columns. Energies are in MWh, instants in UTC milliseconds. A
 * figure that is unknown or meaningless for the unit is null. `translate` translates the labels.
 */
export function summaryFrame(summarized: SummaryInput, figures: readonly SummaryFigure[], translate: Translate): Frame {
  const { frame } = summarized;
  const lines = getLines(frame);
  const { first: compared, further } = listComparedPeriods(frame);
  const hasShares = figures.includes('energy');
  const totals = hasShares
    ? {
        current: computeTotal(summarized, frame),
        compared: compared && computeTotal(summarized, getComparedFrame(frame, compared)),
        further: further.map(period => computeTotal(summarized, getComparedFrame(frame, period))),
      }
    : undefined;
  const computeIfPresent = (column: NumberColumn | undefined, total?: TotalGeneration): FigureValues | undefined =>
    column && computeFigures(summarized, column, total);
  const cells = lines.map(({ column, comparisons }) => ({
    current: computeIfPresent(column, totals?.current),
    compared: computeIfPresent(comparisons.compared, totals?.compared),
    difference: computeIfPresent(comparisons.difference),
    percent: computeIfPresent(comparisons.percent),
    further: further.map((_, index) => computeIfPresent(comparisons.further?.[index], totals?.further[index])),
  }));
  const units = {
    codes: Uint32Array.from(lines.keys()),
    entries: lines.map(({ column }) => unitOf(column.field)),
  };
  const requestedFigures = summaryFigures.filter(figure => figures.includes(figure));
  const figureNames: readonly FigureName[] = [...requestedFigures.flatMap(figure => figureColumns[figure]), 'values'];
  const columns = figureNames.flatMap((name): Column[] => {
    const current = cells.map(line => line.current?.[name]);
    if ((name === 'share_pct' || name === 'total') && current.every(value => value === undefined)) return [];
    const comparisons = (compared ? (comparisonKinds[name] ?? (['compared'] as const)) : []).map(role => {
      const values = cells.map((line, index) => {
        if (role === 'percent')
          return isMoneyOrMass(lines[index]) === (name === 'total') ? line.percent?.mean : undefined;
        // The difference of the displayed shares, each of which refers to one total.
        if (role === 'difference' && name === 'share_pct')
          return subtractKnown(current[index], line.compared?.share_pct);
        return line[role]?.[name];
      });
      return createFigureColumn(name, values, units, {
        role,
        baseName: name,
        rangeName: compared?.rangeName ?? '',
        hasBaseLabel: true,
      });
    });
    const furtherColumns = further.map((period, index) => {
      const values = cells.map(line => line.further[index]?.[name]);
      return createFigureColumn(name, values, units, {
        ...period,
        role: 'compared',
        baseName: name,
        hasBaseLabel: true,
      });
    });
    return [createFigureColumn(name, current, units), ...comparisons, ...furtherColumns];
  });
  const texts = [
    createTextColumn(
      'column',
      lines.map(({ column }) => (column.field ? translateField(column.field, translate).label : column.name)),
    ),
    createTextColumn(
      'unit',
      lines.map(({ column }) => unitOf(column.field).text),
    ),
  ];
  const field = createTextColumn(
    'field',
    lines.map(({ column }) => column.name),
  );
  return { rowCount: lines.length, columns: [...texts, ...columns, field] };
}

/** Whether a line has a total instead of an energy. */
function isMoneyOrMass(line: SummaryLine | undefined): boolean {
  const unit = unitOf(line?.column.field);
  return isAmount(unit) && unit.kind !== 'energy';
}

type FigureValues = Readonly<Partial<Record<FigureName, number | undefined>>>;

/** Computes the statistics of a column over the summarized rows. */
export function computeStatistics({ frame, rows, intervalMs }: SummaryInput, column: NumberColumn): ColumnStatistics {
  const rowMs = getColumnDuration(frame, column, intervalMs);
  return describeColumn(column, getTimesOfColumn(frame, column), rows, findShareParts(frame, column), rowMs);
}

/**
 * Returns the mean; for a share the share of the energies, for a rate the rate of the amounts. Undefined for differences of these and changes in percent whose energies are
 * unknown.
 */
export function getMean({ field }: NumberColumn, { share, summary }: ColumnStatistics): number | undefined {
  return share ?? (isDifferenceOfQuotients(unitOf(field)) ? undefined : summary?.mean);
}

function computeFigures(
  summarized: SummaryInput,
  column: NumberColumn,
  total: TotalGeneration | undefined,
): FigureValues {
  const statistics = computeStatistics(summarized, column);
  const { count, nulls, absent, summary } = statistics;
  const mean = getMean(column, statistics);
  const sum = getTotal(summarized.frame, column, statistics);
  const { kind, text } = unitOf(column.field);
  const mwh = kind !== 'energy' || sum === undefined ? undefined : text === energy.text ? sum : sum / 1000;
  return {
    energy_mwh: statistics.energy?.mwh ?? mwh,
    total: kind === 'energy' ? undefined : sum,
    share_pct: total && computeShareOfTotal(summarized, column, statistics, total),
    energy_hours: statistics.energy?.hours,
    mean,
    load_factor_pct: computeLoadFactor(column, mean, summary),
    min: summary?.min.value,
    min_at: summary?.min.instant,
    max: summary?.max.value,
    max_at: summary?.max.instant,
    // Computed on demand, because quantiles need sorted values.
    get p5() {
      return summary?.p5;
    },
    get median() {
      return summary?.median;
    },
    get p95() {
      return summary?.p95;
    },
    get deviation() {
      return summary?.deviation;
    },
    null: nulls,
    absent,
    values: count,
  };
}

/**
 * Returns the sum of amounts that add up: not the minimum or maximum of rows, and neither windows nor rows of the same instant, which count
 * hours repeatedly.
 */
export function getTotal(frame: Frame, column: NumberColumn, { summary }: ColumnStatistics): number | undefined {
  const { field } = column;
  const unit = unitOf(field);
  const addsUp = isAmount(unit) && !unit.overlaps && field?.figure !== 'min' && field?.figure !== 'max';
  const time = addsUp ? getTimesOfColumn(frame, column) : undefined;
  return addsUp && !(time && hasRepeatedInstants(time)) ? summary?.sum : undefined;
}

function computeLoadFactor(
  { field }: NumberColumn,
  mean: number | undefined,
  summary: ColumnStatistics['summary'],
): number | undefined {
  const { mwhPerHour, difference } = unitOf(field);
  if (mwhPerHour === undefined || difference || mean === undefined || !summary) return undefined;
  return summary.min.value >= 0 && summary.max.value > 0 ? (100 * mean) / summary.max.value : undefined;
}

/** Total generation: the names of the columns that have a share of it, the rows in which it is known, and its energy. */
interface TotalGeneration {
  readonly names: ReadonlySet<string>;
  readonly rows: Uint32Array;
  readonly mwh: number;
}

/** Computes total generation of this or the compared period; undefined if it is unknown. */
function computeTotal(summarized: SummaryInput, periodFrame: Frame): TotalGeneration | undefined {
  const { sources, unpublished, renewables, totals } = getMixColumns(periodFrame);
  const [totalColumn] = totals;
  if (!totalColumn) return undefined;
  const candidateRows = summarized.rows ?? Uint32Array.from(totalColumn.values.keys());
  const rows = totalColumn.gaps
    ? candidateRows.filter(row => totalColumn.gaps?.[row] === cellState.value)
    : candidateRows;
  const { energy } = computeStatistics({ ...summarized, rows }, totalColumn);
  const parts = [...sources, unpublished, ...renewables, totalColumn].flatMap(part => part?.name ?? []);
  return energy && { names: new Set([...parts, totalRenewableField]), rows, mwh: energy.mwh };
}

/** Returns the column's share in percent, over the hours in which the total is known and so every part has a value. */
function computeShareOfTotal(
  summarized: SummaryInput,
  column: NumberColumn,
  { count, energy }: ColumnStatistics,
  total: TotalGeneration,
): number | undefined {
  if (!total.names.has(column.name.replace(/ · compared(?: \d+)?$/, '')) || total.mwh === 0) return undefined;
  const columnEnergy =
    count === total.rows.length ? energy : computeStatistics({ ...summarized, rows: total.rows }, column).energy;
  return columnEnergy && (100 * columnEnergy.mwh) / total.mwh;
}

function subtractKnown(current: number | undefined, compared: number | undefined): number | undefined {
  return current === undefined || compared === undefined ? undefined : subtractDecimals(current, compared);
}

const lineCache = new WeakMap<Frame, readonly SummaryLine[]>();

/** Returns the lines of the summary, from a cache if the frame was summarized before. */
function getLines(frame: Frame): readonly SummaryLine[] {
  const cached = lineCache.get(frame);
  if (cached) return cached;
  const numbers = frame.columns.filter(column => column.kind === 'number');
  const columnsByBaseName = Map.groupBy(numbers, ({ field }) => field?.comparison?.baseName);
  const { further } = listComparedPeriods(frame);
  const findComparedColumn = (name: string, role: ColumnComparison['role'], period?: number) =>
    columnsByBaseName
      .get(name)
      ?.find(({ field }) => field?.comparison?.role === role && field.comparison.period === period);
  const receivedLines = (columnsByBaseName.get(undefined) ?? []).map((column): SummaryLine => ({
    column,
    comparisons: {
      compared: findComparedColumn(column.name, 'compared'),
      difference: findComparedColumn(column.name, 'difference'),
      percent: findComparedColumn(column.name, 'percent'),
      further: further.map(({ period }) => findComparedColumn(column.name, 'compared', period)),
    },
  }));
  const { counts = [], figures = [] } = Object.groupBy(receivedLines, ({ column }) =>
    isHourCount(unitOf(column.field)) ? 'counts' : 'figures',
  );
  const lines = [...figures, ...createMixLines(frame), ...counts];
  lineCache.set(frame, lines);
  return lines;
}

/** Creates the lines of the generation mix, for this period and the compared periods. */
function createMixLines(frame: Frame): SummaryLine[] {
  const mixColumns = getMixDerivedColumns(frame);
  const { first, further } = listComparedPeriods(frame);
  if (!first && further.length === 0) return mixColumns.map((column): SummaryLine => ({ column, comparisons: {} }));
  const periods = [...(first ? [first] : []), ...further].map(period => {
    return { period, columns: getMixDerivedColumns(getComparedFrame(frame, period)) };
  });
  const identicalRows = Int32Array.from({ length: frame.rowCount }, (_, row) => row);
  return mixColumns.map((column): SummaryLine => {
    const { label = '', meaning = '' } = column.field ?? {};
    const numbers = periods.map(({ period, columns }) => {
      const comparedColumn = columns.find(({ name }) => name === column.name);
      if (!comparedColumn) return [];
      const createField = (role: ColumnComparison['role']): FieldInfo => {
        return { label, meaning, comparison: { ...period, role, baseName: column.name } };
      };
      return createComparedColumns(column, comparedColumn, identicalRows, new Set(), createField);
    });
    const [compared, difference, percent] = first ? (numbers[0] ?? []) : [];
    const furtherColumns = numbers.slice(first ? 1 : 0).map(([comparedColumn]) => comparedColumn);
    return { column, comparisons: { compared, difference, percent, further: furtherColumns } };
  });
}

/** Identifies a compared period, as in the `comparison` of its columns. */
type ComparedPeriod = Pick<ColumnComparison, 'rangeName' | 'period'>;

/** Lists the periods that a frame is compared with. */
function listComparedPeriods({ columns }: Frame): {
  readonly first: ComparedPeriod | undefined;
  readonly further: readonly ComparedPeriod[];
} {
  const periods = new Map<number | undefined, ComparedPeriod>();
  for (const { kind, field } of columns) {
    if (kind !== 'number' || field?.comparison?.role !== 'compared') continue;
    const { rangeName: name, period } = field.comparison;
    periods.set(period, { rangeName: name, ...(period !== undefined && { period }) });
  }
  const further = [...periods.values()].filter(({ period }) => period !== undefined);
  return { first: periods.get(undefined), further };
}

const comparedFrameCache = new WeakMap<Frame, Map<number | undefined, Frame>>();

/** Returns the columns of a compared period, with the names of the base columns. */
function getComparedFrame(frame: Frame, { period }: ComparedPeriod): Frame {
  const cache = comparedFrameCache.get(frame) ?? new Map<number | undefined, Frame>();
  comparedFrameCache.set(frame, cache);
  const cached = cache.get(period);
  if (cached) return cached;
  const comparedColumns = frame.columns.filter(
    (column): column is NumberColumn =>
      column.kind === 'number' &&
      column.field?.comparison?.role === 'compared' &&
      column.field.comparison.period === period,
  );
  const time = comparedColumns[0] && findComparedTimeOfColumn(frame, comparedColumns[0]);
  const rowKey = time ? { ...time, name: findTimeColumn(frame)?.name ?? time.name } : findCycleColumn(frame);
  const columns = comparedColumns.map((column): Column => {
    const { baseName: originalName = '' } = column.field?.comparison ?? {};
    return { ...column, name: originalName, path: [originalName] };
  });
  const comparedFrame = { rowCount: frame.rowCount, columns: [...(rowKey ? [rowKey] : []), ...columns] };
  cache.set(period, comparedFrame);
  return comparedFrame;
}

function createFigureColumn(
  name: FigureName,
  cells: readonly (number | undefined)[],
  units: NonNullable<NumberColumn['units']>,
  comparison?: ColumnComparison,
): Column {
  const unit = comparison?.role === 'percent' ? energyChange : figureUnits[name];
  const { role, period } = comparison ?? {};
  const fullName = role ? `${name} · ${role}${period === undefined ? '' : ` ${period}`}` : name;
  const field: FieldInfo = {
    ...summaryFields[name],
    isDerived: true,
    ...(unit && { unit }),
    ...(comparison && { comparison }),
  };
  const values = Float64Array.from(cells, cell => cell ?? NaN);
  const gaps = Uint8Array.from(cells, cell => (cell === undefined ? cellState.null : cellState.value));
  const base = { name: fullName, path: [fullName], field, values, ...(gaps.includes(cellState.null) && { gaps }) };
  if (name.endsWith('_at')) return { kind: 'time', ...base };
  return { kind: 'number', ...base, ...(!unit && !countFigures.has(name) && { units }) };
}

function createTextColumn(name: 'column' | 'unit' | 'field', entries: readonly string[]): Column {
  const codes = new Uint32Array(entries.length).map((_, row) => row);
  return {
    kind: 'text',
    name,
    path: [name],
    field: { ...summaryFields[name], isDerived: true },
    texts: { codes, entries },
  };
}
