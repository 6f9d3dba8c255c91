import { t } from '@vscode/l10n';
import { derivedLimits, type DerivedColumn } from '../../shared/derivedColumns.ts';
import { binSizes, cycles, type BinSize, type Cycle } from '../../shared/resampling.ts';
import { eventBands, mostRampHours } from '../../shared/eventSearch.ts';
import { scoredBy } from '../../shared/scorecard.ts';
import { numberStyles, type NumberStyle } from '../columns/numberTexts.ts';
import { eventChoices, initialChoice, type EventChoice } from '../events/eventChoice.ts';
import { initialScore, type ScoreChoice } from '../forecast/scoreChoice.ts';

/** The tabs of a result, in the order shown. */
export const resultTabs = ['table', 'chart', 'split', 'statistics', 'forecast', 'events', 'raw'] as const;
export type ResultTab = (typeof resultTabs)[number];

/** One key of a sort; the first of several decides first. */
export interface SortKey {
  /** Field name. */
  readonly column: string;
  readonly descending: boolean;
}

/** An interval [start, end) in UTC milliseconds. */
export interface TimeWindow {
  readonly start: number;
  readonly end: number;
}

/** How a person looks at a table that is not the one of the result. */
export type OwnTableView = Pick<PanelView, 'sort' | 'arrangement'>;

/**
 * How a person looks at a result: everything chosen in the panel, as plain data, persisted across hiding, moving and restarting.
 * The grid and the chart validate their own parts.
 */
export interface PanelView {
  readonly tab: ResultTab;
  readonly sort: readonly SortKey[];
  /** What was typed as filter of each column: of the rows as received, before they are resampled. */
  readonly filters: Readonly<Record<string, string>>;
  /** The columns' order, widths and which are hidden. */
  readonly arrangement: unknown;
  readonly chart: unknown;
  /** Columns that are added to the rows as received, before all else. */
  readonly derived: readonly DerivedColumn[];
  /** What the rows are resampled by; undefined where they stay as received. */
  readonly resample: BinSize | Cycle | undefined;
  /** How the tables of other tabs are sorted and arranged, by tab. */
  readonly tables: Readonly<Partial<Record<ResultTab, OwnTableView>>>;
  /** The table shows only what the chart shows. */
  readonly linked: boolean;
  readonly window: TimeWindow | undefined;
  /** The share of the chart in the room that it has with the table. */
  readonly split: number;
  readonly hints: boolean;
  /** Whether headers have a histogram and the number of gaps. */
  readonly summaries: boolean;
  readonly numbers: NumberStyle;
  readonly missingRows: boolean;
  readonly intervalEnd: boolean;
  /** Which forecast is scored, and how. */
  readonly forecast: ScoreChoice;
  /** What events are searched for. */
  readonly events: EventChoice;
  /** The column chosen in the statistics. */
  readonly chosen: string | undefined;
}

export const initialView: PanelView = {
  tab: 'table',
  sort: [],
  filters: {},
  arrangement: undefined,
  chart: undefined,
  derived: [],
  resample: undefined,
  tables: {},
  linked: false,
  window: undefined,
  split: 0.5,
  hints: true,
  summaries: false,
  numbers: 'locale',
  missingRows: false,
  intervalEnd: false,
  forecast: initialScore,
  events: initialChoice,
  chosen: undefined,
};

/** The nearest share at which both have room. */
export function splitWithin(share: number): number {
  return Math.min(0.8, Math.max(0.2, share)) || initialView.split;
}

/** The chart shows a window of time, or all. */
export function zoomedTo(window: TimeWindow | undefined, { chart }: PanelView): Partial<PanelView> {
  return { window, chart: { ...(isRecord(chart) && chart), zoom: window } };
}

/** Whether the first rows received are the first rows shown. */
export function showsFirstRows({ tab, sort, filters, linked, derived, resample }: PanelView): boolean {
  const isAsReceived = sort.length === 0 && derived.length === 0 && resample === undefined;
  return tab === 'table' && isAsReceived && Object.keys(filters).length === 0 && !linked;
}

