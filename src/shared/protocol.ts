import type { Frame } from './frame.ts';
import type { Coverage, RequestTrace } from './result.ts';
import type { ShownTable } from './shownTable.ts';

/** The response as text, empty where all rows came from the archive, and the requests that brought it, of all that were sent. */
export interface RawResponse {
  readonly text: string;
  readonly requests: readonly RequestTrace[];
  readonly requestsSpent: number;
}

/** What the page asks of the host. */
export interface HostMethods {
  /** The page is up (again) and has nothing: it gets `init`, `question` and the current `state`. */
  ready(): void;
  /** The person chose one of the actions the host offered. Taken at once: what becomes of it is told by the state. */
  act(params: { readonly action: PanelAction }): void;
  /** The person wants times in another zone: an IANA name. `zone` follows; nothing is fetched. */
  setZone(params: { readonly timeZone: string }): void;
  /** For the raw view; undefined where another response has replaced it meanwhile. */
  readResponse(): RawResponse | undefined;
  /** The person opened another tab of the result. Said once by each page. */
  tabOpened(): void;
  /** A picture of the chart to be saved where the person says. */
  saveFile(params: { readonly name: string; readonly data: Uint8Array }): void;
  /** Something threw in the page: for the log. */
  pageError(params: { readonly message: string }): void;
}

/** Characters of a response that the page shows; it is told of more by one more. */
export const longestRaw = 2_000_000;

/** What the host asks of the page. */
export interface PageMethods {
  /** Once after each `ready`: the language and the page's own strings. */
  init(params: { readonly locale: string; readonly strings: Readonly<Record<string, string>> | undefined }): void;
  /** The question of the panel, for the page to keep: with it VS Code restores the panel after a restart. No secret. */
  question(question: Readonly<Record<string, unknown>>): void;
  /** Replaces what is shown. */
  state(state: ViewState): void;
  /** Times are shown in another zone from now on; the rows stay. */
  zone(params: { readonly zone: DisplayZone; readonly header: readonly HeaderPart[] }): void;
  /** The query is called otherwise, or is saved now; the rows stay. */
  names(params: { readonly title: string; readonly named: Omit<QueryTools, 'actions'> }): void;
  /** The host is about to write down what the table shows; undefined where the page shows none. */
  readTable(): ShownTable | undefined;
}

/** The page offers exactly what the host lists; the host decides what each does. */
export const panelActions = [
  'refresh',
  'refreshAll',
  'fetchMissing',
  'runPlan',
  'cancel',
  'export',
  'openInEditor',
  'openResponse',
  'copyAs',
  'save',
  'previousPeriod',
  'nextPeriod',
  'compare',
  'endComparison',
  'checkDays',
  'showRevisions',
  'openInNewTab',
  'changeQuery',
  'chooseRange',
  'chooseInterval',
  'enterKey',
  'tryAgain',
  'addConnection',
  'startSandbox',
  'openDashboard',
  'showLog',
] as const;
export type PanelAction = (typeof panelActions)[number];

/** A button: its words come from the host, already in the person's language. */
export interface ActionOffer {
  readonly action: PanelAction;
  readonly label: string;
}

/** One part of the header line, in the order shown. `tooltip` says more; `warning` marks sample data and missing hours. */
export interface HeaderPart {
  readonly text: string;
  readonly tooltip?: string;
  readonly tone?: 'warning';
  /** What a click on it does. */
  readonly action?: PanelAction;
  /** How easily it is spared where there is no room: the highest goes first, one without stays. */
  readonly spare?: number;
}

/** What the toolbar says of the query and offers to do with it. It stays in every state, so that nobody is caught in one. */
export interface QueryTools {
  readonly range: string;
  /** In words. */
  readonly interval: string;
  /** The name under which the query is saved; left out where it is not. */
  readonly savedAs?: string | undefined;
  readonly actions: readonly ActionOffer[];
}

/** Whose rows are shown. What leaves the page says it. */
export interface RowOrigin {
  /** The name of the connection. */
  readonly connection: string;
  readonly isSample: boolean;
  /** What the range stands for, with its year and its zone. */
  readonly dates: string;
}

/** The display zone: an IANA name for Intl and the label shown ("UTC", "SAST (UTC+2)"). */
export interface DisplayZone {
  readonly timeZone: string;
  readonly label: string;
}

/** A wait in which nothing may come. */
export interface Silence {
  /** When it began, UTC milliseconds by the machine's clock. */
  readonly since: number;
  /** So long a request may be without an answer. */
  readonly endsAfterMs: number;
}

export type ViewState =
  /**
   * A request is out. `detail` changes while it waits ("Waiting 12 s for …"). The page keeps its content: dimmed where it is
   * the earlier answer, as it is where it is the part of this one that has come.
   */
  | {
      readonly view: 'loading';
      readonly title: string;
      /** Of the question, which is all there is before the first answer. */
      readonly tools: QueryTools;
      readonly header: readonly HeaderPart[];
      readonly detail: string;
      readonly silence?: Silence | undefined;
      readonly content: 'earlier' | 'partial';
      readonly actions: readonly ActionOffer[];
    }
  | {
      readonly view: 'table';
      readonly title: string;
      readonly tools: QueryTools;
      readonly header: readonly HeaderPart[];
      readonly origin: RowOrigin;
      readonly zone: DisplayZone;
      /** The zones offered; the page adds the person's own. */
      readonly zones: readonly DisplayZone[];
      /** As asked: "1h", "1d". */
      readonly interval: string;
      /** The beginning of the range, UTC milliseconds. */
      readonly start: number;
      /** The length of the interval asked for, in milliseconds, where it is known. */
      readonly step: number | undefined;
      readonly frame: Frame;
      /** The frame holds the first rows alone; the rest follows at once. */
      readonly isHead?: true;
      readonly coverage: Coverage | undefined;
      /** Columns that belong together: one of this period and the same of the other. */
      readonly compared: readonly (readonly [string, string])[];
    }
  /** A response that is shown as text alone. */
  | {
      readonly view: 'json';
      readonly title: string;
      readonly tools: QueryTools;
      readonly header: readonly HeaderPart[];
      /** Why there is no table. */
      readonly sentence: string;
      /** As received. */
      readonly text: string;
    }
  /** Nothing to show and no fault: the sentence says which kind of nothing. */
  | {
      readonly view: 'empty';
      readonly title: string;
      readonly tools: QueryTools;
      readonly header: readonly HeaderPart[];
      readonly sentence: string;
      readonly actions: readonly ActionOffer[];
    }
  | {
      readonly view: 'error';
      readonly title: string;
      /** Left out where the page itself failed at showing a result. */
      readonly tools?: QueryTools;
      readonly header: readonly HeaderPart[];
      readonly sentence: string;
      readonly actions: readonly ActionOffer[];
    };
