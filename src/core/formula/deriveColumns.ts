import { getTimeShape } from '../../shared/formatTime.ts';
import { dayMs, hourMs, weekMs } from '../../shared/durations.ts';
import { derivedLimits, type DerivedColumns, type DerivedColumn } from '../../shared/derivedColumns.ts';
import {
  cellState,
  getCellState,
  type BooleanColumn,
  type Frame,
  type NumberColumn,
  type ShareParts,
} from '../../shared/frame.ts';
import type { BinSize, Tariff } from '../../shared/resampling.ts';
import { createTariffPeriodFinder, eskomTariffs, isHighDemandSeason } from '../calendar/tariffPeriods.ts';
import { getInstants, sortedRowOrder } from '../frame/frames.ts';
import { firstMondayDay } from '../bins/binEdges.ts';
import { findTimeColumn } from '../frame/clip.ts';
import { ZoneOffsets } from '../time/zoneOffsets.ts';
import { FormulaError, getQuotientArgs, type Formula, type FormulaColumn, type FormulaNode } from './formula.ts';
import { isAmount } from '../../shared/units.ts';
import { calculateEnergy } from '../statistics/energy.ts';
import { parseCondition, parseFormula } from './parseFormula.ts';
import { getNumericUnit, rowFunctions } from './rowFunctions.ts';
import { takeSeries, windowFunctions, type Series } from './windowFunctions.ts';

/** The frame with the derived columns appended, and by column name the errors of columns that could not be derived. */
export interface DerivedFrame {
  readonly frame: Frame;
  readonly errors: ReadonlyMap<string, FormulaError>;
}

/** Rows and their interval in milliseconds, if known. */
interface RowsWithInterval {
  readonly frame: Frame;
  readonly intervalMs: number | undefined;
  /** Custom tariffs; omitted for Eskom's. */
  readonly tariffs?: readonly Tariff[] | undefined;
}

/** Returns how long a row lasts: the interval, or the minimum distance between rows if that is shorter or the only one known. */
export function getShortestRowMs({ frame, intervalMs = Infinity }: RowsWithInterval): number | undefined {
  const time = findTimeColumn(frame);
  // A day of a time zone has 23 hours if clocks go forward.
  const minDistance = time && !time.bins ? (getTimeShape(time, frame.rowCount).step ?? Infinity) : Infinity;
  const length = Math.min(intervalMs, minDistance);
  return Number.isFinite(length) ? length : undefined;
}

export function createDerivation(rows: RowsWithInterval, columns: readonly DerivedColumn[]): DerivedColumns {
  const intervalMs = getShortestRowMs(rows);
  const { tariffs } = rows;
  return { columns, ...(intervalMs !== undefined && { intervalMs }), ...(tariffs && { tariffs }) };
}

/**
 * Adds a column for each formula, which may use the columns before it: numeric, or boolean for a condition. If several rows have the
 * same instant, window functions use the last one, as in resampling. A value that is not finite is null.
 */
export function deriveColumns(frame: Frame, { columns: derived, intervalMs, tariffs }: DerivedColumns): DerivedFrame {
  const columns = [...frame.columns];
  const errors = new Map<string, FormulaError>();
  const instants = indexInstants(frame);
  const rowMs = getWindowRowMs(frame, intervalMs);
  for (const derivedColumn of derived) {
    const formula = parseDerived(derivedColumn, columns, rowMs);
    if (formula instanceof FormulaError) errors.set(derivedColumn.name, formula);
    else
      columns.push(
        new FormulaEvaluator({ ...frame, columns }, instants, intervalMs, tariffs).deriveColumn(derivedColumn, formula),
      );
  }
  return { frame: { ...frame, columns }, errors };
}

/**
 * Evaluates a condition. `holds` is 1 for each row for which it is true, 0 if it is false, and NaN if that is unknown. `columns` has the
 * names of the columns that the condition reads, in order. `intervalMs`: the length of a row in milliseconds, if known. `tariffs`: custom
 * tariffs; Eskom's by default.
 */
