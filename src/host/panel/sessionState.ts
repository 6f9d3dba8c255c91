import type { Connection } from '../../core/connections/connection.ts';
import { createPartError, GridError } from '../../core/errors.ts';
import type { Query, ResolvedQuery } from '../../core/query/query.ts';
import type {
  ExtraRequestsConfirmation,
  PlanConfirmation,
  Progress,
  Refresh,
  RunEvent,
} from '../../service/query/run.ts';
import type { RunGroup } from '../../service/query/runGroup.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { pickSourceParts, type Analysis, type JoinSource } from '../../shared/analysis.ts';
import type { View } from '../../shared/view.ts';
import type { History, Result, Revisions } from '../../shared/result.ts';
import type { ComparedResult } from './comparedRun.ts';
import type { Comparison } from '../../core/compare/comparedRanges.ts';

/** A query with its connection and comparison, as a panel requests it. */
export interface PanelRequest {
  readonly query: Query;
  readonly connection: Connection;
  /** The period or file that the result is compared with. */
  readonly comparison?: Comparison | undefined;
  /** The sources whose columns are joined to the result. */
  readonly join?: readonly JoinSource[] | undefined;
  /** A sentence about a change that the user did not request, such as the end of a comparison. */
  readonly notice?: string | undefined;
}

/** Returns the comparison and the joined sources as they are saved. A comparison with a file is not saved, because it is a check of the moment. */
export function getSavedSources({ comparison, join }: PanelRequest): Pick<Analysis, 'join' | 'compare'> {
  return pickSourceParts({ join, compare: comparison?.kind === 'file' ? undefined : comparison });
}

/** The board that a panel is in. */
export interface PanelBoard {
  /** The `entryId` of its folder. */
  readonly id: string;
  /** Whether its panels share their range, time zone and pointer. */
  readonly isLinked: boolean;
}

/** The state that a session starts with. */
export interface SessionStart extends PanelRequest {
  readonly zone?: DisplayZone | undefined;
  /** The `entryId` of the saved query that the panel is opened from. */
  readonly savedId?: string | undefined;
  /** The tab to open first. */
  readonly tab?: 'chart' | undefined;
  readonly board?: PanelBoard | undefined;
}

/** A plan that the user confirmed before the run. */
export interface ConfirmedPlan {
  /** The queries that the plan covers; undefined if it covers only the query of the panel. */
  readonly together: RunGroup | undefined;
}

/** The reason why a run waits. */
export type Wait =
  /** The run waits for a response, for another run that requests the same hours, or for the next part of the result. */
  | { readonly for: 'response' | 'otherRun' | 'nextPart' }
  /** The rate limit allows the next request after the wait. */
  | { readonly for: 'budget'; readonly ms: number; readonly dataset?: string | undefined }
  /** The failed request is sent again after the wait. */
  | { readonly for: 'retry'; readonly ms: number; readonly failed: GridError };

/** The rows that a run has received so far. */
interface PartialRows {
  readonly result: Result;
  /** The rows that the page shows, which may be fewer. */
  readonly displayed: Result;
  /** When these rows were sent to the page, in UTC milliseconds. */
  readonly displayedAt: number;
}

/** A run in progress. */
export interface RunState {
  readonly refresh: Refresh;
  /** The query whose range is being requested. */
  readonly query: ResolvedQuery | undefined;
  /** The name of the compared range while that is requested. */
  readonly comparedWith: string | undefined;
  readonly wait: Wait;
  /** The number of requests that the service rejected with 429. */
  readonly throttledCount: number;
  /** The result so far for the range being requested. */
  readonly partial: { readonly result: Result; readonly progress: Progress } | undefined;
  /** The rows received so far. */
  readonly rows: PartialRows | undefined;
  /** The plan that the user has to confirm. */
  readonly confirmation: PlanConfirmation | ExtraRequestsConfirmation | undefined;
  /** The error of a request that is sent again only if the user confirms it. It stays after the user declines. */
  readonly failedRequest: GridError | undefined;
}

/** How the last run ended. */
export type RunOutcome =
  | { readonly type: 'succeeded' }
  /** `hasPartialResult`: some rows were received before the failure. */
  | { readonly type: 'failed'; readonly error: unknown; readonly hasPartialResult: boolean };

