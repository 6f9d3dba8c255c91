import { computeTotalGeneration } from '../../shared/fields.ts';
import {
  energy,
  getDifferenceUnit,
  mass,
  massRate,
  money,
  moneyRate,
  power,
  share,
  unitOf,
  type Unit,
} from '../../shared/units.ts';
import { subtractDecimals, roundBinaryNoise } from '../statistics/decimalSum.ts';
import { FormulaError, type FormulaNode, type TextRange, type RowFunctionName } from './formula.ts';

/** A function or operator on values of one row, with `args` arguments. */
interface RowFunction {
  readonly args: number;
  /** Throws a FormulaError if the units are not compatible. */
  readonly type: (range: TextRange, a: FormulaNode, b: FormulaNode, c: FormulaNode) => FormulaNode['type'];
  /** NaN means no value. Conditions are 1 or 0. */
  readonly value: (a: number, b: number, c: number) => number;
}

const noUnit = unitOf(undefined);
/** Each amount with its rate per MWh. */
const rates: readonly (readonly [amount: Unit, rate: Unit])[] = [
  [money, moneyRate],
  [mass, massRate],
];
const isDimensionless = ({ kind, text }: Unit): boolean => kind === noUnit.kind && text === noUnit.text;

/** Returns the measure that values must share to be added or compared. Percentage points are differences of shares. */
const getMeasure = ({ kind, text }: Unit): string => (kind === share.kind ? share.text : text);

export function getNumericUnit({ type, range }: FormulaNode): Unit {
  if (type === 'condition') throw new FormulaError('noNumber', range);
  return type;
}

export function checkCondition({ type, range }: FormulaNode): void {
  if (type !== 'condition') throw new FormulaError('noCondition', range);
}

/**
 * Returns the units of two values that are added, compared or alternatives of each other. A literal takes the unit of the other value.
 * Throws if they measure different things: a column without a known unit cannot be added to MW.
 */
function matchUnits(range: TextRange, left: FormulaNode, right: FormulaNode): readonly [Unit, Unit] {
  const a = getNumericUnit(left);
  const b = getNumericUnit(right);
  const canTakeUnit = ({ kind }: FormulaNode, unit: Unit, otherUnit: Unit): boolean =>
    kind === 'number' && (isDimensionless(unit) || getMeasure(unit) === getMeasure(otherUnit));
  if (canTakeUnit(right, b, a)) return [a, a];
  if (canTakeUnit(left, a, b)) return [b, b];
  if (getMeasure(a) === getMeasure(b)) return [a, b];
  if (a.text && b.text) throw new FormulaError('unlikeUnits', range, a.text, b.text);
  throw new FormulaError('besideNoUnit', range, a.text || b.text);
}

/** Returns the unit of a value calculated from others. If one comes from overlapping windows, so does the result. */
function combineUnits(unit: Unit, ...units: readonly Unit[]): Unit {
  return units.some(({ overlaps }) => overlaps) ? { ...unit, overlaps: true } : unit;
}

/** Returns the unit of either value. It has an energy if both have one, and is a difference if both are. */
function getCommonUnit(range: TextRange, left: FormulaNode, right: FormulaNode): Unit {
  const [a, b] = matchUnits(range, left, right);
  const { mwhPerHour, ...unit } = a.difference ? b : a;
  const hasEnergy = a.mwhPerHour !== undefined && b.mwhPerHour !== undefined && mwhPerHour !== undefined;
  return combineUnits({ ...unit, ...(hasEnergy && { mwhPerHour }) }, a, b);
}

function getSubtractionUnit(range: TextRange, left: FormulaNode, right: FormulaNode): Unit {
  const [a, b] = matchUnits(range, left, right);
  const unit = getCommonUnit(range, left, right);
  // A value minus a difference is a value.
  return b.difference && !a.difference ? unit : getDifferenceUnit(unit);
}

/** Returns the unit of a product or quotient of amounts. It is a difference if one of their units is. */
function toResultUnit(unit: Unit, a: Unit, b: Unit): Unit {
  return combineUnits({ ...unit, ...((a.difference || b.difference) && { difference: true }) }, a, b);
}

/** Whether this operator needs the energy of power beside the other value: a rate to multiply by, or money or mass to divide. */
export function needsEnergy(
  name: RowFunctionName,
  power: FormulaNode,
  other: FormulaNode,
  isDivisor: boolean,
): boolean {
  if (power.type === 'condition' || other.type === 'condition' || power.type.kind !== 'power') return false;
  const { kind } = other.type;
  if (!(name === '*' ? kind === 'rate' : name === '/' && isDivisor && (kind === 'money' || kind === 'mass')))
    return false;
  if (power.type.mwhPerHour === undefined) throw new FormulaError('noEnergy', power.range, other.type.text);
  return true;
}

