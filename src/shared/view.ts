import type { Analysis, EventFinder, SortKey, TimeRange } from './analysis.ts';
import type { DerivedColumn } from './derivedColumns.ts';
import {
  eventBands,
  eventChoices,
  initialEventChoice,
  maxRampHours,
  unusualBins,
  type EventChoice,
} from './eventSearch.ts';
import { numberStyles, type NumberStyle } from './formatNumber.ts';
import type { BinSize, Cycle, ResampledFigures } from './resampling.ts';
import { initialScore, scoreGroupings, type ScoreChoice } from './scorecard.ts';
import { initialSummaryFigures, summaryFigures, type SummaryFigure } from './summaryFigures.ts';

/** The tabs of a result, in the order shown. */
export const resultTabs = ['table', 'chart', 'split', 'statistics', 'forecast', 'events', 'raw'] as const;
export type ResultTab = (typeof resultTabs)[number];

/** The view of a table of another tab than the result's. */
export type TabTableView = Pick<View, 'sort' | 'arrangement'>;

/**
 * The view of a result: everything the user has selected in the panel, as plain data, persisted across hiding, moving and restarting.
 * The grid and the chart validate their own parts.
 */
export interface View {
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
  readonly tables: Readonly<Partial<Record<ResultTab, TabTableView>>>;
  /** Whether the table is limited to the range of the chart. */
  readonly linked: boolean;
  readonly window: TimeRange | undefined;
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
  readonly selectedColumn: string | undefined;
}

export const initialView: View = {
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
  events: initialEventChoice,
  figures: initialSummaryFigures,
  selectedColumn: undefined,
};

/** Returns the nearest share at which chart and table are both usable. */
export function clampSplit(share: number): number {
  return Math.min(0.8, Math.max(0.2, share)) || initialView.split;
}

/**
 * A view in its stored form: in a saved query, a workspace's file, a link, an exported file and the state of a panel. `analysis` is how the rows
 * are processed; `display` is how a screen shows them.
 */
export interface SerializedView {
  readonly analysis?: Analysis | undefined;
  readonly display?: SerializedDisplay | undefined;
}

/** Creates a view from its parts; undefined if there are none, as in a query that was not saved from a panel. */
export function createSerializedView({ analysis, display }: SerializedView): SerializedView | undefined {
  return analysis || display ? { ...(analysis && { analysis }), ...(display && { display }) } : undefined;
}

/**
 * The parts of a `View` that no analysis has, if they differ from `initialView`, and `zone`, the IANA name of the display zone. Parts that this
 * version cannot read were written by another version and are preserved.
 */
export type SerializedDisplay = Readonly<Record<string, unknown>>;

