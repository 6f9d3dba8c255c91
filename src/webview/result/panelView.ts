import type { NumberStyle } from '../columns/numberTexts.ts';

/** The tabs of a result, in the order shown. */
export const resultTabs = ['table', 'chart', 'statistics', 'raw'] as const;
export type ResultTab = (typeof resultTabs)[number];

const numberStyles: readonly NumberStyle[] = ['locale', 'plain', 'full'];

export interface SortKey {
  readonly column: string;
  readonly descending: boolean;
}

/** A stretch of time, UTC milliseconds, [start, end). */
export interface TimeWindow {
  readonly start: number;
  readonly end: number;
}

/**
 * How a person looks at a result: everything chosen in the panel, as plain data, kept across hiding, moving and restarting.
 * Parts that belong to the grid and the chart are theirs to read.
 */
export interface PanelView {
  readonly tab: ResultTab;
  readonly sort: readonly SortKey[];
  /** What was typed as filter of each column. */
  readonly filters: Readonly<Record<string, string>>;
  /** The columns' order, widths and which are hidden. */
  readonly arrangement: unknown;
  readonly chart: unknown;
  /** The table shows only what the chart shows. */
  readonly linked: boolean;
  readonly window: TimeWindow | undefined;
  readonly hints: boolean;
  readonly numbers: NumberStyle;
  readonly missingRows: boolean;
  readonly intervalEnd: boolean;
  /** The column chosen in the statistics. */
  readonly chosen: string | undefined;
}

export const initialView: PanelView = {
  tab: 'table',
  sort: [],
  filters: {},
  arrangement: undefined,
  chart: undefined,
  linked: false,
  window: undefined,
  hints: true,
  numbers: 'locale',
  missingRows: false,
  intervalEnd: false,
  chosen: undefined,
};

/** Whether the rows that came first are those shown first. */
export function showsFirstRows({ tab, sort, filters, linked }: PanelView): boolean {
  return tab === 'table' && sort.length === 0 && Object.keys(filters).length === 0 && !linked;
}

/** Reads what was kept, part by part: what is not of the right form is as at first. */
export function readView(kept: unknown): PanelView {
  const from = isRecord(kept) ? kept : {};
  const flag = (name: 'linked' | 'hints' | 'missingRows' | 'intervalEnd'): boolean => {
    const value = from[name];
    return typeof value === 'boolean' ? value : initialView[name];
  };
  return {
    tab: oneOf(resultTabs, from['tab']) ?? initialView.tab,
    sort: Array.isArray(from['sort']) ? from['sort'].filter(isSortKey) : [],
    filters: isRecord(from['filters']) ? textsOf(from['filters']) : {},
    arrangement: from['arrangement'],
    chart: from['chart'],
    linked: flag('linked'),
    window: isWindow(from['window']) ? from['window'] : undefined,
    hints: flag('hints'),
    numbers: oneOf(numberStyles, from['numbers']) ?? initialView.numbers,
    missingRows: flag('missingRows'),
    intervalEnd: flag('intervalEnd'),
    chosen: typeof from['chosen'] === 'string' ? from['chosen'] : undefined,
  };
}

function oneOf<T extends string>(names: readonly T[], value: unknown): T | undefined {
  return names.find(name => name === value);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSortKey(value: unknown): value is SortKey {
  return isRecord(value) && typeof value['column'] === 'string' && typeof value['descending'] === 'boolean';
}

function isWindow(value: unknown): value is TimeWindow {
  return isRecord(value) && Number.isFinite(value['start']) && Number.isFinite(value['end']);
}

function textsOf(record: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
