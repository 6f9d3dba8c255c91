import { closestMatch } from 'leven';
import { derivedLimits } from '../../shared/derivedColumns.ts';
import { dayMs, hourMs, minuteMs } from '../../shared/durations.ts';
import { renewableShareField, totalRenewableField } from '../../shared/fields.ts';
import { differenceOf, energy, power, share, unitOf, type Unit } from '../../shared/units.ts';
import {
  FormulaError,
  formulaFunctions,
  formulaLimits,
  isWindowName,
  type Formula,
  type FormulaColumn,
  type BinarySign,
  type FormulaNode,
  type Place,
  type RowFunctionName,
  type WindowName,
} from './formula.ts';
import { checkCondition, numberUnit, rowFunctions } from './rowFunctions.ts';
import { windowFunctions } from './windowFunctions.ts';

interface Token extends Place {
  readonly kind: 'number' | 'word' | 'quoted' | 'sign' | 'end';
  readonly text: string;
}

const word = String.raw`[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}\p{N}_]+)*`;
/** Matches a column name that needs no quotes. */
const unquotedName = new RegExp(`^(?!(?:and|or|not)$)${word}$`, 'iu');
/** Returns a column's name as a formula spells it, quoted if necessary. */
export function nameInFormula(name: string): string {
  return unquotedName.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** Matches a number, a quoted name, a word, an operator or any other character. */
const lexeme = new RegExp(
  String.raw`((?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)|"((?:[^"]|"")*)"|(${word})|([<>!]=|[-+*/()<>=,%])|\S`,
  'giu',
);

/** Binary operators by precedence, the lowest first. The empty level is the precedence of `not`. */
const levels: readonly (readonly BinarySign[])[] = [
  ['or'],
  ['and'],
  [],
  ['<', '<=', '>', '>=', '=', '!='],
  ['+', '-'],
  ['*', '/'],
];
const binds: ReadonlyMap<string, number> = new Map(levels.flatMap((signs, at) => signs.map(sign => [sign, at + 1])));
/** The precedence of `not` is that of the empty level, the precedence of a minus sign that of `*`. */
const [notBinds, minusBinds] = [levels.findIndex(signs => signs.length === 0) + 1, levels.length];

const unitsOfText: ReadonlyMap<string, Unit> = new Map([
  ['mw', power],
  ['mwh', energy],
  ['%', share],
  ['pp', differenceOf(share)],
]);

const durations: ReadonlyMap<string, number> = new Map([
  ['min', minuteMs],
  ['h', hourMs],
  ['d', dayMs],
]);

/** Formats a duration in the largest unit of which it is a multiple. */
function durationText(ms: number): string {
  const [unit, length] = [...durations].findLast(([, length]) => ms % length === 0) ?? ['min', minuteMs];
  return `${ms / length}${unit}`;
}
/** The window functions that a user may mean by `min` and `max` with a duration. */
const overTime: Partial<Record<keyof typeof formulaFunctions, WindowName>> = { min: 'lowest', max: 'highest' };
const longestWindowMs = formulaLimits.windowYears * 366 * dayMs;

/**
 * Parses a formula over these columns. Takes time in proportion to its length and the number of columns.
 *
 * A formula consists of numbers (`100`, `0 MW`, `50 %`), column names (in quotes if they contain other characters: `"odd name"`, with
 * `""` for a quote), `total` for total generation, + - * /, parentheses, comparisons with = and !=, `and`, `or`, `not`, and
 * `formulaFunctions`. `rowMs`: the length that durations must be a multiple of (see `getWindowRowMs`).
 */
export function parseFormula(text: string, columns: readonly FormulaColumn[], rowMs?: number): Formula | FormulaError {
  return orError(() => {
    if (text.trim() === '') throw new FormulaError('empty', { start: 0, end: text.length });
    const node = parseNode(text, columns, rowMs);
    return { node, unit: node.type === 'condition' ? undefined : node.type };
  });
}

/** Parses a condition, a formula that is true or false in each row. */
export function parseCondition(
  text: string,
  columns: readonly FormulaColumn[],
  rowMs?: number,
): FormulaNode | FormulaError {
  return orError(() => {
    if (text.trim() === '') throw new FormulaError('noCondition', { start: 0, end: text.length });
    const node = parseNode(text, columns, rowMs);
    checkCondition(node);
    return node;
  });
}

function parseNode(text: string, columns: readonly FormulaColumn[], rowMs: number | undefined): FormulaNode {
  const whole = { start: 0, end: text.length };
  if (text.length > derivedLimits.formula) throw new FormulaError('tooLong', whole, String(derivedLimits.formula));
  return new Parser(tokensOf(text), columns, rowMs).formula();
}

function orError<T>(read: () => T): T | FormulaError {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormulaError) return error;
    throw error;
  }
}

