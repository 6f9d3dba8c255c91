import * as vscode from 'vscode';
import { datasetById } from '../../core/catalogue.ts';
import type { Connection } from '../../core/connection.ts';
import { GridError } from '../../core/errors.ts';
import { resolveQuery, type Query } from '../../core/query.ts';
import type { Clock } from '../../core/ports.ts';
import type { QueryService } from '../../service/queryService.ts';
import type { PanelAction, ViewState } from '../../shared/protocol.ts';
import type { Result } from '../../shared/result.ts';
import { InputError } from '../inputError.ts';
import { displayZone } from '../settings.ts';
import { actionLabel, failureWords } from '../words/failures.ts';
import { duration, intervalName } from '../words/numbers.ts';
import { problemSentence } from '../words/problems.ts';
import { offers, resultState } from '../words/resultState.ts';
import type { ResultPanel } from './resultPanel.ts';

export interface SessionDeps {
  readonly service: Pick<QueryService, 'run'>;
  readonly clock: Clock;
  readonly logError: (error: unknown) => void;
  readonly openPanel: (state: ViewState, session: QuerySession) => ResultPanel;
  readonly act: (action: PanelAction, session: QuerySession) => void;
}

/** One question, its panel and its latest answer. A newer run always wins over the late answer of an older one. */
export class QuerySession {
  readonly #deps: SessionDeps;
  readonly panel: ResultPanel;
  query: Query;
  connection: Connection;
  result: Result | undefined;
  lastError: unknown;
  #current: AbortController | undefined;

  constructor(deps: SessionDeps, query: Query, connection: Connection) {
    this.#deps = deps;
    this.query = query;
    this.connection = connection;
    this.panel = deps.openPanel(this.#loading(), this);
    this.panel.onDidDispose(() => this.cancel());
  }

  /** `System state · last 7 days · hourly`. */
  get title(): string {
    const { dataset, range, interval } = this.query;
    return [datasetById(dataset)?.title ?? dataset, range, intervalName(interval)].join(' · ');
  }

  cancel(): void {
    this.#current?.abort();
  }

  /** Takes a result that is there already. */
  show(result: Result): void {
    this.cancel();
    this.#current = undefined;
    this.#accept(result);
  }

  /** Asks the service; ends when the panel shows the answer, the failure or, cancelled, what it showed before. */
  async run(): Promise<void> {
    this.cancel();
    const run = new AbortController();
    this.#current = run;
    const isCurrent = (): boolean => this.#current === run;
    this.panel.show(this.#loading());
    const onWait = (ms: number): void => {
      if (isCurrent())
        this.panel.show(this.#loading(vscode.l10n.t('Waiting {0} for the request budget…', duration(ms))));
    };
    try {
      const resolved = resolveQuery(this.query, this.#deps.clock.now(), displayZone().timeZone);
      if (!resolved.ok) throw new InputError(problemSentence(resolved));
      const asking = this.#deps.service.run(resolved.value, this.connection, { signal: run.signal, onWait });
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

  #accept(result: Result): void {
    this.result = result;
    this.lastError = undefined;
    this.panel.show(resultState(result, this.title, displayZone()));
  }

  #fail(error: unknown): void {
    const words = failureWords(error);
    if (words) {
      this.lastError = error;
      if (!(error instanceof GridError)) this.#deps.logError(error);
    }
    const sentence = words?.sentence ?? vscode.l10n.t('The query was cancelled before an answer came.');
    const actions = words?.actions ?? ['refresh', 'changeQuery'];
    if (!this.result) {
      const view = words ? 'error' : 'empty';
      this.panel.show({ view, title: this.title, header: this.#header(), sentence, actions: offers(...actions) });
      return;
    }
    // The earlier answer stays on screen: a failed refresh loses nothing.
    this.panel.show(resultState(this.result, this.title, displayZone()));
    if (words) void this.#notify(sentence, words.actions);
  }

  async #notify(sentence: string, actions: readonly PanelAction[]): Promise<void> {
    const choices = actions.map(action => ({ title: actionLabel(action), action }));
    const chosen = await vscode.window.showErrorMessage(sentence, ...choices);
    if (chosen) this.#deps.act(chosen.action, this);
  }

  #loading(detail = vscode.l10n.t('Asking {0}…', this.connection.name)): ViewState {
    return { view: 'loading', title: this.title, detail, actions: offers('cancel') };
  }

  #header(): { readonly text: string }[] {
    return [{ text: this.connection.name }, { text: this.title }];
  }
}
