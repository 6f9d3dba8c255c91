import { isDeepStrictEqual } from 'node:util';
import { t } from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Connection } from '../../core/connections/connection.ts';
import { queryIdentity, type Query } from '../../core/query/query.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import type { Refresh } from '../../service/query/run.ts';
import { groupRuns } from '../../service/query/runGroup.ts';
import type { SavedView } from '../../shared/savedView.ts';
import type { Result } from '../../shared/result.ts';
import { contextKeys } from '../ids.ts';
import { runQueryFirst } from '../inputError.ts';
import { confirmRuns } from '../query/confirmRuns.ts';
import { setContext } from '../workbench.ts';
import { QuerySession, type SessionDeps } from './querySession.ts';
import {
  comparedPeriodOf,
  type ConfirmedPlan,
  type PanelBoard,
  type PanelQuery,
  type SessionStart,
} from './sessionState.ts';
import { ResultPanel, type PanelContent, type ResultPanelDeps } from './resultPanel.ts';
import { readSavedPanel } from './savedPanel.ts';

/** The dependencies of a session that do not differ between panels. */
type SharedSessionDeps = Omit<SessionDeps, 'openPanel' | 'act' | 'linked' | 'pointed'>;

export interface QuerySessionsDeps extends SharedSessionDeps {
  readonly pricing: Pick<RequestPricing, 'priceOf' | 'requestsOf'>;
  readonly panel: ResultPanelDeps;
  /** Creates the handler of the buttons in the panels. */
  readonly actions: (sessions: QuerySessions) => SessionDeps['act'];
}

export interface OpenOptions {
  readonly refresh?: Refresh | undefined;
  readonly confirmed?: ConfirmedPlan | undefined;
  /** The `entryId` of the saved query, which has its own panel even if that shows another query by now. */
  readonly saved?: string | undefined;
  /** How the rows are shown; undefined for the view of a panel that is already open, or the default view. */
  readonly view?: SavedView | undefined;
  readonly board?: PanelBoard | undefined;
  /** The editor group to open the panel in; undefined for the active group, or the group the panel is in. */
  readonly column?: vscode.ViewColumn | undefined;
  readonly preserveFocus?: boolean | undefined;
}

type OpenedSession = SessionStart & Pick<OpenOptions, 'view' | 'column' | 'preserveFocus'>;

/** The open panels. Each query of a connection has one panel, and so has each saved query; running it again refreshes the panel. */
export class QuerySessions implements vscode.WebviewPanelSerializer {
  readonly #deps: Omit<SessionDeps, 'openPanel'>;
  readonly #panel: ResultPanelDeps;
  readonly #pricing: QuerySessionsDeps['pricing'];
  readonly #open = new Set<QuerySession>();
  /** The panel that the pointer is over. */
  #pointed: QuerySession | undefined;

