import { isDeepStrictEqual } from 'node:util';
import { t } from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Connection } from '../../core/connections/connection.ts';
import { getQueryIdentity, type Query } from '../../core/query/query.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import type { Refresh } from '../../service/query/run.ts';
import { groupRuns } from '../../service/query/runGroup.ts';
import { pickSourceParts } from '../../shared/analysis.ts';
import type { SerializedView } from '../../shared/view.ts';
import type { Result } from '../../shared/result.ts';
import { contextKeys } from '../ids.ts';
import { createRunQueryFirstError } from '../inputError.ts';
import { confirmRuns } from '../query/confirmRuns.ts';
import { setContext } from '../workbench.ts';
import { QuerySession, type SessionDeps } from './querySession.ts';
import {
  getSavedSources,
  type ConfirmedPlan,
  type PanelBoard,
  type PanelRequest,
  type SessionStart,
} from './sessionState.ts';
import { ResultPanel, type PanelContent, type ResultPanelDeps } from './resultPanel.ts';
import { parseSavedPanel } from './savedPanel.ts';

/** The dependencies of a session that do not differ between panels. */
type SharedSessionDeps = Omit<SessionDeps, 'openPanel' | 'runAction' | 'getLinkedSessions' | 'onPointed'>;

export interface QuerySessionsDeps extends SharedSessionDeps {
  readonly pricing: Pick<RequestPricing, 'computeTotalPrice' | 'countRequests'>;
  readonly panel: ResultPanelDeps;
  /** Creates the handler of the buttons in the panels. */
  readonly actions: (sessions: QuerySessions) => SessionDeps['runAction'];
}

export interface OpenOptions {
  readonly refresh?: Refresh | undefined;
  readonly confirmed?: ConfirmedPlan | undefined;
  /** The `entryId` of a saved query. Its open panel is used even if that shows a different query now. */
  readonly savedId?: string | undefined;
  /** How the rows are shown; undefined for the view of a panel that is already open, or the default view. */
  readonly view?: SerializedView | undefined;
  readonly board?: PanelBoard | undefined;
  /** The editor group to open the panel in; undefined for the active group, or the group the panel is in. */
  readonly column?: vscode.ViewColumn | undefined;
  readonly preserveFocus?: boolean | undefined;
}

type SessionOpenOptions = SessionStart & Pick<OpenOptions, 'view' | 'column' | 'preserveFocus'>;

/** The open panels. Each query of a connection and each saved query has one panel. Running it again refreshes that panel. */
export class QuerySessions implements vscode.WebviewPanelSerializer {
  readonly #deps: Omit<SessionDeps, 'openPanel'>;
  readonly #panelDeps: ResultPanelDeps;
  readonly #pricing: QuerySessionsDeps['pricing'];
  readonly #sessions = new Set<QuerySession>();
  /** The panel that the pointer is over. */
  #pointerSession: QuerySession | undefined;

