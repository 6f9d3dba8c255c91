import type { Connection } from '../../core/connections/connection.ts';
import { errorOf, GridError } from '../../core/errors.ts';
import type { Query, ResolvedQuery } from '../../core/query/query.ts';
import type { MoreRequests, Planned, Progress, Refresh, RunEvent } from '../../service/query/run.ts';
import type { RunGroup } from '../../service/query/runGroup.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { ComparedPeriod } from '../../shared/analysis.ts';
import type { PanelView } from '../../shared/savedView.ts';
import type { History, Result, Revisions } from '../../shared/result.ts';
import type { ComparedResult } from './comparedRun.ts';
import type { Comparison } from '../../core/compare/comparedRanges.ts';

/** What a panel asks. */
export interface PanelQuery {
  readonly query: Query;
  readonly connection: Connection;
  /** What the period is held against. */
  readonly comparison?: Comparison | undefined;
  /** Something the person did not ask for and must know: that the comparison ended, in one sentence. */
  readonly notice?: string | undefined;
}

/** The comparison as it is saved: a file is one of this computer. */
export function comparedPeriodOf({ comparison }: PanelQuery): ComparedPeriod | undefined {
  return comparison?.kind === 'file' ? undefined : comparison;
}

/** The board that a panel is in. */
export interface PanelBoard {
  /** The `entryId` of its folder. */
  readonly id: string;
  /** Whether its panels follow each other. */
  readonly isLinked: boolean;
}

/** What a session begins with. */
export interface SessionStart extends PanelQuery {
  readonly zone?: DisplayZone | undefined;
  /** The saved query that it is opened from, by `entryId`. */
  readonly saved?: string | undefined;
  /** The tab to open first. */
  readonly tab?: 'chart' | undefined;
  readonly board?: PanelBoard | undefined;
}

/** A plan that was confirmed before the run, with the queries it was planned together with. */
export interface ConfirmedPlan {
  readonly together: RunGroup | undefined;
}

/** What a run waits for, as shown beside the rows. */
export type Wait =
  | { readonly for: 'answer' | 'otherRun' | 'nextPart' }
  | { readonly for: 'budget'; readonly ms: number; readonly dataset?: string | undefined }
  /** A request that failed is sent again then. */
  | { readonly for: 'retry'; readonly ms: number; readonly failed: GridError };

/** A run that is under way. */
export interface Running {
  readonly refresh: Refresh;
  /** The range that is requested now, and the name of a comparison's other one. */
  readonly query: ResolvedQuery | undefined;
  readonly comparedWith: string | undefined;
  readonly wait: Wait;
  /** How often the service refused a request with 429. */
  readonly refusals: number;
  /** How far the requested range is. */
  readonly soFar: { readonly result: Result; readonly progress: Progress } | undefined;
  /** Rows that have come; `at`: when the page got them, UTC milliseconds. */
  readonly rows: { readonly result: Result; readonly shown: Result; readonly at: number } | undefined;
  /** What the person is asked now. */
  readonly question: Planned | MoreRequests | undefined;
  /** The failure whose retry the person is asked about, or has declined. */
  readonly failed: GridError | undefined;
}

/** How the last run ended. */
export type RunOutcome =
  | { readonly type: 'answered' }
  /** `hasPart`: rows had come before. */
  | { readonly type: 'failed'; readonly error: unknown; readonly hasPart: boolean };

/** All that a panel shows; the words are those of `SessionView`. */
export interface SessionState {
  readonly question: PanelQuery;
  /** Chosen in the panel; undefined: that of the setting. */
  readonly zone: DisplayZone | undefined;
  /** The saved query that it was opened from or saved as, by `entryId`; undefined for none. */
  readonly saved: string | undefined;
  readonly board: PanelBoard | undefined;
  /** How the person looks at the result; undefined until the page says. */
  readonly view: PanelView | undefined;
  /** Among the panels of its name, from 1. */
  readonly place: number;
  /** The latest answer, or what had come of one that was canceled. */
  readonly result: ComparedResult | undefined;
  /** The revisions that the person has looked at: others stay with the result through later runs of the query. */
  readonly seen?: Revisions | undefined;
  readonly running: Running | undefined;
  /** What the panel showed before its query changed, until the new one has an answer: a cancel brings it back. */
  readonly earlier?: Pick<SessionState, 'question' | 'saved' | 'result' | 'seen' | 'lastError'> | undefined;
  readonly outcome: RunOutcome | undefined;
  /** Why a part of the latest answer or all of it did not come; a canceled run changes nothing. */
  readonly lastError: unknown;
  /** The refresh mode of the last run: Try Again uses the same. */
  readonly lastRefresh: Refresh;
}

/** The state of a session before its first run, but for what it is opened with. */
export const initialState = {
  zone: undefined,
  saved: undefined,
  board: undefined,
  view: undefined,
  place: 1,
  result: undefined,
  running: undefined,
  outcome: undefined,
  lastError: undefined,
  lastRefresh: 'ifStale',
} as const satisfies Omit<SessionState, 'question'>;

export type SessionEvent =
  | Exclude<RunEvent, { readonly type: 'done' }>
  | { readonly type: 'done'; readonly result: ComparedResult }
  /** A run begins, and requests one range after the other. */
  | { readonly type: 'begun'; readonly refresh: Refresh }
  | { readonly type: 'requesting'; readonly query: ResolvedQuery; readonly comparedWith: string | undefined }
  /** Another question; the answer stays where it is one to the same query. */
  | { readonly type: 'changed'; readonly question: PanelQuery }
  /** The same connection under another name, with another key. */
  | { readonly type: 'renewed'; readonly connection: Connection }
  /** Undefined: that of the setting. */
  | { readonly type: 'zone'; readonly zone: DisplayZone | undefined }
  | { readonly type: 'view'; readonly view: PanelView }
  | { readonly type: 'saved'; readonly saved: string | undefined }
  | { readonly type: 'board'; readonly board: PanelBoard }
  | { readonly type: 'place'; readonly place: number }
  /** Earlier rows that the view compares the result with. */
  | { readonly type: 'history'; readonly history: History }
  | { readonly type: 'revisionsSeen' };