/** Reads a persisted view, part by part: parts of another form have their initial value. */
export function readView(saved: unknown): PanelView {
  const from = isRecord(saved) ? saved : {};
  const flag = (name: 'linked' | 'hints' | 'summaries' | 'missingRows' | 'intervalEnd'): boolean => {
    const value = from[name];
    return typeof value === 'boolean' ? value : initialView[name];
  };
  return {
    tab: oneOf(resultTabs, from['tab']) ?? initialView.tab,
    ...ownTable(from),
    filters: isRecord(from['filters']) ? textsOf(from['filters']) : {},
    chart: from['chart'],
    derived: Array.isArray(from['derived'])
      ? from['derived'].filter(isDerivedColumn).slice(0, derivedLimits.columns)
      : [],
    resample: oneOf([...binSizes, ...cycles], from['resample']),
    tables: tablesOf(from['tables']),
    linked: flag('linked'),
    window: isWindow(from['window']) ? from['window'] : undefined,
    split: typeof from['split'] === 'number' ? splitWithin(from['split']) : initialView.split,
    hints: flag('hints'),
    summaries: flag('summaries'),
    numbers: oneOf(numberStyles, from['numbers']) ?? initialView.numbers,
    missingRows: flag('missingRows'),
    intervalEnd: flag('intervalEnd'),
    forecast: readScore(from['forecast']),
    events: readChoice(from['events']),
    chosen: textOf(from['chosen']),
  };
}

function readScore(saved: unknown): ScoreChoice {
  const { actual, forecast, by } = isRecord(saved) ? saved : {};
  return { actual: textOf(actual), forecast: textOf(forecast), by: oneOf(scoredBy, by) ?? initialScore.by };
}

function readChoice(saved: unknown): EventChoice {
  const { kind, column, value, hours, band } = isRecord(saved) ? saved : {};
  const isCount = Number.isInteger(hours) && Number(hours) >= 1 && Number(hours) <= mostRampHours;
  return {
    kind: oneOf(eventChoices, kind) ?? initialChoice.kind,
    column: textOf(column),
    value: textOf(value),
    hours: isCount ? Number(hours) : initialChoice.hours,
    band: oneOf(eventBands, band) ?? initialChoice.band,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function ownTable(from: Readonly<Record<string, unknown>>): OwnTableView {
  const { sort, arrangement } = from;
  return { sort: Array.isArray(sort) ? sort.filter(isSortKey) : [], arrangement };
}

function tablesOf(saved: unknown): PanelView['tables'] {
  if (!isRecord(saved)) return {};
  const tables = resultTabs.map(tab => [tab, saved[tab]] as const);
  return Object.fromEntries(tables.flatMap(([tab, table]) => (isRecord(table) ? [[tab, ownTable(table)]] : [])));
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

function isDerivedColumn(value: unknown): value is DerivedColumn {
  if (!isRecord(value)) return false;
  const { name, formula } = value;
  const isText = (text: unknown, longest: number): boolean => typeof text === 'string' && text.length <= longest;
  return isText(name, derivedLimits.name) && isText(formula, derivedLimits.formula);
}

function isWindow(value: unknown): value is TimeWindow {
  return isRecord(value) && Number.isFinite(value['start']) && Number.isFinite(value['end']);
}

function textsOf(record: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The sort after a click on a header: ascending, descending, none; with `additive` the other keys stay. */
export function nextSort(sort: readonly SortKey[], column: string, additive: boolean): readonly SortKey[] {
  const own = sort.find(key => key.column === column);
  const next =
    own === undefined ? { column, descending: false } : own.descending ? undefined : { column, descending: true };
  if (!additive) return next ? [next] : [];
  if (own === undefined) return [...sort, { column, descending: false }];
  return sort.flatMap(key => (key.column === column ? (next ?? []) : key));
}

/** "Sorted by OCGT, descending, then by Wind, ascending"; "No longer sorted" without a key. */
export function sortText(sort: readonly SortKey[], labelOf: (column: string) => string): string {
  const [first, ...others] = sort.map(({ column, descending }) =>
    descending ? t('{0}, descending', labelOf(column)) : t('{0}, ascending', labelOf(column)),
  );
  if (first === undefined) return t('No longer sorted');
  return others.reduce((text, next) => t('{0}, then by {1}', text, next), t('Sorted by {0}', first));
}