function tokensOf(text: string): Token[] {
  const { length } = text.trimEnd();
  const tokens = Array.from(
    text.matchAll(lexeme),
    ({ 0: all, 1: number, 2: quoted, 3: name, 4: sign, index }): Token => {
      const at = { start: index, end: index + all.length };
      if (number !== undefined) return { kind: 'number', text: number, ...at };
      if (quoted !== undefined) return { kind: 'quoted', text: quoted.replaceAll('""', '"'), ...at };
      if (name === undefined && sign === undefined) throw unexpected({ start: index, end: index + 1 }, all);
      return { kind: name === undefined ? 'sign' : 'word', text: all, ...at };
    },
  );
  return [...tokens, { kind: 'end', text: '', start: length, end: length }];
}

const unexpected = (at: Place, text: string): FormulaError => new FormulaError('unexpected', at, text);

function binarySign({ kind, text }: Token): BinarySign | undefined {
  const sign = text.toLowerCase();
  return (kind === 'sign' || kind === 'word') && binds.has(sign) ? (sign as BinarySign) : undefined;
}

/** Parses tokens by precedence climbing. Each kind of node has a method. */
class Parser {
  readonly #tokens: readonly Token[];
  readonly #columns: ReadonlyMap<string, FormulaColumn>;
  readonly #rowMs: number | undefined;
  #at = 0;
  #nesting = 0;
  #parts = 0;
  #windows = 0;

  constructor(tokens: readonly Token[], columns: readonly FormulaColumn[], rowMs: number | undefined) {
    this.#tokens = tokens;
    this.#rowMs = rowMs;
    // If several columns share a name, the first one counts, as elsewhere.
    this.#columns = new Map(columns.map(column => [column.name, column] as const).reverse());
  }

  formula(): FormulaNode {
    const node = this.#expression(0);
    if (this.#next.kind !== 'end') throw this.#unexpected();
    return node;
  }

  get #next(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '', start: 0, end: 0 };
  }

