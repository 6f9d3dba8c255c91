import { dayMs, hourMs, weekMs } from '../../shared/durations.ts';
import { derivedLimits, type Derivation, type DerivedColumn } from '../../shared/derivedColumns.ts';
import { cellState, stateAt, type Frame, type NumberColumn, type ShareParts } from '../../shared/frame.ts';
import type { BinSize } from '../../shared/resampling.ts';
import { instantsOf, rowsByTimeSteps } from '../frame/frames.ts';
import { firstMonday } from '../bins/binEdges.ts';
import { timeColumnOf } from '../frame/clip.ts';
import { stepRows, type Steps } from '../time/steps.ts';
import { ZoneOffsets } from '../time/zoneOffsets.ts';
import { FormulaError, type Formula, type FormulaColumn, type FormulaNode } from './formula.ts';
import { parseFormula } from './parseFormula.ts';
import { numberUnit, rowFunctions } from './rowFunctions.ts';
import { seriesAt, windowFunctions, type Series } from './windowFunctions.ts';

/** The frame with the derived columns after its own, and why others could not be made, by name. */
export interface WithDerived {
  readonly frame: Frame;
  readonly errors: ReadonlyMap<string, FormulaError>;
}

/**
 * Adds a column of numbers for each formula, which may read the columns before it. Of several rows of one instant, functions of time count
 * the last, as longer rows do. A value that is no finite number is null. In steps of a few milliseconds.
 */
export function* deriveColumnsSteps(frame: Frame, { columns: derived, stepMs }: Derivation): Steps<WithDerived> {
  const columns = [...frame.columns];
  const errors = new Map<string, FormulaError>();
  const instants = yield* instantsSteps(frame);
  const rowMs = windowRowMs(frame, stepMs);
  for (const one of derived) {
    const formula = parseDerived(one, columns, rowMs);
    if (formula instanceof FormulaError) errors.set(one.name, formula);
    else columns.push(yield* new Evaluation({ ...frame, columns }, instants, stepMs).columnSteps(one, formula));
  }
  return { frame: { ...frame, columns }, errors };
}

/** As `parseFormula`, for a column of that name beside the others. */
export function parseDerived(
  { name, formula }: DerivedColumn,
  columns: readonly FormulaColumn[],
  rowMs?: number,
): Formula | FormulaError {
  const nowhere = { start: 0, end: 0 };
  if (name.trim() === '' || name.length > derivedLimits.name || /\p{C}/u.test(name))
    return new FormulaError('name', nowhere, String(derivedLimits.name));
  if (columns.some(column => column.name === name)) return new FormulaError('nameTaken', nowhere, name);
  return parseFormula(formula, columns, rowMs);
}

const lengthsOfBins: Partial<Record<BinSize, number>> = { '3h': 3 * hourMs, day: dayMs, week: weekMs };

/**
 * The length that a duration is a multiple of, by the clocks of the zone where rows are bins of one, in milliseconds; NaN for months and the
 * like, undefined for rows that lie at no even distances.
 */
export function windowRowMs(frame: Frame, stepMs: number | undefined): number | undefined {
  const { bins } = timeColumnOf(frame) ?? {};
  if (bins) return lengthsOfBins[bins.size] ?? NaN;
  return stepMs !== undefined && (dayMs % stepMs === 0 || stepMs % dayMs === 0) ? stepMs : undefined;
}

/** The instants of a frame, each once and ascending. */
interface Instants {
  /** Of bins such as days of a zone, what clocks show there when they begin: as far apart as they are in days. */
  readonly times: Float64Array;
  /** The last row of each. */
  readonly rows: Uint32Array;
  /** Where the instant of each row is among them; -1 for a row without one. */
  readonly places: Int32Array;
}

function* instantsSteps(frame: Frame): Steps<Instants> {
  const instants = instantsOf(frame);
  const order = yield* rowsByTimeSteps(instants);
  const [times, rows] = [new Float64Array(frame.rowCount), new Uint32Array(frame.rowCount)];
  const places = new Int32Array(frame.rowCount).fill(-1);
  let count = 0;
  for (let at = 0; at < frame.rowCount; at++) {
    if (at % stepRows === stepRows - 1) yield;
    const row = order?.[at] ?? at;
    const ms = instants[row] ?? Infinity;
    if (ms === Infinity) continue;
    if (count === 0 || ms !== times[count - 1]) times[count++] = ms;
    rows[count - 1] = row;
    places[row] = count - 1;
  }
  const { bins } = timeColumnOf(frame) ?? {};
  const length = bins && lengthsOfBins[bins.size];
  if (length !== undefined) {
    const offsets = new ZoneOffsets(bins?.timeZone ?? 'UTC');
    const base = length === weekMs ? firstMonday * dayMs : 0;
    // A bin whose first moment a clock change skips begins later than its clocks should show.
    const nominal = (ms: number): number => Math.floor((offsets.wallAt(ms) - base) / length) * length + base;
    for (let at = 0; at < count; at++) times[at] = nominal(times[at] ?? NaN);
  }
  return { times: times.subarray(0, count), rows: rows.subarray(0, count), places };
}

/** Works out one formula over the columns of a frame. NaN is no value. */
class Evaluation {
  readonly #frame: Frame;
  readonly #instants: Instants;
  readonly #stepMs: number | undefined;
  /** What the functions of time have made. */
  readonly #windows = new Map<FormulaNode, Series>();

