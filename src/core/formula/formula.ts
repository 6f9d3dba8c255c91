import { renewableShareField, totalRenewableField } from '../../shared/fields.ts';
import type { Column } from '../../shared/frame.ts';
import type { Unit } from '../../shared/units.ts';

/** The properties of a column that a formula may use. */
export type FormulaColumn = Pick<Column, 'name' | 'kind' | 'field'>;

/** A range of the formula's characters, [start, end). */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A node of a formula's syntax tree. `type`: the unit of its numbers, or 'condition' if it is true or false. */
export type FormulaNode = { readonly range: TextRange; readonly type: Unit | 'condition' } & (
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'column'; readonly name: string }
  /** Operates on values of the same row. */
  | { readonly kind: 'row'; readonly name: RowFunctionName; readonly args: readonly FormulaNode[] }
  /** The energy of power over its row. */
  | { readonly kind: 'energy'; readonly arg: FormulaNode }
  /** Whether the row's instant is in these hours of its tariff or, with a year, of the tariff that is valid on 1 April of that year. */
  | { readonly kind: 'tariff'; readonly name: TariffConditionName; readonly year: number | undefined }
  /** Operates on values of other rows. */
  | { readonly kind: 'window'; readonly name: WindowName; readonly arg: FormulaNode; readonly durationMs: number }
);

const windowNames = ['lag', 'delta', 'mean', 'sum', 'lowest', 'highest'] as const;
export type WindowName = (typeof windowNames)[number];

export function isWindowName(name: string): name is WindowName {
  return windowNames.some(window => window === name);
}

export type BinaryOperator = '+' | '-' | '*' | '/' | '<' | '<=' | '>' | '>=' | '=' | '!=' | 'and' | 'or';
/** `negate`: the sign before a value; `total`: total generation, calculated from total renewable and its share. */
export type RowFunctionName =
  | BinaryOperator
  | Exclude<keyof typeof formulaFunctions, WindowName>
  | 'not'
  | 'negate'
  | 'total';

/** A formula that has been parsed for certain columns. */
export interface Formula {
  readonly node: FormulaNode;
  /** Undefined for a condition. */
  readonly unit: Unit | undefined;
}

export const formulaLimits = {
  nesting: 50,
  /** Numbers, columns, operators and functions. */
  parts: 200,
  /** Window functions, each of which holds a number for every row during the evaluation. */
  windows: 20,
  windowYears: 10,
} as const;

/** Returns part and whole of a share, or of a rate such as R/MWh; undefined for other nodes. */
export function getQuotientArgs(node: FormulaNode): readonly [FormulaNode, FormulaNode] | undefined {
  if (node.kind !== 'row' || node.type === 'condition') return undefined;
  const [part, whole] = node.args;
  const isRate = node.name === '/' && node.type.kind === 'rate' && isEnergy(whole);
  return part && whole && (node.name === 'share' || isRate) ? [part, whole] : undefined;
}

function isEnergy(node: FormulaNode | undefined): boolean {
  return node !== undefined && node.type !== 'condition' && node.type.kind === 'energy';
}

/** The functions of the language, with an example and a description. */
export const formulaFunctions = {
  if: { usage: 'if(pv_mw > 0, wind_mw, 0 MW)', help: 'One value if a condition is true, otherwise another' },
  abs: { usage: 'abs(x)', help: 'Absolute value' },
  min: { usage: 'min(x, y)', help: 'The lower of two values of a row' },
  max: { usage: 'max(x, y)', help: 'The higher of two values of a row' },
  share: {
    usage: 'share(x, total)',
    help: 'The first value as a percentage of the second; longer rows use their energies, unlike x / total',
  },
  delta: { usage: 'delta(x, 1h)', help: 'Change from the value exactly that long before' },
  lag: { usage: 'lag(x, 168h)', help: 'Value exactly that long before' },
  mean: { usage: 'mean(x, 24h)', help: 'Mean over that long, up to the end of the row' },
  sum: { usage: 'sum(x, 24h)', help: 'Sum over that long, up to the end of the row; of power its energy in MWh' },
  lowest: { usage: 'lowest(x, 24h)', help: 'Lowest value over that long, up to the end of the row' },
  highest: { usage: 'highest(x, 24h)', help: 'Highest value over that long, up to the end of the row' },
} as const;

