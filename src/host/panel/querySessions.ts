import { isDeepStrictEqual } from 'node:util';
import { t } from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Connection } from '../../core/connections/connection.ts';
import { queryIdentity, type Query } from '../../core/query/query.ts';
import type { Refresh } from '../../service/query/run.ts';
import type { SavedView } from '../../shared/savedView.ts';
import type { Result } from '../../shared/result.ts';
import { runQueryFirst } from '../inputError.ts';
import { QuerySession, type SessionDeps } from './querySession.ts';
import type { ConfirmedPlan, PanelQuery, SessionStart } from './sessionState.ts';
import { ResultPanel, type PanelContent, type ResultPanelDeps } from './resultPanel.ts';
import { readSavedPanel } from './savedPanel.ts';

export interface QuerySessionsDeps extends Omit<SessionDeps, 'openPanel' | 'act'> {
  readonly panel: ResultPanelDeps;
  /** What the buttons of these panels do. */
  readonly actions: (sessions: QuerySessions) => SessionDeps['act'];
}

/** The open panels. A query over a connection has one panel: running it again refreshes that. */
export class QuerySessions implements vscode.WebviewPanelSerializer {
  readonly #deps: Omit<SessionDeps, 'openPanel'>;
  readonly #panel: ResultPanelDeps;
  readonly #open = new Set<QuerySession>();

  constructor({ panel, actions, ...deps }: QuerySessionsDeps) {
    this.#panel = panel;
    this.#deps = { ...deps, act: actions(this) };
  }

  /** The session whose panel has the focus of its editor group. */
  get active(): QuerySession | undefined {
    return [...this.#open].find(session => session.panel.active);
  }

  /** As `active`; throws an InputError where there is none. */
  activeOne(): QuerySession {
    const { active } = this;
    if (!active) throw runQueryFirst(t('No result is open. Run a query first.'));
    return active;
  }

  /** Updates the names in the open panels, after queries were saved or deleted, connections renamed, panels opened or closed. */
  showNames(): void {
    const places = new Map<string, number>();
    for (const session of this.#open) {
      const { name } = session;
      const place = (places.get(name) ?? 0) + 1;
      places.set(name, place);
      session.showNames(place);
    }
  }

  /** `view`: how its rows are shown; undefined: as they are in an open panel of it, else as received. */
  async run(
    query: Query,
    connection: Connection,
    refresh?: Refresh,
    confirmed?: ConfirmedPlan,
    view?: SavedView,
  ): Promise<QuerySession> {
    const session = this.#sessionFor({ query, connection });
    if (view) session.panel.showView(view);
    return this.#run(session, refresh, confirmed);
  }

  /** The same, with the chart as the first tab of a new panel. */
  async runAsChart(query: Query, connection: Connection): Promise<QuerySession> {
    return this.#run(this.#sessionFor({ query, connection, tab: 'chart' }));
  }

  async #run(session: QuerySession, refresh?: Refresh, confirmed?: ConfirmedPlan): Promise<QuerySession> {
    await session.run(refresh, confirmed);
    return session;
  }

  show(query: Query, connection: Connection, result: Result): void {
    this.#sessionFor({ query, connection }).show(result);
  }

  /** Shows a newer result of hourly refresh in an open panel that is at rest, without revealing it. */
  refreshed(query: Query, connection: Connection, result: Result): void {
    const session = this.#find(query, connection);
    const { fetchedAt, failure } = result.provenance;
    // A result with a failed part is worse than the one shown. Nobody asked for it, so no message either.
    if (failure || session?.result?.provenance.fetchedAt === fetchedAt) return;
    if (session?.isAtRest) session.show(result);
  }

  /** Reveals the panel of a query; false if it has none. */
  reveal(query: Query, connection: Connection): boolean {
    const session = this.#find(query, connection);
    session?.panel.reveal();
    return session !== undefined;
  }

  /** Runs another query in the same panel. A panel that already has the query and comparison is revealed instead. */
  async rerunAs(session: QuerySession, question: PanelQuery): Promise<void> {
    const { query, connection, comparison } = question;
    const twin = this.#find(query, connection, other => isDeepStrictEqual(other.question.comparison, comparison));
    if (twin && twin !== session) {
      twin.panel.reveal();
      return twin.run();
    }
    session.change(question);
    this.showNames();
    return session.run();
  }

  /** Runs the same query in a second panel, from the archive where it is still fresh. */
  async runInNewPanel({ question, zone }: QuerySession): Promise<void> {
    await this.#begin({ ...question, zone }).run();
  }

  /** Fills a panel that VS Code restored after a restart from the archive, without a request. Closes one whose query is unknown. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const saved = readSavedPanel(state);
    const connection = saved && this.#deps.connectionById(saved.connection);
    if (connection) await this.#begin({ ...saved, connection }, panel).run('never');
    else panel.dispose();
  }

  #sessionFor(start: SessionStart): QuerySession {
    const existing = this.#find(start.query, start.connection);
    if (!existing) return this.#begin(start);
    existing.renewConnection(start.connection);
    existing.panel.reveal();
    return existing;
  }

  #begin({ tab, ...start }: SessionStart, restored?: vscode.WebviewPanel): QuerySession {
    const openPanel = (content: PanelContent): ResultPanel =>
      new ResultPanel(this.#panel, { ...content, tab }, restored);
    const session = new QuerySession({ ...this.#deps, openPanel }, start);
    this.#open.add(session);
    this.showNames();
    session.panel.onDidDispose(() => {
      this.#open.delete(session);
      this.showNames();
    });
    return session;
  }

  #find(
    query: Query,
    connection: Connection,
    matches: (session: QuerySession) => boolean = () => true,
  ): QuerySession | undefined {
    const identity = queryIdentity(query);
    return [...this.#open].find(
      session =>
        session.connection.id === connection.id && queryIdentity(session.query) === identity && matches(session),
    );
  }

  dispose(): void {
    for (const session of this.#open) session.panel.dispose();
  }
}