  #take(): Token {
    const token = this.#next;
    this.#at++;
    return token;
  }

  /** Consumes the next token if it is this operator. Returns whether it was. */
  #passes(sign: string): boolean {
    const isNext = this.#next.kind === 'sign' && this.#next.text === sign;
    if (isNext) this.#at++;
    return isNext;
  }

  #expect(sign: string): void {
    if (!this.#passes(sign)) throw this.#unexpected();
  }

  #unexpected(): FormulaError {
    const { kind, text, start, end } = this.#next;
    return kind === 'end' ? new FormulaError('incomplete', { start, end }) : unexpected({ start, end }, text);
  }

  /** Parses an expression whose operators have a higher precedence than `than`. */
  #expression(than: number): FormulaNode {
    let left = this.#operand();
    for (;;) {
      const sign = binarySign(this.#next);
      const level = binds.get(sign ?? '') ?? 0;
      if (sign === undefined || level <= than) return left;
      this.#take();
      left = this.#row(sign, [left, this.#expression(level)]);
    }
  }

  #operand(): FormulaNode {
    if (++this.#nesting > formulaLimits.nesting) throw this.#tooManyParts();
    const token = this.#take();
    const node = this.#operandOf(token, token.text.toLowerCase());
    this.#nesting--;
    return node;
  }

  #operandOf(token: Token, text: string): FormulaNode {
    if (token.kind === 'number') return this.#number(token);
    if (token.kind === 'quoted') return this.#column(token);
    if (token.kind === 'sign' && text === '-') return this.#row('negate', [this.#expression(minusBinds)], token.start);
    if (token.kind === 'sign' && text === '(') {
      const inner = this.#expression(0);
      this.#expect(')');
      return inner;
    }
    if (token.kind === 'word' && text === 'not') return this.#row('not', [this.#expression(notBinds)], token.start);
    if (token.kind === 'word' && this.#passes('(')) return this.#call(token, text);
    if (token.kind === 'word' && !binarySign(token)) return this.#column(token);
    this.#at--;
    throw this.#unexpected();
  }

  #number({ text, start, end }: Token): FormulaNode {
    const value = Number(text);
    if (!Number.isFinite(value)) throw new FormulaError('tooLarge', { start, end });
    const unit = this.#next.kind === 'quoted' ? undefined : unitsOfText.get(this.#next.text.toLowerCase());
    const at = { start, end: unit ? this.#take().end : end };
    return this.#counted({ kind: 'number', value, type: unit ?? unitOf(undefined), at });
  }

  #column({ text: name, start, end }: Place & { readonly text: string }): FormulaNode {
    const at = { start, end };
    const column = this.#columns.get(name);
    if (!column && name === 'total') return this.#total(at);
    // A missing value in the unit of the other operand.
    if (!column && name === 'null') return this.#counted({ kind: 'number', value: NaN, type: unitOf(undefined), at });
    if (!column) throw unknown('Column', name, at, [...this.#columns.keys()]);
    if (column.kind === 'boolean') return this.#counted({ kind: 'column', name, type: 'condition', at });
    if (column.kind !== 'number') throw new FormulaError('noNumbers', at, name);
    return this.#counted({ kind: 'column', name, type: unitOf(column.field), at });
  }

  #total(at: Place): FormulaNode {
    const names = [totalRenewableField, renewableShareField];
    if (names.some(name => this.#columns.get(name)?.kind !== 'number')) throw new FormulaError('noTotal', at);
    const args = names.map(text => this.#column({ text, ...at }));
    return this.#row('total', args);
  }

  #call({ text, start, end }: Token, name: string): FormulaNode {
    if (!isFunctionName(name)) throw unknown('Function', text, { start, end }, Object.keys(formulaFunctions));
    const args = [this.#expression(0)];
    let durationMs: number | undefined;
    while (this.#passes(',')) {
      if (isWindowName(name) && durationMs === undefined) durationMs = this.#duration(name);
      else args.push(this.#expression(0));
    }
    if (durations.has(this.#next.text.toLowerCase()))
      throw new FormulaError('usage', { start, end: this.#take().end }, formulaFunctions[overTime[name] ?? name].usage);
    this.#expect(')');
    const at = { start, end: this.#end };
    const [arg] = args;
    if (!isWindowName(name) && args.length === rowFunctions[name].args) return this.#row(name, args, start);
    if (isWindowName(name) && arg && args.length === 1 && durationMs) return this.#window(name, arg, durationMs, at);
    throw new FormulaError('usage', at, formulaFunctions[name].usage);
  }

  #window(name: WindowName, arg: FormulaNode, durationMs: number, at: Place): FormulaNode {
    if (![...this.#columns.values()].some(({ kind }) => kind === 'time')) throw new FormulaError('noTime', at, name);
    if (++this.#windows > formulaLimits.windows) throw this.#tooManyParts();
    const type = windowFunctions[name].unit(numberUnit(arg), at);
    return this.#counted({ kind: 'window', name, arg, durationMs, type, at });
  }

  /** Parses a duration; in milliseconds. */
  #duration(name: WindowName): number {
    const [{ kind, text, start }, unit] = [this.#take(), this.#take()];
    const ms = Math.round(Number(text) * (durations.get(unit.text.toLowerCase()) ?? NaN));
    const at = { start, end: this.#end };
    if (kind !== 'number' || !(ms > 0 && ms <= longestWindowMs)) throw new FormulaError('duration', at);
    const rowMs = this.#rowMs ?? ms;
    if (Number.isNaN(rowMs)) throw new FormulaError('unevenRows', at, name);
    if (ms % rowMs !== 0) throw new FormulaError('wholeRows', at, durationText(rowMs));
    return ms;
  }

  /** Creates a node for a function of values of one row, or its result if all arguments are literals. */
  #row(name: RowFunctionName, args: readonly FormulaNode[], start = args[0]?.at.start ?? 0): FormulaNode {
    const { type: typeOf, value: valueOf } = rowFunctions[name];
    const [a, b = a, c = a] = args;
    if (!a || !b || !c) throw this.#unexpected();
    const at = { start, end: this.#end };
    const type = typeOf(at, a, b, c);
    const values = args.map(arg => (arg.kind === 'number' ? arg.value : NaN));
    const [x = NaN, y = NaN, z = NaN] = values;
    const value = values.includes(NaN) || type === 'condition' ? NaN : valueOf(x, y, z);
    const node = Number.isFinite(value) ? ({ kind: 'number', value } as const) : ({ kind: 'row', name, args } as const);
    return this.#counted({ ...node, type, at });
  }

  /** The end of the last consumed token. */
  get #end(): number {
    return (this.#tokens[this.#at - 1] ?? this.#tokens.at(-1))?.end ?? 0;
  }

  #counted(node: FormulaNode): FormulaNode {
    if (++this.#parts > formulaLimits.parts) throw this.#tooManyParts();
    return node;
  }

  #tooManyParts(): FormulaError {
    return new FormulaError('tooManyParts', { start: 0, end: this.#end });
  }
}

function isFunctionName(name: string): name is keyof typeof formulaFunctions {
  return Object.hasOwn(formulaFunctions, name);
}

function unknown(what: 'Column' | 'Function', name: string, at: Place, known: readonly string[]): FormulaError {
  const near = nearest(name, known);
  return near === undefined
    ? new FormulaError(`unknown${what}`, at, name)
    : new FormulaError(`near${what}`, at, name, near);
}

/** Longer names get no suggestion. */
const longestNear = 60;

/** Finds the name with the smallest edit distance, of at most a third of its length. */
function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > longestNear) return undefined;
  const names = known.map(other => other.toLowerCase());
  const found = closestMatch(name.toLowerCase(), names, { maxDistance: Math.floor(name.length / 3) });
  return found === undefined ? undefined : known[names.indexOf(found)];
}
