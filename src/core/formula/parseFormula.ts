import { closestMatch } from 'leven';
import { derivedLimits } from '../../shared/derivedColumns.ts';
import { dayMs, hourMs, minuteMs } from '../../shared/durations.ts';
import { renewableShareField, totalRenewableField } from '../../shared/fields.ts';
import {
  getDifferenceUnit,
  energy,
  mass,
  massRate,
  money,
  moneyRate,
  power,
  share,
  unitOf,
  type Unit,
} from '../../shared/units.ts';
import {
  FormulaError,
  formulaFunctions,
  formulaLimits,
  isWindowName,
  type Formula,
  type FormulaColumn,
  type BinaryOperator,
  type FormulaNode,
  type TextRange,
  tariffConditions,
  type TariffConditionName,
  type RowFunctionName,
  type WindowName,
} from './formula.ts';
import { checkCondition, getEnergyUnit, getNumericUnit, needsEnergy, rowFunctions } from './rowFunctions.ts';
import { windowFunctions } from './windowFunctions.ts';

interface Token extends TextRange {
  readonly kind: 'number' | 'word' | 'quoted' | 'sign' | 'end';
  readonly text: string;
}

const word = String.raw`[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}\p{N}_]+)*`;
/** Matches a column name that needs no quotes. */
const unquotedName = new RegExp(`^(?!(?:and|or|not|${Object.keys(tariffConditions).join('|')})$)${word}$`, 'iu');
/** Returns a column's name as a formula spells it, quoted if necessary. */
export function quoteColumnName(name: string): string {
  return unquotedName.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** Matches a number, a quoted name, a word, an operator or any other character. */
const lexeme = new RegExp(
  String.raw`((?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)|"((?:[^"]|"")*)"|(${word})|([<>!]=|[-+*/()<>=,%])|\S`,
  'giu',
);

/** Binary operators by precedence, the lowest first. The empty level is the precedence of `not`. */
const precedenceLevels: readonly (readonly BinaryOperator[])[] = [
  ['or'],
  ['and'],
  [],
  ['<', '<=', '>', '>=', '=', '!='],
  ['+', '-'],
  ['*', '/'],
];
const precedence: ReadonlyMap<string, number> = new Map(
  precedenceLevels.flatMap((signs, level) => signs.map(sign => [sign, level + 1])),
);
/** The precedence of `not` is that of the empty level, the precedence of a minus sign that of `*`. */
const notPrecedence = precedenceLevels.findIndex(signs => signs.length === 0) + 1;
const minusPrecedence = precedenceLevels.length;

/** The units of literals, and how many of the unit of the value a literal of 1 has. */
const literalUnits: ReadonlyMap<string, readonly [unit: Unit, perUnit: number]> = new Map([
  ['kw', [power, 1e-3]],
  ['mw', [power, 1]],
  ['gw', [power, 1000]],
  ['kwh', [energy, 1e-3]],
  ['mwh', [energy, 1]],
  ['gwh', [energy, 1000]],
  ['%', [share, 1]],
  ['pp', [getDifferenceUnit(share), 1]],
  ['r', [money, 1]],
  ['c', [money, 1 / 100]],
  ['t', [mass, 1]],
  ['kg', [mass, 1e-3]],
  ['g', [mass, 1e-6]],
  ['r/mwh', [moneyRate, 1]],
  ['r/kwh', [moneyRate, 1000]],
  ['c/kwh', [moneyRate, 10]],
  ['t/mwh', [massRate, 1]],
  ['kg/mwh', [massRate, 1e-3]],
  ['g/kwh', [massRate, 1e-3]],
]);

const durations: ReadonlyMap<string, number> = new Map([
  ['min', minuteMs],
  ['h', hourMs],
  ['d', dayMs],
]);

/** Formats a duration in the largest unit of which it is a multiple. */
function formatDuration(ms: number): string {
  const [unit, length] = [...durations].findLast(([, length]) => ms % length === 0) ?? ['min', minuteMs];
  return `${ms / length}${unit}`;
}
/** The window functions that a user may mean by `min` and `max` with a duration. */
const windowAlternatives: Partial<Record<keyof typeof formulaFunctions, WindowName>> = {
  min: 'lowest',
  max: 'highest',
};
const maxWindowMs = formulaLimits.windowYears * 366 * dayMs;

/**
 * Parses a formula over these columns. Takes time in proportion to its length and the number of columns.
 *
 * A formula consists of numbers (`100`, `0 MW`, `5500 R/MWh`), column names (in quotes if they contain other characters: `"my column"`, with
 * `""` for a quote), `total` for total generation, `tariffConditions`, + - * /, parentheses, comparisons with = and !=, `and`, `or`, `not`, and
 * `formulaFunctions`. `rowMs`: the length that durations must be a multiple of (see `getWindowRowMs`).
 */
export function parseFormula(text: string, columns: readonly FormulaColumn[], rowMs?: number): Formula | FormulaError {
  return catchFormulaError(() => {
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
  return catchFormulaError(() => {
    if (text.trim() === '') throw new FormulaError('noCondition', { start: 0, end: text.length });
    const node = parseNode(text, columns, rowMs);
    checkCondition(node);
    return node;
  });
}

function parseNode(text: string, columns: readonly FormulaColumn[], rowMs: number | undefined): FormulaNode {
  const whole = { start: 0, end: text.length };
  if (text.length > derivedLimits.formula) throw new FormulaError('tooLong', whole, String(derivedLimits.formula));
  return new Parser(tokenize(text), columns, rowMs).parse();
}

function catchFormulaError<T>(parse: () => T): T | FormulaError {
  try {
    return parse();
  } catch (error) {
    if (error instanceof FormulaError) return error;
    throw error;
  }
}

function tokenize(text: string): Token[] {
  const { length } = text.trimEnd();
  const tokens = Array.from(
    text.matchAll(lexeme),
    ({ 0: match, 1: number, 2: quotedName, 3: name, 4: sign, index }): Token => {
      const range = { start: index, end: index + match.length };
      if (number !== undefined) return { kind: 'number', text: number, ...range };
      if (quotedName !== undefined) return { kind: 'quoted', text: quotedName.replaceAll('""', '"'), ...range };
      if (name === undefined && sign === undefined) throw unexpectedText({ start: index, end: index + 1 }, match);
      return { kind: name === undefined ? 'sign' : 'word', text: match, ...range };
    },
  );
  return [...tokens, { kind: 'end', text: '', start: length, end: length }];
}

const unexpectedText = (range: TextRange, text: string): FormulaError => new FormulaError('unexpected', range, text);

function getBinaryOperator({ kind, text }: Token): BinaryOperator | undefined {
  const sign = text.toLowerCase();
  return (kind === 'sign' || kind === 'word') && precedence.has(sign) ? (sign as BinaryOperator) : undefined;
}

/** Parses tokens by precedence climbing. Each kind of node has a method. */
class Parser {
  readonly #tokens: readonly Token[];
  readonly #columns: ReadonlyMap<string, FormulaColumn>;
  readonly #rowMs: number | undefined;
  #index = 0;
  #nesting = 0;
  #parts = 0;
  #windows = 0;

  constructor(tokens: readonly Token[], columns: readonly FormulaColumn[], rowMs: number | undefined) {
    this.#tokens = tokens;
    this.#rowMs = rowMs;
    // If several columns share a name, the first one counts, as elsewhere.
    this.#columns = new Map(columns.map(column => [column.name, column] as const).reverse());
  }

  parse(): FormulaNode {
    const node = this.#parseExpression(0);
    if (this.#next.kind !== 'end') throw this.#unexpected();
    return node;
  }

  get #next(): Token {
    return this.#tokens[this.#index] ?? { kind: 'end', text: '', start: 0, end: 0 };
  }

  #consume(): Token {
    const token = this.#next;
    this.#index++;
    return token;
  }

  /** Consumes the next token if it is this operator. Returns whether it was. */
  #consumeIf(sign: string): boolean {
    const isNext = this.#next.kind === 'sign' && this.#next.text === sign;
    if (isNext) this.#index++;
    return isNext;
  }

  #expect(sign: string): void {
    if (!this.#consumeIf(sign)) throw this.#unexpected();
  }

  #unexpected(): FormulaError {
    const { kind, text, start, end } = this.#next;
    return kind === 'end' ? new FormulaError('incomplete', { start, end }) : unexpectedText({ start, end }, text);
  }

  /** Parses an expression whose operators have a higher precedence than `minPrecedence`. */
  #parseExpression(minPrecedence: number): FormulaNode {
    let left = this.#parseOperand();
    for (;;) {
      const sign = getBinaryOperator(this.#next);
      const level = precedence.get(sign ?? '') ?? 0;
      if (sign === undefined || level <= minPrecedence) return left;
      this.#consume();
      left = this.#createRowNode(sign, [left, this.#parseExpression(level)]);
    }
  }

  #parseOperand(): FormulaNode {
    if (++this.#nesting > formulaLimits.nesting) throw this.#tooManyParts();
    const token = this.#consume();
    const node = this.#parseOperandFrom(token, token.text.toLowerCase());
    this.#nesting--;
    return node;
  }

  #parseOperandFrom(token: Token, text: string): FormulaNode {
    if (token.kind === 'number') return this.#parseNumber(token);
    if (token.kind === 'quoted') return this.#parseColumn(token);
    if (token.kind === 'sign' && text === '-')
      return this.#createRowNode('negate', [this.#parseExpression(minusPrecedence)], token.start);
    if (token.kind === 'sign' && text === '(') {
      const inner = this.#parseExpression(0);
      this.#expect(')');
      return inner;
    }
    if (token.kind === 'word' && text === 'not')
      return this.#createRowNode('not', [this.#parseExpression(notPrecedence)], token.start);
    if (token.kind === 'word' && isTariffCondition(text)) return this.#parseTariffCondition(token, text);
    if (token.kind === 'word' && this.#consumeIf('(')) return this.#parseCall(token, text);
    if (token.kind === 'word' && !getBinaryOperator(token)) return this.#parseColumn(token);
    this.#index--;
    throw this.#unexpected();
  }

  #parseNumber({ text, start, end }: Token): FormulaNode {
    const value = Number(text);
    if (!Number.isFinite(value)) throw new FormulaError('tooLarge', { start, end });
    const [unit, perUnit] = this.#consumeUnit() ?? [unitOf(undefined), 1];
    const range = { start, end: this.#end };
    // Dividing by a whole number keeps decimals exact.
    const converted = perUnit < 1 ? value / Math.round(1 / perUnit) : value * perUnit;
    return this.#countPart({ kind: 'number', value: converted, type: unit, range });
  }

  /** Consumes the unit of a literal if one follows. A rate has no spaces, because `100 R / mwh` divides by a column. */
  #consumeUnit(): readonly [unit: Unit, perUnit: number] | undefined {
    const [first, sign, last] = this.#tokens.slice(this.#index, this.#index + 3);
    if (!first || first.kind === 'quoted') return undefined;
    const isJoined = sign?.text === '/' && last?.kind === 'word' && first.end === sign.start && sign.end === last.start;
    const rate = isJoined ? literalUnits.get(`${first.text}/${last.text}`.toLowerCase()) : undefined;
    const unit = rate ?? literalUnits.get(first.text.toLowerCase());
    if (unit) this.#index += rate ? 3 : 1;
    return unit;
  }

  #parseColumn({ text: name, start, end }: TextRange & { readonly text: string }): FormulaNode {
    const range = { start, end };
    const column = this.#columns.get(name);
    if (!column && name === 'total') return this.#parseTotal(range);
    // A missing value in the unit of the other operand.
    if (!column && name === 'null')
      return this.#countPart({ kind: 'number', value: NaN, type: unitOf(undefined), range });
    if (!column) throw createUnknownNameError('Column', name, range, [...this.#columns.keys()]);
    if (column.kind === 'boolean') return this.#countPart({ kind: 'column', name, type: 'condition', range });
    if (column.kind !== 'number') throw new FormulaError('noNumbers', range, name);
    return this.#countPart({ kind: 'column', name, type: unitOf(column.field), range });
  }

  #parseTotal(range: TextRange): FormulaNode {
    const names = [totalRenewableField, renewableShareField];
    if (names.some(name => this.#columns.get(name)?.kind !== 'number')) throw new FormulaError('noTotal', range);
    const args = names.map(text => this.#parseColumn({ text, ...range }));
    return this.#createRowNode('total', args);
  }

  #parseTariffCondition({ start }: Token, name: TariffConditionName): FormulaNode {
    let year: number | undefined;
    if (name !== 'highdemand' && this.#consumeIf('(')) {
      const { text } = this.#consume();
      if (!/^[12]\d{3}$/.test(text)) throw new FormulaError('usage', { start, end: this.#end }, `${name}(2024)`);
      year = Number(text);
      this.#expect(')');
    }
    const range = { start, end: this.#end };
    this.#requireTime(range, name);
    if (this.#rowMs !== undefined && !(this.#rowMs <= hourMs)) throw new FormulaError('tariffRows', range, name);
    return this.#countPart({ kind: 'tariff', name, year, type: 'condition', range });
  }

  #requireTime(range: TextRange, name: string): void {
    if (![...this.#columns.values()].some(({ kind }) => kind === 'time')) throw new FormulaError('noTime', range, name);
  }

  #parseCall({ text, start, end }: Token, name: string): FormulaNode {
    if (!isFunctionName(name))
      throw createUnknownNameError('Function', text, { start, end }, Object.keys(formulaFunctions));
    const args = [this.#parseExpression(0)];
    let durationMs: number | undefined;
    while (this.#consumeIf(',')) {
      if (isWindowName(name) && durationMs === undefined) durationMs = this.#parseDuration(name);
      else args.push(this.#parseExpression(0));
    }
    if (durations.has(this.#next.text.toLowerCase()))
      throw new FormulaError(
        'usage',
        { start, end: this.#consume().end },
        formulaFunctions[windowAlternatives[name] ?? name].usage,
      );
    this.#expect(')');
    const range = { start, end: this.#end };
    const [arg] = args;
    if (!isWindowName(name) && args.length === rowFunctions[name].args) return this.#createRowNode(name, args, start);
    if (isWindowName(name) && arg && args.length === 1 && durationMs)
      return this.#createWindowNode(name, arg, durationMs, range);
    throw new FormulaError('usage', range, formulaFunctions[name].usage);
  }

  #createWindowNode(name: WindowName, arg: FormulaNode, durationMs: number, range: TextRange): FormulaNode {
    this.#requireTime(range, name);
    if (++this.#windows > formulaLimits.windows) throw this.#tooManyParts();
    const type = windowFunctions[name].unit(getNumericUnit(arg), range);
    return this.#countPart({ kind: 'window', name, arg, durationMs, type, range });
  }

  /** Parses a duration; in milliseconds. */
  #parseDuration(name: WindowName): number {
    const { kind, text, start } = this.#consume();
    const unit = this.#consume();
    const ms = Math.round(Number(text) * (durations.get(unit.text.toLowerCase()) ?? NaN));
    const range = { start, end: this.#end };
    if (kind !== 'number' || !(ms > 0 && ms <= maxWindowMs)) throw new FormulaError('duration', range);
    const rowMs = this.#rowMs ?? ms;
    if (Number.isNaN(rowMs)) throw new FormulaError('unevenRows', range, name);
    if (ms % rowMs !== 0) throw new FormulaError('wholeRows', range, formatDuration(rowMs));
    return ms;
  }

  /** Creates a node for a function of values of one row, or its result if all arguments are literals. */
  #createRowNode(
    name: RowFunctionName,
    operands: readonly FormulaNode[],
    start = operands[0]?.range.start ?? 0,
  ): FormulaNode {
    const unitTexts = operands.flatMap(({ type }) => (type === 'condition' || type.text === '' ? [] : type.text));
    // Values of one unit keep it, so that a number beside them is in the unit of the column.
    const values = new Set(unitTexts).size > 1 ? operands.map(operand => this.#toLiteralUnit(operand)) : operands;
    const args = values.map((arg, index) => {
      const other = values[1 - index];
      return other && needsEnergy(name, arg, other, index === 1) ? this.#createEnergyNode(arg, other) : arg;
    });
    const { type: resolveType, value: evaluate } = rowFunctions[name];
    const [a, b = a, c = a] = args;
    if (!a || !b || !c) throw this.#unexpected();
    const range = { start, end: this.#end };
    const type = resolveType(range, a, b, c);
    const numbers = args.map(arg => (arg.kind === 'number' ? arg.value : NaN));
    const [x = NaN, y = NaN, z = NaN] = numbers;
    const value = numbers.includes(NaN) || type === 'condition' ? NaN : evaluate(x, y, z);
    const node = Number.isFinite(value) ? ({ kind: 'number', value } as const) : ({ kind: 'row', name, args } as const);
    return this.#countPart({ ...node, type, range });
  }

  /** Converts a value in kW, kWh, c/kWh or R/kWh to the unit of literals: MW, MWh or R/MWh. */
  #toLiteralUnit(arg: FormulaNode): FormulaNode {
    if (arg.type === 'condition') return arg;
    const { type: unit, range } = arg;
    const [target, perUnit] = literalUnits.get(unit.text.toLowerCase()) ?? [unit, 1];
    if (target.kind !== unit.kind || target.text === unit.text) return arg;
    // Divides by 1000 instead of multiplying by 0.001, which is not an exact number.
    const [name, value] = perUnit < 1 ? (['/', Math.round(1 / perUnit)] as const) : (['*', perUnit] as const);
    const type = { ...unit, text: target.text, ...(unit.mwhPerHour !== undefined && { mwhPerHour: 1 }) };
    const args = [arg, { kind: 'number', value, type: unitOf(undefined), range } as const];
    return this.#countPart({ kind: 'row', name, args, type, range });
  }

  #createEnergyNode(arg: FormulaNode, other: FormulaNode): FormulaNode {
    const { range } = arg;
    this.#requireTime(range, getNumericUnit(other).text);
    return this.#countPart({ kind: 'energy', arg, type: getEnergyUnit(getNumericUnit(arg)), range });
  }

  /** The end of the last consumed token. */
  get #end(): number {
    return (this.#tokens[this.#index - 1] ?? this.#tokens.at(-1))?.end ?? 0;
  }

  #countPart(node: FormulaNode): FormulaNode {
    if (++this.#parts > formulaLimits.parts) throw this.#tooManyParts();
    return node;
  }

  #tooManyParts(): FormulaError {
    return new FormulaError('tooManyParts', { start: 0, end: this.#end });
  }
}

function isTariffCondition(name: string): name is TariffConditionName {
  return Object.hasOwn(tariffConditions, name);
}

function isFunctionName(name: string): name is keyof typeof formulaFunctions {
  return Object.hasOwn(formulaFunctions, name);
}

function createUnknownNameError(
  nameKind: 'Column' | 'Function',
  name: string,
  range: TextRange,
  candidates: readonly string[],
): FormulaError {
  const suggestion = findClosest(name, candidates);
  return suggestion === undefined
    ? new FormulaError(`unknown${nameKind}`, range, name)
    : new FormulaError(`near${nameKind}`, range, name, suggestion);
}

/** Longer names get no suggestion. */
const maxSuggestedLength = 60;

/** Finds the name with the smallest edit distance, of at most a third of its length. */
function findClosest(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > maxSuggestedLength) return undefined;
  const names = candidates.map(candidate => candidate.toLowerCase());
  const closest = closestMatch(name.toLowerCase(), names, { maxDistance: Math.floor(name.length / 3) });
  return closest === undefined ? undefined : candidates[names.indexOf(closest)];
}
