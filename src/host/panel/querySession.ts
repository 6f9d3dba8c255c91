import * as vscode from 'vscode';
import { datasetById } from '../../core/catalogue.ts';
import type { Connection } from '../../core/connection.ts';
import { GridError, type FailureReason } from '../../core/errors.ts';
import { resolveQuery, type Query, type ResolvedQuery } from '../../core/query.ts';
import { zoneNamed } from '../../core/zone.ts';
import type { Refresh, RunOptions } from '../../service/runOptions.ts';
import type { QueryService } from '../../service/queryService.ts';
import type { DisplayZone, PanelAction, ViewState } from '../../shared/protocol.ts';
import type { Result } from '../../shared/result.ts';
import { InputError } from '../inputError.ts';
import { displayZone } from '../settings.ts';
import { actionLabel, failureWords } from '../words/failures.ts';
import { intervalName } from '../words/numbers.ts';
import { planText, progressText, sharedText, waitText } from '../words/waiting.ts';
import { problemSentence } from '../words/problems.ts';
import { headerOf, offers, resultState, type Showing } from '../words/resultState.ts';
import { runCompared, type ComparedResult, type Comparison } from './comparedRun.ts';
import { PartialAnswer } from './partialAnswer.ts';
import { PlanQuestion, planState } from './planQuestion.ts';
import type { PageEvent, PanelContent, ResultPanel } from './resultPanel.ts';
import { savedQuestion } from './savedPanel.ts';

export interface SessionDeps {
  readonly service: Pick<QueryService, 'run'>;
  /** The connection as it is now; undefined once it was removed. */
  readonly connectionById: (id: string) => Connection | undefined;
  /** The present by the connection's service. */
  readonly nowAt: QueryService['nowAt'];
  readonly logError: (error: unknown) => void;
  readonly openPanel: (content: PanelContent) => ResultPanel;
  readonly act: (action: PanelAction, session: QuerySession) => void;
  readonly saveFile: (name: string, data: Uint8Array) => void;
}

/** What a session begins with. */
export interface SessionStart {
  readonly query: Query;
  readonly connection: Connection;
  readonly zone?: DisplayZone | undefined;
}

/** One question, its panel and its latest answer. A newer run always wins over the late answer of an older one. */
export class QuerySession {
  readonly #deps: SessionDeps;
  readonly panel: ResultPanel;
  query: Query;
  connection: Connection;
  result: ComparedResult | undefined;
  lastError: unknown;
  /** How the last run was meant: a run that failed is tried again in the same way. */
  lastRefresh: Refresh = 'ifStale';
  /** The other period that this one is held against. */
  comparison: Comparison | undefined;
  /** Chosen in the panel; undefined: that of the setting. */
  #zone: DisplayZone | undefined;
  #current: AbortController | undefined;
  readonly #plan = new PlanQuestion();
  #partial = new PartialAnswer();

