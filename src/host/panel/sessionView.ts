import { isDeepStrictEqual } from 'node:util';
import { t } from '@vscode/l10n';
import { zoneOfDays } from '../../core/bins/dayInterval.ts';
import { hasDashboard, type Connection } from '../../core/connections/connection.ts';
import type { Clock } from '../../core/ports.ts';
import { datasetById, membersOf } from '../../core/query/catalogue.ts';
import { queryIdentity } from '../../core/query/query.ts';
import type { SavedQuery } from '../../core/savedQueries/savedItem.ts';
import { shortZone } from '../../core/time/zone.ts';
import { transportDefaults } from '../../service/client/apiClient.ts';
import { aboutDataset, datasetTitle } from '../messages/catalogue.ts';
import { actionLabel, failureWords } from '../messages/failures.ts';
import { intervalName } from '../messages/numbers.ts';
import { daysPart, headerOf } from './resultHeader.ts';
import { offers, queryOffers, resultState, type Showing } from './resultState.ts';
import { rangeText } from '../messages/times.ts';
import {
  moreRequestsText,
  planText,
  progressText,
  refusedText,
  retryText,
  sharedText,
  waitText,
} from '../messages/waiting.ts';
import {
  presetActions,
  presetRanges,
  type DisplayZone,
  type HeaderPart,
  type PanelAction,
  type QueryTools,
  type ViewState,
} from '../../shared/protocol.ts';
import { readView, sameView, zoneOfView } from '../../shared/savedView.ts';
import { differentZone, zoneOf, zoneOfPage } from '../settings.ts';
import type { PanelContent, PanelHandlers, ResultPanel } from './resultPanel.ts';
import { savedPanelQuery } from './savedPanel.ts';
import { comparedPeriodOf, type Running, type SessionState, type Wait } from './sessionState.ts';

/** Looks up the names of a query that are stored elsewhere. */
export interface QueryNames {
  /** Returns the name of its connection if there are several. */
  readonly connection: (connection: Connection) => string | undefined;
  /** Returns the saved query with an `entryId`; undefined if it was deleted. */
  readonly saved: (id: string) => SavedQuery | undefined;
}

export interface SessionViewDeps {
  readonly openPanel: (content: PanelContent) => ResultPanel;
  readonly names: QueryNames;
  readonly clock: Pick<Clock, 'now'>;
  /** Returns the current time of the connection's service. */
  readonly nowAt: (connection: Connection) => number;
}

/** Shows the state of a session in its panel: the content, and the wait of a run as an overlay. */
export class SessionView {
  readonly #deps: SessionViewDeps;
  readonly panel: ResultPanel;
  #state: SessionState;
  /** The part of the state that the displayed content was created from. */
  #content: object | undefined;
  /** The wait that is displayed over the content. */
  #wait: Wait | undefined;
  /** The instant from which the service may be silent, in UTC milliseconds. */
  #silentSince: number | undefined;
  #wasChanged = false;