/** The content of a panel before its query changed. */
interface PreviousContent {
  readonly request: PanelRequest;
  readonly savedId: string | undefined;
  readonly result: ComparedResult | undefined;
  readonly seenRevisions: Revisions | undefined;
  readonly lastError: unknown;
}

/** The state of a panel. `SessionView` turns it into texts. */
export interface SessionState {
  readonly request: PanelRequest;
  /** The time zone chosen in the panel; undefined for the zone of the setting. */
  readonly zone: DisplayZone | undefined;
  /** The `entryId` of the saved query that the panel was opened from or saved as. */
  readonly savedId: string | undefined;
  readonly board: PanelBoard | undefined;
  /** How the page displays the result; undefined until the page reports it. */
  readonly view: View | undefined;
  /** The number of the panel among the panels with the same name, from 1. */
  readonly ordinal: number;
  /** The latest result, or the part of it that was received before a cancel. */
  readonly result: ComparedResult | undefined;
  /** The revisions that the user has seen. A later run keeps the revisions of its result until the user has seen them. */
  readonly seenRevisions?: Revisions | undefined;
  readonly running: RunState | undefined;
  /** The content of the panel before its query changed. A cancel restores it as long as the new query has no result. */
  readonly previous?: PreviousContent | undefined;
  readonly outcome: RunOutcome | undefined;
  /** Why the latest result failed or is incomplete. A canceled run does not change it. */
  readonly lastError: unknown;
  /** The refresh mode of the last run, which Try Again uses too. */
  readonly lastRefresh: Refresh;
}

/** The initial state of a session, apart from what it is opened with. */
export const initialState = {
  zone: undefined,
  savedId: undefined,
  board: undefined,
  view: undefined,
  ordinal: 1,
  result: undefined,
  running: undefined,
  outcome: undefined,
  lastError: undefined,
  lastRefresh: 'ifStale',
} as const satisfies Omit<SessionState, 'request'>;

export type SessionEvent =
  | Exclude<RunEvent, { readonly type: 'done' }>
  | { readonly type: 'done'; readonly result: ComparedResult }
  /** A run starts. `requesting` follows for each range that it requests. */
  | { readonly type: 'runStarted'; readonly refresh: Refresh }
  | { readonly type: 'requesting'; readonly query: ResolvedQuery; readonly comparedWith: string | undefined }
  /** The panel gets a new request. It keeps its result if the query and the connection are the same objects. */
  | { readonly type: 'requestChanged'; readonly request: PanelRequest }
  /** The connection has a new name or key. */
  | { readonly type: 'connectionChanged'; readonly connection: Connection }
  /** The user chose a time zone; undefined for the zone of the setting. */
  | { readonly type: 'zone'; readonly zone: DisplayZone | undefined }
  | { readonly type: 'view'; readonly view: View }
  | { readonly type: 'saved'; readonly savedId: string | undefined }
  | { readonly type: 'board'; readonly board: PanelBoard }
  | { readonly type: 'ordinal'; readonly ordinal: number }
  /** Rows from before the range were read from the archive, for an analysis that compares with them. */
  | { readonly type: 'history'; readonly history: History }
  | { readonly type: 'revisionsSeen' };

/** A partial table with this many rows or more is sent to the page at most once per `longTableUpdateMs`. */
const longTableRows = 10_000;
const longTableUpdateMs = 2_000;

/** Returns the state after an event. `now` is in UTC milliseconds. */
export function reduceSession(state: SessionState, event: SessionEvent, now: number): SessionState {
  const { running } = state;
  switch (event.type) {
    case 'runStarted':
      return { ...state, ...startRun(event.refresh) };
    case 'requestChanged': {
      const { request, savedId, result, seenRevisions, lastError } = state;
      const { query, connection } = request;
      const previous: SessionState['previous'] = result
        ? { request, savedId, result, seenRevisions, lastError }
        : state.previous;
      const isSame = event.request.query === query && event.request.connection === connection;
      return { ...state, request: event.request, result: isSame ? result : undefined, previous };
    }
    case 'connectionChanged':
      if (event.connection === state.request.connection) return state;
      return { ...state, request: { ...state.request, connection: event.connection } };
    case 'zone':
      return { ...state, zone: event.zone };
    case 'view':
      return { ...state, view: event.view };
    case 'saved':
      return { ...state, savedId: event.savedId };
    case 'board':
      return { ...state, board: event.board };
    case 'ordinal':
      return { ...state, ordinal: event.ordinal };
    case 'done': {
      const { failure } = event.result.provenance;
      const lastError = failure && createPartError(failure);
      const { result: previous, seenRevisions } = state;
      const unseenRevisions = previous?.revisions === seenRevisions ? undefined : previous?.revisions;
      const result = { ...(unseenRevisions && { revisions: unseenRevisions }), ...dropResponseText(event.result) };
      return { ...state, result, running: undefined, previous: undefined, outcome: { type: 'succeeded' }, lastError };
    }
    case 'history': {
      const { result, outcome } = state;
      // A new object, so that the view updates the page.
      return { ...state, result: result && { ...result, history: event.history }, outcome: outcome && { ...outcome } };
    }
    case 'revisionsSeen':
      return { ...state, seenRevisions: state.result?.revisions };
    case 'failed':
      return endFailedRun(state, event.error);
    default:
      return running ? { ...state, running: { ...running, ...updateRun(running, event, now) } } : state;
  }
}

