import fc from 'fast-check';

/** A formula as a user might enter it. */
export type FormulaTree =
  | { readonly kind: 'number'; readonly value: number; readonly unit: string }
  | { readonly kind: 'column'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly FormulaTree[] }
  | { readonly kind: 'window'; readonly name: string; readonly arg: FormulaTree; readonly duration: string };

export interface ModelRow {
  /** The number of the interval after a fixed instant, or null for a row without an instant. */
  readonly interval: number | null;
  readonly cells: Readonly<Record<string, number | boolean | null>>;
}

const number = fc.integer({ min: -40_000, max: 40_000 }).map(units => units / 1000);
/** Formulas of power. */
export const { mw: arbitraryFormulas } = fc.letrec<
  Record<'mw' | 'plain' | 'divisor' | 'condition' | 'exact', FormulaTree>
>(tie => {
  const arbitraryCall = (name: string, ...args: fc.Arbitrary<FormulaTree>[]): fc.Arbitrary<FormulaTree> =>
    fc.tuple(...args).map(callArgs => ({ kind: 'call', name, args: callArgs }));
  const arbitraryWindow = (name: string): fc.Arbitrary<FormulaTree> =>
    fc
      .tuple(tie('mw'), fc.constantFrom('1h', '2h', '5h', '24h'))
      .map(([arg, duration]) => ({ kind: 'window', name, arg, duration }));
  const arbitraryLiteral = (unit: string): fc.Arbitrary<FormulaTree> =>
    number.map(value => ({ kind: 'number', value, unit }));
  const arbitraryColumn = (...names: string[]): fc.Arbitrary<FormulaTree> =>
    fc.constantFrom(...names).map(name => ({ kind: 'column', name }));
  const mw = arbitraryColumn('a_mw', 'b_mw');
  const anyMw = [
    ...[mw, mw, arbitraryLiteral(' MW'), arbitraryCall('negate', tie('mw')), arbitraryCall('abs', tie('mw'))],
    ...['+', '-', 'min', 'max'].map(name => arbitraryCall(name, tie('mw'), tie('mw'))),
    ...[
      arbitraryCall('*', tie('plain'), tie('mw')),
      arbitraryCall('*', tie('mw'), tie('plain')),
      arbitraryCall('/', tie('mw'), tie('divisor')),
    ],
    arbitraryCall('if', tie('condition'), tie('mw'), tie('mw')),
    ...['lag', 'delta', 'mean', 'lowest', 'highest'].map(arbitraryWindow),
  ];
  return {
    mw: fc.oneof({ maxDepth: 4, depthSize: 'medium' }, ...anyMw),
    plain: fc.oneof(
      { maxDepth: 4, depthSize: 'medium' },
      arbitraryLiteral(''),
      arbitraryColumn('odd "name"'),
      arbitraryCall('/', tie('mw'), tie('exact')),
    ),
    divisor: fc.oneof(
      { maxDepth: 2 },
      arbitraryLiteral(''),
      arbitraryColumn('odd "name"'),
      arbitraryCall('/', tie('exact'), tie('exact')),
    ),
    // Only decimals are used: for other numbers, rounding decides which one is greater, and which equals 0.
    exact: fc.oneof(
      { maxDepth: 2 },
      mw,
      arbitraryLiteral(' MW'),
      arbitraryCall('+', mw, mw),
      arbitraryCall('-', mw, arbitraryLiteral(' MW')),
    ),
    condition: fc.oneof(
      { maxDepth: 3 },
      ...['<', '<=', '>', '>=', '=', '!='].map(name => arbitraryCall(name, tie('exact'), tie('exact'))),
      arbitraryColumn('flag'),
      ...['and', 'or'].map(name => arbitraryCall(name, tie('condition'), tie('condition'))),
      arbitraryCall('not', tie('condition')),
    ),
  };
});

/** Rows in any order, some intervals twice, some missing, and some rows without an instant. */
export const arbitraryRows: fc.Arbitrary<readonly ModelRow[]> = fc
  .array(
    fc.record({
      interval: fc.option(fc.integer({ min: 0, max: 60 }), { freq: 15 }),
      cells: fc.record({
        a_mw: fc.option(number),
        b_mw: fc.option(number),
        'odd "name"': fc.option(number),
        flag: fc.option(fc.boolean()),
      }),
    }),
    { minLength: 1, maxLength: 70, size: 'max' },
  )
  .map(rows => rows.map(({ interval, cells }) => ({ interval, cells })));

/** A numerator and a denominator. */
export type Fraction = readonly [bigint, bigint];

export function toNumber([numerator, denominator]: Fraction): number {
  // Larger numbers lose digits that a double does not have either.
  const digits = 10n ** 25n;
  return Number((numerator * digits) / denominator) / Number(digits);
}

/** Formats every part in parentheses, so that the result does not depend on precedence. */
export function formatFormula(tree: FormulaTree): string {
  switch (tree.kind) {
    case 'number':
      return tree.value < 0 ? `(-${-tree.value}${tree.unit})` : `${tree.value}${tree.unit}`;
    case 'column':
      return /^\w+$/.test(tree.name) ? tree.name : `"${tree.name.replaceAll('"', '""')}"`;
    case 'window':
      return `${tree.name}(${formatFormula(tree.arg)}, ${tree.duration})`;
    case 'call': {
      const args = tree.args.map(formatFormula);
      if (tree.name === 'negate' || tree.name === 'not') return `(${tree.name === 'not' ? 'not ' : '-'}${args.join()})`;
      return /^(?:\W+|and|or)$/.test(tree.name)
        ? `(${args.join(` ${tree.name} `)})`
        : `${tree.name}(${args.join(', ')})`;
    }
  }
}