/** Returns the unit of the energy of power. */
export function getEnergyUnit({ difference, overlaps }: Unit): Unit {
  return { ...energy, ...(difference && { difference }), ...(overlaps && { overlaps }) };
}

function getProductUnit(range: TextRange, left: FormulaNode, right: FormulaNode): Unit {
  const a = getNumericUnit(left);
  const b = getNumericUnit(right);
  if (isDimensionless(a)) return combineUnits(b, a);
  if (b.text === '') return combineUnits(a, b);
  if (a.text === '') return combineUnits(b, a);
  const [amount] =
    rates.find(
      ([, { text }]) => [a, b].some(unit => unit.text === text) && [a, b].some(({ kind }) => kind === 'energy'),
    ) ?? [];
  if (amount) return toResultUnit(amount, a, b);
  throw new FormulaError('product', range, a.text, b.text);
}

function getQuotientUnit(range: TextRange, left: FormulaNode, right: FormulaNode): Unit {
  const a = getNumericUnit(left);
  const b = getNumericUnit(right);
  if (getMeasure(a) === getMeasure(b) && !isDimensionless(b)) return combineUnits(noUnit, a, b);
  if (b.text === '') return combineUnits(a, b);
  for (const [amount, rate] of rates) {
    if (a.text === amount.text && b.kind === 'energy') return toResultUnit(rate, a, b);
    if (a.text === amount.text && b.text === rate.text) return toResultUnit(energy, a, b);
  }
  if (isDimensionless(a)) throw new FormulaError('quotientBesideNoUnit', range, b.text);
  throw new FormulaError('quotient', range, a.text, b.text);
}

const createComparison = (holds: (a: number, b: number) => boolean): RowFunction => ({
  args: 2,
  type: (range, a, b) => {
    matchUnits(range, a, b);
    return 'condition';
  },
  value: (a, b) => (Number.isNaN(a) || Number.isNaN(b) ? NaN : Number(holds(a, b))),
});

const createLogic = (args: 1 | 2, value: RowFunction['value']): RowFunction => ({
  args,
  type: (_, a, b) => {
    checkCondition(a);
    if (args === 2) checkCondition(b);
    return 'condition';
  },
  value,
});

const roundNoise = (value: number): number => roundBinaryNoise(value, Math.abs(value));

/**
 * Without an argument's value there is no result, except that `if` only needs the condition and the selected branch, and `and` and `or`
 * follow SQL.
 */
export const rowFunctions: Readonly<Record<RowFunctionName, RowFunction>> = {
  '+': { args: 2, type: getCommonUnit, value: (a, b) => subtractDecimals(a, -b) },
  '-': { args: 2, type: getSubtractionUnit, value: subtractDecimals },
  negate: { args: 1, type: (_, a) => getNumericUnit(a), value: a => -a },
  '*': { args: 2, type: getProductUnit, value: (a, b) => roundNoise(a * b) },
  '/': { args: 2, type: getQuotientUnit, value: (a, b) => roundNoise(a / b) },
  '<': createComparison((a, b) => a < b),
  '<=': createComparison((a, b) => a <= b),
  '>': createComparison((a, b) => a > b),
  '>=': createComparison((a, b) => a >= b),
  '=': createComparison((a, b) => a === b),
  '!=': createComparison((a, b) => a !== b),
  // Follows SQL: if one operand decides the result, the other one may be null.
  and: createLogic(2, (a, b) => (a === 0 || b === 0 ? 0 : a * b)),
  or: createLogic(2, (a, b) => (a === 1 || b === 1 ? 1 : a + b)),
  not: createLogic(1, a => 1 - a),
  if: {
    args: 3,
    type: (range, condition, a, b) => {
      checkCondition(condition);
      return getCommonUnit(range, a, b);
    },
    value: (condition, a, b) => (Number.isNaN(condition) ? NaN : condition ? a : b),
  },
  abs: { args: 1, type: (_, a) => getNumericUnit(a), value: a => Math.abs(a) },
  min: { args: 2, type: getCommonUnit, value: (a, b) => Math.min(a, b) },
  max: { args: 2, type: getCommonUnit, value: (a, b) => Math.max(a, b) },
  share: {
    args: 2,
    type: (range, a, b) => combineUnits(share, ...matchUnits(range, a, b)),
    value: (a, b) => roundNoise((a / b) * 100),
  },
  total: { args: 2, type: () => power, value: (a, b) => roundNoise(computeTotalGeneration(a, b)) },
};
