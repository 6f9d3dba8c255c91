import * as vscode from 'vscode';
import { datasetById } from '../../core/catalogue.ts';
import type { Connection } from '../../core/connection.ts';
import { GridError, type FailureReason } from '../../core/errors.ts';
import { resolveQuery, type Query } from '../../core/query.ts';
import type { Refresh, RunOptions } from '../../service/runOptions.ts';
import type { QueryService } from '../../service/queryService.ts';
import type { PanelAction, ViewState } from '../../shared/protocol.ts';
import type { Result } from '../../shared/result.ts';
import { InputError } from '../inputError.ts';
import { displayZone } from '../settings.ts';
import { actionLabel, failureWords } from '../words/failures.ts';
import { intervalName } from '../words/numbers.ts';
import { planText, progressText, waitText } from '../words/waiting.ts';
import { problemSentence } from '../words/problems.ts';
import { offers, resultState } from '../words/resultState.ts';
import type { ResultPanel } from './resultPanel.ts';

export interface SessionDeps {
  readonly service: Pick<QueryService, 'run'>;
  /** The connection as it is now; undefined once it was removed. */
  readonly connectionById: (id: string) => Connection | undefined;
  /** The present by the connection's service. */
  readonly nowAt: QueryService['nowAt'];
  readonly logError: (error: unknown) => void;
  readonly openPanel: (state: ViewState, session: QuerySession) => ResultPanel;
  readonly act: (action: PanelAction, session: QuerySession) => void;
}

const partialEveryMs = 2_000;
const shortTable = 10_000;

/** One question, its panel and its latest answer. A newer run always wins over the late answer of an older one. */
export class QuerySession {
  readonly #deps: SessionDeps;
  readonly panel: ResultPanel;
  query: Query;
  connection: Connection;
  result: Result | undefined;
  lastError: unknown;
  /** How the last run was meant: a run that failed is tried again in the same way. */
  lastRefresh: Refresh = 'ifStale';
  #current: AbortController | undefined;
  #answerPlan: ((goesOn: boolean) => void) | undefined;
  /** The part of the answer that has come while the rest is on its way. */
  #soFar: Result | undefined;
  #partialShownAt = 0;