/** Returns the analysis part of a view. */
export function toAnalysis(view: View): Analysis {
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
export function parseView({ analysis = {}, display: stored = {} }: SerializedView = {}): View {
  const { derive = [], where = {}, resample, figures, find, score, summarize, missing = false, sort = [] } = analysis;
  // Events, scores and summaries are shown in other tabs, each of which has its own sort.
  const computedTab = find ? 'events' : score ? 'forecast' : summarize ? 'statistics' : undefined;
  const tables = parseTables(stored['tables']);
  const parseFlag = (name: 'linked' | 'hints' | 'summaries' | 'intervalEnd'): boolean => {
    const value = stored[name];
    return typeof value === 'boolean' ? value : initialView[name];
  };
  return {
    tab: computedTab ?? parseName(resultTabs, stored['tab']) ?? initialView.tab,
    sort: computedTab ? [] : sort,
    arrangement: stored['arrangement'],
    filters: where,
    chart: stored['chart'],
    derived: derive,
    resample,
    binFigures: figures,
    tables:
      computedTab && sort.length > 0
        ? { ...tables, [computedTab]: { arrangement: undefined, ...tables[computedTab], sort } }
        : tables,
    linked: parseFlag('linked'),
    window: isTimeRange(stored['window']) ? stored['window'] : undefined,
    split: typeof stored['split'] === 'number' ? clampSplit(stored['split']) : initialView.split,
    hints: parseFlag('hints'),
    summaries: parseFlag('summaries'),
    numbers: parseName(numberStyles, stored['numbers']) ?? initialView.numbers,
    missingRows: missing,
    intervalEnd: parseFlag('intervalEnd'),
    forecast: score ?? parseScore(stored['forecast']),
    events: find ? toEventChoice(find) : parseEventChoice(stored['events']),
    figures: parseFigures(summarize ?? stored['figures']),
    selectedColumn: parseText(stored['selectedColumn']),
  };
}

function parseScore(saved: unknown): ScoreChoice {
  const { actual, forecast, by } = isRecord(saved) ? saved : {};
  return {
    actual: parseText(actual),
    forecast: parseText(forecast),
    by: parseName(scoreGroupings, by) ?? initialScore.by,
  };
}

function toEventChoice({ rule, column }: EventFinder): EventChoice {
  const value = rule.kind === 'condition' ? rule.condition : rule.kind === 'ramp' ? String(rule.value) : undefined;
  return {
    ...initialEventChoice,
    kind: rule.kind,
    column,
    value,
    ...(rule.kind === 'ramp' && { hours: rule.hours }),
    ...(rule.kind === 'unusual' && { by: rule.by }),
  };
}

function parseEventChoice(saved: unknown): EventChoice {
  const { kind, column, value, hours, band, by } = isRecord(saved) ? saved : {};
  const isCount = Number.isInteger(hours) && Number(hours) >= 1 && Number(hours) <= maxRampHours;
  return {
    kind: parseName(eventChoices, kind) ?? initialEventChoice.kind,
    column: parseText(column),
    value: parseText(value),
    hours: isCount ? Number(hours) : initialEventChoice.hours,
    band: parseName(eventBands, band) ?? initialEventChoice.band,
    by: parseName(unusualBins, by) ?? initialEventChoice.by,
  };
}

function parseFigures(saved: unknown): readonly SummaryFigure[] {
  return Array.isArray(saved) ? summaryFigures.filter(figure => saved.includes(figure)) : initialSummaryFigures;
}

function parseText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function parseTable(stored: Readonly<Record<string, unknown>>): TabTableView {
  const { sort, arrangement } = stored;
  return { sort: Array.isArray(sort) ? sort.filter(isSortKey) : [], arrangement };
}

function parseTables(saved: unknown): View['tables'] {
  if (!isRecord(saved)) return {};
  const tables = resultTabs.map(tab => [tab, saved[tab]] as const);
  return Object.fromEntries(tables.flatMap(([tab, table]) => (isRecord(table) ? [[tab, parseTable(table)]] : [])));
}

function parseName<T extends string>(names: readonly T[], value: unknown): T | undefined {
  return names.find(name => name === value);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSortKey(value: unknown): value is SortKey {
  return isRecord(value) && typeof value['column'] === 'string' && typeof value['descending'] === 'boolean';
}

function isTimeRange(value: unknown): value is TimeRange {
  return isRecord(value) && [value['start'], value['end']].every(isInstant);
}

/** Whether a value is an instant up to the year 9999, whose day has a date in any zone. */
function isInstant(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) < Date.UTC(10_000);
}

export function isStringArray(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(entry => typeof entry === 'string');
}

export function pickStrings(record: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The limits of a stored display, so that reading it is fast. `values` counts texts, numbers, lists and objects; `depth` is their nesting. */
export const displayLimits = { characters: 20_000, values: 2_000, depth: 6 } as const;
type DisplayLimits = Readonly<Record<keyof typeof displayLimits, number>>;

const analysisPartNames: ReadonlySet<keyof View> = new Set([
  'derived',
  'filters',
  'resample',
  'binFigures',
  'missingRows',
  'sort',
]);
/** The stored parts. The zoom is omitted, since it applies to the rows of one day. */
const viewPartNames = (Object.keys(initialView) as (keyof View)[]).filter(name => name !== 'window');
const displayPartNames = viewPartNames.filter(name => !analysisPartNames.has(name));

/** The known properties of parts that are replaced as a whole. Other properties were written by another version and are preserved. */
const knownNames: Readonly<Partial<Record<keyof View, readonly string[]>>> = {
  chart: ['mode', 'columns', 'hidden', 'picked', 'zoom', 'asTable', 'title', 'limit'],
  arrangement: ['order', 'hidden', 'widths', 'frozen', 'scaled'],
  tables: resultTabs,
  forecast: ['actual', 'forecast', 'by'],
  events: ['kind', 'column', 'value', 'hours', 'band', 'by'],
};

/** Checks that a value from outside is a JSON object within the limits, whose content is not validated. Undefined for anything else. */
export function parseDisplay(value: unknown, limits: DisplayLimits = displayLimits): SerializedDisplay | undefined {
  const { characters, values, depth } = limits;
  const remaining = { characters, values };
  return isRecord(value) && isWithinLimits(value, depth, remaining)
    ? (JSON.parse(JSON.stringify(value)) as SerializedDisplay)
    : undefined;
}

function isWithinLimits(value: unknown, depth: number, remaining: { characters: number; values: number }): boolean {
  remaining.values -= 1;
  if (typeof value === 'string') remaining.characters -= value.length;
  if (remaining.values < 0 || remaining.characters < 0) return false;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint' && typeof value !== 'function';
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.every(item => isWithinLimits(item, depth - 1, remaining));
  return Object.entries(value).every(([name, item]) => {
    remaining.characters -= name.length;
    return isWithinLimits(item, depth - 1, remaining);
  });
}

/** Returns the display zone of a stored view, as it was written; undefined if it follows the setting. */
export function getViewZone({ display }: SerializedView): string | undefined {
  return parseText(display?.['zone']);
}

/** Serializes a view with the zoom, for the host and for the state of a hidden page. */
export function serializeFullView(view: View): SerializedView {
  const { window } = view;
  const display = Object.fromEntries(displayPartNames.map(name => [name, view[name]]));
  return { analysis: toAnalysis({ ...view, linked: false }), display: { ...display, window } };
}

/** Serializes a view for a saved query. */
export function serializeView(view: View, zone: string, previous?: SerializedDisplay): SerializedView {
  const analysis = toAnalysis({ ...view, linked: false });
  return {
    ...(Object.keys(analysis).length > 0 && { analysis }),
    display: serializeDisplay(view, zone, previous),
  };
}

/** Serializes the display, based on the previous one: unchanged parts stay as written, and so do the parts of another version. */
function serializeDisplay(view: View, zone: string, previous: SerializedDisplay = {}): SerializedDisplay {
  const previousView = parseView({ display: previous });
  const parts = new Map<string, unknown>(Object.entries({ ...previous, zone }));
  for (const name of displayPartNames) {
    const value = dropTransient(name, view[name]);
    if (isEqual(value, dropTransient(name, previousView[name]))) continue;
    if (isEqual(value, initialView[name])) parts.delete(name);
    else parts.set(name, mergeUnknown(value, previous[name], knownNames[name]));
  }
  return Object.fromEntries(parts);
}

/** Whether two views are equal. */
export function isSameView(first: View, second: View): boolean {
  return listChangedParts(first, second).length === 0;
}

/** Returns the parts in which two views differ. The figures of resampled rows are ignored for received rows. */
export function listChangedParts(a: View, b: View): readonly (keyof View)[] {
  const normalize = (view: View): View => (view.resample ? view : { ...view, binFigures: undefined });
  const first = normalize(a);
  const second = normalize(b);
  return viewPartNames.filter(name => !isEqual(dropTransient(name, first[name]), dropTransient(name, second[name])));
}

/** Removes the zoom and empty filters. */
function dropTransient(name: keyof View, value: unknown): unknown {
  if (!isRecord(value) || (name !== 'chart' && name !== 'filters')) return value;
  const isPersistent = (key: string, inner: unknown): boolean =>
    name === 'chart' ? key !== 'zoom' : typeof inner === 'string' && inner.trim() !== '';
  const persistent = Object.entries(value).filter(([key, inner]) => isPersistent(key, inner));
  // A chart for which only the zoom was selected counts as initial.
  return name === 'chart' && persistent.length === 0 ? undefined : Object.fromEntries(persistent);
}

function mergeUnknown(value: unknown, previous: unknown, known: readonly string[] | undefined): unknown {
  if (!known || !isRecord(value) || !isRecord(previous)) return value;
  const unknownEntries = Object.entries(previous).filter(([name]) => !known.includes(name));
  return { ...Object.fromEntries(unknownEntries), ...value };
}

/** Compares plain data. An undefined property counts as missing. */
function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((value, index) => isEqual(value, b[index]));
  if (!isRecord(a) || !isRecord(b)) return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every(name => isEqual(a[name], b[name]));
}
