import { derivedLimits } from '../../shared/derivedColumns.ts';
import { unitOf } from '../../shared/units.ts';
import { formulaFunctions, isWindowName, type FormulaColumn, type Place } from './formula.ts';
import { nameInFormula } from './parseFormula.ts';

/** A completion item for a formula. */
export interface FormulaEntry {
  readonly kind: 'column' | 'function';
  /** The text to insert: a column name, quoted if necessary, or a function with its parenthesis. */
  readonly text: string;
  /** The column name, or the usage of the function. */
  readonly label: string;
  readonly help: string;
  /** The unit of a column; empty if it has none. */
  readonly unit: string;
}

const mostEntries = 50;

const functions = Object.entries(formulaFunctions).map(([name, { usage, help }]): FormulaEntry => ({
  kind: 'function',
  text: `${name}(`,
  label: usage,
  help,
  unit: '',
}));

/**
 * Returns the columns and functions that fit at the caret, at most 50, and the range of the text that they replace. Items that start
 * with the typed text come first, then those that contain it. Empty within a number, after a value, for a duration, and if the text is
 * too long.
 */
export function completeFormula(
  text: string,
  caret: number,
  columns: readonly FormulaColumn[],
): { readonly at: Place; readonly entries: readonly FormulaEntry[] } {
  if (text.length > derivedLimits.formula) return { at: { start: caret, end: caret }, entries: [] };
  const before = text.slice(0, caret);
  const isQuoted = before.split('"').length % 2 === 0;
  const start = isQuoted ? before.lastIndexOf('"') : caret - (/[\p{L}\p{N}_.]*$/u.exec(before)?.[0].length ?? 0);
  const typed = before.slice(isQuoted ? start + 1 : start).toLowerCase();
  const rest = isQuoted ? /^[^"]*"?/ : /^[\p{L}\p{N}_.]*/u;
  const at = { start, end: caret + (rest.exec(text.slice(caret))?.[0].length ?? 0) };
  const left = before.slice(0, start).trimEnd();
  const fits = left === '' || /(?:[-+*/(,<>=]|\b(?:and|or|not))$/i.test(left);
  const [, name = ''] = /(\w+)\([^()]*,$/.exec(left) ?? [];
  if (!fits || /^[\d.]/.test(typed) || isWindowName(name.toLowerCase())) return { at, entries: [] };
  const all = [...columns.flatMap(entryOf), ...(isQuoted ? [] : functions)];
  const places = all.map(({ kind, text: name, label, help }) =>
    (kind === 'function' ? name : `${label}\n${help}`).toLowerCase().indexOf(typed),
  );
  const begins = all.filter((_, index) => places[index] === 0);
  const contains = all.filter((_, index) => (places[index] ?? -1) > 0);
  return { at, entries: [...begins, ...contains].slice(0, mostEntries) };
}

function entryOf({ name, kind, field }: FormulaColumn): FormulaEntry[] {
  if (kind !== 'number' && kind !== 'boolean') return [];
  return [
    { kind: 'column', text: nameInFormula(name), label: name, help: field?.label ?? '', unit: unitOf(field).text },
  ];
}
