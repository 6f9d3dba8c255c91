import { isDeepStrictEqual } from 'node:util';
import { t } from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Connection } from '../../core/connections/connection.ts';
import { getQueryIdentity, type Query } from '../../core/query/query.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import type { Refresh } from '../../service/query/run.ts';
import { groupRuns } from '../../service/query/runGroup.ts';
import type { SerializedView } from '../../shared/view.ts';
import type { Result } from '../../shared/result.ts';
import { contextKeys } from '../ids.ts';
import { createRunQueryFirstError } from '../inputError.ts';
import { confirmRuns } from '../query/confirmRuns.ts';
import { setContext } from '../workbench.ts';
import { QuerySession, type SessionDeps } from './querySession.ts';
import {
  getComparedPeriod,
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
  /** The `entryId` of the saved query, which keeps its panel even if the panel now shows another query. */
  readonly saved?: string | undefined;
  /** How the rows are shown; undefined for the view of a panel that is already open, or the default view. */
  readonly view?: SerializedView | undefined;
  readonly board?: PanelBoard | undefined;
  /** The editor group to open the panel in; undefined for the active group, or the group the panel is in. */
  readonly column?: vscode.ViewColumn | undefined;
  readonly preserveFocus?: boolean | undefined;
}

type SessionOpenOptions = SessionStart & Pick<OpenOptions, 'view' | 'column' | 'preserveFocus'>;

/** The open panels. Each query of a connection has one panel, and so has each saved query; running it again refreshes the panel. */
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

  /** Updates the names in the open panels: queries may be saved or deleted, connections renamed, panels opened or closed. */
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

  /** Reveals the panel of a query and returns whether there is one. With a `view`, the panel must not belong to a saved query. */
  reveal(query: Query, connection: Connection, view?: SerializedView): boolean {
    const session = this.#findSession(query, connection, view);
    if (view) session?.showView(view);
    session?.panel.reveal();
    return session !== undefined;
  }

  /** Reveals the panel of the saved query with this `entryId`, without focusing it. Returns whether there is one. */
  revealSaved(saved: string): boolean {
    const session = [...this.#sessions].find(({ savedId }) => savedId === saved);
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

  /** Shows the pointed instant in the linked panels. A page may report that the pointer left after the next page has reported it. */
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
   * Runs another query in the same panel. Linked panels run their queries with its range and time zone. If another panel
   * already has the query and comparison, that one is revealed instead.
   */
  async rerun(session: QuerySession, request: PanelRequest): Promise<void> {
    const { query, connection, comparison } = request;
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
    // A saved query keeps its panel even if another panel has the same query.
    const duplicate = this.#findSessions(query, connection).find(
      candidate => candidate.savedId === session.savedId && isDeepStrictEqual(candidate.request.comparison, comparison),
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

  /** Runs the same query in a second panel; fresh hours come from the archive. */
  async runInNewPanel(session: QuerySession): Promise<void> {
    const { request, zone } = session;
    await this.#openSession({ ...request, zone, view: session.serializeView() }).run();
  }

  /** Fills a panel that VS Code restored after a restart from the archive, without a request. Closes it if its query is unknown. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const saved = parseSavedPanel(state);
    const connection = saved && this.#deps.connectionById(saved.connection);
    if (connection) await this.#openSession({ ...saved, connection }, panel).run('never');
    else panel.dispose();
  }

  #getOrOpenSession(start: SessionOpenOptions): QuerySession {
    const { query, connection, saved, view, board, column, preserveFocus } = start;
    const existing =
      saved === undefined
        ? this.#findSession(query, connection, view)
        : [...this.#sessions].find(({ savedId }) => savedId === saved);
    if (!existing) return this.#openSession(start);
    const resetsView = view ?? saved !== undefined;
    const comparison = resetsView ? view?.analysis?.compare : existing.request.comparison;
    const isSame =
      existing.connection.id === connection.id &&
      getQueryIdentity(existing.query) === getQueryIdentity(query) &&
      isDeepStrictEqual(existing.request.comparison, comparison);
    if (isSame) existing.updateConnection(connection);
    else existing.setRequest({ query, connection, comparison });
    existing.panel.reveal(column, preserveFocus);
    if (board) existing.setBoard(board);
    void this.#updateBoardContext();
    // Resets the changes since the query was saved.
    if (resetsView) existing.showView(view ?? {});
    return existing;
  }

  #openSession(
    { tab, view, column, preserveFocus, ...start }: SessionOpenOptions,
    restored?: vscode.WebviewPanel,
  ): QuerySession {
    const openPanel = (content: PanelContent): ResultPanel =>
      new ResultPanel(this.#panelDeps, { ...content, tab, column, preserveFocus }, restored);
    const comparison = start.comparison ?? view?.analysis?.compare;
    const session = new QuerySession({ ...this.#deps, openPanel }, { ...start, comparison });
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

  /** Finds the panel of a query. With a view, panels of saved queries and panels with another comparison do not qualify. */
  #findSession(query: Query, connection: Connection, view: SerializedView | undefined): QuerySession | undefined {
    const compare = view?.analysis?.compare;
    return this.#findSessions(query, connection).find(
      ({ savedId, request }) =>
        !view || (savedId === undefined && isDeepStrictEqual(getComparedPeriod(request), compare)),
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