export function evaluateCondition(
  frame: Frame,
  condition: string,
  intervalMs: number | undefined,
  tariffs?: readonly Tariff[],
): { readonly holds: Float64Array; readonly columns: readonly string[] } | FormulaError {
  const node = parseCondition(condition, frame.columns, getWindowRowMs(frame, intervalMs));
  if (node instanceof FormulaError) return node;
  return {
    holds: new FormulaEvaluator(frame, indexInstants(frame), intervalMs, tariffs).numbers(node),
    columns: listColumns(node),
  };
}

function listColumns(node: FormulaNode): string[] {
  if (node.kind === 'column') return [node.name];
  if (node.kind === 'window' || node.kind === 'energy') return listColumns(node.arg);
  return node.kind === 'row' ? node.args.flatMap(listColumns) : [];
}

/** Parses the formula like `parseFormula` after checking the name of the new column. */
export function parseDerived(
  { name, formula }: DerivedColumn,
  columns: readonly FormulaColumn[],
  rowMs?: number,
): Formula | FormulaError {
  const emptyRange = { start: 0, end: 0 };
  if (name.trim() === '' || name.length > derivedLimits.name || /\p{C}/u.test(name))
    return new FormulaError('name', emptyRange, String(derivedLimits.name));
  if (columns.some(column => column.name === name)) return new FormulaError('nameTaken', emptyRange, name);
  return parseFormula(formula, columns, rowMs);
}

const binDurations: Partial<Record<BinSize, number>> = { '3h': 3 * hourMs, day: dayMs, week: weekMs };

/**
 * Returns the length that durations must be a multiple of, in milliseconds of the time zone's clocks. NaN for rows of different lengths,
 * such as months; undefined for rows at uneven distances.
 */
export function getWindowRowMs(frame: Frame, intervalMs: number | undefined): number | undefined {
  const { bins, lengths } = findTimeColumn(frame) ?? {};
  if (bins) return binDurations[bins.size] ?? NaN;
  if (lengths) return NaN;
  return intervalMs !== undefined && (dayMs % intervalMs === 0 || intervalMs % dayMs === 0) ? intervalMs : undefined;
}

/** The distinct instants of a frame, sorted. */
interface Instants {
  /** For calendar bins such as days, the local time at which each begins, so that bins are evenly spaced. */
  readonly times: Float64Array;
  /** The last row of each instant. */
  readonly rows: Uint32Array;
  /** The index of each row's instant; -1 for a row without one. */
  readonly indexByRow: Int32Array;
}

function indexInstants(frame: Frame): Instants {
  const instants = getInstants(frame);
  const order = sortedRowOrder(instants);
  const times = new Float64Array(frame.rowCount);
  const rows = new Uint32Array(frame.rowCount);
  const indexByRow = new Int32Array(frame.rowCount).fill(-1);
  let count = 0;
  for (let index = 0; index < frame.rowCount; index++) {
    const row = order?.[index] ?? index;
    const ms = instants[row] ?? Infinity;
    if (ms === Infinity) continue;
    if (count === 0 || ms !== times[count - 1]) times[count++] = ms;
    rows[count - 1] = row;
    indexByRow[row] = count - 1;
  }
  const { bins } = findTimeColumn(frame) ?? {};
  const length = bins && binDurations[bins.size];
  if (length !== undefined) {
    const offsets = new ZoneOffsets(bins?.timeZone ?? 'UTC');
    const base = length === weekMs ? firstMondayDay * dayMs : 0;
    // A bin whose nominal start is skipped by a clock change begins later than its nominal time.
    const toNominalTime = (ms: number): number =>
      Math.floor((offsets.getLocalTime(ms) - base) / length) * length + base;
    for (let index = 0; index < count; index++) times[index] = toNominalTime(times[index] ?? NaN);
  }
  return { times: times.subarray(0, count), rows: rows.subarray(0, count), indexByRow };
}

