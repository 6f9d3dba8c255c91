import type { Analysis, EventFinder, SortKey, TimeWindow } from './analysis.ts';
import type { DerivedColumn } from './derivedColumns.ts';
import {
  eventBands,
  eventChoices,
  initialChoice,
  mostRampHours,
  unusualRows,
  type EventChoice,
} from './eventSearch.ts';
import { numberStyles, type NumberStyle } from './formatNumber.ts';
import type { BinSize, Cycle, ResampledFigures } from './resampling.ts';
import { initialScore, scoredBy, type ScoreChoice } from './scorecard.ts';
import { initialFigures, summaryFigures, type SummaryFigure } from './summaryFigures.ts';

/** The tabs of a result, in the order shown. */
export const resultTabs = ['table', 'chart', 'split', 'statistics', 'forecast', 'events', 'raw'] as const;
export type ResultTab = (typeof resultTabs)[number];

/** The view of a table of another tab than the result's. */
export type OwnTableView = Pick<PanelView, 'sort' | 'arrangement'>;

/**
 * The view of a result: everything the user has selected in the panel, as plain data, persisted across hiding, moving and restarting.
 * The grid and the chart validate their own parts.
 */
export interface PanelView {
  readonly tab: ResultTab;
  readonly sort: readonly SortKey[];
  /** The filters by column as typed. They apply to received rows, before resampling. */
  readonly filters: Readonly<Record<string, string>>;
  /** The order, the widths and the visibility of columns. */
  readonly arrangement: unknown;
  readonly chart: unknown;
  /** Columns that are computed from the received rows before anything else. */
  readonly derived: readonly DerivedColumn[];
  /** The bins that the rows are resampled to; undefined for received rows. */
  readonly resample: BinSize | Cycle | undefined;
  /** The figures of resampled rows; undefined for all figures. */
  readonly binFigures: ResampledFigures | undefined;
  /** How the tables of other tabs are sorted and arranged, by tab. */
  readonly tables: Readonly<Partial<Record<ResultTab, OwnTableView>>>;
  /** Whether the table is limited to the range of the chart. */
  readonly linked: boolean;
  readonly window: TimeWindow | undefined;
  /** The share of the chart in the height that it has together with the table. */
  readonly split: number;
  readonly hints: boolean;
  /** Whether headers have a histogram and the number of gaps. */
  readonly summaries: boolean;
  readonly numbers: NumberStyle;
  readonly missingRows: boolean;
  readonly intervalEnd: boolean;
  /** The forecast to score. */
  readonly forecast: ScoreChoice;
  /** The events to search for. */
  readonly events: EventChoice;
  /** The figures of the statistics. */
  readonly figures: readonly SummaryFigure[];
  /** The column selected in the statistics. */
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
  binFigures: undefined,
  tables: {},
  linked: false,
  window: undefined,
  split: 0.5,
  hints: true,
  summaries: true,
  numbers: 'rounded',
  missingRows: false,
  intervalEnd: false,
  forecast: initialScore,
  events: initialChoice,
  figures: initialFigures,
  chosen: undefined,
};

/** Returns the nearest share at which chart and table are both usable. */
export function splitWithin(share: number): number {
  return Math.min(0.8, Math.max(0.2, share)) || initialView.split;
}

/**
 * A view in its stored form: in a saved query, a workspace's file, a link, an exported file and the state of a panel. `analysis` is how the rows
 * are processed; `display` is how a screen shows them.
 */
export interface SavedView {
  readonly analysis?: Analysis | undefined;
  readonly display?: SavedDisplay | undefined;
}

/** Creates a view from its parts; undefined if there are none, as in a query that was not saved from a panel. */
export function viewOfParts({ analysis, display }: SavedView): SavedView | undefined {
  return analysis || display ? { ...(analysis && { analysis }), ...(display && { display }) } : undefined;
}

/**
 * The parts of a `View` that no analysis has, if they differ from `initialView`, and `zone`, the IANA name of the display zone. Parts that this
 * version cannot read were written by another version and are preserved.
 */
export type SavedDisplay = Readonly<Record<string, unknown>>;

/** Returns the analysis part of a view. */
export function analysisOf(view: PanelView): Analysis {
  const { derived, resample, binFigures, sort, linked, window, missingRows } = view;
  const where = Object.fromEntries(Object.entries(view.filters).filter(([, text]) => text.trim() !== ''));
  return {
    ...(derived.length > 0 && { derive: derived }),
    ...(Object.keys(where).length > 0 && { where }),
    ...(resample && { resample }),
    ...(resample && binFigures && { figures: binFigures }),
    ...(missingRows && { missing: true }),
    ...(linked && window && { within: window }),
    ...(sort.length > 0 && { sort }),
  };
}

