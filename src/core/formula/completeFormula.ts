import { derivedLimits } from '../../shared/derivedColumns.ts';
import { unitOf } from '../../shared/units.ts';
import { formulaFunctions, isWindowName, type FormulaColumn, type Place } from './formula.ts';
import { nameInFormula } from './parseFormula.ts';

/** What may stand at a place of a formula. */
export interface FormulaEntry {
  readonly kind: 'column' | 'function';
  /** What is inserted: a name, in quotes where it needs them, or a function with its parenthesis. */
  readonly text: string;
  /** The name, or how a function is used. */
  readonly label: string;
  readonly help: string;
  /** The unit of a column; empty for none. */
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
 * The columns and functions that fit at the caret, at most 50, and the part of the text that one of them replaces: those that begin with
 * what is typed there, then those that contain it. None within a number, after a value, for a
 * duration, and in a text that is too long.
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