/** The conditions on the hours of the tariff, with a description. */
export const tariffConditions = {
  peak: { usage: 'peak', help: 'Peak hours of the tariff; peak(2024) takes the hours of 1 April 2024' },
  standard: { usage: 'standard', help: 'Standard hours of the tariff; also standard(2024)' },
  offpeak: { usage: 'offpeak', help: 'Off-peak hours of the tariff; also offpeak(2024)' },
  highdemand: { usage: 'highdemand', help: 'High-demand season of the tariff, June to August' },
} as const;
export type TariffConditionName = keyof typeof tariffConditions;

/** Problems of a formula, as sentences. {0} and {1} are names, units or examples. */
export const formulaProblems = {
  empty: 'Enter a formula, such as wind_mw + pv_mw.',
  tooLong: 'A formula has at most {0} characters.',
  tooManyParts: 'The formula has too many parts. Split it into several columns.',
  unexpected: "Unexpected '{0}'.",
  incomplete: 'The formula is incomplete.',
  tooLarge: 'The number is too large.',
  unknownColumn: "Unknown column '{0}'.",
  nearColumn: "Unknown column '{0}'. Did you mean '{1}'?",
  unknownFunction: "Unknown function '{0}'.",
  nearFunction: "Unknown function '{0}'. Did you mean '{1}'?",
  noNumbers: "Column '{0}' has no numbers.",
  noTotal: `'total' needs the columns ${totalRenewableField} and ${renewableShareField}.`,
  noTime: "'{0}' needs a time column.",
  usage: 'Use {0}.',
  duration: 'Enter a duration of at most 10 years, such as 30min, 24h or 7d.',
  wholeRows: 'Enter a duration of whole rows: {0} or a multiple of it.',
  unevenRows: "'{0}' needs rows of equal length. Months, quarters and years differ.",
  tariffRows: "'{0}' needs rows of an hour or shorter. Use hourly rows.",
  noCondition: 'Enter a condition here, such as wind_mw > 100 MW.',
  noNumber: 'Enter a number here. To convert a condition to a number, use if(condition, 1, 0).',
  unlikeUnits: "{0} and {1} can't be combined. Use values of the same unit.",
  besideNoUnit: "{0} and a value without a unit can't be combined. If that value is in {0}, multiply it by 1 {0}.",
  product: "{0} and {1} can't be multiplied. Multiply by a value without a unit; a share divided by 100 % is one.",
  quotient: "{0} can't be divided by {1}. Divide by a value in {0} or without a unit.",
  quotientBesideNoUnit: 'Only a value in {0} can be divided by one in {0}.',
  noEnergy:
    "This power has no energy, so it can't be combined with {0}. Use energy, or power that is a mean over its hours.",
  sum: 'Only energy, money, mass, power that is a mean over its hours, and counts can be added up. Use mean(x, 24h).',
  name: 'Enter a name of at most {0} characters.',
  nameTaken: "There is already a column '{0}'.",
} as const;
export type FormulaProblem = keyof typeof formulaProblems;

/** An invalid formula. `message`: the sentence of `formulaProblems` in English. */
export class FormulaError extends RangeError {
  override readonly name = 'FormulaError';
  readonly reason: FormulaProblem;
  readonly range: TextRange;
  /** The values of {0} and {1}. */
  readonly parts: readonly string[];

  constructor(reason: FormulaProblem, range: TextRange, ...parts: readonly string[]) {
    super(formulaProblems[reason].replace(/\{(\d)\}/g, (_, part: string) => parts[Number(part)] ?? ''));
    this.reason = reason;
    this.range = range;
    this.parts = parts;
  }
}