  constructor(deps: SessionDeps, query: Query, connection: Connection) {
    this.#deps = deps;
    this.query = query;
    this.connection = connection;
    this.panel = deps.openPanel(this.#loading(), this);
    this.panel.onDidDispose(() => this.#abandon());
  }

  /** `System state · last 7 days · hourly`. */
  get title(): string {
    const { dataset, range, interval } = this.query;
    return [datasetById(dataset)?.title ?? dataset, range, intervalName(interval)].join(' · ');
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

  /** The answer to a plan that was shown: whether it goes on. */
  answerPlan(goesOn: boolean): void {
    this.#answerPlan?.(goesOn);
  }

  /** Asks the service; ends when the panel shows the answer, the failure or, cancelled, what it showed before. */
  async run(refresh: Refresh = 'ifStale'): Promise<void> {
    this.lastRefresh = refresh;
    this.cancel();
    const run = new AbortController();
    this.#current = run;
    const isCurrent = (): boolean => this.#current === run;
    this.#soFar = undefined;
    this.#partialShownAt = 0;
    this.panel.show(this.#loading());
    try {
      this.connection = this.#deps.connectionById(this.connection.id) ?? this.#removed();
      const resolved = resolveQuery(this.query, this.#deps.nowAt(this.connection), displayZone().timeZone);
      if (!resolved.ok) throw new InputError(problemSentence(resolved));
      const { dataset } = resolved.value;
      let progress = '';
      const options: RunOptions = {
        signal: run.signal,
        refresh,
        onWait: ms => {
          if (isCurrent()) this.panel.show(this.#loading(waitText(ms, dataset, progress)));
        },
        onProgress: (soFar, parts) => {
          if (!isCurrent()) return;
          progress = progressText(soFar, parts);
          this.#showPartial(soFar, progress);
        },
        onPlan: async (price, steps) =>
          isCurrent() ? this.#askPlan(planText(price, steps, resolved.value), run.signal) : false,
      };
      const asking = this.#deps.service.run(resolved.value, this.connection, options);
      const result = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Window, title: this.title },
        async () => asking,
      );
      if (isCurrent()) this.#accept(result);
    } catch (error) {
      if (isCurrent()) this.#fail(error);
    } finally {
      if (isCurrent()) this.#current = undefined;
    }
  }

  /** What has come, in its place already, while the rest is on its way. */
  #showPartial(soFar: Result, progress: string): void {
    if (!soFar.frame?.rowCount) return;
    this.#soFar = soFar;
    const now = this.#deps.nowAt(this.connection);
    // A long table is not sent again for every part of it.
    const isSoon = now >= this.#partialShownAt && now < this.#partialShownAt + partialEveryMs;
    if (!isSoon || soFar.frame.rowCount < shortTable) {
      this.#partialShownAt = now;
      this.panel.show(resultState(soFar, this.title, displayZone()));
    }
    this.panel.show(this.#loading(progress));
  }

  async #askPlan(sentence: string, signal: AbortSignal): Promise<boolean> {
    const actions = [
      ...offers('runPlan'),
      { action: 'changeQuery' as const, label: vscode.l10n.t('Narrow…') },
      ...offers('cancel'),
    ];
    this.panel.show({ view: 'empty', title: this.title, header: this.#header(), sentence, actions });
    if (signal.aborted) return false;
    return new Promise(resolve => {
      const answer = (goesOn: boolean): void => {
        this.#answerPlan = undefined;
        signal.removeEventListener('abort', refuse);
        // The part that had come before the question is there again.
        if (goesOn && this.#soFar) this.panel.show(resultState(this.#soFar, this.title, displayZone()));
        if (goesOn) this.panel.show(this.#loading());
        resolve(goesOn);
      };
      const refuse = (): void => answer(false);
      signal.addEventListener('abort', refuse, { once: true });
      this.#answerPlan = answer;
    });
  }

  #removed(): never {
    throw new InputError(
      vscode.l10n.t(
        'The connection “{0}” was removed. Add it again, or run the query with another one.',
        this.connection.name,
      ),
    );
  }

  #accept(result: Result): void {
    this.result = result;
    this.lastError = undefined;
    this.panel.show(resultState(result, this.title, displayZone()));
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
      (this.#soFar
        ? vscode.l10n.t('The query was cancelled before all of it came.')
        : vscode.l10n.t('The query was cancelled before an answer came.'));
    const actions = words?.actions ?? ['refresh', 'changeQuery'];
    // What came before the end is there, and in the archive.
    this.result ??= this.#soFar;
    if (!this.result) {
      const view = words ? 'error' : 'empty';
      this.panel.show({ view, title: this.title, header: this.#header(), sentence, actions: offers(...actions) });
      return;
    }
    // The earlier answer stays on screen: a failed refresh loses nothing.
    const state = resultState(this.result, this.title, displayZone(), words || this.#soFar ? sentence : undefined);
    this.panel.show(state);
    if (words) void this.#notify(sentence, words.actions);
  }

  async #notify(sentence: string, actions: readonly PanelAction[]): Promise<void> {
    const choices = actions.map(action => ({ title: actionLabel(action), action }));
    const chosen = await vscode.window.showErrorMessage(sentence, ...choices);
    if (chosen) this.#deps.act(chosen.action, this);
  }

  #loading(detail = vscode.l10n.t('Asking {0}…', this.connection.name)): ViewState {
    const content = this.#soFar ? 'partial' : 'earlier';
    return { view: 'loading', title: this.title, detail, content, actions: offers('cancel') };
  }

  #header(): { readonly text: string }[] {
    return [{ text: this.connection.name }, { text: this.title }];
  }
}