/** Parses a view. The analysis must be valid; invalid parts of the display get their initial value. */
export function readView({ analysis = {}, display: from = {} }: SavedView = {}): PanelView {
  const { derive = [], where = {}, resample, figures, find, score, summarise, missing = false, sort = [] } = analysis;
  // Events, scores and summaries are shown in other tabs, each of which has its own sort.
  const computed = find ? 'events' : score ? 'forecast' : summarise ? 'statistics' : undefined;
  const tables = tablesOf(from['tables']);
  const flag = (name: 'linked' | 'hints' | 'summaries' | 'intervalEnd'): boolean => {
    const value = from[name];
    return typeof value === 'boolean' ? value : initialView[name];
  };
  return {
    tab: computed ?? oneOf(resultTabs, from['tab']) ?? initialView.tab,
    sort: computed ? [] : sort,
    arrangement: from['arrangement'],
    filters: where,
    chart: from['chart'],
    derived: derive,
    resample,
    binFigures: figures,
    tables:
      computed && sort.length > 0
        ? { ...tables, [computed]: { arrangement: undefined, ...tables[computed], sort } }
        : tables,
    linked: flag('linked'),
    window: isWindow(from['window']) ? from['window'] : undefined,
    split: typeof from['split'] === 'number' ? splitWithin(from['split']) : initialView.split,
    hints: flag('hints'),
    summaries: flag('summaries'),
    numbers: oneOf(numberStyles, from['numbers']) ?? initialView.numbers,
    missingRows: missing,
    intervalEnd: flag('intervalEnd'),
    forecast: score ?? readScore(from['forecast']),
    events: find ? choiceOf(find) : readChoice(from['events']),
    figures: readFigures(summarise ?? from['figures']),
    chosen: textOf(from['chosen']),
  };
}

function readScore(saved: unknown): ScoreChoice {
  const { actual, forecast, by } = isRecord(saved) ? saved : {};
  return { actual: textOf(actual), forecast: textOf(forecast), by: oneOf(scoredBy, by) ?? initialScore.by };
}

function choiceOf({ rule, column }: EventFinder): EventChoice {
  const value = rule.kind === 'condition' ? rule.condition : rule.kind === 'ramp' ? String(rule.value) : undefined;
  return {
    ...initialChoice,
    kind: rule.kind,
    column,
    value,
    ...(rule.kind === 'ramp' && { hours: rule.hours }),
    ...(rule.kind === 'unusual' && { by: rule.by }),
  };
}

function readChoice(saved: unknown): EventChoice {
  const { kind, column, value, hours, band, by } = isRecord(saved) ? saved : {};
  const isCount = Number.isInteger(hours) && Number(hours) >= 1 && Number(hours) <= mostRampHours;
  return {
    kind: oneOf(eventChoices, kind) ?? initialChoice.kind,
    column: textOf(column),
    value: textOf(value),
    hours: isCount ? Number(hours) : initialChoice.hours,
    band: oneOf(eventBands, band) ?? initialChoice.band,
    by: oneOf(unusualRows, by) ?? initialChoice.by,
  };
}

function readFigures(saved: unknown): readonly SummaryFigure[] {
  return Array.isArray(saved) ? summaryFigures.filter(figure => saved.includes(figure)) : initialFigures;
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

function isWindow(value: unknown): value is TimeWindow {
  return isRecord(value) && [value['start'], value['end']].every(isInstant);
}

/** Whether a value is an instant up to the year 9999, whose day has a date in any zone. */
function isInstant(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) < Date.UTC(10_000);
}

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(entry => typeof entry === 'string');
}

