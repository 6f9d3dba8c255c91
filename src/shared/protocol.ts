import type { Frame } from './frame.ts';
import type { Tariff } from './resampling.ts';
import type { Coverage, RequestTrace } from './result.ts';
import type { SerializedView } from './view.ts';

/** The response as text, empty if all rows are from the archive, with its requests and the number of all that were sent. */
export interface RawResponse {
  readonly text: string;
  readonly requests: readonly RequestTrace[];
  readonly requestsSpent: number;
}

/** The methods of the host, called by the page. */
export interface HostMethods {
  /** Notifies the host that the page has loaded and needs `init`, `persistState` and the current `state`. */
  ready(): void;
  /** Runs an offered action. Returns immediately: the result follows as a state. */
  act(params: { readonly action: PanelAction }): void;
  /** Selects another time zone, an IANA name, for times and the next range. The host replies with `zone`; nothing is fetched. */
  setZone(params: { readonly timeZone: string }): void;
  /** Returns the response for the raw view; undefined if another response has replaced it. */
  readResponse(): RawResponse | undefined;
  /** Notifies the host that the user changed the view, or that the page is back with its stored view. Called often. */
  viewChanged(params: SerializedView): void;
  /** Notifies the host that the user opened another tab of the result. Called once by each page. */
  tabOpened(): void;
  /** Notifies the host of the instant (UTC milliseconds) of the crosshair or the focused row, if any. Called at most once a frame, and only in linked panels. */
  pointed(params: { readonly instant?: number | undefined }): void;
  /** Saves a picture of the chart to a location that the user selects. */
  saveFile(params: { readonly name: string; readonly data: Uint8Array }): void;
  /** Logs an error of the page. */
  pageError(params: { readonly message: string }): void;
}

/** The maximum number of characters of a response that the page shows. The page gets one more if the response is longer. */
export const maxRawLength = 2_000_000;

/** The methods of the page, called by the host. */
export interface PageMethods {
  /** Called once after each `ready`, with the language and the strings of the page. Returns true. */
  init(params: {
    readonly locale: string;
    readonly strings: Readonly<Record<string, string>> | undefined;
    /** The tab to open if the user has not selected one yet. */
    readonly tab?: 'chart';
    /** Whether the export button has a label: the user has not exported yet. */
    readonly namesExport?: boolean;
  }): true;
  /** Hands the page the query of the panel, without secrets, to store: VS Code restores the panel from it after a restart. */
  persistState(hostState: Readonly<Record<string, unknown>>): void;
  /** Replaces the view. */
  state(state: ViewState): void;
  /** Changes the zone of displayed times. */
  zone(params: { readonly zone: DisplayZone; readonly header: readonly HeaderPart[] }): void;
  /** Updates the title and the tools after the query was renamed or saved. */
  names(params: { readonly title: string; readonly named: Omit<QueryTools, 'actions'> }): void;
  /** Replaces the view of the current or the next rows. */
  view(view: SerializedView): void;
  /** Moves the crosshair, or the mark of a row, to the instant of another panel; hides it if there is none. */
  point(params: { readonly instant?: number | undefined }): void;
  /** Returns the selection in the table, for an export; undefined for a single cell, for none, and if the page shows no table. */
  readSelection(): ShownSelection | undefined;
}

/** The ranges that the range menu offers, by action. */
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

/** The actions of the page. The host implements them, and lists the ones that the page offers. */
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
  'addPreset',
  'addJoined',
  'removeJoined',
  'acceptFiles',
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

/** A button with its localized label. */
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
  /** If space is short, the part with the highest number is hidden first; a part without a number is never hidden. */
  readonly spare?: number;
}