  constructor(deps: SessionViewDeps, state: SessionState, handlers: PanelHandlers) {
    this.#deps = deps;
    this.#state = state;
    this.panel = deps.openPanel({ state: this.#loading(), question: () => this.#savedQuestion(), handlers });
  }

  /** The saved query that the panel belongs to; undefined if there is none or it was deleted. */
  get saved(): SavedQuery | undefined {
    const { saved } = this.#state;
    return saved === undefined ? undefined : this.#deps.names.saved(saved);
  }

  /** Whether the query, view or zone differs from the saved query. */
  get isChanged(): boolean {
    const { saved } = this;
    const { question, view, zone } = this.#state;
    if (!saved) return false;
    if (queryIdentity(question.query) !== queryIdentity(saved.query)) return true;
    const savedZone = zoneOfPage(zoneOfView(saved) ?? '');
    const isSameZone = savedZone ? savedZone.timeZone === this.zone.timeZone : zone === undefined;
    if (!isDeepStrictEqual(comparedPeriodOf(question), saved.analysis?.compare)) return true;
    return !isSameZone || (view !== undefined && !sameView(view, readView(saved)));
  }

  /** The name of the saved query, or `System state · last 7 days · hourly`, with the connection if there are several. */
  get name(): string {
    const { saved } = this;
    if (saved) return saved.name;
    const { query, connection } = this.#state.question;
    const { range, interval } = this.#named();
    const parts = [datasetTitle(query.dataset), range, interval, this.#deps.names.connection(connection)];
    return parts.filter(part => part !== undefined).join(' · ');
  }

  /** The name, with a number if other panels have the same name. */
  get title(): string {
    const { ordinal } = this.#state;
    return ordinal > 1 ? `${this.name} (${ordinal})` : this.name;
  }

  /** The time zone of the displayed times. */
  get zone(): DisplayZone {
    return this.#state.zone ?? zoneOf(this.#state.question.query);
  }

  /** The time zone of the days in a range that is chosen in the panel. The service's own days are days of UTC, whatever zone is displayed. */
  get rangeZone(): DisplayZone {
    const { query } = this.#state.question;
    return query.interval === '1d' ? zoneOf(query) : this.zone;
  }

  /** Updates the panel to a new state. Unchanged parts are not sent again. */
  show(state: SessionState): void {
    const before = this.#state;
    this.#state = state;
    if (state.zone !== before.zone) this.#showZone();
    if (
      state.question !== before.question ||
      state.zone !== before.zone ||
      state.saved !== before.saved ||
      state.board !== before.board
    )
      this.panel.keepQuestion(this.#savedQuestion());
    if (this.isChanged !== this.#wasChanged || state.question.query !== before.question.query) this.showNames();
    const isNew = this.#showContent();
    const { running } = state;
    if (!running || running.question || (!isNew && running.wait === this.#wait)) return;
    if (running.wait !== this.#wait) this.#silentSince = this.#deps.clock.now() + budgetMs(running.wait);
    this.#wait = running.wait;
    this.panel.show(this.#loading());
  }

  /** Updates the names after the query was saved or renamed; the result stays. */
  showNames(): void {
    this.#wasChanged = this.isChanged;
    this.panel.showNames(this.title, this.#named());
  }

  /** Shows the same rows in another time zone; only texts change. */
  #showZone(): void {
    const { result, running } = this.#state;
    const shown = result ?? running?.rows?.result;
    if (shown) this.panel.showZone(this.zone, headerOf(shown, this.#showing()));
    this.showNames();
  }

  /** Shows the content if it is new; returns whether it was. */
  #showContent(): boolean {
    const { running, outcome } = this.#state;
    const content = running ? (running.question ?? running.rows?.shown) : outcome;
    if (!content || content === this.#content) return false;
    const view = running ? this.#viewDuring(running) : this.#viewAfter();
    if (!view) return false;
    this.#content = content;
    this.panel.show(view);
    return true;
  }

  #viewDuring(running: Running): ViewState | undefined {
    const { question, rows } = running;
    if (question) return this.#questionView(running, question);
    return rows && resultState(rows.result, this.#showing());
  }

  #viewAfter(): ViewState {
    const { result, outcome } = this.#state;
    const failed = outcome?.type === 'failed' ? outcome : undefined;
    const words = failed && failureWords(failed.error);
    const canceled = failed?.hasPart ? t('Query canceled; the result is incomplete.') : undefined;
    const sentence = words?.sentence ?? canceled;
    const { connection } = this.#state.question;
    const isOffered = (action: PanelAction): boolean => action !== 'openDashboard' || hasDashboard(connection);
    // After a failed refresh the earlier result stays on screen.
    if (result) return resultState(result, this.#showing(sentence));
    return {
      view: words ? 'error' : 'empty',
      ...this.#asked(),
      sentence: sentence ?? t('Query canceled.'),
      actions: offers(...(words?.actions.filter(isOffered) ?? (['refresh', 'changeQuery'] as const))),
    };
  }

  /**
   * Asks the person to confirm a plan, with Run, Narrow and Cancel. After a failed request, Try Again replaces Run, and Narrow is
   * left out, because a shorter range would not cost less.
   */
  #questionView({ query, comparedWith }: Running, question: NonNullable<Running['question']>): ViewState | undefined {
    if (!query) return undefined;
    const failed = question.type === 'moreRequests' ? question.failed : undefined;
    const asked =
      question.type === 'planned'
        ? planText(question.price, question.steps, query, comparedWith)
        : moreRequestsText(question.price, failed);
    const sentence = aboutDataset(question.dataset, asked);
    const tryAgain = { action: 'runPlan' as const, label: actionLabel('tryAgain') };
    const narrow = { action: 'changeQuery' as const, label: t('Narrow…') };
    const choices = failed ? [tryAgain] : [...offers('runPlan'), narrow];
    return { view: 'empty', ...this.#asked(), sentence, actions: [...choices, ...offers('cancel')] };
  }

  #loading(): ViewState {
    const { running } = this.#state;
    const since = this.#silentSince;
    return {
      view: 'loading',
      ...this.#asked(),
      detail: this.#waitText(running),
      silence: since === undefined ? undefined : { since, endsAfterMs: transportDefaults.idleTimeoutMs },
      content: running?.rows ? 'partial' : 'earlier',
      actions: offers(...(isRefused(running) ? (['setLimits'] as const) : []), 'cancel'),
    };
  }

  #waitText(running: Running | undefined): string {
    const { wait, soFar, query, refresh } = running ?? {};
    const progress = soFar && progressText(soFar.result, soFar.progress, refresh === 'always');
    if (wait?.for === 'budget' && query) {
      const dataset = { id: wait.dataset ?? query.dataset.id };
      return waitText(wait.ms, dataset, isRefused(running) ? refusedText(running.refusals, progress) : progress);
    }
    if (wait?.for === 'retry') return retryText(wait.ms, wait.failed, progress);
    if (wait?.for === 'otherRun') return sharedText(progress);
    if (wait?.for === 'nextPart' && progress) return progress;
    return t('Querying {0}…', this.#state.question.connection.name);
  }

  #savedQuestion(): Record<string, unknown> {
    const { question, zone, saved, board } = this.#state;
    const { query, connection, comparison } = question;
    return savedPanelQuery({ query, connection: connection.id, zone, saved, board, comparison });
  }

  #showing(notRefreshed?: string): Showing {
    const { title, zone } = this;
    const { query, comparison, notice } = this.#state.question;
    const dataset = datasetById(query.dataset);
    const hasDays = dataset && membersOf(dataset).some(({ intervals }) => intervals.includes('1d'));
    const compare: readonly PanelAction[] = comparison ? ['endComparison', 'compare'] : ['compare'];
    const rest: readonly PanelAction[] = [
      'compareFile',
      ...(hasDays ? (['checkDays'] as const) : []),
      'copyAs',
      'copyLink',
      'openInNewTab',
      'refreshAll',
    ];
    const actions: readonly PanelAction[] = [...compare, ...rest, 'saveAs'];
    const different = this.#differentDays();
    return { title, named: this.#named(), zone, different, notRefreshed, notice, actions };
  }

  /** Returns the time zone of the query's days if it differs from the setting or the displayed zone. */
  #differentDays(): DisplayZone | undefined {
    const { query, connection } = this.#state.question;
    const now = this.#deps.nowAt(connection);
    return differentZone(query, now) ?? differentZone(query, now, this.zone);
  }

  /** Returns the texts of the toolbar. */
  #named(): Required<Pick<QueryTools, 'range' | 'interval'>> & Omit<QueryTools, 'actions'> {
    const { query, connection } = this.#state.question;
    const { saved, zone } = this;
    const now = this.#deps.nowAt(connection);
    const isOther = differentZone(query, now, this.rangeZone) !== undefined;
    const days = zoneOfDays(query.interval) ?? this.rangeZone;
    return {
      range: rangeText(query.range, zone, now),
      preset: isOther ? undefined : presetActions.find(action => presetRanges[action] === query.range),
      days: days.timeZone === zone.timeZone ? undefined : shortZone(days),
      interval: intervalName(query.interval),
      savedAs: saved?.name,
      ...(saved && { isChanged: this.isChanged }),
    };
  }

  /** Returns the title, toolbar and header of a view without a result. */
  #asked(): { readonly title: string; readonly tools: QueryTools; readonly header: readonly HeaderPart[] } {
    const { query, connection } = this.#state.question;
    const named = this.#named();
    const texts = [connection.name, datasetTitle(query.dataset), named.range, named.interval];
    const different = this.#differentDays();
    const header = [...texts.map(text => ({ text })), ...(different ? [daysPart(different)] : [])];
    return {
      title: this.title,
      tools: { ...named, actions: queryOffers() },
      header,
    };
  }
}

/** Whether the service refused the run twice, which suggests that the configured limits are higher than those of the provider. */
function isRefused(running: Running | undefined): running is Running {
  return running !== undefined && running.refusals >= 2;
}

/** Returns the milliseconds of a wait whose end is known: the service is not expected to reply before. */
function budgetMs(wait: Wait): number {
  return 'ms' in wait ? wait.ms : 0;
}