export function textsOf(record: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The limits of a stored display, so that reading it is fast. `values` counts texts, numbers, lists and objects; `depth` is their nesting. */
export const savedDisplayLimits = { characters: 20_000, values: 2_000, depth: 6 } as const;
type SavedLimits = Readonly<Record<keyof typeof savedDisplayLimits, number>>;

const analysisParts: ReadonlySet<keyof PanelView> = new Set([
  'derived',
  'filters',
  'resample',
  'binFigures',
  'missingRows',
  'sort',
]);
/** The stored parts. The zoom is left out, since it applies to the rows of one day. */
const viewParts = (Object.keys(initialView) as (keyof PanelView)[]).filter(name => name !== 'window');
const displayParts = viewParts.filter(name => !analysisParts.has(name));

/** The known properties of parts that are replaced as a whole. Other properties were written by another version and are preserved. */
const knownNames: Readonly<Partial<Record<keyof PanelView, readonly string[]>>> = {
  chart: ['mode', 'columns', 'hidden', 'picked', 'zoom', 'asTable', 'title', 'limit'],
  arrangement: ['order', 'hidden', 'widths', 'frozen', 'scaled'],
  tables: resultTabs,
  forecast: ['actual', 'forecast', 'by'],
  events: ['kind', 'column', 'value', 'hours', 'band', 'by'],
};

/** Checks that a value from outside is a JSON object within the limits, whose content is not validated. Undefined for anything else. */
export function savedDisplayOf(value: unknown, limits: SavedLimits = savedDisplayLimits): SavedDisplay | undefined {
  const { characters, values, depth } = limits;
  const room = { characters, values };
  return isRecord(value) && fits(value, depth, room) ? (JSON.parse(JSON.stringify(value)) as SavedDisplay) : undefined;
}

function fits(value: unknown, depth: number, room: { characters: number; values: number }): boolean {
  room.values -= 1;
  if (typeof value === 'string') room.characters -= value.length;
  if (room.values < 0 || room.characters < 0) return false;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint' && typeof value !== 'function';
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.every(one => fits(one, depth - 1, room));
  return Object.entries(value).every(([name, one]) => {
    room.characters -= name.length;
    return fits(one, depth - 1, room);
  });
}

/** Returns the display zone of a stored view, as it was written; undefined if it follows the setting. */
export function zoneOfView({ display }: SavedView): string | undefined {
  return textOf(display?.['zone']);
}

/** Serializes a view with the zoom, for the host and for the state of a hidden page. */
export function wholeView(view: PanelView): SavedView {
  const { window } = view;
  const display = Object.fromEntries(displayParts.map(name => [name, view[name]]));
  return { analysis: analysisOf({ ...view, linked: false }), display: { ...display, window } };
}

/** Serializes a view for a saved query. */
export function savedView(view: PanelView, zone: string, before?: SavedDisplay): SavedView {
  const analysis = analysisOf({ ...view, linked: false });
  return {
    ...(Object.keys(analysis).length > 0 && { analysis }),
    display: savedDisplay(view, zone, before),
  };
}

/** Serializes the display, based on the previous one: unchanged parts stay as written, and so do the parts of another version. */
function savedDisplay(view: PanelView, zone: string, before: SavedDisplay = {}): SavedDisplay {
  const known = readView({ display: before });
  const saved = new Map<string, unknown>(Object.entries({ ...before, zone }));
  for (const name of displayParts) {
    const value = withoutMoment(name, view[name]);
    if (isSame(value, withoutMoment(name, known[name]))) continue;
    if (isSame(value, initialView[name])) saved.delete(name);
    else saved.set(name, withOthers(value, before[name], knownNames[name]));
  }
  return Object.fromEntries(saved);
}

/** Whether two views are equal. */
export function sameView(one: PanelView, other: PanelView): boolean {
  return changedParts(one, other).length === 0;
}

/** Returns the parts in which two views differ. The figures of resampled rows are ignored for received rows. */
export function changedParts(one: PanelView, other: PanelView): readonly (keyof PanelView)[] {
  const shown = (view: PanelView): PanelView => (view.resample ? view : { ...view, binFigures: undefined });
  const [first, second] = [shown(one), shown(other)];
  return viewParts.filter(name => !isSame(withoutMoment(name, first[name]), withoutMoment(name, second[name])));
}

/** Removes the zoom and empty filters. */
function withoutMoment(name: keyof PanelView, value: unknown): unknown {
  if (!isRecord(value) || (name !== 'chart' && name !== 'filters')) return value;
  const isKept = (key: string, inner: unknown): boolean =>
    name === 'chart' ? key !== 'zoom' : typeof inner === 'string' && inner.trim() !== '';
  const kept = Object.entries(value).filter(([key, inner]) => isKept(key, inner));
  // A chart for which only the zoom was selected counts as initial.
  return name === 'chart' && kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function withOthers(value: unknown, before: unknown, known: readonly string[] | undefined): unknown {
  if (!known || !isRecord(value) || !isRecord(before)) return value;
  const others = Object.entries(before).filter(([name]) => !known.includes(name));
  return { ...Object.fromEntries(others), ...value };
}

/** Compares plain data. An undefined property counts as missing. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, index) => isSame(value, other[index]));
  if (!isRecord(one) || !isRecord(other)) return false;
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every(name => isSame(one[name], other[name]));
}
