import * as vscode from 'vscode';
import type { Comparison } from '../../core/compare/comparison.ts';
import type { Connection } from '../../core/connection.ts';
import { GridError, errorOf } from '../../core/errors.ts';
import type { Query } from '../../core/query.ts';
import type { KeptResponse, ResponseStore } from '../../service/responseStore.ts';
import type { DisplayZone, HeaderPart, PanelAction, QueryTools, ViewState } from '../../shared/protocol.ts';
import type { Result } from '../../shared/result.ts';
import { longestRaw } from '../../shared/protocol.ts';
import { contextKeys } from '../ids.ts';
import { InputError } from '../inputError.ts';
import { showErrorMessage } from '../messages.ts';
import { displayZone, zoneOfPage } from '../settings.ts';
import { setContext } from '../setContext.ts';
import { datasetTitle } from '../words/catalogue.ts';
import { actionLabel, failureWords } from '../words/failures.ts';
import { intervalName } from '../words/numbers.ts';
import { rangeText } from '../words/times.ts';
import { headerOf, offers, queryActions, resultState, type Showing } from '../words/resultState.ts';
import type { ComparedResult } from './comparedRun.ts';
import { PartialAnswer } from './partialAnswer.ts';
import { planState } from './planQuestion.ts';
import type { PageEvent, PanelContent, ResultPanel } from './resultPanel.ts';
import { savedQuestion } from './savedPanel.ts';

/** What a panel asks. */
export interface Question {
  readonly query: Query;
  readonly connection: Connection;
  /** What the period is held against. */
  readonly comparison?: Comparison | undefined;
  /** Something the person did not ask for and must know: that the comparison ended, in one sentence. */
  readonly notice?: string | undefined;
}

/** What a query is called beside what it asks. */
export interface QueryNames {
  /** The name of its connection, where that tells it from the same query to another one. */
  readonly connection: (connection: Connection) => string | undefined;
  /** The name under which it is saved; undefined where it is not. */
  readonly savedAs: (query: Query, connection: Connection) => string | undefined;
}

export interface SessionViewDeps {
  readonly logError: (error: unknown) => void;
  readonly openPanel: (content: PanelContent) => ResultPanel;
  readonly act: (action: PanelAction) => void;
  readonly saveFile: (name: string, data: Uint8Array) => void;
  readonly responses: Pick<ResponseStore, 'keep'>;
  /** What is asked now. */
  readonly question: () => Question;
  readonly names: QueryNames;
  /** The present by the connection's service. */
  readonly nowAt: (connection: Connection) => number;
}

/** What one panel shows: the latest answer, what has come of the next one, what is waited for and what failed. */
export class SessionView {
  readonly #deps: SessionViewDeps;
  readonly panel: ResultPanel;
  /** Its text is kept apart where there is a table to show. */
  #result: ComparedResult | undefined;
  #response: KeptResponse | undefined;
  lastError: unknown;
  /** Chosen in the panel; undefined: that of the setting. */
  #zone: DisplayZone | undefined;
  #partial = new PartialAnswer();
  /** The page has the first rows of an answer that is still being read. */
  #hasHead = false;
  #place = 1;

