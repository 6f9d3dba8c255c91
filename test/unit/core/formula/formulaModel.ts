import fc from 'fast-check';

/** A formula as a user might write it, with its result in exact fractions, row by row. */
export type Written =
  | { readonly kind: 'number'; readonly value: number; readonly unit: string }
  | { readonly kind: 'column'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Written[] }
  | { readonly kind: 'window'; readonly name: string; readonly arg: Written; readonly duration: string };

export interface ModelRow {
  /** Time since a fixed instant; null for a row without one. */
  readonly step: number | null;
  readonly cells: Readonly<Record<string, number | boolean | null>>;
}

const number = fc.integer({ min: -40_000, max: 40_000 }).map(units => units / 1000);
/** Formulas of power. */
export const { mw: writtenFormulas } = fc.letrec<Record<'mw' | 'plain' | 'divisor' | 'condition' | 'exact', Written>>(
  tie => {
    const call = (name: string, ...args: fc.Arbitrary<Written>[]): fc.Arbitrary<Written> =>
      fc.tuple(...args).map(made => ({ kind: 'call', name, args: made }));
    const window = (name: string): fc.Arbitrary<Written> =>
      fc
        .tuple(tie('mw'), fc.constantFrom('1h', '2h', '5h', '24h'))
        .map(([arg, duration]) => ({ kind: 'window', name, arg, duration }));
    const literal = (unit: string): fc.Arbitrary<Written> => number.map(value => ({ kind: 'number', value, unit }));
    const column = (...names: string[]): fc.Arbitrary<Written> =>
      fc.constantFrom(...names).map(name => ({ kind: 'column', name }));
    const mw = column('a_mw', 'b_mw');
    const anyMw = [
      ...[mw, mw, literal(' MW'), call('negate', tie('mw')), call('abs', tie('mw'))],
      ...['+', '-', 'min', 'max'].map(name => call(name, tie('mw'), tie('mw'))),
      ...[call('*', tie('plain'), tie('mw')), call('*', tie('mw'), tie('plain')), call('/', tie('mw'), tie('divisor'))],
      call('if', tie('condition'), tie('mw'), tie('mw')),
      ...['lag', 'delta', 'mean', 'lowest', 'highest'].map(window),
    ];
    return {
      mw: fc.oneof({ maxDepth: 4, depthSize: 'medium' }, ...anyMw),
      plain: fc.oneof(
        { maxDepth: 4, depthSize: 'medium' },
        literal(''),
        column('odd "name"'),
        call('/', tie('mw'), tie('exact')),
      ),
      divisor: fc.oneof({ maxDepth: 2 }, literal(''), column('odd "name"'), call('/', tie('exact'), tie('exact'))),
      // Only decimals: for other numbers, rounding decides which one is greater, and what equals 0.
      exact: fc.oneof({ maxDepth: 2 }, mw, literal(' MW'), call('+', mw, mw), call('-', mw, literal(' MW'))),
      condition: fc.oneof(
        { maxDepth: 3 },
        ...['<', '<=', '>', '>=', '=', '!='].map(name => call(name, tie('exact'), tie('exact'))),
        column('flag'),
        ...['and', 'or'].map(name => call(name, tie('condition'), tie('condition'))),
        call('not', tie('condition')),
      ),
    };
  },
);

/** Intervals in any order, some twice and some missing, with rows that have no instant. */
export const writtenRows: fc.Arbitrary<readonly ModelRow[]> = fc
  .array(
    fc.record({
      step: fc.option(fc.integer({ min: 0, max: 60 }), { freq: 15 }),
      cells: fc.record({
        a_mw: fc.option(number),
        b_mw: fc.option(number),
        'odd "name"': fc.option(number),
        flag: fc.option(fc.boolean()),
      }),
    }),
    { minLength: 1, maxLength: 70, size: 'max' },
  )
  .map(all => all.map(({ step, cells }) => ({ step, cells })));

/** Numerator and denominator. */
export type Fraction = readonly [bigint, bigint];

export function fractionOf([over, under]: Fraction): number {
  // Larger numbers lose digits that no double has.
  const digits = 10n ** 25n;
  return Number((over * digits) / under) / Number(digits);
}

/** Writes every part in parentheses, so that the model does not depend on precedence. */
export function textOf(written: Written): string {
  switch (written.kind) {
    case 'number':
      return written.value < 0 ? `(-${-written.value}${written.unit})` : `${written.value}${written.unit}`;
    case 'column':
      return /^\w+$/.test(written.name) ? written.name : `"${written.name.replaceAll('"', '""')}"`;
    case 'window':
      return `${written.name}(${textOf(written.arg)}, ${written.duration})`;
    case 'call': {
      const args = written.args.map(textOf);
      if (written.name === 'negate' || written.name === 'not')
        return `(${written.name === 'not' ? 'not ' : '-'}${args.join()})`;
      return /^(?:\W+|and|or)$/.test(written.name)
        ? `(${args.join(` ${written.name} `)})`
        : `${written.name}(${args.join(', ')})`;
    }
  }
}

