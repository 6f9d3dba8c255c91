import { recordsToFrame } from '../../../src/core/decode/decode.ts';
import { describeFields } from '../../../src/core/frame/describeFields.ts';
import { systemStateFields } from '../../../src/shared/fields.ts';
import type { Frame } from '../../../src/shared/frame.ts';
import {
  listComparedPairs,
  compareFrames,
  addFurtherPeriod,
  type CompareOptions,
} from '../../../src/core/compare/compareFrames.ts';
import {
  presetActions,
  presetRanges,
  type ActionOffer,
  type DisplayZone,
  type QueryTools,
  type ViewState,
} from '../../../src/shared/protocol.ts';
import { fillIn } from '../../l10n/fillIn.ts';
import { hostileTexts } from '../../hostile/texts.ts';
import {
  coverageOf,
  hostileFrame,
  hugeFrame,
  unusualFrame,
  sharedBufferFrame,
  stressFrame,
  systemFrame,
  tabbedFrame,
  timeColumn,
} from './frames.ts';
import { intervalState, type Coverage } from '../../../src/shared/result.ts';
import { fileDays, fileLengths, pairsOf, serviceDays, zoneDays, zoneDaysCompared } from './zoneDays.ts';
import { takeRows } from '../../../src/core/frame/clip.ts';

type LoadingState = Extract<ViewState, { view: 'loading' }>;

const utc: DisplayZone = { timeZone: 'UTC', label: 'UTC' };
const title = 'System state · last 7 days · hourly';
const header = [
  { text: 'Power Signals (prod)', tooltip: 'https://api.example.org', spare: 2 },
  { text: 'System state', spare: 5 },
  { text: '14 Nov 05:00 – 21 Nov 05:00 UTC', spare: 1 },
  { text: 'hourly', spare: 4 },
  { text: '167 of 168 hours, 1 missing', tone: 'warning', tooltip: 'Missing: 17 Nov 03:00' },
  { text: '1 request', spare: 3 },
] as const;
const refresh = { action: 'refresh', label: 'Refresh' } as const;
const openInEditor = { action: 'openInEditor', label: 'Open in Editor' } as const;
const changeQuery = { action: 'changeQuery', label: 'Run Query…' } as const;
const actions = [refresh, changeQuery, openInEditor];
const periodActions = [
  { action: 'previousPeriod', label: 'Previous Period' },
  { action: 'nextPeriod', label: 'Next Period' },
] as const;
const presets = presetActions.map(action => ({ action, label: presetRanges[action] }));
const toolsWith = (...offered: readonly ActionOffer[]): QueryTools => ({
  range: 'last 7 days',
  preset: 'last7Days',
  interval: 'hourly',
  actions: [...offered, ...presets],
});

const sast: DisplayZone = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };

function table(frame: Frame, zone = utc, tableTitle = title): ViewState {
  return {
    view: 'table',
    title: tableTitle,
    minCoverage: 0.75,
    tools: toolsWith(...actions),
    header,
    zone,
    zones: [utc, sast],
    frame,
    interval: '1h',
    start: Date.UTC(2026, 10, 14, 5),
    intervalMs: undefined,
    origin: { connection: 'Power Signals', mark: '', dates: '14–21 Nov 2026 UTC' },
    coverage: undefined,
    compared: [],
  };
}

/** Coverage with a few hours of each state, the others present; the later half is from the archive. */
function coverage(expected: number): Coverage {
  const states = new Uint8Array(expected);
  for (const state of Object.values(intervalState)) states.fill(state, state * 20, state * 20 + 3);
  return coverageOf(states, new Uint8Array(expected).fill(1, expected / 2));
}

/** A request without a response for the given time. */
function waitingForResponse(forMs: number): LoadingState {
  const silence = { since: Date.now() - forMs, endsAfterMs: 30_000 };
  return { ...loading('Querying Power Signals (prod)…'), silence };
}