/** Evaluates one formula over the columns of a frame. NaN means no value. */
class FormulaEvaluator {
  readonly #frame: Frame;
  readonly #instants: Instants;
  readonly #intervalMs: number | undefined;
  readonly #tariffs: readonly Tariff[];
  /** Results of the window functions, and energies. */
  readonly #windows = new Map<FormulaNode, Series>();

  constructor(frame: Frame, instants: Instants, intervalMs: number | undefined, tariffs = eskomTariffs) {
    this.#frame = frame;
    this.#instants = instants;
    this.#intervalMs = intervalMs;
    this.#tariffs = tariffs;
  }

  deriveColumn({ name, formula, source }: DerivedColumn, { node, unit }: Formula): NumberColumn | BooleanColumn {
    const { values, hours } = this.#evaluate(node);
    const gaps = new Uint8Array(values.length);
    for (let row = 0; row < gaps.length; row++) if (Number.isNaN(values[row])) gaps[row] = cellState.null;
    const hasGaps = gaps.includes(cellState.null);
    const fromSource = source !== undefined && { source };
    const description = { label: name, meaning: formula, ...fromSource, isDerived: true } as const;
    if (!unit) {
      const field = description;
      const holds = Uint8Array.from(values);
      return { kind: 'boolean', name, path: [name], values: holds, field, ...(hasGaps && { gaps }) };
    }
    const parts = this.#quotientParts(node);
    const field = { ...description, unit };
    const optional = { ...(hasGaps && { gaps }), ...(hours && { hours }), ...(parts && { parts }) };
    return { kind: 'number', name, path: [name], values, field, ...optional };
  }

  numbers(node: FormulaNode): Float64Array {
    this.#evaluateWindow(node);
    return this.#numbers(node);
  }