  constructor(deps: SessionViewDeps, zone: DisplayZone | undefined) {
    this.#deps = deps;
    // A panel that is restored knows the id alone.
    this.#zone = zone && zoneOfPage(zone.timeZone);
    this.panel = deps.openPanel({
      state: this.#loading(),
      question: () => this.#kept(),
      take: event => this.#take(event),
    });
    this.panel.onDidDispose(() => void this.#response?.dispose());
  }

  get result(): ComparedResult | undefined {
    return this.#result;
  }

  /** As `name`, with a number where another panel had it first. */
  get title(): string {
    return this.#place > 1 ? `${this.name} (${this.#place})` : this.name;
  }

  /** `System state · last 7 days · hourly`, with the connection where there are several. */
  get name(): string {
    const { query, connection } = this.#deps.question();
    const { range, interval } = this.#named();
    const parts = [datasetTitle(query.dataset), range, interval, this.#deps.names.connection(connection)];
    return parts.filter(part => part !== undefined).join(' · ');
  }

  /** The zone of the times in the panel. */
  get zone(): DisplayZone {
    return this.#zone ?? displayZone();
  }

  /** Another question: what is shown is no answer to it. */
  forget(): void {
    this.#result = undefined;
  }

  /** The question changed: the page keeps it for a restart. */
  keepQuestion(): void {
    this.panel.keepQuestion(this.#kept());
  }

  /** The query is saved, or called otherwise: the answer stays. `place`: among the panels of its name, from 1. */
  showNames(place = this.#place): void {
    this.#place = place;
    this.panel.showNames(this.title, this.#named());
  }

  /** A run begins. */
  begin(): void {
    this.#partial = new PartialAnswer();
    this.#hasHead = false;
    this.waits();
  }

  /** What the run waits for. */
  waits(detail?: string): void {
    this.panel.show(this.#loading(detail));
  }

  /** What has come, in its place already, while the rest is on its way. */
  comes(soFar: Result, progress: string, now: number): void {
    if (this.#partial.take(soFar, now)) this.panel.show(resultState(soFar, this.#showing()));
    if (this.#partial.soFar) this.waits(progress);
  }

  /** The first rows, while the rest is read. Rows that are there already stay until the whole answer is. */
  begins(head: Result): void {
    if (this.#result || this.#partial.soFar) return;
    const state = resultState(head, this.#showing());
    if (state.view !== 'table') return;
    this.#hasHead = true;
    this.panel.show({ ...state, isHead: true });
    this.waits(vscode.l10n.t('Reading the rest of the answer…'));
  }

  /** A plan that has to wait, as a question. `isRetry`: a request failed and would be made again. */
  asksPlan(sentence: string, isRetry: boolean): void {
    this.panel.show(planState(this.#asked(), sentence, isRetry));
  }

  /** The person agreed to the plan: the part that had come before the question is there again. */
  goesOn(): void {
    if (this.#partial.soFar) this.panel.show(resultState(this.#partial.soFar, this.#showing()));
    this.waits();
  }

  answered(result: ComparedResult): void {
    this.#keep(result);
    this.lastError = undefined;
    this.panel.show(resultState(result, this.#showing()));
    void setContext(contextKeys.hasRun, true);
    const { failure } = result.provenance;
    if (!failure) return;
    // A part is missing or old: what is there is shown, and what to do about the rest is said.
    this.lastError = errorOf(failure);
    const words = failureWords(this.lastError);
    if (words) void this.#notify(words.sentence, words.actions);
  }

  failed(error: unknown): void {
    const words = failureWords(error);
    if (words) {
      this.lastError = error;
      if (!(error instanceof GridError)) this.#deps.logError(error);
    }
    const { soFar } = this.#partial;
    const sentence =
      words?.sentence ??
      (soFar
        ? vscode.l10n.t('The query was cancelled before all of it came.')
        : vscode.l10n.t('The query was cancelled before an answer came.'));
    const actions = words?.actions ?? ['refresh', 'changeQuery'];
    // What came before the end is there, and in the archive.
    if (!this.#result && soFar) this.#keep(soFar);
    if (!this.#result) {
      const view = words ? 'error' : 'empty';
      this.panel.show({ view, ...this.#asked(), sentence, actions: offers(...actions) });
      return;
    }
    // The earlier answer stays on screen: a failed refresh loses nothing.
    this.panel.show(resultState(this.#result, this.#showing(words || soFar ? sentence : undefined)));
    if (words) void this.#notify(sentence, words.actions);
  }

  /** The text would take several times the memory of the rows. */
  #keep(result: ComparedResult): void {
    void this.#response?.dispose();
    this.#response = this.#deps.responses.keep(result.bodies);
    this.#result = result.frame ? { ...result, bodies: [] } : result;
    this.#partial = new PartialAnswer();
    this.#hasHead = false;
  }

  async #showRaw(): Promise<void> {
    const response = this.#response;
    // What another answer has replaced meanwhile is asked for again by the page.
    const isCurrent = (): boolean => response === this.#response;
    try {
      const text = await this.response(longestRaw + 1);
      if (isCurrent()) this.panel.showRaw(text, this.#result?.provenance.requests ?? []);
    } catch (error) {
      if (isCurrent()) void showErrorMessage(failureWords(error)?.sentence ?? '');
    }
  }

  /** The text of the last response, or its beginning; empty where all rows came from the archive. Throws InputError where it is gone. */
  async response(characters?: number): Promise<string> {
    try {
      return (await this.#response?.text(characters)) ?? '';
    } catch (error) {
      this.#deps.logError(error);
      throw new InputError(
        vscode.l10n.t('The text of the response is gone from the disk. Refresh, Ignoring Archive asks for it again.'),
      );
    }
  }

  #take(event: PageEvent): void {
    if (event.type === 'act') this.#deps.act(event.action);
    if (event.type === 'setZone') this.#setZone(event.timeZone);
    if (event.type === 'askRaw') void this.#showRaw();
    if (event.type === 'tabOpened') void setContext(contextKeys.hasRead, true);
    if (event.type === 'saveFile') this.#deps.saveFile(event.name, event.data);
  }

  #setZone(timeZone: string): void {
    const zone = zoneOfPage(timeZone);
    if (!zone) throw new InputError(vscode.l10n.t("Unknown time zone '{0}'. Use UTC or SAST.", timeZone));
    this.#zone = zone;
    this.keepQuestion();
    const shown = this.#result ?? this.#partial.soFar;
    if (shown) this.panel.showZone(zone, headerOf(shown, this.#showing()));
    // A range of instants is named in the zone.
    this.showNames();
  }

  #kept(): Record<string, unknown> {
    const { query, connection, comparison } = this.#deps.question();
    return savedQuestion({ query, connection: connection.id, zone: this.#zone, comparison });
  }

  async #notify(sentence: string, actions: readonly PanelAction[]): Promise<void> {
    const choices = actions.map(action => ({ title: actionLabel(action), action }));
    const chosen = await showErrorMessage(sentence, ...choices);
    if (chosen) this.#deps.act(chosen.action);
  }

  #showing(notRefreshed?: string): Showing {
    const { title, zone } = this;
    const { comparison, notice } = this.#deps.question();
    const compare: readonly PanelAction[] = comparison ? ['endComparison', 'compare'] : ['compare'];
    const actions: readonly PanelAction[] = [...compare, 'checkDays', 'copyAs', 'openInNewTab', 'refreshAll'];
    return { title, named: this.#named(), zone, notRefreshed, notice, actions };
  }

  #loading(detail?: string): ViewState {
    const { connection } = this.#deps.question();
    return {
      view: 'loading',
      ...this.#asked(),
      detail: detail ?? vscode.l10n.t('Asking {0}…', connection.name),
      content: this.#partial.soFar || this.#hasHead ? 'partial' : 'earlier',
      actions: offers('cancel'),
    };
  }

  /** The query as the toolbar names it. */
  #named(): Omit<QueryTools, 'actions'> {
    const { query, connection } = this.#deps.question();
    const { names, nowAt } = this.#deps;
    return {
      range: rangeText(query.range, this.zone, nowAt(connection)),
      interval: intervalName(query.interval),
      savedAs: names.savedAs(query, connection),
    };
  }

  /** What stands over a sentence in the place of an answer. */
  #asked(): { readonly title: string; readonly tools: QueryTools; readonly header: readonly HeaderPart[] } {
    const { query, connection } = this.#deps.question();
    const named = this.#named();
    const texts = [connection.name, datasetTitle(query.dataset), named.range, named.interval];
    const header = texts.map(text => ({ text }));
    return { title: this.title, tools: { ...named, actions: offers(...queryActions) }, header };
  }
}