function loading(detail: string, content: 'earlier' | 'partial' = 'earlier'): LoadingState {
  return {
    view: 'loading',
    title,
    tools: toolsWith(refresh, ...periodActions),
    header: header.slice(0, 4),
    detail,
    content,
    actions: [{ action: 'cancel', label: 'Cancel' }],
  };
}

/** 48 hours compared with the preceding 48, hour by hour; in Berlin with those a week before, by weekday and time of day. */
function compared(start = Date.UTC(2026, 10, 14), timeZone = 'UTC'): ViewState {
  const intervalMs = 3_600_000;
  const shiftMs = (timeZone === 'UTC' ? 48 : 168) * intervalMs;
  const spanFrom = (from: number) => ({ start: from, end: from + 48 * intervalMs });
  const systemRows = systemFrame(48, 4);
  const later: Frame = { ...systemRows, columns: [timeColumn(48, start), ...systemRows.columns.slice(1)] };
  const previousColumns = [timeColumn(48, start - shiftMs), ...systemFrame(60, 4).columns.slice(1)];
  const earlier: Frame = { ...later, columns: previousColumns };
  const align = timeZone === 'UTC' ? { shiftMs } : 'hourOfWeek';
  const frame = compareFrames(later, earlier, {
    align,
    base: spanFrom(start),
    other: spanFrom(start - shiftMs),
    intervalMs,
    timeZone,
    comparedWith: 'previous period',
    translate: fillIn,
  });
  return { ...table(frame), intervalMs, compared: pairsOf(systemRows) } as ViewState;
}

/** Two days compared with those two and four days before. */
function comparedTwoPeriods(): ViewState {
  const intervalMs = 3_600_000;
  const start = Date.UTC(2026, 10, 14);
  const days = 48 * 3_600_000;
  const systemRows = systemFrame(48, 4);
  const [base, ...others] = [0, 1, 2].map((periods): Frame => {
    // The earliest period has another curve.
    const rows = Uint32Array.from({ length: 48 }, (_, row) => row + (periods === 2 ? 6 : 0));
    const [, ...columns] = takeRows(systemFrame(60, 4), rows).columns;
    return { ...systemRows, columns: [timeColumn(48, start - periods * days), ...columns] };
  });
  if (!base) throw new Error('There are no periods to compare.');
  const frame = others.reduce((compared, other, index) => {
    const from = start - (index + 1) * days;
    const options: CompareOptions = {
      align: 'position',
      base: { start, end: start + days },
      other: { start: from, end: from + days },
      intervalMs,
      timeZone: 'UTC',
      comparedWith: index === 0 ? '12–13 Nov 2026 UTC' : '10–11 Nov 2026 UTC',
      translate: fillIn,
    };
    return index === 0 ? compareFrames(base, other, options) : addFurtherPeriod(compared, base, other, options, 2);
  }, base);
  return { ...table(frame), intervalMs, compared: listComparedPairs(frame) } as ViewState;
}

/** 164 of 168 hours. The first, two adjacent ones and the last are missing. */
function createGaps(frame: Frame): ViewState {
  const missingRows = [0, 50, 51, 167];
  const states = Uint8Array.from({ length: 168 }, (_, step) => Number(missingRows.includes(step)));
  const rows = Uint32Array.from([...states.keys()].filter(step => states[step] === intervalState.present));
  return { ...table(takeRows(frame, rows)), intervalMs: 3_600_000, coverage: coverageOf(states) } as ViewState;
}

/** Six hours in Berlin around a clock change. The first 02:00 is missing, and the second has the minimum. */
function clockChange(): ViewState {
  const berlin: DisplayZone = { timeZone: 'Europe/Berlin', label: 'Europe/Berlin' };
  const start = Date.UTC(2026, 9, 24, 22);
  const intervalMs = 3_600_000;
  const [, demand] = systemFrame(6, 2).columns;
  if (demand?.kind !== 'number') throw new Error('The frame has other columns.');
  const hours = [timeColumn(6, start), { ...demand, values: Float64Array.of(5, 9, 7, 1, 5, 5) }];
  const frame = takeRows({ rowCount: 6, columns: hours }, Uint32Array.of(0, 1, 3, 4, 5));
  const hourCoverage = coverageOf(Uint8Array.of(0, 0, intervalState.missing, 0, 0, 0), undefined, start);
  return { ...table(frame, berlin), start, intervalMs, zones: [utc, berlin], coverage: hourCoverage } as ViewState;
}

