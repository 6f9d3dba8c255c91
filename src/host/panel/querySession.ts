import * as vscode from 'vscode';
import { zoneOfDays } from '../../core/bins/dayInterval.ts';
import { comparedQuery } from '../../core/compare/comparison.ts';
import type { Connection } from '../../core/connection.ts';
import type { GridError } from '../../core/errors.ts';
import { type Query, type ResolvedQuery } from '../../core/query.ts';
import type { Refresh, RunOptions } from '../../service/runOptions.ts';
import type { QueryService } from '../../service/queryService.ts';
import type { DisplayZone, PanelAction } from '../../shared/protocol.ts';
import type { Result } from '../../shared/result.ts';
import { InputError } from '../inputError.ts';
import { withProgress } from '../messages.ts';
import { resolvedNow } from '../resolvedNow.ts';
import { displayZone } from '../settings.ts';
import { cannotCompare, comparisonName, comparisonText } from '../words/comparison.ts';
import { moreRequestsText, planText, progressText, sharedText, waitText } from '../words/waiting.ts';
import { runCompared, type ComparedResult } from './comparedRun.ts';
import { PlanQuestion } from './planQuestion.ts';
import type { ResultPanel } from './resultPanel.ts';
import { SessionView, type Question, type SessionViewDeps } from './sessionView.ts';

export interface SessionDeps extends Omit<SessionViewDeps, 'act' | 'question'> {
  readonly service: Pick<QueryService, 'run'>;
  /** The connection as it is now; undefined once it was removed. */
  readonly connectionById: (id: string) => Connection | undefined;
  readonly act: (action: PanelAction, session: QuerySession) => void;
}

/** What a session begins with. */
export interface SessionStart extends Question {
  readonly zone?: DisplayZone | undefined;
}

/** One question and its runs; its view shows them. A newer run always wins over the late answer of an older one. */
export class QuerySession {
  readonly #deps: SessionDeps;
  readonly #view: SessionView;
  #question: Question;
  /** How the last run was meant: a run that failed is tried again in the same way. */
  lastRefresh: Refresh = 'ifStale';
  #current: AbortController | undefined;
  #plan = new PlanQuestion();