  constructor(frame: Frame, instants: Instants, stepMs: number | undefined) {
    this.#frame = frame;
    this.#instants = instants;
    this.#stepMs = stepMs;
  }

  *columnSteps({ name, formula }: DerivedColumn, { node, unit }: Formula): Steps<NumberColumn> {
    const { values, hours } = yield* this.#seriesSteps(node);
    const gaps = new Uint8Array(values.length);
    for (let row = 0; row < gaps.length; row++) if (Number.isNaN(values[row])) gaps[row] = cellState.null;
    const hasGaps = gaps.includes(cellState.null);
    yield;
    const parts = node.kind === 'row' && node.name === 'share' && (yield* this.#partsSteps(node.args));
    const field = { label: name, unit, meaning: formula, isDerived: true } as const;
    const more = { ...(hasGaps && { gaps }), ...(hours && { hours }), ...(parts && { parts }) };
    return { kind: 'number', name, path: [name], values, field, ...more };
  }

  /** What a share is made of, in the rows that have both: also where the whole is 0, and there is no share. */
  *#partsSteps([part, whole]: readonly FormulaNode[]): Steps<ShareParts | undefined> {
    if (!part || !whole) return undefined;
    const { rowCount } = this.#frame;
    const made = { part: new Float64Array(rowCount), whole: new Float64Array(rowCount) };
    for (let from = 0; from < rowCount; from += stepRows) {
      const to = Math.min(rowCount, from + stepRows);
      const wholes = this.#block(whole, from, to);
      const parts = this.#block(part, from, to).map((value, at) => (Number.isNaN(wholes[at]) ? NaN : value));
      made.part.set(parts, from);
      made.whole.set(wholes, from);
      yield;
    }
    return made;
  }

  /** The numbers of each row; for functions of time, those of their arguments come first. */
  *#seriesSteps(node: FormulaNode): Steps<Series> {
    yield* this.#windowSteps(node);
    const { rowCount } = this.#frame;
    const values = new Float64Array(rowCount);
    for (let from = 0; from < rowCount; from += stepRows) {
      values.set(this.#block(node, from, Math.min(rowCount, from + stepRows)), from);
      yield;
    }
    const [first, ...others] = this.#hoursOf(node, hasEnergy(node));
    const hours = first?.slice();
    for (const other of others) {
      for (let row = 0; hours && row < rowCount; row++) {
        if (other[row] === hours[row]) continue;
        // Means over different hours have no energy together; anything else counts for the fewest.
        if (hasEnergy(node)) values[row] = NaN;
        else hours[row] = Math.min(hours[row] ?? NaN, other[row] ?? NaN);
      }
      yield;
    }
    return { values, ...(hours && { hours }) };
  }

  *#windowSteps(node: FormulaNode): Steps<void> {
    if (node.kind === 'row') for (const arg of node.args) yield* this.#windowSteps(arg);
    if (node.kind !== 'window') return;
    const { times, rows, places } = this.#instants;
    const rowsOf = { times, stepMs: this.#stepMs, unit: numberUnit(node.arg) };
    const ofTimes = seriesAt(yield* this.#seriesSteps(node.arg), rows);
    const made = yield* windowFunctions[node.name].steps(ofTimes, rowsOf, node.durationMs);
    yield;
    this.#windows.set(node, seriesAt(made, places));
  }

  /** The numbers of the rows [from, to). */
  #block(node: FormulaNode, from: number, to: number): Float64Array {
    switch (node.kind) {
      case 'number':
        return new Float64Array(to - from).fill(node.value);
      case 'window':
        return this.#windows.get(node)?.values.slice(from, to) ?? new Float64Array(to - from).fill(NaN);
      case 'column': {
        const column = this.#frame.columns.find(({ name }) => name === node.name);
        const made = new Float64Array(to - from).fill(NaN);
        if (column?.kind !== 'number' && column?.kind !== 'boolean') return made;
        for (let row = from; row < to; row++)
          if (stateAt(column, row) === cellState.value) made[row - from] = finite(column.values[row]);
        return made;
      }
      case 'row': {
        const { value } = rowFunctions[node.name];
        const [a, b, c] = node.args.map(arg => this.#block(arg, from, to));
        return (a ?? new Float64Array()).map((first, at) => finite(value(first, b?.[at] ?? NaN, c?.[at] ?? NaN)));
      }
    }
  }

  /** For how many hours each part counts that does not count for a row, of those with an energy alone if they make one. */
  #hoursOf(node: FormulaNode, ofEnergy: boolean): readonly Float64Array[] {
    switch (node.kind) {
      case 'number':
        return [];
      case 'column':
      case 'window': {
        const column = this.#frame.columns.find(({ name }) => node.kind === 'column' && name === node.name);
        const series = column?.kind === 'number' ? column : this.#windows.get(node);
        return series?.hours && (!ofEnergy || hasEnergy(node)) ? [series.hours] : [];
      }
      case 'row':
        return node.args.slice(node.name === 'if' ? 1 : 0).flatMap(arg => this.#hoursOf(arg, ofEnergy));
    }
  }
}

function hasEnergy({ type }: FormulaNode): boolean {
  return type !== 'condition' && type.mwhPerHour !== undefined;
}

function finite(value = NaN): number {
  // Adding 0 turns -0 into 0.
  return Number.isFinite(value) ? value + 0 : NaN;
}