/** Computes the value of each row, or null if there is none. Conditions are 1 and 0. */
export function evaluateFormula(tree: FormulaTree, rows: readonly ModelRow[], intervalMs: number): (Fraction | null)[] {
  switch (tree.kind) {
    case 'number':
      return rows.map(() => toThousandths(tree.value));
    case 'column':
      return rows.map(({ cells }) => {
        const cell = cells[tree.name] ?? null;
        return typeof cell === 'boolean' ? [cell ? 1n : 0n, 1n] : cell === null ? null : toThousandths(cell);
      });
    case 'call': {
      const args = tree.args.map(arg => evaluateFormula(arg, rows, intervalMs));
      return rows.map((_, row) =>
        callFunction(
          tree.name,
          args.map(values => values[row] ?? null),
        ),
      );
    }
    case 'window':
      return evaluateWindow(tree, rows, intervalMs);
  }
}

function toThousandths(value: number): Fraction {
  return [BigInt(Math.round(value * 1000)), 1000n];
}

function addFractions([a, b]: Fraction, [c, d]: Fraction): Fraction {
  return [a * d + c * b, b * d];
}

/** Returns the sign of the difference. Denominators are positive. */
function compareFractions([a, b]: Fraction, [c, d]: Fraction): bigint {
  return a * d - c * b;
}

function callFunction(name: string, [a = null, b = null, c = null]: readonly (Fraction | null)[]): Fraction | null {
  // Follows SQL: false and null is false, true or null is true.
  const truths = [a, b].map(operand => operand?.[0]);
  if (name === 'and' && truths.includes(0n)) return [0n, 1n];
  if (name === 'or' && truths.includes(1n)) return [1n, 1n];
  if (a === null) return null;
  const [numerator, denominator] = a;
  if (name === 'if') return numerator === 1n ? b : c;
  if (name === 'negate') return [-numerator, denominator];
  if (name === 'abs') return [numerator < 0n ? -numerator : numerator, denominator];
  if (name === 'not') return [1n - numerator, 1n];
  if (b === null) return null;
  const toFraction = (holds: boolean): Fraction => [holds ? 1n : 0n, 1n];
  const order = compareFractions(a, b);
  switch (name) {
    case '+':
      return addFractions(a, b);
    case '-':
      return addFractions(a, [-b[0], b[1]]);
    case '*':
      return [numerator * b[0], denominator * b[1]];
    case '/':
      if (b[0] === 0n) return null;
      return b[0] < 0n ? [-numerator * b[1], -denominator * b[0]] : [numerator * b[1], denominator * b[0]];
    case 'min':
      return order <= 0n ? a : b;
    case 'max':
      return order >= 0n ? a : b;
    case '<':
      return toFraction(order < 0n);
    case '<=':
      return toFraction(order <= 0n);
    case '>':
      return toFraction(order > 0n);
    case '>=':
      return toFraction(order >= 0n);
    case '=':
      return toFraction(order === 0n);
    case '!=':
      return toFraction(order !== 0n);
    case 'and':
      return toFraction(numerator === 1n && b[0] === 1n);
    case 'or':
      return toFraction(numerator === 1n || b[0] === 1n);
    default:
      throw new Error(name);
  }
}

const minutes: Readonly<Record<string, number>> = { '1h': 60, '2h': 120, '5h': 300, '24h': 1440 };

function evaluateWindow(
  { name, arg, duration }: FormulaTree & { readonly kind: 'window' },
  rows: readonly ModelRow[],
  intervalMs: number,
): (Fraction | null)[] {
  const values = evaluateFormula(arg, rows, intervalMs);
  const intervalMinutes = intervalMs / 60_000;
  const getValue = (minute: number): Fraction | null => {
    const row = rows.findLastIndex(({ interval }) => interval !== null && interval * intervalMinutes === minute);
    return row < 0 ? null : (values[row] ?? null);
  };
  return rows.map(({ interval }) => {
    if (interval === null) return null;
    const minuteOfRow = interval * intervalMinutes;
    const length = minutes[duration] ?? NaN;
    if (name === 'lag') return getValue(minuteOfRow - length);
    if (name === 'delta') return callFunction('-', [getValue(minuteOfRow), getValue(minuteOfRow - length)]);
    const within: Fraction[] = [];
    for (let minute = minuteOfRow; minute > minuteOfRow - length; minute -= intervalMinutes) {
      const value = getValue(minute);
      if (value) within.push(value);
    }
    const [first, ...otherValues] = within;
    if (!first) return null;
    if (name === 'mean')
      return callFunction('/', [otherValues.reduce(addFractions, first), [BigInt(within.length), 1n]]);
    return otherValues.reduce(
      (extreme, value) => callFunction(name === 'lowest' ? 'min' : 'max', [extreme, value]) ?? extreme,
      first,
    );
  });
}