  constructor(deps: SessionDeps, start: SessionStart) {
    this.#deps = deps;
    this.query = start.query;
    this.connection = start.connection;
    this.#zone = start.zone;
    this.panel = deps.openPanel({
      state: this.#loading(),
      question: () => savedQuestion(this.query, this.connection.id, this.#zone),
      take: event => this.#take(event),
    });
    this.panel.onDidDispose(() => this.#abandon());
  }

  /** `System state · last 7 days · hourly`. */
  get title(): string {
    const { dataset, range, interval } = this.query;
    return [datasetById(dataset)?.title ?? dataset, range, intervalName(interval)].join(' · ');
  }

  /** The zone of the times in the panel. */
  get zone(): DisplayZone {
    return this.#zone ?? displayZone();
  }

  /** It shows its answer and nothing else: no run, no comparison. */
  get isAtRest(): boolean {
    return this.result !== undefined && !this.#current && !this.comparison;
  }

  cancel(): void {
    this.#current?.abort();
  }

  /** The panel is gone: a run that is under way ends, and nobody is told. */
  #abandon(): void {
    const run = this.#current;
    this.#current = undefined;
    run?.abort();
  }

  /** Takes a result that is there already. */
  show(result: Result): void {
    this.cancel();
    this.#current = undefined;
    this.#accept(result);
  }

  /** Another question in this panel; the next run asks it. */
  change(query: Query, connection: Connection): void {
    this.query = query;
    this.connection = connection;
    this.comparison = undefined;
    this.result = undefined;
    this.#keepQuestion();
  }

  /** The answer to a plan that was shown: whether it goes on. */
  answerPlan(goesOn: boolean): void {
    this.#plan.answer(goesOn);
  }

  /** The query with its instants. Throws InputError. */
  resolved(query: Query = this.query): ResolvedQuery {
    const resolution = resolveQuery(query, this.#deps.nowAt(this.connection), displayZone().timeZone);
    if (!resolution.ok) throw new InputError(problemSentence(resolution));
    return resolution.value;
  }

  /** Asks the service; ends when the panel shows the answer, the failure or, cancelled, what it showed before. */
  async run(refresh: Refresh = 'ifStale'): Promise<void> {
    // Read from the archive alone: what failed then is tried with requests.
    this.lastRefresh = refresh === 'never' ? 'ifStale' : refresh;
    this.cancel();
    const run = new AbortController();
    this.#current = run;
    const isCurrent = (): boolean => this.#current === run;
    this.#partial = new PartialAnswer();
    this.panel.show(this.#loading());
    try {
      this.connection = this.#deps.connectionById(this.connection.id) ?? this.#removed();
      const query = this.resolved();
      const options = this.#options(query, run.signal, refresh, isCurrent);
      const { comparison, connection } = this;
      // Only the question itself fills the table as it comes.
      const optionsOf = (asked: ResolvedQuery): RunOptions =>
        asked === query ? options : { ...options, onProgress: undefined };
      const ask = async (asked: ResolvedQuery): Promise<Result> =>
        this.#deps.service.run(asked, connection, optionsOf(asked));
      const asking = comparison ? this.#compared(query, comparison, ask) : ask(query);
      const location = vscode.ProgressLocation.Window;
      const result = await vscode.window.withProgress({ location, title: this.title }, async () => asking);
      if (isCurrent()) this.#accept(result);
    } catch (error) {
      if (isCurrent()) this.#fail(error);
    } finally {
      if (isCurrent()) this.#current = undefined;
    }
  }

  async #compared(
    query: ResolvedQuery,
    comparison: Comparison,
    ask: (query: ResolvedQuery) => Promise<Result>,
  ): Promise<ComparedResult> {
    const other = this.resolved({ ...this.query, range: comparison.range });
    return runCompared(query, other, comparison, displayZone().timeZone, ask);
  }

  #options(query: ResolvedQuery, signal: AbortSignal, refresh: Refresh, isCurrent: () => boolean): RunOptions {
    let progress = '';
    return {
      signal,
      refresh,
      onWait: ms => {
        if (isCurrent()) this.panel.show(this.#loading(waitText(ms, query.dataset, progress)));
      },
      onShared: waits => {
        if (isCurrent() && waits) this.panel.show(this.#loading(sharedText(progress)));
      },
      onProgress: (soFar, parts) => {
        if (!isCurrent()) return;
        progress = progressText(soFar, parts);
        this.#showPartial(soFar, progress);
      },
      onPlan: async (price, steps) => isCurrent() && this.#askPlan(planText(price, steps, query), signal),
    };
  }

  /** What has come, in its place already, while the rest is on its way. */
  #showPartial(soFar: Result, progress: string): void {
    if (this.#partial.take(soFar, this.#deps.nowAt(this.connection)))
      this.panel.show(resultState(soFar, this.#showing()));
    if (this.#partial.soFar) this.panel.show(this.#loading(progress));
  }

  async #askPlan(sentence: string, signal: AbortSignal): Promise<boolean> {
    this.panel.show(planState(this.title, this.#header(), sentence));
    const goesOn = await this.#plan.ask(signal);
    // The part that had come before the question is there again.
    if (goesOn && this.#partial.soFar) this.panel.show(resultState(this.#partial.soFar, this.#showing()));
    if (goesOn) this.panel.show(this.#loading());
    return goesOn;
  }

  #removed(): never {
    throw new InputError(
      vscode.l10n.t(
        'The connection “{0}” was removed. Add it again, or run the query with another one.',
        this.connection.name,
      ),
    );
  }

  #accept(result: ComparedResult): void {
    this.result = result;
    this.lastError = undefined;
    this.panel.show(resultState(result, this.#showing()));
    const { failure } = result.provenance;
    if (!failure) return;
    // A part is missing or old: what is there is shown, and what to do about the rest is said.
    this.lastError = new GridError(failure.reason as FailureReason, failure);
    const words = failureWords(this.lastError);
    if (words) void this.#notify(words.sentence, words.actions);
  }

  #fail(error: unknown): void {
    const words = failureWords(error);
    if (words) {
      this.lastError = error;
      if (!(error instanceof GridError)) this.#deps.logError(error);
    }
    const sentence =
      words?.sentence ??
      (this.#partial.soFar
        ? vscode.l10n.t('The query was cancelled before all of it came.')
        : vscode.l10n.t('The query was cancelled before an answer came.'));
    const actions = words?.actions ?? ['refresh', 'changeQuery'];
    // What came before the end is there, and in the archive.
    this.result ??= this.#partial.soFar;
    if (!this.result) {
      const view = words ? 'error' : 'empty';
      this.panel.show({ view, title: this.title, header: this.#header(), sentence, actions: offers(...actions) });
      return;
    }
    // The earlier answer stays on screen: a failed refresh loses nothing.
    this.panel.show(resultState(this.result, this.#showing(words || this.#partial.soFar ? sentence : undefined)));
    if (words) void this.#notify(sentence, words.actions);
  }

  #take(event: PageEvent): void {
    if (event.type === 'act') this.#deps.act(event.action, this);
    if (event.type === 'setZone') this.#setZone(event.timeZone);
    if (event.type === 'askRaw') this.panel.showRaw(this.result?.json ?? '');
    if (event.type === 'saveFile') this.#deps.saveFile(event.name, event.data);
  }

  #setZone(timeZone: string): void {
    const zone = zoneNamed(timeZone);
    if (!zone) throw new InputError(vscode.l10n.t('“{0}” is no time zone.', timeZone));
    this.#zone = zone;
    this.#keepQuestion();
    const shown = this.result ?? this.#partial.soFar;
    if (shown) this.panel.showZone(zone, headerOf(shown, this.#showing()));
  }

  #keepQuestion(): void {
    this.panel.keepQuestion(savedQuestion(this.query, this.connection.id, this.#zone));
  }

  async #notify(sentence: string, actions: readonly PanelAction[]): Promise<void> {
    const choices = actions.map(action => ({ title: actionLabel(action), action }));
    const chosen = await vscode.window.showErrorMessage(sentence, ...choices);
    if (chosen) this.#deps.act(chosen.action, this);
  }

  #showing(notRefreshed?: string): Showing {
    const { title, zone, comparison } = this;
    const compare: readonly PanelAction[] = comparison ? ['endComparison', 'compare'] : ['compare'];
    const others: readonly PanelAction[] = ['checkDays', 'openInNewTab', 'refreshAll'];
    const actions: readonly PanelAction[] = ['previousPeriod', 'nextPeriod', ...compare, ...others];
    return {
      title,
      zone,
      notRefreshed,
      actions,
      compared: this.result?.compared ?? [],
      comparedWith: comparison?.name,
    };
  }

  #loading(detail = vscode.l10n.t('Asking {0}…', this.connection.name)): ViewState {
    const content = this.#partial.soFar ? 'partial' : 'earlier';
    return { view: 'loading', title: this.title, detail, content, actions: offers('cancel') };
  }

  #header(): { readonly text: string }[] {
    return [{ text: this.connection.name }, { text: this.title }];
  }
}
