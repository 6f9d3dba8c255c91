import { isRecord, isTexts } from '../../shared/savedView.ts';

/**
 * How a person has arranged the columns, by field name, so that it fits data with other columns as well: names it does
 * not find stay in it for later data, and columns it does not know follow at the end.
 */
export interface ColumnArrangement {
  /** Names in the order wanted; empty for the order of the data. */
  readonly order: readonly string[];
  readonly hidden: readonly string[];
  /** Widths the person has chosen, in CSS pixels. */
  readonly widths: Readonly<Record<string, number>>;
  /** How many of the shown columns stay in place when the others scroll. */
  readonly frozen: number;
  /** Those whose cells are coloured by their values; left out for none. */
  readonly scaled?: readonly string[];
}

/** How many of the columns shown are to stay in place, and for how many there is room: half of the view is left to the others. */
export interface FrozenColumns {
  readonly wanted: number;
  readonly fitting: number;
}

/** The order of the data, nothing hidden, the first column frozen. */
export const plainArrangement: ColumnArrangement = { order: [], hidden: [], widths: {}, frozen: 1 };

export const narrowestWidth = 32;
export const widestWidth = 2000;

/** The names of the columns shown, in their order. Never none: where all would be hidden, all are shown. */
export function shownNames(names: readonly string[], arrangement: ColumnArrangement): string[] {
  const present = new Set(names);
  const hidden = new Set(arrangement.hidden);
  const merged = mergedOrder(names, arrangement).filter(name => present.has(name));
  const shown = merged.filter(name => !hidden.has(name));
  return shown.length > 0 ? shown : merged;
}

/** The columns shown, in their order. */
export function arrangedColumns<T extends { readonly name: string }>(
  columns: readonly T[],
  arrangement: ColumnArrangement,
): T[] {
  const byName = new Map(columns.map(column => [column.name, column]));
  return shownNames([...byName.keys()], arrangement).flatMap(name => byName.get(name) ?? []);
}

/** Puts a shown column at another place among the shown ones. */
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

/** Hides a column; the last one shown stays. A frozen column takes its place among the frozen ones with it. */
export function hideColumn(names: readonly string[], arrangement: ColumnArrangement, name: string): ColumnArrangement {
  const shown = shownNames(names, arrangement);
  const index = shown.indexOf(name);
  if (index < 0 || shown.length === 1) return arrangement;
  const frozen = index < arrangement.frozen ? arrangement.frozen - 1 : arrangement.frozen;
  return { ...arrangement, hidden: [...arrangement.hidden, name], frozen };
}

/** Shows a hidden column where it stood. */
export function showColumn(names: readonly string[], arrangement: ColumnArrangement, name: string): ColumnArrangement {
  if (!arrangement.hidden.includes(name)) return arrangement;
  const next = { ...arrangement, hidden: arrangement.hidden.filter(other => other !== name) };
  const index = shownNames(names, next).indexOf(name);
  return index >= 0 && index < arrangement.frozen ? { ...next, frozen: next.frozen + 1 } : next;
}

/** Gives columns widths in CSS pixels. */
export function setWidths(arrangement: ColumnArrangement, widths: ReadonlyMap<string, number>): ColumnArrangement {
  const chosen = new Map([...Object.entries(arrangement.widths), ...widths]);
  for (const [name, width] of chosen)
    chosen.set(name, Math.round(Math.min(widestWidth, Math.max(narrowestWidth, width))));
  return { ...arrangement, widths: Object.fromEntries(chosen) };
}

/** The width a person chose; undefined where none was chosen. */
export function chosenWidth(arrangement: ColumnArrangement, name: string): number | undefined {
  return Object.hasOwn(arrangement.widths, name) ? arrangement.widths[name] : undefined;
}

/** Keeps the columns up to this one in place; none of them for undefined. */
export function freezeUpTo(
  names: readonly string[],
  arrangement: ColumnArrangement,
  name: string | undefined,
): ColumnArrangement {
  const frozen = name === undefined ? 0 : shownNames(names, arrangement).indexOf(name) + 1;
  return { ...arrangement, frozen };
}

/** Colours the cells of a column by their values, or no longer. */
export function toggleScale(arrangement: ColumnArrangement, name: string): ColumnArrangement {
  const { scaled = [] } = arrangement;
  return { ...arrangement, scaled: scaled.includes(name) ? scaled.filter(other => other !== name) : [...scaled, name] };
}

/** A persisted arrangement; the plain one for a value of another form. */
export function readArrangement(value: unknown): ColumnArrangement {
  if (!isRecord(value)) return plainArrangement;
  const { order, hidden, widths, frozen, scaled } = value;
  if (!isTexts(order) || !isTexts(hidden) || !Number.isInteger(frozen) || (frozen as number) < 0)
    return plainArrangement;
  if (!isRecord(widths)) return plainArrangement;
  const entries = Object.entries(widths).filter(([, width]) => Number.isFinite(width)) as [string, number][];
  const read = { order, hidden, widths: {}, frozen: frozen as number, ...(isTexts(scaled) && { scaled }) };
  return setWidths(read, new Map(entries));
}

function mergedOrder(names: readonly string[], { order }: ColumnArrangement): string[] {
  return [...new Set([...order, ...names])];
}