  constructor({ panel, actions, ...deps }: QuerySessionsDeps) {
    this.#panel = panel;
    this.#pricing = deps.pricing;
    this.#deps = {
      ...deps,
      act: actions(this),
      linked: session => this.#linked(session),
      pointed: (session, instant) => this.#point(session, instant),
    };
  }

  /** The session whose panel has the focus of its editor group. */
  get active(): QuerySession | undefined {
    return [...this.#open].find(session => session.panel.active);
  }

  /** Returns the active session. Throws InputError if there is none. */
  activeOne(): QuerySession {
    const { active } = this;
    if (!active) throw runQueryFirst(t('No result is open. Run a query first.'));
    return active;
  }

  /** Returns the session a command is invoked on: its argument, or the active session without an argument. Undefined for other arguments. */
  sessionOf(argument: unknown): QuerySession | undefined {
    if (argument instanceof QuerySession) return argument;
    return argument === undefined ? this.activeOne() : undefined;
  }

  /** Updates the names in the open panels: queries may be saved or deleted, connections renamed, panels opened or closed. */
  showNames(): void {
    const counts = new Map<string, number>();
    for (const session of this.#open) {
      const { name } = session;
      const ordinal = (counts.get(name) ?? 0) + 1;
      counts.set(name, ordinal);
      session.showNames(ordinal);
    }
  }

  async run(
    query: Query,
    connection: Connection,
    { refresh, confirmed, ...opened }: OpenOptions = {},
  ): Promise<QuerySession> {
    const session = this.#sessionFor({ query, connection, ...opened });
    await session.run(refresh, confirmed);
    return session;
  }

  /** Runs a query; a new panel opens with the chart. */
  async runAsChart(query: Query, connection: Connection): Promise<QuerySession> {
    const session = this.#sessionFor({ query, connection, tab: 'chart' });
    await session.run();
    return session;
  }

  show(query: Query, connection: Connection, result: Result): void {
    this.#sessionFor({ query, connection }).show(result);
  }

  /** Shows the newer result of an hourly refresh in the idle panels of the query, without revealing them. */
  refreshed(query: Query, connection: Connection, result: Result): void {
    const { fetchedAt, failure } = result.provenance;
    // A result with a failed part is worse than the displayed one. The person did not run it, so there is no message either.
    if (failure) return;
    for (const session of this.#all(query, connection))
      if (session.isAtRest && session.result?.provenance.fetchedAt !== fetchedAt) session.show(result);
  }

  /** Reveals the panel of a query and returns whether there is one. With a `view`, the panel must not belong to a saved query. */
  reveal(query: Query, connection: Connection, view?: SavedView): boolean {
    const session = this.#openOf(query, connection, view);
    if (view) session?.showView(view);
    session?.panel.reveal();
    return session !== undefined;
  }

  /** Reveals the panel of the saved query with this `entryId`, without focusing it. Returns whether there is one. */
  revealSaved(saved: string): boolean {
    const session = [...this.#open].find(({ savedId }) => savedId === saved);
    session?.panel.reveal(undefined, true);
    return session !== undefined;
  }

  /** Lists the open panels of a board. */
  inBoard(id: string): readonly QuerySession[] {
    return [...this.#open].filter(({ board }) => board?.id === id);
  }

  #linked(session: QuerySession): readonly QuerySession[] {
    const { board } = session;
    return board?.isLinked ? this.inBoard(board.id) : [session];
  }

  /** Shows the pointed instant in the linked panels. A page may report that the pointer left after the next page has reported it. */
  #point(session: QuerySession, instant: number | undefined): void {
    if (instant === undefined && session !== this.#pointed) return;
    this.#pointed = instant === undefined ? undefined : session;
    for (const linked of this.#linked(session)) if (linked !== session) linked.panel.point(instant);
  }

  /** Links or unlinks the panels of the active board. */
  async linkBoard(isLinked: boolean): Promise<void> {
    const { board } = this.activeOne();
    if (board) for (const session of this.inBoard(board.id)) session.join({ ...board, isLinked });
    await this.#showBoard();
  }

  /** Runs the query again, together with the queries of the linked panels. */
  async refresh(session: QuerySession): Promise<void> {
    const linked = this.#linked(session);
    if (linked.length === 1) await session.run();
    else await this.#runTogether(linked.map(other => [other, other.question]));
  }

  /** Runs several panels as one plan, after one confirmation if they have to wait. Throws GridError if the person declines. */
  async #runTogether(panels: readonly (readonly [QuerySession, PanelQuery])[]): Promise<void> {
    const runs = panels.map(([session, { query, connection }]) => ({ query: session.resolved(query), connection }));
    await confirmRuns(this.#pricing, runs);
    const groups = groupRuns(runs);
    for (const [session, question] of panels) if (question !== session.question) session.change(question);
    this.showNames();
    await Promise.all(
      panels.map(async ([session, { connection }]) => session.run(undefined, { together: groups.get(connection.id) })),
    );
  }

  /**
   * Runs another query in the same panel. Linked panels run their queries with its range and time zone. If another panel
   * already has the query and comparison, that one is revealed instead.
   */
  async rerunAs(session: QuerySession, question: PanelQuery): Promise<void> {
    const { query, connection, comparison } = question;
    const linked = this.#linked(session);
    const { range, timeZone } = query;
    if (linked.length > 1 && (range !== session.query.range || timeZone !== session.query.timeZone)) {
      const withRange = (other: QuerySession): PanelQuery => ({
        ...other.question,
        query: { ...other.query, range, timeZone },
        notice: undefined,
      });
      await this.#runTogether(linked.map(other => [other, other === session ? question : withRange(other)]));
      return;
    }
    // A saved query keeps its panel even if another panel has the same query.
    const duplicate = this.#all(query, connection).find(
      other => other.savedId === session.savedId && isDeepStrictEqual(other.question.comparison, comparison),
    );
    if (duplicate && duplicate !== session) {
      duplicate.panel.reveal();
      return duplicate.run();
    }
    const isOther = query.dataset !== session.query.dataset;
    session.change(question);
    if (isOther) session.belongTo(undefined);
    this.showNames();
    return session.run();
  }

  /** Runs the same query in a second panel; fresh hours come from the archive. */
  async runInNewPanel(session: QuerySession): Promise<void> {
    const { question, zone } = session;
    await this.#begin({ ...question, zone, view: session.savedView() }).run();
  }

  /** Fills a panel that VS Code restored after a restart from the archive, without a request. Closes it if its query is unknown. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const saved = readSavedPanel(state);
    const connection = saved && this.#deps.connectionById(saved.connection);
    if (connection) await this.#begin({ ...saved, connection }, panel).run('never');
    else panel.dispose();
  }

  #sessionFor(start: OpenedSession): QuerySession {
    const { query, connection, saved, view, board, column, preserveFocus } = start;
    const existing =
      saved === undefined
        ? this.#openOf(query, connection, view)
        : [...this.#open].find(({ savedId }) => savedId === saved);
    if (!existing) return this.#begin(start);
    const isKept = view ?? saved !== undefined;
    const comparison = isKept ? view?.analysis?.compare : existing.question.comparison;
    const isSame =
      existing.connection.id === connection.id &&
      queryIdentity(existing.query) === queryIdentity(query) &&
      isDeepStrictEqual(existing.question.comparison, comparison);
    if (isSame) existing.renewConnection(connection);
    else existing.change({ query, connection, comparison });
    existing.panel.reveal(column, preserveFocus);
    if (board) existing.join(board);
    void this.#showBoard();
    // Resets the changes since the query was saved.
    if (isKept) existing.showView(view ?? {});
    return existing;
  }

  #begin({ tab, view, column, preserveFocus, ...start }: OpenedSession, restored?: vscode.WebviewPanel): QuerySession {
    const openPanel = (content: PanelContent): ResultPanel =>
      new ResultPanel(this.#panel, { ...content, tab, column, preserveFocus }, restored);
    const comparison = start.comparison ?? view?.analysis?.compare;
    const session = new QuerySession({ ...this.#deps, openPanel }, { ...start, comparison });
    this.#open.add(session);
    if (view) session.showView(view);
    this.showNames();
    void this.#showBoard();
    session.panel.onDidChangeViewState(() => void this.#showBoard());
    session.panel.onDidDispose(() => {
      this.#point(session, undefined);
      this.#open.delete(session);
      this.showNames();
      void this.#showBoard();
    });
    return session;
  }

  /** Updates the context key that enables the commands of the active panel's board. */
  async #showBoard(): Promise<void> {
    const { board } = this.active ?? {};
    await setContext(contextKeys.board, board && (board.isLinked ? 'linked' : 'unlinked'));
  }

  /** Finds the panel of a query. With a view, panels of saved queries and panels with another comparison do not qualify. */
  #openOf(query: Query, connection: Connection, view: SavedView | undefined): QuerySession | undefined {
    const compare = view?.analysis?.compare;
    return this.#all(query, connection).find(
      ({ savedId, question }) =>
        !view || (savedId === undefined && isDeepStrictEqual(comparedPeriodOf(question), compare)),
    );
  }

  #all(query: Query, connection: Connection): QuerySession[] {
    const identity = queryIdentity(query);
    return [...this.#open].filter(
      session => session.connection.id === connection.id && queryIdentity(session.query) === identity,
    );
  }

  dispose(): void {
    for (const session of this.#open) session.panel.dispose();
  }
}
