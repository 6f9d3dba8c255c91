import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { isAbsent, type Connection } from '../../core/connections/connection.ts';
import { GridError } from '../../core/errors.ts';
import type { Query, ResolvedQuery } from '../../core/query/query.ts';
import { withHistory } from '../../service/query/history.ts';
import type { QueryEngine } from '../../service/query/queryEngine.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import type { StoredResponse, ResponseStore } from '../../service/client/responseStore.ts';
import type { Refresh, RunOptions } from '../../service/query/run.ts';
import { longestRaw, type DisplayZone, type PanelAction, type RawResponse } from '../../shared/protocol.ts';
import type { Result } from '../../shared/result.ts';
import {
  readView,
  savedView,
  savedDisplayOf,
  zoneOfView,
  type PanelView,
  type SavedDisplay,
  type SavedView,
} from '../../shared/savedView.ts';
import { contextKeys } from '../ids.ts';
import { InputError } from '../inputError.ts';
import { showErrorMessage, withProgress } from '../messages/messages.ts';
import { resolvedNow } from '../query/queryArgument.ts';
import { setContext } from '../workbench.ts';
import { zoneOfPage } from '../settings.ts';
import { cannotCompare, comparisonName, comparisonText, periodName } from './comparePrompt.ts';
import { actionLabel, failureWords } from '../messages/failures.ts';
import { aboutDataset } from '../messages/catalogue.ts';
import { runCompared, withLack, type ComparedResult } from './comparedRun.ts';
import type { PanelHandlers, ResultPanel } from './resultPanel.ts';
import {
  comparedPeriodOf,
  initialState,
  reduce,
  type ConfirmedPlan,
  type PanelBoard,
  type PanelQuery,
  type SessionEvent,
  type SessionStart,
  type SessionState,
} from './sessionState.ts';
import { SessionView, type SessionViewDeps } from './sessionView.ts';
import { comparedQueries, type FileComparison } from '../../core/compare/comparedRanges.ts';

export interface SessionDeps extends SessionViewDeps {
  readonly engine: Pick<QueryEngine, 'run'>;
  /** Returns the current state of a connection; undefined if it was removed. */
  readonly connectionById: (id: string) => Connection | undefined;
  readonly act: (action: PanelAction, session: QuerySession) => void;
  /** Returns the panels that are linked with this one, including itself. */
  readonly linked: (session: QuerySession) => readonly QuerySession[];
  /** Called when the person chooses a time zone in a panel. */
  readonly zoneChosen: (zone: DisplayZone) => void;
  /** Called when the pointer moves to an instant in the panel, or leaves it. */
  readonly pointed: (session: QuerySession, instant: number | undefined) => void;
  readonly pricing: Pick<RequestPricing, 'requestsOf'>;
  readonly logError: (error: unknown) => void;
  readonly saveFile: PanelHandlers['saveFile'];
  readonly responses: Pick<ResponseStore, 'keep'>;
  readonly compareWithFile: (
    result: Result,
    query: ResolvedQuery,
    comparison: FileComparison,
    signal: AbortSignal | undefined,
  ) => Promise<ComparedResult>;
}

/**
 * One query and its runs, shown in a panel. Each event creates a new state, which the view shows. A newer run cancels an older
 * one, whose events are ignored from then on.
 */
export class QuerySession {
  readonly #deps: SessionDeps;
  readonly #view: SessionView;
  #state: SessionState;
  #current: AbortController | undefined;
  #response: StoredResponse | undefined;
  /** The result whose history is being read. */
  #reading: ComparedResult | undefined;