/** Three hours with unusual numbers: a share with four decimals, negative zeros, and a mean below a tenth. */
function digits(): ViewState {
  const received = `[
    {"ts": "2026-11-14T05:00:00Z", "renewable_share_pct": 8.6134, "wind_mw": -0, "pv_mw": -0.0, "hydro_water_mw": 0.5},
    {"ts": "2026-11-14T06:00:00Z", "renewable_share_pct": 12, "wind_mw": 0, "pv_mw": 1.5, "hydro_water_mw": -0.3},
    {"ts": "2026-11-14T07:00:00Z", "renewable_share_pct": 9.25, "wind_mw": 5, "pv_mw": -0.004, "hydro_water_mw": 0.187097}
  ]`;
  const frame = describeFields(recordsToFrame(JSON.parse(received) as Record<string, unknown>[]), systemStateFields);
  return { ...table(frame), intervalMs: 3_600_000 } as ViewState;
}

/** Hostile texts that are no longer than names and cells of a service may be. */
const hostile = hostileTexts.flatMap(({ text }) => (text.length > 10_000 ? [] : [text]));

/** The states that tests can show, by name. */
export const states = {
  table: () => table(systemFrame(168)),
  sample: (): ViewState =>
    ({
      ...table(systemFrame(168)),
      origin: { connection: 'Sample Data', mark: 'SAMPLE DATA', dates: '14–21 Nov 2026 UTC' },
    }) as ViewState,
  tableSast: () => table(systemFrame(168), sast),
  covered: (): ViewState =>
    ({ ...table(systemFrame(168)), intervalMs: 3_600_000, coverage: coverage(168) }) as ViewState,
  /** The last week of nine, with the eight before as its history. More history can be requested. */
  withHistory: (): ViewState => {
    const allWeeks = systemFrame(9 * 168);
    const frame = takeRows(
      allWeeks,
      Uint32Array.from({ length: 168 }, (_, row) => 8 * 168 + row),
    );
    const [time] = frame.columns;
    const start = time?.kind === 'time' ? (time.values[0] ?? NaN) : NaN;
    const history = takeRows(
      allWeeks,
      Uint32Array.from({ length: 8 * 168 }, (_, row) => row),
    );
    const requestEarlier = { action: 'requestEarlier', label: 'Request Previous Weeks' } as const;
    return {
      ...table(frame),
      intervalMs: 3_600_000,
      start,
      history,
      tools: toolsWith(...actions, requestEarlier),
    } as ViewState;
  },
  coveredHead: (): ViewState =>
    ({ ...table(systemFrame(100)), intervalMs: 3_600_000, coverage: undefined, isHead: true }) as ViewState,
  gaps: () => createGaps(systemFrame(168)),
  /** So many columns that the table has no room for rows of missing hours. */
  wideGaps: () => createGaps(systemFrame(168, 2_001)),
  clockChange,
  digits,
  stress: (): ViewState => ({ ...table(stressFrame(), utc, 'Grid stress'), intervalMs: 3_600_000 }) as ViewState,
  compared: () => compared(),
  comparedTwoPeriods,
  /** A comparison in which the first day of this period has a repeated hour. */
  comparedTwice: () => compared(Date.UTC(2026, 9, 24, 22), 'Europe/Berlin'),
  month: () => table(systemFrame(744)),
  tenYears: () => table(systemFrame(87_600), utc, 'Ten years'),
  year: () => table(systemFrame(8760), utc, 'A year'),
  yearHead: (): ViewState => ({ ...table(systemFrame(200), utc, 'A year'), isHead: true }) as ViewState,
  long: () => table(systemFrame(100_000), utc, 'Long'),
  million: () => table(systemFrame(1_000_000, 20), utc, 'Million'),
  /** The maximum size of a table in one direction. */
  huge: () => table(hugeFrame(), utc, 'Huge'),
  wide: () => table(systemFrame(500, 500), utc, 'Wide'),
  odd: () => table(unusualFrame()),
  tabbed: () => table(tabbedFrame()),
  holes: () =>
    ({
      ...table(systemFrame(167)),
      tools: toolsWith(
        refresh,
        { action: 'fetchMissing', label: 'Fetch Missing' },
        ...periodActions,
        ...actions.slice(1),
      ),
    }) as ViewState,
  /** A header with parts that can be clicked. */
  revised: (): ViewState => {
    const parts = [
      { text: 'days of SAST', action: 'chooseRange' },
      { text: '3 hours revised', action: 'showRevisions' },
    ] as const;
    return { ...table(systemFrame(168)), header: [...header.slice(0, 2), ...parts] };
  },
  /** A file with an assumed time zone and other import options in the header. */
  importedFile: (): ViewState => {
    const parts = [
      { text: 'hours.csv', tooltip: 'data/hours.csv', spare: 2 },
      { text: 'times assumed in UTC', action: 'importOptions', tone: 'warning' },
      { text: 'first line is data', action: 'toggleHeading', spare: 1 },
      { text: 'hours 1 to 24', action: 'toggleHourEnd', spare: 1 },
      { text: '168 rows' },
    ] as const;
    const tools = { actions: [openInEditor, { action: 'importOptions', label: 'Import Options…' } as const] };
    return { ...table(systemFrame(168)), tools, header: parts };
  },
  saved: (): ViewState => {
    const tools = toolsWith(
      ...[refresh, ...periodActions, { action: 'save', label: 'Save Query…' } as const, openInEditor],
      ...[{ action: 'saveAs', label: 'Save Query As…' } as const],
    );
    return { ...table(systemFrame(168)), tools: { ...tools, savedAs: 'Morning' } };
  },
  menu: () =>
    ({
      ...table(systemFrame(168)),
      tools: toolsWith(...actions, { action: 'refreshAll', label: 'Refresh, Ignoring Archive' }),
    }) as ViewState,
  /** A changed saved query with a comparison and revisions, so that the host offers every action. */
  everyAction: (): ViewState => {
    const offered = [
      { action: 'save', label: 'Save Query…' },
      { action: 'endComparison', label: 'End Comparison' },
      { action: 'compare', label: 'Compare With…' },
      { action: 'compareFile', label: 'Compare With File…' },
      { action: 'checkDays', label: 'Check Days' },
      { action: 'showRevisions', label: 'Show Changes' },
      { action: 'copyAs', label: 'Copy As…' },
      { action: 'copyLink', label: 'Copy Link' },
      { action: 'openInNewTab', label: 'Open in New Tab' },
      { action: 'refreshAll', label: 'Refresh, Ignoring Archive' },
      { action: 'saveAs', label: 'Save Query As…' },
      { action: 'export', label: 'Export Result…' },
      { action: 'report', label: 'Export Report…' },
    ] as const;
    const tools = { ...toolsWith(...actions, ...periodActions, ...offered), savedAs: 'Morning', isChanged: true };
    return { ...table(systemFrame(168)), tools };
  },
  shared: () => table(sharedBufferFrame()),
  daily: () => table({ rowCount: 3, columns: [timeColumn(3, Date.UTC(2026, 10, 14), 86_400_000)] }),
  /** A single column without times. */
  timeless: () => table({ rowCount: 3, columns: systemFrame(3, 2).columns.slice(1) }),
  /** Thirty days of power. */
  dailyPower: (): ViewState => {
    const intervalMs = 86_400_000;
    const frame = systemFrame(30);
    const days = [timeColumn(30, Date.UTC(2026, 9, 22), intervalMs), ...frame.columns.slice(1)];
    return { ...table({ ...frame, columns: days }), interval: '1d', intervalMs } as ViewState;
  },
  /** Four days of Berlin around a clock change, shown in UTC: `zoneDays.ts`. */
  zoneDays: (): ViewState => ({
    ...table(systemFrame(0)),
    ...zoneDays(),
    tools: { ...toolsWith(...actions), days: 'Europe/Berlin' },
  }),
  /** Days of SAST read from a file, shown in UTC. */
  fileDays: (): ViewState => ({ ...table(systemFrame(0)), ...fileDays() }),
  /** Hours and then quarter-hours read from a file. */
  fileLengths: (): ViewState => ({ ...table(systemFrame(0)), ...fileLengths() }),
  /** Days from a service, some of them with their number of hours. */
  serviceDays: (): ViewState => ({ ...table(systemFrame(0)), ...serviceDays() }),
  /** The days of `zoneDays` compared with the four days before. */
  zoneDaysCompared: (): ViewState => ({ ...table(systemFrame(0)), ...zoneDaysCompared() }),
  /** The older half of the rows came from the archive. */
  halfKept: () => {
    const archived = new Uint8Array(168).fill(1, 0, 84);
    return {
      ...table(systemFrame(168)),
      intervalMs: 3_600_000,
      coverage: coverageOf(new Uint8Array(168), archived),
    } as ViewState;
  },
  noRows: () => table(systemFrame(0)),
  loading: () => loading('Waiting 12 s for the next request allowed by the service'),
  asking: () => waitingForResponse(0),
  silent: () => waitingForResponse(12_000),
  filling: () => loading('3 of 9 parts, 2,208 rows so far.', 'partial'),
  json: (): ViewState => ({
    view: 'json',
    title,
    tools: toolsWith(refresh, ...periodActions, openInEditor),
    header,
    sentence: "The response isn't a table, so only its JSON is shown.",
    text: JSON.stringify(
      { meta: { dataset: 'grid.unknown' }, answer: ['<b>text</b>', null, 42, { deep: { er: true } }] },
      null,
      2,
    ),
  }),
  longJson: (): ViewState => ({
    view: 'json',
    title,
    tools: toolsWith(openInEditor),
    header,
    sentence: 'The response has more than 2,000 columns, so only its JSON is shown.',
    text: JSON.stringify(
      Array.from({ length: 120_000 }, (_, index) => ({ index, text: `line ${index}` })),
      null,
      2,
    ),
  }),
  empty: (): ViewState => ({
    view: 'empty',
    title,
    tools: toolsWith(refresh, ...periodActions),
    header: header.slice(0, 2),
    sentence: 'Nothing published yet for 06:00–07:00; the next publication is about 08:00 UTC.',
    actions: [refresh, changeQuery],
  }),
  hostile: () => {
    const parts = hostile.map(text => ({ text, tooltip: text, tone: 'warning' }) as const);
    return { ...table(hostileFrame(hostile), utc, hostile.join(' ')), header: parts } as ViewState;
  },
  hostileError: (): ViewState => ({
    view: 'error',
    title: hostile.join(' '),
    tools: { ...toolsWith(refresh, ...periodActions), savedAs: hostile.join(' ') },
    header: hostile.map(text => ({ text, tooltip: text })),
    sentence: hostile.join(' '),
    actions: hostile.slice(0, 2).map(label => ({ action: 'enterKey', label })),
  }),
  hostileJson: (): ViewState => ({
    view: 'json',
    title,
    header,
    tools: toolsWith(openInEditor),
    sentence: hostile.join(' '),
    text: JSON.stringify(hostile, null, 2),
  }),
  error: (): ViewState => ({
    view: 'error',
    title,
    tools: toolsWith(refresh, ...periodActions),
    header: header.slice(0, 1),
    sentence:
      "The service rejected this key (401). Enter another key, or check in the dashboard whether it was revoked. The service says: 'Invalid API key.'",
    actions: [
      { action: 'enterKey', label: 'Enter Key…' },
      { action: 'openDashboard', label: 'Open Dashboard' },
    ],
  }),
} as const;

export type StateName = keyof typeof states;