  constructor(deps: SessionDeps, { zone, ...question }: SessionStart) {
    this.#deps = deps;
    this.#question = question;
    const { logError, openPanel, saveFile, responses, names, nowAt } = deps;
    const act = (action: PanelAction): void => deps.act(action, this);
    this.#view = new SessionView(
      { logError, openPanel, saveFile, responses, names, nowAt, act, question: () => this.#question },
      zone,
    );
    this.panel.onDidDispose(() => this.#abandon());
  }

  get question(): Question {
    return this.#question;
  }

  get query(): Query {
    return this.#question.query;
  }

  get connection(): Connection {
    return this.#question.connection;
  }

  get panel(): ResultPanel {
    return this.#view.panel;
  }

  get title(): string {
    return this.#view.title;
  }

  /** As `SessionView.name`. */
  get name(): string {
    return this.#view.name;
  }

  /** The zone of the times in the panel. */
  get zone(): DisplayZone {
    return this.#view.zone;
  }

  get result(): ComparedResult | undefined {
    return this.#view.result;
  }

  /** As `SessionView.response`. */
  async response(): Promise<string> {
    return this.#view.response();
  }

  /** As `SessionView.showNames`. */
  showNames(place: number): void {
    this.#view.showNames(place);
  }

  get lastError(): unknown {
    return this.#view.lastError;
  }

  /** It shows its answer and nothing else: no run, no comparison. */
  get isAtRest(): boolean {
    return this.result !== undefined && !this.#current && !this.#question.comparison;
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
    this.#view.answered(result);
  }

  /** Another question in this panel; the next run asks it. The answer stays where it is one to the same query. */
  change(question: Question): void {
    if (question.query !== this.query || question.connection !== this.connection) this.#view.forget();
    this.#question = question;
    this.#view.keepQuestion();
  }

  /** The same connection under another name, with another key. */
  renewConnection(connection: Connection): void {
    this.#question = { ...this.#question, connection };
  }

  /** The answer to a plan that was shown: whether it goes on. */
  answerPlan(goesOn: boolean): void {
    this.#plan.answer(goesOn);
  }

  /** The query with its instants; another one in the zone of this one's days. Throws InputError. */
  resolved(query: Query = this.query): ResolvedQuery {
    const days = zoneOfDays(this.query.interval);
    return resolvedNow(query, this.#deps.nowAt(this.connection), days?.timeZone);
  }

  /** Asks the service; ends when the panel shows the answer, the failure or, cancelled, what it showed before. */
  async run(refresh: Refresh = 'ifStale'): Promise<void> {
    // Read from the archive alone: what failed then is tried with requests.
    this.lastRefresh = refresh === 'never' ? 'ifStale' : refresh;
    this.cancel();
    const run = new AbortController();
    this.#current = run;
    this.#plan = new PlanQuestion();
    const isCurrent = (): boolean => this.#current === run;
    this.#view.begin();
    try {
      this.renewConnection(this.#deps.connectionById(this.connection.id) ?? this.#removed());
      const query = this.resolved();
      const asking = this.#ask(query, (asked, comparedWith) =>
        this.#options(asked, run.signal, refresh, isCurrent, comparedWith),
      );
      const location = vscode.ProgressLocation.Window;
      const result = await withProgress({ location, title: this.title }, async () => asking);
      if (isCurrent()) this.#view.answered(result);
    } catch (error) {
      if (isCurrent()) this.#view.failed(this.#plan.reasonOf(error));
    } finally {
      if (isCurrent()) this.#current = undefined;
    }
  }

  /** The query, and the other one beside it where it is compared. A comparison that is none by now ends, and says so. */
  async #ask(
    query: ResolvedQuery,
    optionsOf: (asked: ResolvedQuery, comparedWith?: string) => RunOptions,
  ): Promise<ComparedResult> {
    const { service, nowAt } = this.#deps;
    const { comparison, connection } = this.#question;
    const { timeZone } = displayZone();
    if (!comparison) return service.run(query, connection, optionsOf(query));
    const other = comparedQuery(comparison, query, nowAt(connection), timeZone);
    const name = comparisonName(comparison);
    if (!other) {
      this.change({ ...this.#question, comparison: undefined, notice: cannotCompare(name, query) });
      return service.run(query, connection, optionsOf(query));
    }
    const align = comparison.kind === 'range' ? 'position' : comparison.align;
    // Only the question itself fills the table as it comes, and its first rows alone have other columns.
    return runCompared(query, other, { align, name, timeZone, say: comparisonText }, async asked =>
      service.run(
        asked,
        connection,
        asked === query
          ? { ...optionsOf(query), onHead: undefined }
          : { ...optionsOf(other, name), onProgress: undefined, onHead: undefined },
      ),
    );
  }

  #options(
    query: ResolvedQuery,
    signal: AbortSignal,
    refresh: Refresh,
    isCurrent: () => boolean,
    comparedWith?: string,
  ): RunOptions {
    let progress = '';
    const ask = async (sentence: string, failed?: GridError): Promise<boolean> =>
      isCurrent() && this.#askPlan(sentence, signal, failed);
    return {
      signal,
      refresh,
      onWait: ms => {
        if (isCurrent()) this.#view.waits(waitText(ms, query.dataset, progress));
      },
      onShared: waits => {
        if (isCurrent() && waits) this.#view.waits(sharedText(progress));
      },
      onHead: head => {
        if (isCurrent()) this.#view.begins(head);
      },
      onProgress: (soFar, parts) => {
        if (!isCurrent()) return;
        progress = progressText(soFar, parts, refresh === 'always');
        this.#view.comes(soFar, progress, this.#deps.nowAt(this.connection));
      },
      onPlan: async (price, steps) => ask(planText(price, steps, query, comparedWith)),
      onMoreRequests: async (price, failed) => ask(moreRequestsText(price, failed), failed),
    };
  }

  async #askPlan(sentence: string, signal: AbortSignal, failed?: GridError): Promise<boolean> {
    this.#view.asksPlan(sentence, failed !== undefined);
    const goesOn = await this.#plan.ask(signal, failed);
    if (goesOn) this.#view.goesOn();
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
}