/** The query in the toolbar, and its actions, which are available in every state. */
export interface QueryTools {
  /** Undefined for the rows of a file. */
  readonly range?: string;
  /** The preset range that it equals, in days of the display zone; undefined for another range. */
  readonly preset?: PresetAction | undefined;
  /** The short name of the zone of all ranges, if the interval is days of a zone other than the display zone. */
  readonly days?: string | undefined;
  /** The interval in words. */
  readonly interval?: string;
  /** The name of the saved query; undefined if it isn't saved. */
  readonly savedAs?: string | undefined;
  /** Whether query or view differ from the saved query that the panel was opened from; undefined if it was opened from none. */
  readonly isChanged?: boolean | undefined;
  readonly actions: readonly ActionOffer[];
}

/** The origin of the rows, for copied and exported content. */
export interface RowOrigin {
  /** The name of the connection. */
  readonly connection: string;
  /** The label of a sandbox's rows: `SAMPLE DATA`, `REPLAYED HOURS (2023.csv)`; empty for rows of a service. */
  readonly mark: string;
  /** The dates of the range, with year and zone. */
  readonly dates: string;
}

/** The display zone: an IANA name for Intl and the label shown ("UTC", "SAST (UTC+2)"). */
export interface DisplayZone {
  readonly timeZone: string;
  readonly label: string;
}

/** A request that is still without a response. */
export interface Silence {
  /** When it began, UTC milliseconds by the machine's clock. */
  readonly since: number;
  /** The timeout of a request. */
  readonly endsAfterMs: number;
}

/** The properties of all views. */
type ViewBase = Readonly<{
  title: string;
  /** The tools of the query, which exist before the first result. */
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
      /** The zones to offer; the page adds the user's local zone. */
      readonly zones: readonly DisplayZone[];
      /** The share of its hours, 0 to 1, for which a resampled row must have data; a row with less is marked. */
      readonly minCoverage: number;
      /** The user's tariff periods; omitted for Eskom's. */
      readonly tariffs?: readonly Tariff[];
      /** The requested interval: "1h", "1d". */
      readonly interval: string;
      /** The beginning of the range, UTC milliseconds. */
      readonly start: number;
      /** The length of the requested interval in milliseconds, if known. */
      readonly intervalMs: number | undefined;
      readonly frame: Frame;
      /** Earlier rows from the archive, for a view that compares with them. */
      readonly history?: Frame;
      /** Whether the frame has only the first rows; the others follow immediately. */
      readonly isHead?: true;
      readonly coverage: Coverage | undefined;
      /** The names of each column and of the same column in the compared period. */
      readonly compared: readonly (readonly [string, string])[];
    })
  /** A response that is shown as text only, for the reason in `sentence`. `text` is as received. */
  | (ViewBase & { readonly view: 'json'; readonly sentence: string; readonly text: string })
  /** No rows, without an error, for the reason in `sentence`. */
  | (ViewBase & { readonly view: 'empty'; readonly sentence: string; readonly actions: readonly ActionOffer[] })
  /** An error. `tools` is omitted if the page itself failed to show a result. */
  | (Omit<ViewBase, 'tools'> & {
      readonly view: 'error';
      readonly tools?: QueryTools;
      readonly sentence: string;
      readonly actions: readonly ActionOffer[];
    });

/** A result in a table. */
export type TableState = Extract<ViewState, { view: 'table' }>;

/** A state in which no run is active. */
export type SettledState = Exclude<ViewState, { view: 'loading' }>;

/** Returns the state after the query was renamed or saved. Its actions stay. */
export function namedState<State extends { readonly title: string; readonly tools?: QueryTools }>(
  state: State,
  title: string,
  named: Omit<QueryTools, 'actions'>,
): State {
  // Replaces the old `savedAs` too, which may be undefined now.
  return { ...state, title, ...(state.tools && { tools: { ...named, actions: state.tools.actions } }) };
}

/** A column of the table on screen: a field, or the end of each interval that begins at that field's instant. */
export interface ShownColumn {
  readonly name: string;
  readonly isEnd?: true;
}

/** The selected cells of a table on screen: a range of rows, and columns. */
export interface ShownSelection {
  readonly rows: readonly [first: number, last: number];
  readonly columns: readonly ShownColumn[];
}
