import { totalGeneration } from '../../shared/fields.ts';
import { differenceOf, power, share, unitOf, type Unit } from '../../shared/units.ts';
import { decimalDifference, withoutBinaryNoise } from '../statistics/sumDigits.ts';
import { FormulaError, type FormulaNode, type Place, type RowFunctionName } from './formula.ts';

/** A function or operator on values of one row, with `args` arguments. */
interface RowFunction {
  readonly args: number;
  /** Throws a FormulaError if the units are not compatible. */
  readonly type: (at: Place, a: FormulaNode, b: FormulaNode, c: FormulaNode) => FormulaNode['type'];
  /** NaN means no value. Conditions are 1 or 0. */
  readonly value: (a: number, b: number, c: number) => number;
}

const plain = unitOf(undefined);
const isPlain = ({ kind, text }: Unit): boolean => kind === plain.kind && text === plain.text;

/** Returns the measure that values must share to be added or compared. Percentage points are differences of shares. */
const measureOf = ({ kind, text }: Unit): string => (kind === share.kind ? share.text : text);

export function numberUnit({ type, at }: FormulaNode): Unit {
  if (type === 'condition') throw new FormulaError('noNumber', at);
  return type;
}

export function checkCondition({ type, at }: FormulaNode): void {
  if (type !== 'condition') throw new FormulaError('noCondition', at);
}

/**
 * Returns the units of two values that are added, compared or alternatives of each other. A literal takes the unit of the other value.
 * Throws if they measure different things: a column without a known unit cannot be added to MW.
 */
function unitsOf(at: Place, one: FormulaNode, other: FormulaNode): readonly [Unit, Unit] {
  const [a, b] = [numberUnit(one), numberUnit(other)];
  const fits = ({ kind }: FormulaNode, own: Unit, beside: Unit): boolean =>
    kind === 'number' && (isPlain(own) || measureOf(own) === measureOf(beside));
  if (fits(other, b, a)) return [a, a];
  if (fits(one, a, b)) return [b, b];
  if (measureOf(a) === measureOf(b)) return [a, b];
  if (a.text && b.text) throw new FormulaError('unlikeUnits', at, a.text, b.text);
  throw new FormulaError('besideNoUnit', at, a.text || b.text);
}

/** Returns the unit of a value calculated from others. If one comes from overlapping windows, so does the result. */
function madeOf(unit: Unit, ...units: readonly Unit[]): Unit {
  return units.some(({ overlaps }) => overlaps) ? { ...unit, overlaps: true } : unit;
}

/** Returns the unit of either value. It has an energy if both have one, and is a difference if both are. */
function eitherUnit(at: Place, one: FormulaNode, other: FormulaNode): Unit {
  const [a, b] = unitsOf(at, one, other);
  const { mwhPerHour, ...unit } = a.difference ? b : a;
  const hasEnergy = a.mwhPerHour !== undefined && b.mwhPerHour !== undefined && mwhPerHour !== undefined;
  return madeOf({ ...unit, ...(hasEnergy && { mwhPerHour }) }, a, b);
}

function unitOfDifference(at: Place, one: FormulaNode, other: FormulaNode): Unit {
  const [a, b] = unitsOf(at, one, other);
  const unit = eitherUnit(at, one, other);
  // A value minus a difference is a value.
  return b.difference && !a.difference ? unit : differenceOf(unit);
}

function unitOfProduct(at: Place, one: FormulaNode, other: FormulaNode): Unit {
  const [a, b] = [numberUnit(one), numberUnit(other)];
  if (isPlain(a)) return madeOf(b, a);
  if (b.text === '') return madeOf(a, b);
  if (a.text === '') return madeOf(b, a);
  throw new FormulaError('product', at, a.text, b.text);
}

function unitOfQuotient(at: Place, one: FormulaNode, other: FormulaNode): Unit {
  const [a, b] = [numberUnit(one), numberUnit(other)];
  if (measureOf(a) === measureOf(b) && !isPlain(b)) return madeOf(plain, a, b);
  if (b.text === '') return madeOf(a, b);
  throw new FormulaError('quotient', at, b.text);
}

const comparison = (holds: (a: number, b: number) => boolean): RowFunction => ({
  args: 2,
  type: (at, a, b) => {
    unitsOf(at, a, b);
    return 'condition';
  },
  value: (a, b) => (Number.isNaN(a) || Number.isNaN(b) ? NaN : Number(holds(a, b))),
});

const logic = (args: 1 | 2, value: RowFunction['value']): RowFunction => ({
  args,
  type: (_, a, b) => {
    checkCondition(a);
    if (args === 2) checkCondition(b);
    return 'condition';
  },
  value,
});

const rounded = (value: number): number => withoutBinaryNoise(value, Math.abs(value));

/**
 * Without an argument's value there is no result, except that `if` only needs the condition and the selected branch, and `and` and `or`
 * follow SQL.
 */
export const rowFunctions: Readonly<Record<RowFunctionName, RowFunction>> = {
  '+': { args: 2, type: eitherUnit, value: (a, b) => decimalDifference(a, -b) },
  '-': { args: 2, type: unitOfDifference, value: decimalDifference },
  negate: { args: 1, type: (_, a) => numberUnit(a), value: a => -a },
  '*': { args: 2, type: unitOfProduct, value: (a, b) => rounded(a * b) },
  '/': { args: 2, type: unitOfQuotient, value: (a, b) => rounded(a / b) },
  '<': comparison((a, b) => a < b),
  '<=': comparison((a, b) => a <= b),
  '>': comparison((a, b) => a > b),
  '>=': comparison((a, b) => a >= b),
  '=': comparison((a, b) => a === b),
  '!=': comparison((a, b) => a !== b),
  // Follows SQL: if one operand decides the result, the other one may be null.
  and: logic(2, (a, b) => (a === 0 || b === 0 ? 0 : a * b)),
  or: logic(2, (a, b) => (a === 1 || b === 1 ? 1 : a + b)),
  not: logic(1, a => 1 - a),
  if: {
    args: 3,
    type: (at, condition, a, b) => {
      checkCondition(condition);
      return eitherUnit(at, a, b);
    },
    value: (condition, a, b) => (Number.isNaN(condition) ? NaN : condition ? a : b),
  },
  abs: { args: 1, type: (_, a) => numberUnit(a), value: a => Math.abs(a) },
  min: { args: 2, type: eitherUnit, value: (a, b) => Math.min(a, b) },
  max: { args: 2, type: eitherUnit, value: (a, b) => Math.max(a, b) },
  share: {
    args: 2,
    type: (at, a, b) => madeOf(share, ...unitsOf(at, a, b)),
    value: (a, b) => rounded((a / b) * 100),
  },
  total: { args: 2, type: () => power, value: (a, b) => rounded(totalGeneration(a, b)) },
};