/** A long table is not sent again for every part of it. */
const everyMs = 2_000;
const shortTable = 10_000;

/** The state after an event. `now`: UTC milliseconds. */
export function reduce(state: SessionState, event: SessionEvent, now: number): SessionState {
  const { running } = state;
  switch (event.type) {
    case 'begun':
      return { ...state, ...begun(event.refresh) };
    case 'changed': {
      const { question, saved, result, seen, lastError } = state;
      const { query, connection } = question;
      const earlier = result ? { question, saved, result, seen, lastError } : state.earlier;
      const isSame = event.question.query === query && event.question.connection === connection;
      return { ...state, question: event.question, result: isSame ? result : undefined, earlier };
    }
    case 'renewed':
      if (event.connection === state.question.connection) return state;
      return { ...state, question: { ...state.question, connection: event.connection } };
    case 'zone':
      return { ...state, zone: event.zone };
    case 'view':
      return { ...state, view: event.view };
    case 'saved':
      return { ...state, saved: event.saved };
    case 'board':
      return { ...state, board: event.board };
    case 'place':
      return { ...state, place: event.place };
    case 'done': {
      const { failure } = event.result.provenance;
      const lastError = failure && errorOf(failure);
      const { result: earlier, seen } = state;
      const unseen = earlier?.revisions === seen ? undefined : earlier?.revisions;
      const result = { ...(unseen && { revisions: unseen }), ...withoutText(event.result) };
      return { ...state, result, running: undefined, earlier: undefined, outcome: { type: 'answered' }, lastError };
    }
    case 'history': {
      const { result, outcome } = state;
      // Another outcome, so that it is shown.
      return { ...state, result: result && { ...result, history: event.history }, outcome: outcome && { ...outcome } };
    }
    case 'revisionsSeen':
      return { ...state, seen: state.result?.revisions };
    case 'failed':
      return failed(state, event.error);
    default:
      return running ? { ...state, running: { ...running, ...duringRun(running, event, now) } } : state;
  }
}

function begun(refresh: Refresh): Pick<SessionState, 'running' | 'lastRefresh'> {
  const nothing = { query: undefined, comparedWith: undefined, soFar: undefined, rows: undefined };
  return {
    // Read from the archive alone: what failed then is tried with requests.
    lastRefresh: refresh === 'never' ? 'ifStale' : refresh,
    running: { refresh, wait: { for: 'answer' }, refusals: 0, ...nothing, question: undefined, failed: undefined },
  };
}

function duringRun({ rows, refusals, failed: declined }: Running, event: SessionEvent, now: number): Partial<Running> {
  switch (event.type) {
    case 'requesting':
      return { query: event.query, comparedWith: event.comparedWith, soFar: undefined };
    case 'waiting': {
      const { ms, failed, dataset } = event;
      return {
        wait: failed ? { for: 'retry', ms, failed } : { for: 'budget', ms, ...(dataset !== undefined && { dataset }) },
      };
    }
    case 'throttled':
      return { refusals: refusals + 1 };
    case 'shared':
      return event.waits ? { wait: { for: 'otherRun' } } : {};
    case 'progress': {
      const { soFar: come, progress } = event;
      if (!come) return {};
      const next = rowsOf(rows, come, now);
      return { soFar: { result: come, progress }, ...(next && { rows: next, wait: { for: 'nextPart' } }) };
    }
    case 'planned':
    case 'moreRequests':
      return { question: event, failed: event.type === 'moreRequests' ? event.failed : undefined };
    case 'answered':
      return { question: undefined, wait: { for: 'answer' }, failed: event.isAccepted ? undefined : declined };
    default:
      return {};
  }
}

function rowsOf(rows: Running['rows'], come: Result, now: number): Running['rows'] {
  if (!come.frame?.rowCount) return rows;
  const isSoon = rows !== undefined && now >= rows.at && now < rows.at + everyMs;
  if (isSoon && come.frame.rowCount >= shortTable) return { ...rows, result: come };
  return { result: come, shown: come, at: now };
}

/** A run that was canceled by declining a retry shows the failure of that request. */
function failed(state: SessionState, thrown: unknown): SessionState {
  const { running } = state;
  const isCanceled = thrown instanceof GridError && thrown.reason === 'cancelled';
  const error = isCanceled ? (running?.failed ?? thrown) : thrown;
  const rows = running?.rows?.result;
  if (error instanceof GridError && error.reason === 'cancelled' && !rows && state.earlier)
    return {
      ...state,
      ...state.earlier,
      running: undefined,
      earlier: undefined,
      outcome: { type: 'failed', error, hasPart: false },
    };
  return {
    ...state,
    running: undefined,
    earlier: undefined,
    // What came before the end is there, and in the archive.
    result: state.result ?? (rows && withoutText(rows)),
    outcome: { type: 'failed', error, hasPart: rows !== undefined },
    lastError: error instanceof GridError && error.reason === 'cancelled' ? state.lastError : error,
  };
}

/** Without the response text of a table: it would take several times the memory of the rows. */
function withoutText(result: ComparedResult): ComparedResult {
  return result.frame ? { ...result, bodies: [] } : result;
}
