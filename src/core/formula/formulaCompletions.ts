import { derivedLimits } from '../../shared/derivedColumns.ts';
import { unitOf } from '../../shared/units.ts';
import { formulaFunctions, isWindowName, tariffConditions, type FormulaColumn, type TextRange } from './formula.ts';
import { quoteColumnName } from './parseFormula.ts';

/** A completion item for a formula. */
export interface FormulaCompletion {
  readonly kind: 'column' | 'function';
  /** The text to insert: a column name, quoted if necessary, a function with its parenthesis, or a condition on the tariff. */
  readonly text: string;
  /** The column name, or the usage of the function. */
  readonly label: string;
  readonly help: string;
  /** The unit of a column; empty if it has none. */
  readonly unit: string;
}

const maxCompletions = 50;

const functions = [
  ...Object.entries(formulaFunctions).map(([name, entry]) => ({ ...entry, text: `${name}(` })),
  ...Object.entries(tariffConditions).map(([text, entry]) => ({ ...entry, text })),
].map(({ text, usage, help }): FormulaCompletion => ({ kind: 'function', text, label: usage, help, unit: '' }));

/**
 * Returns the columns and functions that fit at the caret, at most 50, and the range of the text that they replace. Items that start
 * with the typed text come first, then items that contain it. There are none within a number, after a value, for a duration, and if the text is
 * too long.
 */
export function completeFormula(
  text: string,
  caret: number,
  columns: readonly FormulaColumn[],
): { readonly range: TextRange; readonly completions: readonly FormulaCompletion[] } {
  if (text.length > derivedLimits.formula) return { range: { start: caret, end: caret }, completions: [] };
  const textToCaret = text.slice(0, caret);
  const isQuoted = textToCaret.split('"').length % 2 === 0;
  const start = isQuoted
    ? textToCaret.lastIndexOf('"')
    : caret - (/[\p{L}\p{N}_.]*$/u.exec(textToCaret)?.[0].length ?? 0);
  const typedText = textToCaret.slice(isQuoted ? start + 1 : start).toLowerCase();
  const remainder = isQuoted ? /^[^"]*"?/ : /^[\p{L}\p{N}_.]*/u;
  const range = { start, end: caret + (remainder.exec(text.slice(caret))?.[0].length ?? 0) };
  const precedingText = textToCaret.slice(0, start).trimEnd();
  const canInsert = precedingText === '' || /(?:[-+*/(,<>=]|\b(?:and|or|not))$/i.test(precedingText);
  const [, name = ''] = /(\w+)\([^()]*,$/.exec(precedingText) ?? [];
  if (!canInsert || /^[\d.]/.test(typedText) || isWindowName(name.toLowerCase())) return { range, completions: [] };
  const candidates = [...columns.flatMap(toCompletion), ...(isQuoted ? [] : functions)];
  const matchPositions = candidates.map(({ kind, text: name, label, help }) =>
    (kind === 'function' ? name : `${label}\n${help}`).toLowerCase().indexOf(typedText),
  );
  const prefixMatches = candidates.filter((_, index) => matchPositions[index] === 0);
  const otherMatches = candidates.filter((_, index) => (matchPositions[index] ?? -1) > 0);
  return { range, completions: [...prefixMatches, ...otherMatches].slice(0, maxCompletions) };
}

function toCompletion({ name, kind, field }: FormulaColumn): FormulaCompletion[] {
  if (kind !== 'number' && kind !== 'boolean') return [];
  return [
    { kind: 'column', text: quoteColumnName(name), label: name, help: field?.label ?? '', unit: unitOf(field).text },
  ];
}