function startRun(refresh: Refresh): Pick<SessionState, 'running' | 'lastRefresh'> {
  return {
    // After a run that only read the archive, Try Again sends requests.
    lastRefresh: refresh === 'never' ? 'ifStale' : refresh,
    running: {
      refresh,
      wait: { for: 'response' },
      throttledCount: 0,
      query: undefined,
      comparedWith: undefined,
      partial: undefined,
      rows: undefined,
      confirmation: undefined,
      failedRequest: undefined,
    },
  };
}

function updateRun(
  { rows, throttledCount, failedRequest }: RunState,
  event: SessionEvent,
  now: number,
): Partial<RunState> {
  switch (event.type) {
    case 'requesting':
      return { query: event.query, comparedWith: event.comparedWith, partial: undefined };
    case 'waiting': {
      const { ms, failed, dataset } = event;
      return {
        wait: failed ? { for: 'retry', ms, failed } : { for: 'budget', ms, ...(dataset !== undefined && { dataset }) },
      };
    }
    case 'throttled':
      return { throttledCount: throttledCount + 1 };
    case 'shared':
      return event.isWaiting ? { wait: { for: 'otherRun' } } : {};
    case 'progress': {
      const { partialResult, progress } = event;
      if (!partialResult) return {};
      const next = updateRows(rows, partialResult, now);
      return { partial: { result: partialResult, progress }, ...(next && { rows: next, wait: { for: 'nextPart' } }) };
    }
    case 'planned':
    case 'moreRequests':
      return { confirmation: event, failedRequest: event.type === 'moreRequests' ? event.failed : undefined };
    case 'replied':
      return {
        confirmation: undefined,
        wait: { for: 'response' },
        failedRequest: event.isAccepted ? undefined : failedRequest,
      };
    default:
      return {};
  }
}

function updateRows(rows: RunState['rows'], partialResult: Result, now: number): RunState['rows'] {
  if (!partialResult.frame?.rowCount) return rows;
  const isRecent = rows !== undefined && now >= rows.displayedAt && now < rows.displayedAt + longTableUpdateMs;
  if (isRecent && partialResult.frame.rowCount >= longTableRows) return { ...rows, result: partialResult };
  return { result: partialResult, displayed: partialResult, displayedAt: now };
}

/** Returns the state after a failed or canceled run. If the user declined to send a failed request again, the error is that of the request. */
function endFailedRun(state: SessionState, thrown: unknown): SessionState {
  const { running } = state;
  const isCanceled = thrown instanceof GridError && thrown.reason === 'cancelled';
  const error = isCanceled ? (running?.failedRequest ?? thrown) : thrown;
  const rows = running?.rows?.result;
  if (error instanceof GridError && error.reason === 'cancelled' && !rows && state.previous)
    return {
      ...state,
      ...state.previous,
      running: undefined,
      previous: undefined,
      outcome: { type: 'failed', error, hasPartialResult: false },
    };
  return {
    ...state,
    running: undefined,
    previous: undefined,
    // Shows the rows received before the failure. They are in the archive too.
    result: state.result ?? (rows && dropResponseText(rows)),
    outcome: { type: 'failed', error, hasPartialResult: rows !== undefined },
    lastError: error instanceof GridError && error.reason === 'cancelled' ? state.lastError : error,
  };
}

/** Removes the response text if there is a table: it would take several times the memory of the rows. */
function dropResponseText(result: ComparedResult): ComparedResult {
  return result.frame ? { ...result, bodies: [] } : result;
}
