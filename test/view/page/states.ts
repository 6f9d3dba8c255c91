import type { Frame } from '../../../src/shared/frame.ts';
import type { DisplayZone, ViewState } from '../../../src/shared/protocol.ts';
import { oddFrame, sharedBufferFrame, stressFrame, systemFrame, timeColumn } from './frames.ts';
import { stepState, type Coverage } from '../../../src/shared/result.ts';

const utc: DisplayZone = { timeZone: 'UTC', label: 'UTC' };
const title = 'System state · last 7 days · hourly';
const header = [
  { text: 'Power Signals (prod)', tooltip: 'https://api.example.org' },
  { text: '14 Nov 05:00 – 21 Nov 05:00 UTC' },
  { text: '167 of 168 hours, 1 missing', tone: 'warning', tooltip: 'Missing: 17 Nov 03:00' },
  { text: '1 request' },
] as const;
const refresh = { action: 'refresh', label: 'Refresh' } as const;
const openInEditor = { action: 'openInEditor', label: 'Open in Editor' } as const;
const changeQuery = { action: 'changeQuery', label: 'Change Query…' } as const;
const actions = [refresh, changeQuery, openInEditor];

const sast: DisplayZone = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };

function table(frame: Frame, zone = utc, tableTitle = title): ViewState {
  return {
    ...{ view: 'table', title: tableTitle, header, actions, zone, zones: [utc, sast], frame },
    ...{
      range: 'last 7 days',
      interval: '1h',
      intervalName: 'hourly',
      start: Date.UTC(2026, 10, 14, 5),
      step: undefined,
    },
    ...{ coverage: undefined, compared: [] },
  };
}

/** Of every kind a few hours, the others there. */
function coverage(expected: number): Coverage {
  const states = new Uint8Array(expected);
  for (const state of Object.values(stepState)) states.fill(state, state * 20, state * 20 + 3);
  return {
    ...{ expected, states, kept: new Uint8Array(expected).fill(1, expected / 2), missingStretches: [] },
    ...{ present: expected - 15, missing: 3, notPublished: 3, failed: 3, notAsked: 3, late: 3 },
  };
}

/** Every state a test may show, by name. */
export const states = {
  table: () => table(systemFrame(168)),
  tableSast: () => table(systemFrame(168), sast),
  covered: (): ViewState => ({ ...table(systemFrame(168)), step: 3_600_000, coverage: coverage(168) }) as ViewState,
  coveredHead: (): ViewState =>
    ({ ...table(systemFrame(100)), step: 3_600_000, coverage: undefined, isHead: true }) as ViewState,
  stress: (): ViewState => ({ ...table(stressFrame(), utc, 'Grid stress'), step: 3_600_000 }) as ViewState,
  month: () => table(systemFrame(744)),
  tenYears: () => table(systemFrame(87_600), utc, 'Ten years'),
  year: () => table(systemFrame(8760), utc, 'A year'),
  yearHead: (): ViewState => ({ ...table(systemFrame(200), utc, 'A year'), isHead: true }) as ViewState,
  long: () => table(systemFrame(100_000), utc, 'Long'),
  million: () => table(systemFrame(1_000_000, 20), utc, 'Million'),
  wide: () => table(systemFrame(500, 500), utc, 'Wide'),
  odd: () => table(oddFrame()),
  holes: () =>
    ({
      ...table(systemFrame(167)),
      actions: [
        refresh,
        { action: 'fetchMissing', label: 'Fetch Missing' },
        { action: 'previousPeriod', label: 'Previous Period' },
        { action: 'nextPeriod', label: 'Next Period' },
        ...actions.slice(1),
      ],
    }) as ViewState,
  menu: () =>
    ({
      ...table(systemFrame(168)),
      actions: [...actions, { action: 'refreshAll', label: 'Refresh, Ignoring Archive' }],
    }) as ViewState,
  shared: () => table(sharedBufferFrame()),
  daily: () => table({ rowCount: 3, columns: [timeColumn(3, Date.UTC(2026, 10, 14), 86_400_000)] }),
  /** The older half of the rows came from the archive. */
  halfKept: () => {
    const none = { missing: 0, missingStretches: [], notPublished: 0, failed: 0, notAsked: 0, late: 0 };
    const states = new Uint8Array(168);
    const coverage = { ...none, expected: 168, present: 168, states, kept: states.map((_, step) => Number(step < 84)) };
    return { ...table(systemFrame(168)), step: 3_600_000, coverage } as ViewState;
  },
  noRows: () => table(systemFrame(0)),
  loading: (): ViewState => ({
    view: 'loading',
    title,
    detail: 'Waiting 12 s for the next request allowed by the service',
    content: 'earlier',
    actions: [{ action: 'cancel', label: 'Cancel' }],
  }),
  filling: (): ViewState => ({
    view: 'loading',
    title,
    detail: '3 of 9 parts, 2,208 rows so far.',
    content: 'partial',
    actions: [{ action: 'cancel', label: 'Cancel' }],
  }),
  json: (): ViewState => ({
    view: 'json',
    title,
    header,
    actions: [refresh, openInEditor],
    text: JSON.stringify(
      { meta: { dataset: 'grid.unknown' }, answer: ['<b>text</b>', null, 42, { deep: { er: true } }] },
      null,
      2,
    ),
  }),
  longJson: (): ViewState => ({
    view: 'json',
    title,
    header,
    actions: [openInEditor],
    text: JSON.stringify(
      Array.from({ length: 120_000 }, (_, index) => ({ index, text: `line ${index}` })),
      null,
      2,
    ),
  }),
  empty: (): ViewState => ({
    view: 'empty',
    title,
    header: header.slice(0, 2),
    sentence: 'Nothing published yet for 06:00–07:00; the next publication is about 08:00 UTC.',
    actions: [refresh, changeQuery],
  }),
  error: (): ViewState => ({
    view: 'error',
    title,
    header: header.slice(0, 1),
    sentence:
      'The service rejected this key (401: Invalid API key.). Enter another key, or check in the dashboard whether it was revoked.',
    actions: [
      { action: 'enterKey', label: 'Enter Key…' },
      { action: 'openDashboard', label: 'Open Dashboard' },
    ],
  }),
} as const;

export type StateName = keyof typeof states;