  constructor(deps: SessionDeps, { zone, saved, board, ...question }: SessionStart) {
    this.#deps = deps;
    this.#state = {
      ...initialState,
      question,
      // A restored panel has only the id of its zone.
      zone: zone && zoneOfPage(zone.timeZone),
      saved,
      board,
    };
    this.#view = new SessionView(deps, this.#state, {
      act: ({ action }) => deps.act(action, this),
      setZone: ({ timeZone }) => {
        for (const session of deps.linked(this)) session.#setZone(timeZone);
        deps.zoneChosen(this.zone);
      },
      readResponse: async () => this.#readResponse(),
      viewChanged: async view => this.#viewChanged(readView(view)),
      pointed: ({ instant }) => deps.pointed(this, instant),
      tabOpened: () => void setContext(contextKeys.hasRead, true),
      saveFile: deps.saveFile,
    });
    this.panel.onDidDispose(() => this.#abandon());
  }

  get question(): PanelQuery {
    return this.#state.question;
  }

  get query(): Query {
    return this.question.query;
  }

  get connection(): Connection {
    return this.question.connection;
  }

  get panel(): ResultPanel {
    return this.#view.panel;
  }

  get title(): string {
    return this.#view.title;
  }

  get name(): string {
    return this.#view.name;
  }

  get zone(): DisplayZone {
    return this.#view.zone;
  }

  /** The time zone of the days in a range that is chosen in the panel. */
  get rangeZone(): DisplayZone {
    return this.#view.rangeZone;
  }

  /** The `entryId` of the saved query that the panel belongs to; undefined if there is none or it was deleted. */
  get savedId(): string | undefined {
    return this.#view.saved && this.#state.saved;
  }

  /** Whether the query or the view differs from the saved query. */
  get isChanged(): boolean {
    return this.#view.isChanged;
  }

  /** Returns the view in its saved form, based on the display `before`. Throws InputError if it is too large. */
  savedView(before?: SavedDisplay): SavedView {
    const saved = savedView(this.#state.view ?? readView(this.#view.saved), this.zone.timeZone, before);
    if (!savedDisplayOf(saved.display))
      throw new InputError(t('This view is too large to keep. Use fewer filters or arranged columns.'));
    const compare = comparedPeriodOf(this.question);
    return compare ? { ...saved, analysis: { ...saved.analysis, compare } } : saved;
  }

  /** The note of the saved query. */
  get note(): string | undefined {
    return this.#view.saved?.note;
  }

  get view(): PanelView | undefined {
    return this.#state.view;
  }

  /** Applies a saved view. */
  showView(view: SavedView): void {
    this.#dispatch({ type: 'zone', zone: zoneOfPage(zoneOfView(view) ?? '') });
    this.#dispatch({ type: 'view', view: readView(view) });
    this.panel.showView(view);
  }

  /** Associates the panel with the saved query that has this `entryId`, or with none. */
  belongTo(saved: string | undefined): void {
    this.#dispatch({ type: 'saved', saved });
  }

  get board(): PanelBoard | undefined {
    return this.#state.board;
  }

  /** Moves the panel to a board. */
  join(board: PanelBoard): void {
    this.#dispatch({ type: 'board', board });
  }

  /** The latest result, without the response text if it has a table. */
  get result(): ComparedResult | undefined {
    return this.#state.result;
  }

  get lastError(): unknown {
    return this.#state.lastError;
  }

  get lastRefresh(): Refresh {
    return this.#state.lastRefresh;
  }

  /** Whether the panel shows a result and has neither a run in progress nor a comparison. */
  get isAtRest(): boolean {
    return this.result !== undefined && !this.#current && !this.question.comparison;
  }

  /** Updates the names in the panel. `ordinal` counts the panels with the same name, from 1. */
  showNames(ordinal: number): void {
    this.#dispatch({ type: 'ordinal', ordinal });
    this.#view.showNames();
  }

  cancel(): void {
    this.#current?.abort();
  }

  /** Shows a result that was fetched elsewhere, instead of running the query. */
  show(result: Result): void {
    this.cancel();
    this.#current = undefined;
    this.#answered(result);
  }

  /** Sets the query of the next run. The result stays on screen if the query is the same. */
  change(question: PanelQuery): void {
    this.#dispatch({ type: 'changed', question });
  }

  /** Marks the revisions as seen, so that the next run no longer shows them. */
  revisionsSeen(): void {
    this.#dispatch({ type: 'revisionsSeen' });
  }

  /** Updates the connection after its name or key changed. */
  renewConnection(connection: Connection): void {
    this.#dispatch({ type: 'renewed', connection });
  }

  /** Confirms or declines the displayed plan. */
  answerPlan(isConfirmed: boolean): void {
    this.#state.running?.question?.answer(isConfirmed);
  }

  /** Resolves the range of a query to instants. Throws InputError. */
  resolved(query: Query = this.query): ResolvedQuery {
    return resolvedNow(query, this.#deps.nowAt(this.connection));
  }

  /** Requests the earlier weeks that are not in the archive, after the person confirms the price, and compares with them. */
  async requestEarlier(): Promise<void> {
    const range = this.result?.history?.lacking;
    if (range !== undefined) await this.run('never', undefined, this.resolved({ ...this.query, range }));
  }

  /**
   * Runs the query. Resolves when the panel shows the result or the failure; if canceled, it shows the previous content again.
   * `earlier` is an additional range to request first, for comparison.
   */
  async run(refresh: Refresh = 'ifStale', confirmed?: ConfirmedPlan, earlier?: ResolvedQuery): Promise<void> {
    this.cancel();
    const run = new AbortController();
    this.#current = run;
    const isCurrent = (): boolean => this.#current === run;
    this.#dispatch({ type: 'begun', refresh });
    try {
      const { connection: before } = this;
      const connection = isAbsent(before) ? before : this.#deps.connectionById(before.id);
      if (!connection) throw removedConnection(before);
      this.renewConnection(connection);
      const options: RunOptions = {
        signal: run.signal,
        refresh,
        together: confirmed?.together,
        preview: true,
        recorded: true,
        saved: this.savedId,
        confirms: confirmed ? 'beyondPlan' : 'all',
      };
      const asking = this.#askAfter(earlier, options, isCurrent);
      const location = vscode.ProgressLocation.Window;
      const result = await withProgress({ location, title: this.title }, async () => asking);
      const shown = refresh === 'never' ? await withLack(result, this.resolved(), connection, this.#deps) : result;
      const whole = await this.#withHistory(shown, run.signal);
      if (isCurrent()) this.#answered(whole);
    } catch (error) {
      if (isCurrent()) this.#failed(error);
    } finally {
      if (isCurrent()) this.#current = undefined;
    }
    // If the run failed, the previous result is still shown and may lack its history.
    await this.#addHistory();
  }

  /** Requests the earlier hours, then runs the query, whose cost includes their requests. */
  async #askAfter(
    earlier: ResolvedQuery | undefined,
    options: RunOptions,
    isCurrent: () => boolean,
  ): Promise<ComparedResult> {
    const ofEarlier: RunOptions = { ...options, refresh: 'ifStale', preview: false };
    const before = earlier && (await this.#follow(earlier, ofEarlier, isCurrent, t('the weeks before')));
    const result = await this.#ask(this.resolved(), options, isCurrent);
    if (!before) return result;
    const { provenance } = result;
    const requestsSpent = provenance.requestsSpent + before.provenance.requestsSpent;
    const failure = provenance.failure ?? before.provenance.failure;
    return { ...result, provenance: { ...provenance, requestsSpent, ...(failure && { failure }) } };
  }

  /** Runs the query, and the other ranges of a comparison. A comparison that is no longer possible ends with a notice. */
  async #ask(query: ResolvedQuery, options: RunOptions, isCurrent: () => boolean): Promise<ComparedResult> {
    const { comparison, connection } = this.question;
    if (!comparison) return this.#follow(query, options, isCurrent);
    if (comparison.kind === 'file') {
      const result = await this.#follow(query, options, isCurrent);
      try {
        return await this.#deps.compareWithFile(result, query, comparison, options.signal);
      } catch (error) {
        const notice = failureWords(error)?.sentence;
        if (notice && isCurrent()) this.change({ ...this.question, comparison: undefined, notice });
        return result;
      }
    }
    const others = comparedQueries(comparison, query, this.#deps.nowAt(connection));
    const name = comparisonName(comparison);
    if (!others) {
      this.change({ ...this.question, comparison: undefined, notice: cannotCompare(name, query) });
      return this.#follow(query, options, isCurrent);
    }
    const align = comparison.kind === 'range' ? 'position' : comparison.align;
    // Only the query's own range is previewed while it loads, and only its plan was confirmed.
    const ofOther: RunOptions = { ...options, preview: false, together: undefined, confirms: 'all' };
    const nameOf = (other: ResolvedQuery): string => periodName(comparison, other);
    return runCompared(query, others, { align, nameOf, say: comparisonText }, async asked =>
      asked === query
        ? this.#follow(query, options, isCurrent)
        : this.#follow(asked, ofOther, isCurrent, nameOf(asked)),
    );
  }

  /** Adds the earlier rows that the view compares with, and the price of the ones that were never requested. */
  async #withHistory(result: ComparedResult, signal?: AbortSignal): Promise<ComparedResult> {
    const { connection, query } = this;
    const { events } = this.#state.view ?? readView(this.#view.saved);
    const asked = { query: this.resolved(), connection, signal };
    const whole = await withHistory(result, events.kind, asked, this.#deps);
    const { lacking } = whole.history ?? {};
    if (!whole.history || lacking === undefined) return whole;
    const { requests, hasKey } = await this.#deps.pricing.requestsOf(
      this.resolved({ ...query, range: lacking }),
      connection,
    );
    return { ...whole, history: { ...whole.history, ...(hasKey && { requests }) } };
  }

  async #viewChanged(view: PanelView): Promise<void> {
    this.#dispatch({ type: 'view', view });
    await this.#addHistory();
  }

  /** Adds the earlier rows to the displayed result if it has none. */
  async #addHistory(): Promise<void> {
    const { result } = this;
    if (!result || result.history || this.#current || this.#reading === result) return;
    this.#reading = result;
    try {
      const { history } = await this.#withHistory(result);
      if (history && this.result === result) this.#dispatch({ type: 'history', history });
    } finally {
      this.#reading = undefined;
    }
  }

  /** Runs a query and dispatches its events as long as its run is the current one. */
  async #follow(
    query: ResolvedQuery,
    options: RunOptions,
    isCurrent: () => boolean,
    comparedWith?: string,
  ): Promise<Result> {
    if (isCurrent()) this.#dispatch({ type: 'requesting', query, comparedWith });
    const run = this.#deps.engine.run(query, this.connection, options);
    for await (const event of run) {
      if (!isCurrent() || event.type === 'done' || event.type === 'failed') break;
      this.#dispatch(event);
    }
    return run.result;
  }

  #answered(result: ComparedResult): void {
    this.#keepResponse(result);
    this.#dispatch({ type: 'done', result });
    void setContext(contextKeys.hasRun, true);
    // A part is missing or outdated: the rest is shown, and a notification offers what to do.
    const { failure } = result.provenance;
    const words = failure && failureWords(this.lastError);
    if (words) void this.#notify(aboutDataset(failure.dataset, words.sentence), words.actions);
  }

  #failed(error: unknown): void {
    if (!(error instanceof GridError) && failureWords(error)) this.#deps.logError(error);
    const { result, running } = this.#state;
    if (!result && running?.rows) this.#keepResponse(running.rows.result);
    this.#dispatch({ type: 'failed', error });
    const { outcome } = this.#state;
    const words = outcome?.type === 'failed' ? failureWords(outcome.error) : undefined;
    // Without a result, the panel itself shows the error.
    if (this.result && words) void this.#notify(words.sentence, words.actions);
  }

  #dispatch(event: SessionEvent): void {
    this.#state = reduce(this.#state, event, this.#deps.nowAt(this.connection));
    this.#view.show(this.#state);
  }

  /** Cancels the run without a message, because the panel was closed. */
  #abandon(): void {
    const run = this.#current;
    this.#current = undefined;
    run?.abort();
    void this.#response?.dispose();
  }

  #keepResponse({ bodies }: Result): void {
    void this.#response?.dispose();
    this.#response = this.#deps.responses.keep(bodies);
  }

  /** Returns the text of the last response or its beginning; empty if all rows came from the archive. Throws InputError if it was deleted. */
  async response(characters?: number): Promise<string> {
    try {
      return (await this.#response?.text(characters)) ?? '';
    } catch (error) {
      this.#deps.logError(error);
      throw new InputError(
        t("The response is no longer on disk. Run 'Refresh, Ignoring Archive' to request it again."),
      );
    }
  }

  async #readResponse(): Promise<RawResponse | undefined> {
    const response = this.#response;
    const text = await this.response(longestRaw + 1);
    // A newer response has replaced it: the page will ask again.
    if (response !== this.#response) return undefined;
    const { requests = [], requestsSpent = 0 } = this.result?.provenance ?? {};
    return { text, requests, requestsSpent };
  }

  #setZone(timeZone: string): void {
    const zone = zoneOfPage(timeZone);
    if (!zone) throw new InputError(t("Unknown time zone '{0}'. Use UTC or SAST.", timeZone));
    this.#dispatch({ type: 'zone', zone });
  }

  async #notify(sentence: string, actions: readonly PanelAction[]): Promise<void> {
    const choices = actions.map(action => ({ title: actionLabel(action), action }));
    const chosen = await showErrorMessage(sentence, ...choices);
    if (chosen) this.#deps.act(chosen.action, this);
  }
}

function removedConnection({ name }: Connection): InputError {
  return new InputError(t("The connection '{0}' was removed. Add it again, or run the query with another one.", name));
}
