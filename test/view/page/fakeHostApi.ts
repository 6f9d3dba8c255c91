import type { PanelView, SavedView } from '../../../src/shared/savedView.ts';
import type { PanelAction, QueryTools, RawResponse, ShownTable } from '../../../src/shared/protocol.ts';
import type { NoReport, ReportSection } from '../../../src/shared/report.ts';
import type { AxeRules } from './eyesApi.ts';
import type { StateName } from './states.ts';

/** What a test can call in the page: the host's side of the protocol, and eyes. Arguments and results are JSON. */
export interface FakeHostApi {
  isReady(): boolean;
  /**
   * Makes the page as it is when it has just been opened: nothing is shown, what was noted is gone, the view is the first one, nothing has
   * the focus, and what is shown next gets it.
   */
  empty(): Promise<void>;
  /** The actions that the page asked for, in order. */
  acts(): readonly PanelAction[];
  /** Gives the page the response that it asked for, or will. */
  respond(response: RawResponse): void;
  /** Links the page with others, or not any more. */
  link(isLinked: boolean): Promise<void>;
  /** Where the page said that the person points, in order; null for nowhere. */
  instants(): readonly (number | null)[];
  /** Moves the mouse a hundred times across the chart within a frame; where the page then said that the person points. */
  sweep(): Promise<readonly (number | null)[]>;
  /** Resolves some frames later. */
  frames(): Promise<void>;
  /** The person points there in another panel; null for nowhere. Resolves two frames later. */
  point(instant: number | null): Promise<void>;
  /** What the table shows, as the page says. */
  readTable(): Promise<ShownTable | undefined>;
  /** What is shown, for a report. */
  readReport(): Promise<ReportSection | NoReport | undefined>;
  /** Shows the rows as a saved query does. */
  view(view: SavedView): Promise<void>;
  /** What a saved query keeps. */
  /** What the page has said of how it shows the result. */
  shownViews(): PanelView[];
  /** Breaches of the policy, and errors the page reported. */
  troubles(): readonly string[];
  /** Shows a state, now and after each `ready`; the milliseconds until its first frame was drawn. */
  show(name: StateName): Promise<number>;
  /** The query is called otherwise, or saved under a name. */
  rename(title: string, named: Omit<QueryTools, 'actions'>): Promise<void>;
  /** Sentence with which the next actions are refused. */
  refuse(sentence: string | undefined): void;
  /** Leaves actions without an answer. */
  keepSilent(): void;
  /** A message of a form that no host sends. */
  sendBroken(): void;
  /** What a system-state frame holds in a row and a column of numbers. */
  expectedValue(row: number, column: number): number;
  /** Text of a cell in sight by shown row and column; null where there is none. */
  cellText(row: number, column: number): string | null;
  /** The focused cell, as [row, column]; row -1 is the header. */
  focused(): readonly [number, number] | null;
  /** Lowest and highest row drawn inside the view. */
  rowsInView(): readonly [number, number];
  /** Number of elements in the grid. */
  gridElements(): number;
  /** 95th percentile and longest of the milliseconds between frames while scrolling through everything. */
  scrollThrough(frames: number): Promise<readonly [number, number]>;
  /** Moves the scrollbar to a fraction of its way. */
  scrollTo(fraction: number): Promise<void>;
  /** The role, name and value checks of axe-core; needs its script in the page. */
  axe(rules?: AxeRules): Promise<readonly string[]>;
}
