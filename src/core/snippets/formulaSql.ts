import type { FormulaNode, RowFunctionName } from '../formula/formula.ts';
import { numberUnit } from '../formula/rowFunctions.ts';

type Write = (a: string, b: string, c: string) => string;
const between =
  (sign: string, cast = ''): Write =>
  (a, b) =>
    `(${a} ${sign} ${b})${cast}`;
const lesser =
  (sign: '<' | '>'): Write =>
  (a, b) =>
    `(CASE WHEN ${a} ${sign}= ${b} THEN ${a} WHEN ${b} ${sign} ${a} THEN ${b} END)`;

/** Conditions are 1, 0 or, if unknown, NULL. */
const rowSql: Readonly<Record<RowFunctionName, Write>> = {
  '+': between('+'),
  '-': between('-'),
  '*': between('*'),
  '/': (a, b) => `(${a} / nullif(${b}, 0))`,
  '<': between('<', '::INT'),
  '<=': between('<=', '::INT'),
  '>': between('>', '::INT'),
  '>=': between('>=', '::INT'),
  '=': between('=', '::INT'),
  '!=': between('<>', '::INT'),
  and: (a, b) => `(${a} = 1 AND ${b} = 1)::INT`,
  or: (a, b) => `(${a} = 1 OR ${b} = 1)::INT`,
  not: a => `(1 - ${a})`,
  negate: a => `(-${a})`,
  abs: a => `abs(${a})`,
  min: lesser('<'),
  max: lesser('>'),
  if: (a, b, c) => `(CASE ${a} WHEN 1 THEN ${b} WHEN 0 THEN ${c} END)`,
  share: (a, b) => `(100 * ${a} / nullif(${b}, 0))`,
  total: (a, b) => `(CASE WHEN ${b} > 0 THEN 100 * ${a} / ${b} END)`,
};
const windowSql = { mean: 'avg', sum: 'sum', lowest: 'min', highest: 'max' } as const;

/** The table in which a formula is evaluated. */
export interface FormulaTable {
  /** The time column, quoted. */
  readonly time: string;
  readonly rowHours: number;
  /** Returns a column's name in SQL, quoted. */
  readonly nameOf: (column: string) => string;
  /** Adds a column with an earlier statement, and returns its quoted name. */
  readonly part: (text: string) => string;
}

/** Returns a formula as SQL. Expressions that would be repeated, or that SQL cannot nest, become columns. */
export function formulaSql(node: FormulaNode, table: FormulaTable): string {
  const { time, rowHours, nameOf, part } = table;
  const textOf = (arg: FormulaNode): string => formulaSql(arg, table);
  if (node.kind === 'number') return Number.isNaN(node.value) ? 'NULL::DOUBLE' : `(${node.value})`;
  if (node.kind === 'column') return `${nameOf(node.name)}::DOUBLE`;
  if (node.kind === 'row') {
    const isTwice = node.name === 'min' || node.name === 'max';
    const [a = '', b = '', c = ''] = node.args.map(arg => (isTwice ? part(textOf(arg)) : textOf(arg)));
    return rowSql[node.name](a, b, c);
  }
  const [arg, us] = [part(textOf(node.arg)), node.durationMs * 1000];
  const over = (from: number, to: string): string =>
    `OVER (ORDER BY ${time} RANGE BETWEEN INTERVAL '${from} microseconds' PRECEDING AND ${to})`;
  const before = `first_value(${arg}) ${over(us, `INTERVAL '${us} microseconds' PRECEDING`)}`;
  if (node.name === 'lag') return part(before);
  if (node.name === 'delta') return part(`${arg} - ${before}`);
  const energy = (numberUnit(node.arg).mwhPerHour ?? 1 / rowHours) * rowHours;
  const factor = node.name === 'sum' ? ` * ${energy}` : '';
  return part(`${windowSql[node.name]}(${arg}) ${over(us - 1, 'CURRENT ROW')}${factor}`);
}
