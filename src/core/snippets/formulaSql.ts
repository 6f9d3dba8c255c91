import type { FormulaNode, RowFunctionName } from '../formula/formula.ts';
import { getNumericUnit } from '../formula/rowFunctions.ts';
import { formatTariffCondition } from './calendarSql.ts';

type FormatCall = (a: string, b: string, c: string) => string;
const infix =
  (sign: string, cast = ''): FormatCall =>
  (a, b) =>
    `(${a} ${sign} ${b})${cast}`;
const createExtreme =
  (sign: '<' | '>'): FormatCall =>
  (a, b) =>
    `(CASE WHEN ${a} ${sign}= ${b} THEN ${a} WHEN ${b} ${sign} ${a} THEN ${b} END)`;

/** Conditions are 1, 0 or, if unknown, NULL. */
const rowFunctionSql: Readonly<Record<RowFunctionName, FormatCall>> = {
  '+': infix('+'),
  '-': infix('-'),
  '*': infix('*'),
  '/': (a, b) => `(${a} / nullif(${b}, 0))`,
  '<': infix('<', '::INT'),
  '<=': infix('<=', '::INT'),
  '>': infix('>', '::INT'),
  '>=': infix('>=', '::INT'),
  '=': infix('=', '::INT'),
  '!=': infix('<>', '::INT'),
  and: (a, b) => `(${a} = 1 AND ${b} = 1)::INT`,
  or: (a, b) => `(${a} = 1 OR ${b} = 1)::INT`,
  not: a => `(1 - ${a})`,
  negate: a => `(-${a})`,
  abs: a => `abs(${a})`,
  min: createExtreme('<'),
  max: createExtreme('>'),
  if: (a, b, c) => `(CASE ${a} WHEN 1 THEN ${b} WHEN 0 THEN ${c} END)`,
  share: (a, b) => `(100 * ${a} / nullif(${b}, 0))`,
  total: (a, b) => `(CASE WHEN ${b} > 0 THEN 100 * ${a} / ${b} END)`,
};
const windowFunctionSql = { mean: 'avg', sum: 'sum', lowest: 'min', highest: 'max' } as const;

/** The table in which a formula is evaluated. */
export interface FormulaContext {
  /** The time column, quoted. */
  readonly time: string;
  readonly rowHours: number;
  /** Returns a column's name in SQL, quoted. */
  readonly quoteName: (column: string) => string;
  /** Adds a column with an earlier statement, and returns its quoted name. */
  readonly addColumn: (text: string) => string;
}

/** Returns a formula as SQL. Expressions that would be repeated, or that SQL cannot nest, become columns. */
export function formatFormula(node: FormulaNode, table: FormulaContext): string {
  const { time, rowHours, quoteName, addColumn } = table;
  const format = (arg: FormulaNode): string => formatFormula(arg, table);
  if (node.kind === 'number') return Number.isNaN(node.value) ? 'NULL::DOUBLE' : `(${node.value})`;
  if (node.kind === 'column') return `${quoteName(node.name)}::DOUBLE`;
  if (node.kind === 'energy') {
    const factor = (getNumericUnit(node.arg).mwhPerHour ?? NaN) * rowHours;
    return Number.isFinite(factor) ? `(${format(node.arg)} * ${factor})` : 'NULL::DOUBLE';
  }
  if (node.kind === 'tariff') return rowHours <= 1 ? formatTariffCondition(node, time) : 'NULL::INT';
  if (node.kind === 'row') {
    const isRepeated = node.name === 'min' || node.name === 'max';
    const [a = '', b = '', c = ''] = node.args.map(arg => (isRepeated ? addColumn(format(arg)) : format(arg)));
    return rowFunctionSql[node.name](a, b, c);
  }
  const arg = addColumn(format(node.arg));
  const microseconds = node.durationMs * 1000;
  const window = (from: number, to: string): string =>
    `OVER (ORDER BY ${time} RANGE BETWEEN INTERVAL '${from} microseconds' PRECEDING AND ${to})`;
  const laggedValue = `first_value(${arg}) ${window(microseconds, `INTERVAL '${microseconds} microseconds' PRECEDING`)}`;
  if (node.name === 'lag') return addColumn(laggedValue);
  if (node.name === 'delta') return addColumn(`${arg} - ${laggedValue}`);
  const energy = (getNumericUnit(node.arg).mwhPerHour ?? 1 / rowHours) * rowHours;
  const factor = node.name === 'sum' ? ` * ${energy}` : '';
  return addColumn(`${windowFunctionSql[node.name]}(${arg}) ${window(microseconds - 1, 'CURRENT ROW')}${factor}`);
}
