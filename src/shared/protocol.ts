import type { Frame } from './frame.ts';
import type { Tariff } from './resampling.ts';
import type { Coverage, RequestTrace } from './result.ts';
import type { SavedView } from './savedView.ts';

/** The response as text, empty where all rows are from the archive, with its requests and the number of all that were sent. */
export interface RawResponse {
  readonly text: string;
  readonly requests: readonly RequestTrace[];
  readonly requestsSpent: number;
}

/** The methods of the host, called by the page. */
export interface HostMethods {
  /** The page has loaded, and needs `init`, `question` and the current `state`. */
  ready(): void;
  /** The person chose an offered action. Returns immediately: the result follows as a state. */
  act(params: { readonly action: PanelAction }): void;
  /** The person selected another time zone, an IANA name, for times and the next range. The host replies with `zone`; nothing is fetched. */
  setZone(params: { readonly timeZone: string }): void;
  /** For the raw view; undefined where another response has replaced it. */
  readResponse(): RawResponse | undefined;
  /** The person looks at the result in another way, or the page is back with the view that it kept. Called often. */
  viewChanged(params: SavedView): void;
  /** The person opened another tab of the result. Called once by each page. */
  tabOpened(): void;
  /** The crosshair or the focused row is at another instant, UTC milliseconds, or at none. At most once a frame, and only where panels are linked. */
  pointed(params: { readonly instant?: number | undefined }): void;
  /** Saves a picture of the chart where the person selects. */
  saveFile(params: { readonly name: string; readonly data: Uint8Array }): void;
  /** Logs an error of the page. */
  pageError(params: { readonly message: string }): void;
}

/** The most characters of a response that the page shows; it gets one more where the response is longer. */
export const longestRaw = 2_000_000;

/** The methods of the page, called by the host. */
export interface PageMethods {
  /** Once after each `ready`: the language and the page's own strings. Answers true. */
  init(params: {
    readonly locale: string;
    readonly strings: Readonly<Record<string, string>> | undefined;
    /** The tab to open where the person has not chosen one yet. */
    readonly tab?: 'chart';
    /** The person has not exported yet: the button has its name beside its icon. */
    readonly namesExport?: boolean;
  }): true;
  /** The query of the panel, without secrets, for the page to store: VS Code restores the panel from it after a restart. */
  question(question: Readonly<Record<string, unknown>>): void;
  /** Replaces the view. */
  state(state: ViewState): void;
  /** Changes the zone of times; the rows stay. */
  zone(params: { readonly zone: DisplayZone; readonly header: readonly HeaderPart[] }): void;
  /** The query was renamed or saved; the rows stay. */
  names(params: { readonly title: string; readonly named: Omit<QueryTools, 'actions'> }): void;
  /** How the rows are to be shown from now on, or once they come. */
  view(view: SavedView): void;
  /** Puts the crosshair, or the mark of a row, where another panel's is; takes it away where there is none. */
  point(params: { readonly instant?: number | undefined }): void;
  /** What is selected in the table, for an export; undefined for one cell or none, and where the page shows no table. */
  readSelection(): ShownSelection | undefined;
}

/** Ranges that are one click in the menu of the range, by the action of their line. */
export const presetRanges = {
  last24Hours: 'last 24 hours',
  last7Days: 'last 7 days',
  last30Days: 'last 30 days',
  yesterday: 'yesterday',
  weekToDate: 'week to date',
  lastWeek: 'last week',
  monthToDate: 'month to date',
  lastMonth: 'last month',
  yearToDate: 'year to date',
} as const;
export type PresetAction = keyof typeof presetRanges;
export const presetActions = Object.keys(presetRanges) as readonly PresetAction[];

/** The actions of the page. It offers those that the host lists; the host implements them. */
export const panelActions = [
  ...presetActions,
  'refresh',
  'refreshAll',
  'fetchMissing',
  'requestEarlier',
  'runPlan',
  'cancel',
  'export',
  'report',
  'openInEditor',
  'openResponse',
  'copyAs',
  'copyLink',
  'save',
  'saveAs',
  'previousPeriod',
  'nextPeriod',
  'compare',
  'compareFile',
  'endComparison',
  'checkDays',
  'showRevisions',
  'openInNewTab',
  'changeQuery',
  'chooseRange',
  'chooseInterval',
  'enterKey',
  'setLimits',
  'tryAgain',
  'addConnection',
  'startSandbox',
  'openDashboard',
  'showLog',
  'importOptions',
  'toggleHeading',
  'toggleHourEnd',
  'showChangedRows',
] as const;
export type PanelAction = (typeof panelActions)[number];

/** A button, with its label in the person's language. */
export interface ActionOffer {
  readonly action: PanelAction;
  readonly label: string;
}

/** A part of the header line. `warning` marks sample data and missing hours. */
export interface HeaderPart {
  readonly text: string;
  readonly tooltip?: string;
  readonly tone?: 'warning';
  /** The action of a click. */
  readonly action?: PanelAction;
  /** Where there is no room, the part with the highest number is hidden first; one without is never hidden. */
  readonly spare?: number;
}

