import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { isAbsent, type Connection } from '../../core/connections/connection.ts';
import { GridError } from '../../core/errors.ts';
import type { Query, ResolvedQuery } from '../../core/query/query.ts';
import { addHistory } from '../../service/query/history.ts';
import type { QueryEngine } from '../../service/query/queryEngine.ts';
import type { FileSource } from '../../shared/analysis.ts';
import {
  createFileCache,
  joinSources,
  resolveSourceQuery,
  type JoinedResult,
  type SourceLoader,
} from '../../service/query/joinSources.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import type { StoredResponse, ResponseStore } from '../../service/client/responseStore.ts';
import type { Refresh, RunOptions } from '../../service/query/run.ts';
import { maxRawLength, type DisplayZone, type PanelAction, type RawResponse } from '../../shared/protocol.ts';
import type { Result } from '../../shared/result.ts';
import {
  parseView,
  serializeView,
  parseDisplay,
  getViewZone,
  type View,
  type SerializedDisplay,
  type SerializedView,
} from '../../shared/view.ts';
import { contextKeys } from '../ids.ts';
import { InputError } from '../inputError.ts';
import { showErrorMessage, withProgress } from '../messages/messages.ts';
import { resolveQueryAt } from '../query/queryArgument.ts';
import { setContext } from '../workbench.ts';
import { customTariffs, findOfferedZone } from '../settings.ts';
import { notComparableNotice, comparisonName, localize, periodName } from './comparePrompt.ts';
import { actionLabel, describeFailure } from '../messages/failures.ts';
import { prefixDatasetTitle } from '../messages/catalogue.ts';
import { runCompared, addMissingRange, type ComparedResult } from './comparedRun.ts';
import type { PanelHandlers, ResultPanel } from './resultPanel.ts';
import {
  getSavedSources,
  initialState,
  reduceSession,
  type ConfirmedPlan,
  type PanelBoard,
  type PanelRequest,
  type SessionEvent,
  type SessionStart,
  type SessionState,
} from './sessionState.ts';
import { SessionView, type SessionViewDeps } from './sessionView.ts';
import { resolveComparedQueries, type FileComparison } from '../../core/compare/comparedRanges.ts';

export interface SessionDeps extends SessionViewDeps {
  readonly engine: Pick<QueryEngine, 'run'>;
  /** Returns the current state of a connection; undefined if it was removed. */
  readonly connectionById: (id: string) => Connection | undefined;
  /** Returns the connection with a name; undefined if there is none. */
  readonly connectionByName: (name: string) => Connection | undefined;
  readonly readJoinedFile: (source: FileSource, signal: AbortSignal) => ReturnType<SourceLoader['loadFile']>;
  readonly runAction: (action: PanelAction, session: QuerySession) => void;
  /** Returns the panels that are linked with this one, including itself. */
  readonly getLinkedSessions: (session: QuerySession) => readonly QuerySession[];
  /** Called when the user chooses a time zone in a panel. */
  readonly onZoneChosen: (zone: DisplayZone) => void;
  /** Called when the pointer moves to an instant in the panel, or leaves it. */
  readonly onPointed: (session: QuerySession, instant: number | undefined) => void;
  readonly pricing: Pick<RequestPricing, 'countRequests'>;
  readonly logError: (error: unknown) => void;
  readonly saveFile: PanelHandlers['saveFile'];
  readonly responses: Pick<ResponseStore, 'store'>;
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
  #currentRun: AbortController | undefined;
  #response: StoredResponse | undefined;
  /** The result whose history is being read. */
  #resultAwaitingHistory: ComparedResult | undefined;

