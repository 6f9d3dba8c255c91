import { isRecord, isStringArray } from '../../shared/view.ts';

/**
 * The order, visibility and widths that a person gave the columns, by field name. It applies to data with other columns, too: names that are
 * not in the data are kept for later, and unknown columns follow at the end.
 */
export interface ColumnArrangement {
  /** Names in display order; empty for the order of the data. */
  readonly order: readonly string[];
  readonly hidden: readonly string[];
  /** Widths set by the person, in CSS pixels. */
  readonly widths: Readonly<Record<string, number>>;
  /** The number of visible columns that stay in place while the others scroll. */
  readonly frozen: number;
  /** Names of the columns whose cells are coloured by value. */
  readonly scaled?: readonly string[];
}

/** How many visible columns should be frozen, and how many fit: at least half of the view is left to the other columns. */
export interface FrozenColumns {
  readonly wanted: number;
  readonly fitting: number;
}

/** The order of the data, nothing hidden, the first column frozen. */
export const plainArrangement: ColumnArrangement = { order: [], hidden: [], widths: {}, frozen: 1 };

export const narrowestWidth = 32;
export const widestWidth = 2000;

/** Lists the names of the visible columns in their order. If all are hidden, all are returned. */
export function shownNames(names: readonly string[], arrangement: ColumnArrangement): string[] {
  const present = new Set(names);
  const hidden = new Set(arrangement.hidden);
  const merged = mergedOrder(names, arrangement).filter(name => present.has(name));
  const shown = merged.filter(name => !hidden.has(name));
  return shown.length > 0 ? shown : merged;
}

/** Returns the visible columns in their order. */
export function arrangedColumns<T extends { readonly name: string }>(
  columns: readonly T[],
  arrangement: ColumnArrangement,
): T[] {
  const byName = new Map(columns.map(column => [column.name, column]));
  return shownNames([...byName.keys()], arrangement).flatMap(name => byName.get(name) ?? []);
}

/** Moves a visible column to another index among the visible ones. */
export function moveColumnTo(
  names: readonly string[],
  arrangement: ColumnArrangement,
  name: string,
  index: number,
): ColumnArrangement {
  const others = shownNames(names, arrangement).filter(other => other !== name);
  const order = mergedOrder(names, arrangement).filter(other => other !== name);
  const place = Math.min(others.length, Math.max(0, index));
  const next = others[place];
  const at = next === undefined ? order.indexOf(others.at(-1) ?? '') + 1 : order.indexOf(next);
  order.splice(at, 0, name);
  return { ...arrangement, order };
}

/** Hides a column, unless it is the last visible one. Hiding a frozen column reduces the number of frozen columns. */
export function hideColumn(names: readonly string[], arrangement: ColumnArrangement, name: string): ColumnArrangement {
  const shown = shownNames(names, arrangement);
  const index = shown.indexOf(name);
  if (index < 0 || shown.length === 1) return arrangement;
  const frozen = index < arrangement.frozen ? arrangement.frozen - 1 : arrangement.frozen;
  return { ...arrangement, hidden: [...arrangement.hidden, name], frozen };
}

/** Shows a hidden column at its former position. */
export function showColumn(names: readonly string[], arrangement: ColumnArrangement, name: string): ColumnArrangement {
  if (!arrangement.hidden.includes(name)) return arrangement;
  const next = { ...arrangement, hidden: arrangement.hidden.filter(other => other !== name) };
  const index = shownNames(names, next).indexOf(name);
  return index >= 0 && index < arrangement.frozen ? { ...next, frozen: next.frozen + 1 } : next;
}

/** Sets the widths of columns in CSS pixels. */
export function setWidths(arrangement: ColumnArrangement, widths: ReadonlyMap<string, number>): ColumnArrangement {
  const chosen = new Map([...Object.entries(arrangement.widths), ...widths]);
  for (const [name, width] of chosen)
    chosen.set(name, Math.round(Math.min(widestWidth, Math.max(narrowestWidth, width))));
  return { ...arrangement, widths: Object.fromEntries(chosen) };
}

/** Returns the width set by the person, if any. */
export function chosenWidth(arrangement: ColumnArrangement, name: string): number | undefined {
  return Object.hasOwn(arrangement.widths, name) ? arrangement.widths[name] : undefined;
}

/** Freezes the columns up to and including this one; none if undefined. */
export function freezeUpTo(
  names: readonly string[],
  arrangement: ColumnArrangement,
  name: string | undefined,
): ColumnArrangement {
  const frozen = name === undefined ? 0 : shownNames(names, arrangement).indexOf(name) + 1;
  return { ...arrangement, frozen };
}

/** Toggles whether the cells of a column are coloured by value. */
export function toggleScale(arrangement: ColumnArrangement, name: string): ColumnArrangement {
  const { scaled = [] } = arrangement;
  return { ...arrangement, scaled: scaled.includes(name) ? scaled.filter(other => other !== name) : [...scaled, name] };
}

/** Parses a persisted arrangement; returns the default for an invalid value. */
export function readArrangement(value: unknown): ColumnArrangement {
  if (!isRecord(value)) return plainArrangement;
  const { order, hidden, widths, frozen, scaled } = value;
  if (!isStringArray(order) || !isStringArray(hidden) || !Number.isInteger(frozen) || (frozen as number) < 0)
    return plainArrangement;
  if (!isRecord(widths)) return plainArrangement;
  const entries = Object.entries(widths).filter(([, width]) => Number.isFinite(width)) as [string, number][];
  const read = { order, hidden, widths: {}, frozen: frozen as number, ...(isStringArray(scaled) && { scaled }) };
  return setWidths(read, new Map(entries));
}

function mergedOrder(names: readonly string[], { order }: ColumnArrangement): string[] {
  return [...new Set([...order, ...names])];
}
