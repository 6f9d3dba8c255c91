import { isRecord, isStringArray } from '../../shared/view.ts';

/**
 * The order, visibility and widths of the columns as the user has arranged them, by field name. An arrangement can be applied to data with
 * other columns: it keeps names that are not in the data, and columns that it does not name follow at the end.
 */
export interface ColumnArrangement {
  /** Names in display order; empty for the order of the data. */
  readonly order: readonly string[];
  readonly hidden: readonly string[];
  /** Widths set by the user, in CSS pixels. */
  readonly widths: Readonly<Record<string, number>>;
  /** The number of visible columns that stay in place while the table scrolls. */
  readonly frozen: number;
  /** Names of the columns whose cells are colored by value. */
  readonly scaled?: readonly string[];
}

/** How many visible columns should be frozen, and how many fit. Frozen columns use at most half of the view. */
export interface FrozenColumns {
  readonly requested: number;
  readonly fittingCount: number;
}

/** The default: columns in the order of the data, none hidden, and the first one frozen. */
export const defaultArrangement: ColumnArrangement = { order: [], hidden: [], widths: {}, frozen: 1 };

export const minColumnWidth = 32;
export const maxColumnWidth = 2000;

/** Lists the names of the visible columns in their order. If all are hidden, all are returned. */
export function listVisibleNames(names: readonly string[], arrangement: ColumnArrangement): string[] {
  const present = new Set(names);
  const hidden = new Set(arrangement.hidden);
  const merged = mergeOrder(names, arrangement).filter(name => present.has(name));
  const visibleNames = merged.filter(name => !hidden.has(name));
  return visibleNames.length > 0 ? visibleNames : merged;
}

/** Returns the visible columns in their order. */
export function arrangeColumns<T extends { readonly name: string }>(
  columns: readonly T[],
  arrangement: ColumnArrangement,
): T[] {
  const byName = new Map(columns.map(column => [column.name, column]));
  return listVisibleNames([...byName.keys()], arrangement).flatMap(name => byName.get(name) ?? []);
}

/** Moves a visible column to another index among the visible ones. */
export function moveColumnTo(
  names: readonly string[],
  arrangement: ColumnArrangement,
  name: string,
  index: number,
): ColumnArrangement {
  const otherNames = listVisibleNames(names, arrangement).filter(visibleName => visibleName !== name);
  const order = mergeOrder(names, arrangement).filter(orderedName => orderedName !== name);
  const visibleIndex = Math.min(otherNames.length, Math.max(0, index));
  const next = otherNames[visibleIndex];
  const orderIndex = next === undefined ? order.indexOf(otherNames.at(-1) ?? '') + 1 : order.indexOf(next);
  order.splice(orderIndex, 0, name);
  return { ...arrangement, order };
}

/** Hides a column, unless it is the last visible one. Hiding a frozen column reduces the number of frozen columns. */
export function hideColumn(names: readonly string[], arrangement: ColumnArrangement, name: string): ColumnArrangement {
  const visibleNames = listVisibleNames(names, arrangement);
  const index = visibleNames.indexOf(name);
  if (index < 0 || visibleNames.length === 1) return arrangement;
  const frozen = index < arrangement.frozen ? arrangement.frozen - 1 : arrangement.frozen;
  return { ...arrangement, hidden: [...arrangement.hidden, name], frozen };
}

/** Shows a hidden column at its former position. */
export function showColumn(names: readonly string[], arrangement: ColumnArrangement, name: string): ColumnArrangement {
  if (!arrangement.hidden.includes(name)) return arrangement;
  const next = { ...arrangement, hidden: arrangement.hidden.filter(hiddenName => hiddenName !== name) };
  const index = listVisibleNames(names, next).indexOf(name);
  return index >= 0 && index < arrangement.frozen ? { ...next, frozen: next.frozen + 1 } : next;
}

/** Sets the widths of columns in CSS pixels. */
export function setWidths(arrangement: ColumnArrangement, widths: ReadonlyMap<string, number>): ColumnArrangement {
  const widthsByName = new Map([...Object.entries(arrangement.widths), ...widths]);
  for (const [name, width] of widthsByName)
    widthsByName.set(name, Math.round(Math.min(maxColumnWidth, Math.max(minColumnWidth, width))));
  return { ...arrangement, widths: Object.fromEntries(widthsByName) };
}

/** Returns the width that the user has set, if any. */
export function getCustomWidth(arrangement: ColumnArrangement, name: string): number | undefined {
  return Object.hasOwn(arrangement.widths, name) ? arrangement.widths[name] : undefined;
}

/** Freezes the columns up to and including this one. Unfreezes all columns if the name is undefined. */
export function freezeUpTo(
  names: readonly string[],
  arrangement: ColumnArrangement,
  name: string | undefined,
): ColumnArrangement {
  const frozen = name === undefined ? 0 : listVisibleNames(names, arrangement).indexOf(name) + 1;
  return { ...arrangement, frozen };
}

/** Toggles whether the cells of a column are colored by value. */
export function toggleScale(arrangement: ColumnArrangement, name: string): ColumnArrangement {
  const { scaled = [] } = arrangement;
  return {
    ...arrangement,
    scaled: scaled.includes(name) ? scaled.filter(scaledName => scaledName !== name) : [...scaled, name],
  };
}

/** Parses a persisted arrangement; returns the default for an invalid value. */
export function parseArrangement(value: unknown): ColumnArrangement {
  if (!isRecord(value)) return defaultArrangement;
  const { order, hidden, widths, frozen, scaled } = value;
  if (!isStringArray(order) || !isStringArray(hidden) || !Number.isInteger(frozen) || (frozen as number) < 0)
    return defaultArrangement;
  if (!isRecord(widths)) return defaultArrangement;
  const entries = Object.entries(widths).filter(([, width]) => Number.isFinite(width)) as [string, number][];
  const arrangement = { order, hidden, widths: {}, frozen: frozen as number, ...(isStringArray(scaled) && { scaled }) };
  return setWidths(arrangement, new Map(entries));
}

function mergeOrder(names: readonly string[], { order }: ColumnArrangement): string[] {
  return [...new Set([...order, ...names])];
}