  constructor(deps: SessionDeps, { zone, savedId, board, ...request }: SessionStart) {
    this.#deps = deps;
    this.#state = {
      ...initialState,
      request,
      // A restored panel has only the id of its zone.
      zone: zone && findOfferedZone(zone.timeZone),
      savedId,
      board,
    };
    this.#view = new SessionView(deps, this.#state, {
      act: ({ action }) => deps.runAction(action, this),
      setZone: ({ timeZone }) => {
        for (const session of deps.getLinkedSessions(this)) session.#setZone(timeZone);
        deps.onZoneChosen(this.zone);
      },
      readResponse: async () => this.#readResponse(),
      viewChanged: async view => this.#viewChanged(parseView(view)),
      pointed: ({ instant }) => deps.onPointed(this, instant),
      tabOpened: () => void setContext(contextKeys.hasRead, true),
      saveFile: deps.saveFile,
    });
    this.panel.onDidDispose(() => this.#onPanelClosed());
  }

  get request(): PanelRequest {
    return this.#state.request;
  }

  get query(): Query {
    return this.request.query;
  }

  get connection(): Connection {
    return this.request.connection;
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
    return this.#view.saved && this.#state.savedId;
  }

  /** Whether the query or the view differs from the saved query. */
  get isChanged(): boolean {
    return this.#view.isChanged;
  }

  /** Returns the view in its saved form, based on `previousDisplay`. Throws InputError if it is too large. */
  serializeView(previousDisplay?: SerializedDisplay): SerializedView {
    const saved = serializeView(this.#currentView, this.zone.timeZone, previousDisplay);
    if (!parseDisplay(saved.display))
      throw new InputError(t('This view is too large to keep. Use fewer filters or arranged columns.'));
    const sources = getSavedSources(this.request);
    return Object.keys(sources).length > 0 ? { ...saved, analysis: { ...saved.analysis, ...sources } } : saved;
  }

  /** The note of the saved query. */
  get note(): string | undefined {
    return this.#view.saved?.note;
  }

  /** The view of the page, or until it reports one, that of the saved query. */
  get #currentView(): View {
    return this.#state.view ?? parseView(this.#view.saved);
  }

  get view(): View | undefined {
    return this.#state.view;
  }

  /** Applies a saved view. */
  showView(view: SerializedView): void {
    this.#dispatch({ type: 'zone', zone: findOfferedZone(getViewZone(view) ?? '') });
    this.#dispatch({ type: 'view', view: parseView(view) });
    this.panel.showView(view);
  }

  /** Associates the panel with the saved query that has this `entryId`, or with none. */
  setSavedQuery(savedId: string | undefined): void {
    this.#dispatch({ type: 'saved', savedId });
  }

  get board(): PanelBoard | undefined {
    return this.#state.board;
  }

  /** Moves the panel to a board. */
  setBoard(board: PanelBoard): void {
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

  /** Whether the panel shows a result that has only rows of its query, and no run is in progress. */
  get isIdle(): boolean {
    return this.result !== undefined && !this.#currentRun && !this.request.comparison && !this.request.join;
  }

  /** Updates the names in the panel. `ordinal` counts the panels with the same name, from 1. */
  updateNames(ordinal: number): void {
    this.#dispatch({ type: 'ordinal', ordinal });
    this.#view.updateNames();
  }

  cancel(): void {
    this.#currentRun?.abort();
  }

  /** Shows a result that was fetched elsewhere, instead of running the query. */
  showResult(result: Result): void {
    this.cancel();
    this.#currentRun = undefined;
    this.#onResult(result);
  }

  /** Sets the query of the next run. The result stays on screen if the query is the same. */
  setRequest(request: PanelRequest): void {
    this.#dispatch({ type: 'requestChanged', request });
  }

  /** Marks the revisions as seen, so that the next run no longer shows them. */
  markRevisionsSeen(): void {
    this.#dispatch({ type: 'revisionsSeen' });
  }

  /** Updates the connection after its name or key changed. */
  updateConnection(connection: Connection): void {
    this.#dispatch({ type: 'connectionChanged', connection });
  }

  /** Confirms or declines the displayed plan. */
  confirmPlan(isConfirmed: boolean): void {
    this.#state.running?.confirmation?.reply(isConfirmed);
  }

  /** Resolves the range of a query to instants. Throws InputError. */
  resolve(query: Query = this.query): ResolvedQuery {
    return resolveQueryAt(query, this.#deps.nowAt(this.connection));
  }

  /** Requests the earlier weeks that are not in the archive, after the user confirms the price, and compares with them. */
  async requestEarlier(): Promise<void> {
    const range = this.result?.history?.missingRange;
    if (range !== undefined) await this.run('never', undefined, this.resolve({ ...this.query, range }));
  }

  /**
   * Runs the query. Resolves when the panel shows the result or the failure; if canceled, it shows the previous content again.
   * `earlier` is an additional range to request first, for comparison.
   */
  async run(refresh: Refresh = 'ifStale', confirmed?: ConfirmedPlan, earlier?: ResolvedQuery): Promise<void> {
    this.cancel();
    const run = new AbortController();
    this.#currentRun = run;
    const isCurrent = (): boolean => this.#currentRun === run;
    this.#dispatch({ type: 'runStarted', refresh });
    try {
      const { connection: previousConnection } = this;
      const connection = isAbsent(previousConnection)
        ? previousConnection
        : this.#deps.connectionById(previousConnection.id);
      if (!connection) throw createRemovedError(previousConnection);
      this.updateConnection(connection);
      const options: RunOptions = {
        signal: run.signal,
        refresh,
        group: confirmed?.together,
        preview: true,
        isRecorded: true,
        savedEntryId: this.savedId,
        confirmations: confirmed ? 'beyondPlan' : 'all',
      };
      const running = this.#runAfterEarlier(earlier, options, isCurrent);
      const location = vscode.ProgressLocation.Window;
      const result = await withProgress({ location, title: this.title }, async () => running);
      const pricedResult =
        refresh === 'never' ? await addMissingRange(result, this.resolve(), connection, this.#deps) : result;
      const resultWithHistory = await this.#appendHistory(pricedResult, run.signal);
      if (isCurrent()) this.#onResult(resultWithHistory);
    } catch (error) {
      if (isCurrent()) this.#onFailure(error);
    } finally {
      if (isCurrent()) this.#currentRun = undefined;
    }
    // If the run failed, the previous result is still shown and may lack its history.
    await this.#loadHistory();
  }

  /** Requests the earlier hours, then runs the query, whose cost includes their requests. */
  async #runAfterEarlier(
    earlier: ResolvedQuery | undefined,
    options: RunOptions,
    isCurrent: () => boolean,
  ): Promise<ComparedResult> {
    const earlierOptions: RunOptions = { ...options, refresh: 'ifStale', preview: false };
    const earlierResult =
      earlier && (await this.#runAndDispatch(earlier, earlierOptions, isCurrent, t('previous weeks')));
    const result = await this.#runWithComparison(this.resolve(), options, isCurrent);
    if (!earlierResult) return result;
    const { provenance } = result;
    const requestsSpent = provenance.requestsSpent + earlierResult.provenance.requestsSpent;
    const failure = provenance.failure ?? earlierResult.provenance.failure;
    return { ...result, provenance: { ...provenance, requestsSpent, ...(failure && { failure }) } };
  }

  /** Runs the query, and the other ranges of a comparison. A comparison that is no longer possible ends with a notice. */
  async #runWithComparison(
    query: ResolvedQuery,
    options: RunOptions,
    isCurrent: () => boolean,
  ): Promise<ComparedResult> {
    const { comparison, connection } = this.request;
    const { signal = new AbortController().signal } = options;
    const loadFile = createFileCache(async source => this.#deps.readJoinedFile(source, signal));
    if (!comparison) return this.#runPeriod(query, options, isCurrent, loadFile);
    if (comparison.kind === 'file') {
      const result = await this.#runPeriod(query, options, isCurrent, loadFile);
      try {
        return await this.#deps.compareWithFile(result, query, comparison, options.signal);
      } catch (error) {
        const notice = describeFailure(error)?.sentence;
        if (notice && isCurrent()) this.setRequest({ ...this.request, comparison: undefined, notice });
        return result;
      }
    }
    const others = resolveComparedQueries(comparison, query, this.#deps.nowAt(connection));
    const name = comparisonName(comparison);
    if (!others) {
      this.setRequest({ ...this.request, comparison: undefined, notice: notComparableNotice(name, query) });
      return this.#runPeriod(query, options, isCurrent, loadFile);
    }
    const align = comparison.kind === 'range' ? 'position' : comparison.align;
    // Only the query's own range is previewed while it loads, and only its plan was confirmed.
    const otherOptions: RunOptions = { ...options, preview: false, group: undefined, confirmations: 'all' };
    const getName = (comparedQuery: ResolvedQuery): string => periodName(comparison, comparedQuery);
    return runCompared(query, others, { align, getName, localize }, async periodQuery =>
      periodQuery === query
        ? this.#runPeriod(query, options, isCurrent, loadFile)
        : this.#runPeriod(periodQuery, otherOptions, isCurrent, loadFile, getName(periodQuery)),
    );
  }

  /** Runs the query of one period, and joins the columns of the other sources. */
  async #runPeriod(
    query: ResolvedQuery,
    options: RunOptions,
    isCurrent: () => boolean,
    loadFile: SourceLoader['loadFile'],
    comparedWith?: string,
  ): Promise<JoinedResult> {
    const result = await this.#runAndDispatch(query, options, isCurrent, comparedWith);
    const otherOptions: RunOptions = { ...options, preview: false, group: undefined, confirmations: 'all' };
    const { join = [] } = this.request;
    const loader: SourceLoader = {
      tariffs: customTariffs().tariffs,
      loadFile,
      runQuery: async source => {
        const { name } = source;
        const connection =
          source.connection === undefined ? this.connection : this.#deps.connectionByName(source.connection);
        const sourceQuery = resolveSourceQuery(source, query, this.#deps.nowAt(this.connection));
        if (!connection || !sourceQuery) throw new GridError('sourceUnusable', { file: name });
        return this.#runAndDispatch(sourceQuery, otherOptions, isCurrent, name, connection);
      },
    };
    const derivedNames = this.#currentView.derived.map(({ name }) => name);
    return joinSources(result, join, loader, derivedNames);
  }

  /** Adds the earlier rows that the view compares with, and the price of the ones that were never requested. */
  async #appendHistory(result: ComparedResult, signal?: AbortSignal): Promise<ComparedResult> {
    const { connection, query } = this;
    const { events } = this.#currentView;
    const target = { query: this.resolve(), connection, signal };
    const resultWithHistory = await addHistory(result, events.kind, target, this.#deps);
    const { missingRange } = resultWithHistory.history ?? {};
    if (!resultWithHistory.history || missingRange === undefined) return resultWithHistory;
    const { requests, hasKey } = await this.#deps.pricing.countRequests(
      this.resolve({ ...query, range: missingRange }),
      connection,
    );
    return { ...resultWithHistory, history: { ...resultWithHistory.history, ...(hasKey && { requests }) } };
  }

  async #viewChanged(view: View): Promise<void> {
    this.#dispatch({ type: 'view', view });
    await this.#loadHistory();
  }

  /** Adds the earlier rows to the displayed result if it has none. */
  async #loadHistory(): Promise<void> {
    const { result } = this;
    if (!result || result.history || this.#currentRun || this.#resultAwaitingHistory === result) return;
    this.#resultAwaitingHistory = result;
    try {
      const { history } = await this.#appendHistory(result);
      if (history && this.result === result) this.#dispatch({ type: 'history', history });
    } finally {
      this.#resultAwaitingHistory = undefined;
    }
  }

  /** Runs a query and dispatches its events as long as its run is the current one. */
  async #runAndDispatch(
    query: ResolvedQuery,
    options: RunOptions,
    isCurrent: () => boolean,
    comparedWith?: string,
    connection = this.connection,
  ): Promise<Result> {
    if (isCurrent()) this.#dispatch({ type: 'requesting', query, comparedWith });
    const run = this.#deps.engine.run(query, connection, options);
    for await (const event of run) {
      if (!isCurrent() || event.type === 'done' || event.type === 'failed') break;
      this.#dispatch(event);
    }
    return run.result;
  }

  #onResult(result: ComparedResult): void {
    this.#storeResponse(result);
    this.#dispatch({ type: 'done', result });
    void setContext(contextKeys.hasRun, true);
    // A part is missing or outdated: the rest is shown, and a notification offers what to do.
    const { failure } = result.provenance;
    const message = failure && describeFailure(this.lastError);
    if (message) void this.#notify(prefixDatasetTitle(failure.dataset, message.sentence), message.actions);
  }

  #onFailure(error: unknown): void {
    if (!(error instanceof GridError) && describeFailure(error)) this.#deps.logError(error);
    const { result, running } = this.#state;
    if (!result && running?.rows) this.#storeResponse(running.rows.result);
    this.#dispatch({ type: 'failed', error });
    const { outcome } = this.#state;
    const message = outcome?.type === 'failed' ? describeFailure(outcome.error) : undefined;
    // Without a result, the panel itself shows the error.
    if (this.result && message) void this.#notify(message.sentence, message.actions);
  }

  #dispatch(event: SessionEvent): void {
    this.#state = reduceSession(this.#state, event, this.#deps.nowAt(this.connection));
    this.#view.show(this.#state);
  }

  /** Cancels the run without a message, because the panel was closed. */
  #onPanelClosed(): void {
    const run = this.#currentRun;
    this.#currentRun = undefined;
    run?.abort();
    void this.#response?.dispose();
  }

  #storeResponse({ bodies }: Result): void {
    void this.#response?.dispose();
    this.#response = this.#deps.responses.store(bodies);
  }

  /** Returns the text of the last response or its beginning; empty if all rows came from the archive. Throws InputError if it was deleted. */
  async response(characters?: number): Promise<string> {
    try {
      return (await this.#response?.readText(characters)) ?? '';
    } catch (error) {
      this.#deps.logError(error);
      throw new InputError(
        t("The response is no longer on disk. Run 'Refresh, Ignoring Archive' to request it again."),
      );
    }
  }

  async #readResponse(): Promise<RawResponse | undefined> {
    const response = this.#response;
    const text = await this.response(maxRawLength + 1);
    // A newer response has replaced it: the page will ask again.
    if (response !== this.#response) return undefined;
    const { requests = [], requestsSpent = 0 } = this.result?.provenance ?? {};
    return { text, requests, requestsSpent };
  }

  #setZone(timeZone: string): void {
    const zone = findOfferedZone(timeZone);
    if (!zone) throw new InputError(t("Unknown time zone '{0}'. Use UTC or SAST.", timeZone));
    this.#dispatch({ type: 'zone', zone });
  }

  async #notify(sentence: string, actions: readonly PanelAction[]): Promise<void> {
    const choices = actions.map(action => ({ title: actionLabel(action), action }));
    const selected = await showErrorMessage(sentence, ...choices);
    if (selected) this.#deps.runAction(selected.action, this);
  }
}

function createRemovedError({ name }: Connection): InputError {
  return new InputError(t("The connection '{0}' was removed. Add it again, or run the query with another one.", name));
}