/** The query in the toolbar, and its actions, which are available in every state. */
export interface QueryTools {
  /** Undefined where no query brought the rows: those of a file. */
  readonly range?: string;
  /** Which of the usual ranges it is, in days of the zone shown; undefined for another. */
  readonly preset?: PresetAction | undefined;
  /** The zone of the days of all ranges, by its short name, where the interval has days of another than the one shown. */
  readonly days?: string | undefined;
  /** In words. */
  readonly interval?: string;
  /** The name of the saved query; undefined where it isn't saved. */
  readonly savedAs?: string | undefined;
  /** Whether the panel shows another query or view than that of the saved query it was opened from; undefined where it was opened from none. */
  readonly isChanged?: boolean | undefined;
  readonly actions: readonly ActionOffer[];
}

/** The origin of the rows, for copied and exported content. */
export interface RowOrigin {
  /** The name of the connection. */
  readonly connection: string;
  /** What the rows of a sandbox are: `SAMPLE DATA`, `REPLAYED HOURS (2023.csv)`; empty for those of a service. */
  readonly mark: string;
  /** The resolved range, with its year and its zone. */
  readonly dates: string;
}

/** The display zone: an IANA name for Intl and the label shown ("UTC", "SAST (UTC+2)"). */
export interface DisplayZone {
  readonly timeZone: string;
  readonly label: string;
}

/** A wait without any response so far. */
export interface Silence {
  /** When it began, UTC milliseconds by the machine's clock. */
  readonly since: number;
  /** The timeout of a request. */
  readonly endsAfterMs: number;
}

/** What all views have in common. */
type ViewBase = Readonly<{
  title: string;
  /** Of the query, which is all there is before the first result. */
  tools: QueryTools;
  header: readonly HeaderPart[];
}>;

export type ViewState =
  /** A run is active. `detail` changes while it waits ("Waiting 12 s for …"). The page dims the rows of the previous result, but not a part of this one. */
  | (ViewBase & {
      readonly view: 'loading';
      readonly detail: string;
      readonly silence?: Silence | undefined;
      readonly content: 'earlier' | 'partial';
      readonly actions: readonly ActionOffer[];
    })
  | (ViewBase & {
      readonly view: 'table';
      readonly origin: RowOrigin;
      readonly zone: DisplayZone;
      /** The zones to offer; the page adds the person's own. */
      readonly zones: readonly DisplayZone[];
      /** For which part of its hours a resampled row has to have data, 0 to 1: one with less is marked. */
      readonly leastCoverage: number;
      /** The person's own tariff periods; left out for Eskom's. */
      readonly tariffs?: readonly Tariff[];
      /** As requested: "1h", "1d". */
      readonly interval: string;
      /** The beginning of the range, UTC milliseconds. */
      readonly start: number;
      /** The length of the requested interval in milliseconds, where it is known. */
      readonly step: number | undefined;
      readonly frame: Frame;
      /** Earlier rows of the archive, where the view compares with them. */
      readonly history?: Frame;
      /** The frame has only the first rows; the rest follows at once. */
      readonly isHead?: true;
      readonly coverage: Coverage | undefined;
      /** Pairs of columns: one of this period and the same of the other. */
      readonly compared: readonly (readonly [string, string])[];
    })
  /** A response that is shown as text only: `sentence` says why, `text` is as received. */
  | (ViewBase & { readonly view: 'json'; readonly sentence: string; readonly text: string })
  /** Nothing to show, without an error: the sentence says why. */
  | (ViewBase & { readonly view: 'empty'; readonly sentence: string; readonly actions: readonly ActionOffer[] })
  /** Without `tools` where the page itself failed to show a result. */
  | (Omit<ViewBase, 'tools'> & {
      readonly view: 'error';
      readonly tools?: QueryTools;
      readonly sentence: string;
      readonly actions: readonly ActionOffer[];
    });

/** A result in a table. */
export type TableState = Extract<ViewState, { view: 'table' }>;

/** What is shown where nothing is awaited. */
export type SettledState = Exclude<ViewState, { view: 'loading' }>;

/** The state after the query was renamed or saved; its actions stay. */
export function namedState<State extends { readonly title: string; readonly tools?: QueryTools }>(
  state: State,
  title: string,
  named: Omit<QueryTools, 'actions'>,
): State {
  // Replaces the old `savedAs` too, which may be undefined now.
  return { ...state, title, ...(state.tools && { tools: { ...named, actions: state.tools.actions } }) };
}

/** A column of the table on screen: a field, or the end of each interval that begins at the instant of that field. */
export interface ShownColumn {
  readonly name: string;
  readonly isEnd?: true;
}

/** Selected cells of a table on screen: its rows from the first to the last, and columns. */
export interface ShownSelection {
  readonly rows: readonly [first: number, last: number];
  readonly columns: readonly ShownColumn[];
}
