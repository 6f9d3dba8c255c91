import { fieldInWords, partsOf, type Say } from '../bins/binSums.ts';
import { columnDuration, comparedNumbers, comparedTimeOfColumn, timesOfColumn } from '../compare/compare.ts';
import { cycleOf } from '../frame/chartColumns.ts';
import { timeColumnOf } from '../frame/clip.ts';
import { derivedColumns, mixColumns } from '../frame/mixColumns.ts';
import {
  cellState,
  type Column,
  type Compares,
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
  isDifferenceOfShares,
  isHourCount,
  share,
  unitOf,
  type Unit,
} from '../../shared/units.ts';
import { describeColumn, type ColumnStatistics } from './columnStatistics.ts';
import { decimalDifference } from './sumDigits.ts';

/** The columns of a summary. */
export const summaryTexts = {
  column: { label: 'Column', meaning: 'What the figures are of' },
  unit: { label: 'Unit', meaning: 'Of mean, lowest, highest and quantiles' },
  energy_mwh: {
    label: 'Energy',
    meaning: 'Power times time: the sum of the values times the hours that a row lasts',
  },
  share_pct: {
    label: 'Share',
    meaning: 'Of the energy of total generation, over the hours in which all of its parts are known',
  },
  energy_hours: { label: 'Hours', meaning: 'How long the rows with a value last together: what the energy is over' },
  mean: {
    label: 'Mean',
    meaning: 'Of the values, each weighed by its hours; of a share, that of the energies',
  },
  load_factor_pct: { label: 'Load factor', meaning: 'Mean in percent of the highest value' },
  min: { label: 'Lowest', meaning: 'Least value' },
  min_at: { label: 'Lowest at', meaning: 'The first time of the least value' },
  max: { label: 'Highest', meaning: 'Greatest value' },
  max_at: { label: 'Highest at', meaning: 'The first time of the greatest value' },
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

type FigureName = Exclude<keyof typeof summaryTexts, 'column' | 'unit' | 'field'>;

const figureColumns: Readonly<Record<SummaryFigure, readonly FigureName[]>> = {
  energy: ['energy_mwh', 'share_pct', 'energy_hours'],
  mean: ['mean', 'load_factor_pct'],
  extremes: ['min', 'min_at', 'max', 'max_at'],
  quantiles: ['p5', 'median', 'p95', 'deviation'],
  gaps: ['null', 'absent'],
};

const unitsOfFigures: Readonly<Partial<Record<FigureName, Unit>>> = {
  energy_mwh: energy,
  share_pct: share,
  energy_hours: hourCount,
  load_factor_pct: share,
};

/** Figures that count rows. All other figures without a unit of their own have that of the summarised column. */
const countNames: ReadonlySet<FigureName> = new Set(['null', 'absent', 'values']);

/** How each figure is compared with other periods. Differences of other figures are of little use. */
const comparedBy: Readonly<Partial<Record<FigureName, readonly Compares['as'][]>>> = {
  energy_mwh: ['compared', 'difference', 'percent'],
  share_pct: ['compared', 'difference'],
  mean: ['compared', 'difference'],
};

/** Rows of a result to summarise. */
export interface Summarised {
  readonly frame: Frame;
  /** The rows to include; all if omitted. */
  readonly rows?: Uint32Array | undefined;
  /** The requested interval in milliseconds, if known. */
  readonly step: number | undefined;
}

/** A summarised column with the columns that a comparison added for it. */
interface Line {
  readonly column: NumberColumn;
  readonly beside: Readonly<Partial<Record<Compares['as'], NumberColumn | undefined>>> & {
    /** One column for each further period, in order. */
    readonly further?: readonly (NumberColumn | undefined)[];
  };
}

/** Returns the columns with the values of the compared period and the differences for a summarised column. */
export function besideOf(frame: Frame, { name }: NumberColumn): readonly NumberColumn[] {
  const { compared, difference } = linesOf(frame).find(({ column }) => column.name === name)?.beside ?? {};
  return [compared, difference].filter(column => column !== undefined);
}

/** Returns the columns that have a row in a summary: numbers, then the generation mix, then the hours per row. */
export function summarisedColumns(frame: Frame): readonly NumberColumn[] {
  return linesOf(frame).map(({ column }) => column);
}

/**
 * Summarises each numeric column and each series of the generation mix in a row. With a comparison, the figures of the other periods,
 * differences and the changes of the energies in percent are in further columns. Energies are in MWh, instants in UTC milliseconds. A
 * figure that is unknown or meaningless for the unit is null. `say` translates the labels.
 */
export function summaryFrame(summarised: Summarised, figures: readonly SummaryFigure[], say: Say): Frame {
  const { frame } = summarised;
  const lines = linesOf(frame);
  const { first: compared, further } = comparedPeriods(frame);
  const withShares = figures.includes('energy');
  const totals = withShares
    ? {
        own: totalOf(summarised, frame),
        compared: compared && totalOf(summarised, comparedSide(frame, compared)),
        further: further.map(period => totalOf(summarised, comparedSide(frame, period))),
      }
    : undefined;
  const of = (column: NumberColumn | undefined, total?: Total): Figures | undefined =>
    column && figuresOf(summarised, column, total);
  const cells = lines.map(({ column, beside }) => ({
    own: of(column, totals?.own),
    compared: of(beside.compared, totals?.compared),
    difference: of(beside.difference),
    percent: of(beside.percent),
    further: further.map((_, at) => of(beside.further?.[at], totals?.further[at])),
  }));
  const units = {
    codes: Uint32Array.from(lines.keys()),
    entries: lines.map(({ column }) => unitOf(column.field)),
  };
  const asked = summaryFigures.filter(figure => figures.includes(figure));
  const named: readonly FigureName[] = [...asked.flatMap(figure => figureColumns[figure]), 'values'];
  const columns = named.flatMap((name): Column[] => {
    const own = cells.map(line => line.own?.[name]);
    if (name === 'share_pct' && own.every(value => value === undefined)) return [];
    const others = (compared ? (comparedBy[name] ?? (['compared'] as const)) : []).map(as => {
      const values = cells.map((line, at) => {
        if (as === 'percent') return line.percent?.mean;
        // The difference of the displayed shares, each of which refers to one total.
        if (as === 'difference' && name === 'share_pct') return differenceOfKnown(own[at], line.compared?.share_pct);
        return line[as]?.[name];
      });
      return figureColumn(name, values, units, { as, of: name, with: compared?.with ?? '', plain: true });
    });
    const more = further.map((period, at) => {
      const values = cells.map(line => line.further[at]?.[name]);
      return figureColumn(name, values, units, { ...period, as: 'compared', of: name, plain: true });
    });
    return [figureColumn(name, own, units), ...others, ...more];
  });
  const texts = [
    textColumn(
      'column',
      lines.map(({ column }) => (column.field ? fieldInWords(column.field, say).label : column.name)),
    ),
    textColumn(
      'unit',
      lines.map(({ column }) => unitOf(column.field).text),
    ),
  ];
  const field = textColumn(
    'field',
    lines.map(({ column }) => column.name),
  );
  return { rowCount: lines.length, columns: [...texts, ...columns, field] };
}

type Figures = Readonly<Partial<Record<FigureName, number | undefined>>>;

/** Computes the statistics of a column over the summarised rows. */
export function statisticsOf({ frame, rows, step }: Summarised, column: NumberColumn): ColumnStatistics {
  const rowMs = columnDuration(frame, column, step);
  return describeColumn(column, timesOfColumn(frame, column), rows, partsOf(frame, column), rowMs);
}

/**
 * Returns the mean; for a share the share of the energies. Undefined for differences of shares and changes in percent whose energies are
 * unknown.
 */
export function meanOf({ field }: NumberColumn, { share, summary }: ColumnStatistics): number | undefined {
  return share ?? (isDifferenceOfShares(unitOf(field)) ? undefined : summary?.mean);
}

function figuresOf(summarised: Summarised, column: NumberColumn, total: Total | undefined): Figures {
  const statistics = statisticsOf(summarised, column);
  const { count, nulls, absent, summary, energy } = statistics;
  const mean = meanOf(column, statistics);
  return {
    energy_mwh: energy?.mwh ?? (isSumOfEnergies(column) ? summary?.sum : undefined),
    share_pct: total && shareOfTotal(summarised, column, statistics, total),
    energy_hours: energy?.hours,
    mean,
    load_factor_pct: loadFactor(column, mean, summary),
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

/** Whether the column holds energies that add up: not the minimum or maximum of rows, and not windows that count hours repeatedly. */
function isSumOfEnergies({ field }: NumberColumn): boolean {
  const { kind, overlaps } = unitOf(field);
  return kind === 'energy' && !overlaps && field?.figure !== 'min' && field?.figure !== 'max';
}

function loadFactor(
  { field }: NumberColumn,
  mean: number | undefined,
  summary: ColumnStatistics['summary'],
): number | undefined {
  const { mwhPerHour, difference } = unitOf(field);
  if (mwhPerHour === undefined || difference || mean === undefined || !summary) return undefined;
  return summary.min.value >= 0 && summary.max.value > 0 ? (100 * mean) / summary.max.value : undefined;
}

/** Total generation: the columns that may have a share of it, the rows in which it is known, and its energy. */
interface Total {
  readonly names: ReadonlySet<string>;
  readonly rows: Uint32Array;
  readonly mwh: number;
}

/** Computes total generation of this or the compared period; undefined if it is unknown. */
function totalOf(summarised: Summarised, side: Frame): Total | undefined {
  const { sources, rest, renewables, totals } = mixColumns(side);
  const [whole] = totals;
  if (!whole) return undefined;
  const all = summarised.rows ?? Uint32Array.from(whole.values.keys());
  const rows = whole.gaps ? all.filter(row => whole.gaps?.[row] === cellState.value) : all;
  const { energy } = statisticsOf({ ...summarised, rows }, whole);
  const parts = [...sources, rest, ...renewables, whole].flatMap(part => part?.name ?? []);
  return energy && { names: new Set([...parts, totalRenewableField]), rows, mwh: energy.mwh };
}

/** Returns the column's share in percent, over the hours in which the total is known and so every part has a value. */
function shareOfTotal(
  summarised: Summarised,
  column: NumberColumn,
  { count, energy }: ColumnStatistics,
  total: Total,
): number | undefined {
  if (!total.names.has(column.name.replace(/ · compared(?: \d+)?$/, '')) || total.mwh === 0) return undefined;
  const own = count === total.rows.length ? energy : statisticsOf({ ...summarised, rows: total.rows }, column).energy;
  return own && (100 * own.mwh) / total.mwh;
}

function differenceOfKnown(own: number | undefined, other: number | undefined): number | undefined {
  return own === undefined || other === undefined ? undefined : decimalDifference(own, other);
}

const knownLines = new WeakMap<Frame, readonly Line[]>();

/** Returns the lines of the summary. Cached per frame. */
function linesOf(frame: Frame): readonly Line[] {
  const known = knownLines.get(frame);
  if (known) return known;
  const numbers = frame.columns.filter(column => column.kind === 'number');
  const besides = Map.groupBy(numbers, ({ field }) => field?.compares?.of);
  const { further } = comparedPeriods(frame);
  const beside = (name: string, as: Compares['as'], period?: number) =>
    besides.get(name)?.find(({ field }) => field?.compares?.as === as && field.compares.period === period);
  const received = (besides.get(undefined) ?? []).map((column): Line => ({
    column,
    beside: {
      compared: beside(column.name, 'compared'),
      difference: beside(column.name, 'difference'),
      percent: beside(column.name, 'percent'),
      further: further.map(({ period }) => beside(column.name, 'compared', period)),
    },
  }));
  const { counts = [], figures = [] } = Object.groupBy(received, ({ column }) =>
    isHourCount(unitOf(column.field)) ? 'counts' : 'figures',
  );
  const lines = [...figures, ...mixLines(frame), ...counts];
  knownLines.set(frame, lines);
  return lines;
}

/** Creates the lines of the generation mix, with those of the compared periods. */
function mixLines(frame: Frame): Line[] {
  const own = derivedColumns(frame);
  const { first, further } = comparedPeriods(frame);
  if (!first && further.length === 0) return own.map((column): Line => ({ column, beside: {} }));
  const periods = [...(first ? [first] : []), ...further].map(period => {
    return { period, columns: derivedColumns(comparedSide(frame, period)) };
  });
  const same = Int32Array.from({ length: frame.rowCount }, (_, row) => row);
  return own.map((column): Line => {
    const { label = '', meaning = '' } = column.field ?? {};
    const numbers = periods.map(({ period, columns }) => {
      const partner = columns.find(({ name }) => name === column.name);
      if (!partner) return [];
      const fieldOf = (as: Compares['as']): FieldInfo => {
        return { label, meaning, compares: { ...period, as, of: column.name } };
      };
      return comparedNumbers(column, partner, same, new Set(), fieldOf);
    });
    const [compared, difference, percent] = first ? (numbers[0] ?? []) : [];
    const more = numbers.slice(first ? 1 : 0).map(([one]) => one);
    return { column, beside: { compared, difference, percent, further: more } };
  });
}

/** Identifies a compared period, as in the `compares` field of its columns. */
type ComparedName = Pick<Compares, 'with' | 'period'>;

/** Lists the periods that a frame is compared with. */
function comparedPeriods({ columns }: Frame): {
  readonly first: ComparedName | undefined;
  readonly further: readonly ComparedName[];
} {
  const found = new Map<number | undefined, ComparedName>();
  for (const { kind, field } of columns) {
    if (kind !== 'number' || field?.compares?.as !== 'compared') continue;
    const { with: name, period } = field.compares;
    found.set(period, { with: name, ...(period !== undefined && { period }) });
  }
  const further = [...found.values()].filter(({ period }) => period !== undefined);
  return { first: found.get(undefined), further };
}

const sides = new WeakMap<Frame, Map<number | undefined, Frame>>();

/** Returns the compared period's columns under the names of the columns they are compared with. */
function comparedSide(frame: Frame, { period }: ComparedName): Frame {
  const made = sides.get(frame) ?? new Map<number | undefined, Frame>();
  sides.set(frame, made);
  const known = made.get(period);
  if (known) return known;
  const others = frame.columns.filter(
    (column): column is NumberColumn =>
      column.kind === 'number' && column.field?.compares?.as === 'compared' && column.field.compares.period === period,
  );
  const time = others[0] && comparedTimeOfColumn(frame, others[0]);
  const key = time ? { ...time, name: timeColumnOf(frame)?.name ?? time.name } : cycleOf(frame);
  const columns = others.map((column): Column => {
    const { of = '' } = column.field?.compares ?? {};
    return { ...column, name: of, path: [of] };
  });
  const side = { rowCount: frame.rowCount, columns: [...(key ? [key] : []), ...columns] };
  made.set(period, side);
  return side;
}

function figureColumn(
  name: FigureName,
  cells: readonly (number | undefined)[],
  units: NonNullable<NumberColumn['units']>,
  compares?: Compares,
): Column {
  const unit = compares?.as === 'percent' ? energyChange : unitsOfFigures[name];
  const { as, period } = compares ?? {};
  const full = as ? `${name} · ${as}${period === undefined ? '' : ` ${period}`}` : name;
  const field: FieldInfo = {
    ...summaryTexts[name],
    isDerived: true,
    ...(unit && { unit }),
    ...(compares && { compares }),
  };
  const values = Float64Array.from(cells, cell => cell ?? NaN);
  const gaps = Uint8Array.from(cells, cell => (cell === undefined ? cellState.null : cellState.value));
  const base = { name: full, path: [full], field, values, ...(gaps.includes(cellState.null) && { gaps }) };
  if (name.endsWith('_at')) return { kind: 'time', ...base };
  return { kind: 'number', ...base, ...(!unit && !countNames.has(name) && { units }) };
}

function textColumn(name: 'column' | 'unit' | 'field', entries: readonly string[]): Column {
  const codes = new Uint32Array(entries.length).map((_, row) => row);
  return {
    kind: 'text',
    name,
    path: [name],
    field: { ...summaryTexts[name], isDerived: true },
    texts: { codes, entries },
  };
}