/** Computes the value of each row; null if there is none. Conditions are 1 and 0. */
export function fractionsOf(written: Written, rows: readonly ModelRow[], stepMs: number): (Fraction | null)[] {
  switch (written.kind) {
    case 'number':
      return rows.map(() => thousandths(written.value));
    case 'column':
      return rows.map(({ cells }) => {
        const cell = cells[written.name] ?? null;
        return typeof cell === 'boolean' ? [cell ? 1n : 0n, 1n] : cell === null ? null : thousandths(cell);
      });
    case 'call': {
      const args = written.args.map(arg => fractionsOf(arg, rows, stepMs));
      return rows.map((_, row) =>
        called(
          written.name,
          args.map(values => values[row] ?? null),
        ),
      );
    }
    case 'window':
      return windowed(written, rows, stepMs);
  }
}

function thousandths(value: number): Fraction {
  return [BigInt(Math.round(value * 1000)), 1000n];
}

function sum([a, b]: Fraction, [c, d]: Fraction): Fraction {
  return [a * d + c * b, b * d];
}

/** The sign of the value. Denominators are positive. */
function compared([a, b]: Fraction, [c, d]: Fraction): bigint {
  return a * d - c * b;
}

function called(name: string, [a = null, b = null, c = null]: readonly (Fraction | null)[]): Fraction | null {
  // Follows SQL: false and null is false, true or null is true.
  const truths = [a, b].map(one => one?.[0]);
  if (name === 'and' && truths.includes(0n)) return [0n, 1n];
  if (name === 'or' && truths.includes(1n)) return [1n, 1n];
  if (a === null) return null;
  const [over, under] = a;
  if (name === 'if') return over === 1n ? b : c;
  if (name === 'negate') return [-over, under];
  if (name === 'abs') return [over < 0n ? -over : over, under];
  if (name === 'not') return [1n - over, 1n];
  if (b === null) return null;
  const truth = (holds: boolean): Fraction => [holds ? 1n : 0n, 1n];
  const order = compared(a, b);
  switch (name) {
    case '+':
      return sum(a, b);
    case '-':
      return sum(a, [-b[0], b[1]]);
    case '*':
      return [over * b[0], under * b[1]];
    case '/':
      if (b[0] === 0n) return null;
      return b[0] < 0n ? [-over * b[1], -under * b[0]] : [over * b[1], under * b[0]];
    case 'min':
      return order <= 0n ? a : b;
    case 'max':
      return order >= 0n ? a : b;
    case '<':
      return truth(order < 0n);
    case '<=':
      return truth(order <= 0n);
    case '>':
      return truth(order > 0n);
    case '>=':
      return truth(order >= 0n);
    case '=':
      return truth(order === 0n);
    case '!=':
      return truth(order !== 0n);
    case 'and':
      return truth(over === 1n && b[0] === 1n);
    case 'or':
      return truth(over === 1n || b[0] === 1n);
    default:
      throw new Error(name);
  }
}

const minutes: Readonly<Record<string, number>> = { '1h': 60, '2h': 120, '5h': 300, '24h': 1440 };

function windowed(
  { name, arg, duration }: Written & { readonly kind: 'window' },
  rows: readonly ModelRow[],
  stepMs: number,
): (Fraction | null)[] {
  const values = fractionsOf(arg, rows, stepMs);
  const stepMinutes = stepMs / 60_000;
  const valueAt = (minute: number): Fraction | null => {
    const row = rows.findLastIndex(({ step }) => step !== null && step * stepMinutes === minute);
    return row < 0 ? null : (values[row] ?? null);
  };
  return rows.map(({ step }) => {
    if (step === null) return null;
    const [now, length] = [step * stepMinutes, minutes[duration] ?? NaN];
    if (name === 'lag') return valueAt(now - length);
    if (name === 'delta') return called('-', [valueAt(now), valueAt(now - length)]);
    const within: Fraction[] = [];
    for (let minute = now; minute > now - length; minute -= stepMinutes) {
      const value = valueAt(minute);
      if (value) within.push(value);
    }
    const [first, ...others] = within;
    if (!first) return null;
    if (name === 'mean') return called('/', [others.reduce(sum, first), [BigInt(within.length), 1n]]);
    return others.reduce((found, one) => called(name === 'lowest' ? 'min' : 'max', [found, one]) ?? found, first);
  });
}