  /** Returns part and whole of a share or rate for the rows that have both, including the rows in which the whole is 0, so that there is no quotient. */
  #quotientParts(node: FormulaNode): ShareParts | undefined {
    const [part, whole] = getQuotientArgs(node) ?? [];
    if (!part || !whole) return undefined;
    const wholes = this.#numbers(whole);
    const parts = this.#numbers(part).map((value, row) => (Number.isNaN(wholes[row]) ? NaN : value));
    const isRate = getNumericUnit(node).kind === 'rate';
    const areAmounts = isAmount(getNumericUnit(part));
    return {
      part: parts,
      whole: wholes,
      ...(isRate && { isRate }),
      ...(areAmounts && { areAmounts }),
    };
  }

  /** Evaluates the node for each row, after its window functions. */
  #evaluate(node: FormulaNode): Series {
    this.#evaluateWindow(node);
    const { rowCount } = this.#frame;
    const values = this.#numbers(node).slice();
    const [first, ...furtherHours] = this.#listHours(node, hasEnergy(node));
    const hours = first?.slice();
    for (const otherHours of furtherHours) {
      for (let row = 0; hours && row < rowCount; row++) {
        if (otherHours[row] === hours[row]) continue;
        // Means over different hours have no common energy; anything else counts for the fewest hours.
        if (hasEnergy(node)) values[row] = NaN;
        else hours[row] = Math.min(hours[row] ?? NaN, otherHours[row] ?? NaN);
      }
    }
    return { values, ...(hours && { hours }) };
  }

  #evaluateWindow(node: FormulaNode): void {
    if (node.kind === 'row') for (const arg of node.args) this.#evaluateWindow(arg);
    if (node.kind === 'energy') this.#windows.set(node, this.#computeEnergy(node.arg));
    if (node.kind !== 'window') return;
    const { times, rows, indexByRow } = this.#instants;
    const seriesRows = { times, intervalMs: this.#intervalMs, unit: getNumericUnit(node.arg) };
    const seriesByInstant = takeSeries(this.#evaluate(node.arg), rows);
    const windowSeries = windowFunctions[node.name].apply(seriesByInstant, seriesRows, node.durationMs);
    this.#windows.set(node, takeSeries(windowSeries, indexByRow));
  }

  /** Returns the energy of power over the hours that each value counts for, or else over its row if that has a known length. */
  #computeEnergy(node: FormulaNode): Series {
    const { values, hours } = this.#evaluate(node);
    const { bins, lengths } = findTimeColumn(this.#frame) ?? {};
    const rowMs = bins || lengths ? undefined : this.#intervalMs;
    const getMs = (row: number): number | undefined => (hours ? (hours[row] ?? NaN) * hourMs : rowMs);
    const unit = getNumericUnit(node);
    return { values: values.map((value, row) => calculateEnergy(unit, value, 1, getMs(row))?.mwh ?? NaN) };
  }

  /** Returns the numbers of the rows. Do not write to the array, which may be shared. */
  #numbers(node: FormulaNode): Float64Array {
    const { rowCount } = this.#frame;
    switch (node.kind) {
      case 'number':
        return new Float64Array(rowCount).fill(node.value);
      case 'window':
      case 'energy':
        return this.#windows.get(node)?.values ?? new Float64Array(rowCount).fill(NaN);
      case 'column': {
        const column = this.#frame.columns.find(({ name }) => name === node.name);
        const values = new Float64Array(rowCount).fill(NaN);
        if (column?.kind !== 'number' && column?.kind !== 'boolean') return values;
        for (let row = 0; row < rowCount; row++)
          if (getCellState(column, row) === cellState.value) values[row] = finiteOrNaN(column.values[row]);
        return values;
      }
      case 'tariff':
        return this.#evaluateTariffCondition(node);
      case 'row': {
        const { value } = rowFunctions[node.name];
        const [a, b, c] = node.args.map(arg => this.#numbers(arg));
        return (a ?? new Float64Array()).map((first, row) =>
          finiteOrNaN(value(first, b?.[row] ?? NaN, c?.[row] ?? NaN)),
        );
      }
    }
  }

  /** Returns 1, 0 or, for rows without an instant or of an unknown length and before the first tariff, NaN. */
  #evaluateTariffCondition({ name, year }: FormulaNode & { readonly kind: 'tariff' }): Float64Array {
    const getPeriod = createTariffPeriodFinder(this.#tariffs, year);
    const hasPeriods = this.#intervalMs !== undefined && this.#intervalMs <= hourMs;
    return getInstants(this.#frame).map(ms => {
      const period = hasPeriods ? getPeriod(ms) : undefined;
      if (period === undefined) return NaN;
      return Number(name === 'highdemand' ? isHighDemandSeason(ms) : period.toLowerCase() === name);
    });
  }

  /** Returns the hours that each operand counts for, if they differ from the row. `energyOnly`: only of operands that have an energy. */
  #listHours(node: FormulaNode, energyOnly: boolean): readonly Float64Array[] {
    switch (node.kind) {
      case 'number':
      case 'energy':
      case 'tariff':
        return [];
      case 'column':
      case 'window': {
        const column = this.#frame.columns.find(({ name }) => node.kind === 'column' && name === node.name);
        const series = column?.kind === 'number' ? column : this.#windows.get(node);
        return series?.hours && (!energyOnly || hasEnergy(node)) ? [series.hours] : [];
      }
      case 'row':
        // An amount is that of the row, whatever its hours.
        if (node.type !== 'condition' && isAmount(node.type) && !node.type.overlaps) return [];
        return node.args.slice(node.name === 'if' ? 1 : 0).flatMap(arg => this.#listHours(arg, energyOnly));
    }
  }
}

function hasEnergy({ type }: FormulaNode): boolean {
  return type !== 'condition' && type.mwhPerHour !== undefined;
}

function finiteOrNaN(value = NaN): number {
  // Adding 0 turns -0 into 0.
  return Number.isFinite(value) ? value + 0 : NaN;
}