  constructor({ panel, actions, ...deps }: QuerySessionsDeps) {
    this.#panelDeps = panel;
    this.#pricing = deps.pricing;
    this.#deps = {
      ...deps,
      runAction: actions(this),
      getLinkedSessions: session => this.#getLinkedSessions(session),
      onPointed: (session, instant) => this.#sharePointer(session, instant),
    };
  }

  /** The session whose panel has the focus of its editor group. */
  get active(): QuerySession | undefined {
    return [...this.#sessions].find(session => session.panel.active);
  }

  /** Returns the active session. Throws InputError if there is none. */
  requireActive(): QuerySession {
    const { active } = this;
    if (!active) throw createRunQueryFirstError(t('No result is open. Run a query first.'));
    return active;
  }

  /** Returns the session that a command acts on: its argument, or the active session without an argument. Returns undefined for other arguments. */
  resolveSession(argument: unknown): QuerySession | undefined {
    if (argument instanceof QuerySession) return argument;
    return argument === undefined ? this.requireActive() : undefined;
  }

  /** Updates the names in the open panels after a change of saved queries, connections or panels. */
  updateNames(): void {
    const counts = new Map<string, number>();
    for (const session of this.#sessions) {
      const { name } = session;
      const ordinal = (counts.get(name) ?? 0) + 1;
      counts.set(name, ordinal);
      session.updateNames(ordinal);
    }
  }

  async run(
    query: Query,
    connection: Connection,
    { refresh, confirmed, ...openOptions }: OpenOptions = {},
  ): Promise<QuerySession> {
    const session = this.#getOrOpenSession({ query, connection, ...openOptions });
    await session.run(refresh, confirmed);
    return session;
  }

  /** Runs a query; a new panel opens with the chart. */
  async runAsChart(query: Query, connection: Connection): Promise<QuerySession> {
    const session = this.#getOrOpenSession({ query, connection, tab: 'chart' });
    await session.run();
    return session;
  }

  show(query: Query, connection: Connection, result: Result): void {
    this.#getOrOpenSession({ query, connection }).showResult(result);
  }

  /** Shows the newer result of an hourly refresh in the idle panels of the query, without revealing them. */
  refreshed(query: Query, connection: Connection, result: Result): void {
    const { fetchedAt, failure } = result.provenance;
    // A result with a failed part is worse than the displayed one. The user did not start the run, so no message is shown.
    if (failure) return;
    for (const session of this.#findSessions(query, connection))
      if (session.isIdle && session.result?.provenance.fetchedAt !== fetchedAt) session.showResult(result);
  }

  /** Reveals the panel of a query, as found by `#findSession`. Returns whether there is one. */
  reveal(query: Query, connection: Connection, view?: SerializedView): boolean {
    const session = this.#findSession(query, connection, view);
    if (view) session?.showView(view);
    session?.panel.reveal();
    return session !== undefined;
  }

  /** Reveals the panel of the saved query with this `entryId`, without focusing it. Returns whether there is one. */
  revealSaved(savedId: string): boolean {
    const session = [...this.#sessions].find(candidate => candidate.savedId === savedId);
    session?.panel.reveal(undefined, true);
    return session !== undefined;
  }

  /** Lists the open panels of a board. */
  listBoardSessions(id: string): readonly QuerySession[] {
    return [...this.#sessions].filter(({ board }) => board?.id === id);
  }

  #getLinkedSessions(session: QuerySession): readonly QuerySession[] {
    const { board } = session;
    return board?.isLinked ? this.listBoardSessions(board.id) : [session];
  }

  /** Shows the instant under the pointer in the linked panels. Ignores a late report that the pointer left a panel for the next one. */
  #sharePointer(session: QuerySession, instant: number | undefined): void {
    if (instant === undefined && session !== this.#pointerSession) return;
    this.#pointerSession = instant === undefined ? undefined : session;
    for (const linked of this.#getLinkedSessions(session)) if (linked !== session) linked.panel.showPointer(instant);
  }

  /** Links or unlinks the panels of the active board. */
  async setBoardLinked(isLinked: boolean): Promise<void> {
    const { board } = this.requireActive();
    if (board) for (const session of this.listBoardSessions(board.id)) session.setBoard({ ...board, isLinked });
    await this.#updateBoardContext();
  }

  /** Runs the query again, together with the queries of the linked panels. */
  async refresh(session: QuerySession): Promise<void> {
    const linked = this.#getLinkedSessions(session);
    if (linked.length === 1) await session.run();
    else await this.#runTogether(linked.map(linkedSession => [linkedSession, linkedSession.request]));
  }

  /** Runs several panels as one plan, after one confirmation if they have to wait. Throws GridError if the user declines. */
  async #runTogether(panels: readonly (readonly [QuerySession, PanelRequest])[]): Promise<void> {
    const runs = panels.map(([session, { query, connection }]) => ({ query: session.resolve(query), connection }));
    await confirmRuns(this.#pricing, runs);
    const groups = groupRuns(runs);
    for (const [session, request] of panels) if (request !== session.request) session.setRequest(request);
    this.updateNames();
    await Promise.all(
      panels.map(async ([session, { connection }]) => session.run(undefined, { together: groups.get(connection.id) })),
    );
  }

  /**
   * Runs a different query in the panel. If the range or the time zone changes, linked panels run their queries with the new ones too. If
   * another panel already has the query and the comparison, reveals and refreshes that panel instead.
   */
  async rerun(session: QuerySession, request: PanelRequest): Promise<void> {
    const { query, connection, comparison, join } = request;
    const linked = this.#getLinkedSessions(session);
    const { range, timeZone } = query;
    if (linked.length > 1 && (range !== session.query.range || timeZone !== session.query.timeZone)) {
      const withRange = (linkedSession: QuerySession): PanelRequest => ({
        ...linkedSession.request,
        query: { ...linkedSession.query, range, timeZone },
        notice: undefined,
      });
      await this.#runTogether(
        linked.map(linkedSession => [linkedSession, linkedSession === session ? request : withRange(linkedSession)]),
      );
      return;
    }
    // A panel of a saved query is not replaced by a panel that has the same query.
    const duplicate = this.#findSessions(query, connection).find(
      candidate =>
        candidate.savedId === session.savedId &&
        isDeepStrictEqual(candidate.request.comparison, comparison) &&
        isDeepStrictEqual(candidate.request.join, join),
    );
    if (duplicate && duplicate !== session) {
      duplicate.panel.reveal();
      return duplicate.run();
    }
    const isOtherDataset = query.dataset !== session.query.dataset;
    session.setRequest(request);
    if (isOtherDataset) session.setSavedQuery(undefined);
    this.updateNames();
    return session.run();
  }

  /** Runs the same query in a second panel. Hours that are up to date come from the archive. */
  async runInNewPanel(session: QuerySession): Promise<void> {
    const { request, zone } = session;
    await this.#openSession({ ...request, zone, view: session.serializeView() }).run();
  }

  /** Fills a panel that VS Code restored after a restart, with rows from the archive only. Closes it if its state is invalid or its connection does not exist. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const panelState = parseSavedPanel(state);
    const connection = panelState && this.#deps.connectionById(panelState.connection);
    if (connection) await this.#openSession({ ...panelState, connection }, panel).run('never');
    else panel.dispose();
  }

  #getOrOpenSession(start: SessionOpenOptions): QuerySession {
    const { query, connection, savedId, view, board, column, preserveFocus } = start;
    const existing =
      savedId === undefined
        ? this.#findSession(query, connection, view)
        : [...this.#sessions].find(session => session.savedId === savedId);
    if (!existing) return this.#openSession(start);
    const resetsView = view ?? savedId !== undefined;
    const { join, comparison } = resetsView
      ? { join: view?.analysis?.join, comparison: view?.analysis?.compare }
      : existing.request;
    const isSame =
      existing.connection.id === connection.id &&
      getQueryIdentity(existing.query) === getQueryIdentity(query) &&
      isDeepStrictEqual(existing.request.comparison, comparison) &&
      isDeepStrictEqual(existing.request.join, join);
    if (isSame) existing.updateConnection(connection);
    else existing.setRequest({ query, connection, comparison, join });
    existing.panel.reveal(column, preserveFocus);
    if (board) existing.setBoard(board);
    void this.#updateBoardContext();
    // Discards the unsaved changes of the view.
    if (resetsView) existing.showView(view ?? {});
    return existing;
  }

  #openSession(
    { tab, view, column, preserveFocus, ...start }: SessionOpenOptions,
    restored?: vscode.WebviewPanel,
  ): QuerySession {
    const openPanel = (content: PanelContent): ResultPanel =>
      new ResultPanel(this.#panelDeps, { ...content, tab, column, preserveFocus }, restored);
    const { join = view?.analysis?.join, comparison = view?.analysis?.compare } = start;
    const session = new QuerySession({ ...this.#deps, openPanel }, { ...start, comparison, join });
    this.#sessions.add(session);
    if (view) session.showView(view);
    this.updateNames();
    void this.#updateBoardContext();
    session.panel.onDidChangeViewState(() => void this.#updateBoardContext());
    session.panel.onDidDispose(() => {
      this.#sharePointer(session, undefined);
      this.#sessions.delete(session);
      this.updateNames();
      void this.#updateBoardContext();
    });
    return session;
  }

  /** Updates the context key that enables the commands of the active panel's board. */
  async #updateBoardContext(): Promise<void> {
    const { board } = this.active ?? {};
    await setContext(contextKeys.board, board && (board.isLinked ? 'linked' : 'unlinked'));
  }

  /** Finds the panel of a query. With a view, ignores panels of saved queries and panels with another comparison or other joined sources. */
  #findSession(query: Query, connection: Connection, view: SerializedView | undefined): QuerySession | undefined {
    return this.#findSessions(query, connection).find(
      ({ savedId, request }) =>
        !view || (savedId === undefined && isDeepStrictEqual(getSavedSources(request), pickSourceParts(view.analysis))),
    );
  }

  #findSessions(query: Query, connection: Connection): QuerySession[] {
    const identity = getQueryIdentity(query);
    return [...this.#sessions].filter(
      session => session.connection.id === connection.id && getQueryIdentity(session.query) === identity,
    );
  }

  dispose(): void {
    for (const session of this.#sessions) session.panel.dispose();
  }
}
