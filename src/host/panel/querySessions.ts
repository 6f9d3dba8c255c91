import type { Connection } from '../../core/connection.ts';
import { queryIdentity, type Query } from '../../core/query.ts';
import type { PanelAction } from '../../shared/protocol.ts';
import type { Result } from '../../shared/result.ts';
import { QuerySession, type SessionDeps } from './querySession.ts';
import { ResultPanel, type ResultPanelDeps } from './resultPanel.ts';

export interface QuerySessionsDeps extends Pick<SessionDeps, 'service' | 'nowAt' | 'logError' | 'connectionById'> {
  readonly panel: ResultPanelDeps;
}

/** The open panels. The same question to the same connection has one panel: asking again refreshes it. */
export class QuerySessions {
  readonly #deps: SessionDeps;
  readonly #open = new Set<QuerySession>();
  #act: (action: PanelAction, session: QuerySession) => void = () => undefined;

  constructor(deps: QuerySessionsDeps) {
    this.#deps = {
      ...deps,
      openPanel: (state, session) => new ResultPanel(deps.panel, state, action => this.#act(action, session)),
      act: (action, session) => this.#act(action, session),
    };
  }

  /** Who carries out the actions of the panels: they need prompts and commands, which need the panels. */
  onAct(act: (action: PanelAction, session: QuerySession) => void): void {
    this.#act = act;
  }

  /** The session whose panel has the focus of its editor group. */
  get active(): QuerySession | undefined {
    return [...this.#open].find(session => session.panel.active);
  }

  async run(query: Query, connection: Connection): Promise<QuerySession> {
    const session = this.#sessionFor(query, connection);
    await session.run();
    return session;
  }

  show(query: Query, connection: Connection, result: Result): void {
    this.#sessionFor(query, connection).show(result);
  }

  /** Brings the panel of a question forward; false where it has none. */
  reveal(query: Query, connection: Connection): boolean {
    const session = this.#find(query, connection);
    session?.panel.reveal();
    return session !== undefined;
  }

  /** Another question in the same panel. A panel that has that question already comes forward instead. */
  async rerunAs(session: QuerySession, query: Query, connection: Connection): Promise<void> {
    const twin = this.#find(query, connection);
    if (twin && twin !== session) {
      twin.panel.reveal();
      return twin.run();
    }
    session.query = query;
    session.connection = connection;
    session.result = undefined;
    return session.run();
  }

  #sessionFor(query: Query, connection: Connection): QuerySession {
    const existing = this.#find(query, connection);
    if (existing) {
      existing.connection = connection;
      existing.panel.reveal();
      return existing;
    }
    const session = new QuerySession(this.#deps, query, connection);
    this.#open.add(session);
    session.panel.onDidDispose(() => this.#open.delete(session));
    return session;
  }

  #find(query: Query, connection: Connection): QuerySession | undefined {
    const identity = queryIdentity(query);
    return [...this.#open].find(
      session => session.connection.id === connection.id && queryIdentity(session.query) === identity,
    );
  }

  dispose(): void {
    for (const session of this.#open) session.panel.dispose();
  }
}
