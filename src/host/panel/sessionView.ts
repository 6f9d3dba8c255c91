import { isDeepStrictEqual } from 'node:util';
import { t } from '@vscode/l10n';
import { parseDayZone } from '../../core/bins/dayInterval.ts';
import { hasDashboard, type Connection } from '../../core/connections/connection.ts';
import type { Clock } from '../../core/ports.ts';
import { findDataset, getMembers } from '../../core/query/catalogue.ts';
import { getQueryIdentity } from '../../core/query/query.ts';
import type { SavedQuery } from '../../core/savedQueries/savedItem.ts';
import { formatShortZone } from '../../core/time/zone.ts';
import { transportDefaults } from '../../service/client/apiClient.ts';
import { prefixDatasetTitle, datasetTitle } from '../messages/catalogue.ts';
import { actionLabel, describeFailure } from '../messages/failures.ts';
import { intervalName } from '../messages/numbers.ts';
import { daysPart, createHeader } from './resultHeader.ts';
import { createOffers, createQueryOffers, createResultState, type ResultViewOptions } from './resultState.ts';
import { formatRange } from '../messages/times.ts';
import {
  formatMoreRequests,
  formatPlan,
  formatProgress,
  formatRefusals,
  formatRetry,
  formatSharedWait,
  formatWait,
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
import { pickSourceParts } from '../../shared/analysis.ts';
import { parseView, isSameView, getViewZone } from '../../shared/view.ts';
import { findDifferingZone, getQueryZone, findOfferedZone } from '../settings.ts';
import type { PanelContent, PanelHandlers, ResultPanel } from './resultPanel.ts';
import { serializePanel } from './savedPanel.ts';
import { getSavedSources, type RunState, type SessionState, type Wait } from './sessionState.ts';

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
    this.panel = deps.openPanel({
      state: this.#loadingView(),
      getPersistedState: () => this.#serializeState(),
      handlers,
    });
  }

  /** The saved query that the panel belongs to; undefined if there is none or it was deleted. */
  get saved(): SavedQuery | undefined {
    const { savedId } = this.#state;
    return savedId === undefined ? undefined : this.#deps.names.saved(savedId);
  }

  /** Whether the query, view or zone differs from the saved query. */
  get isChanged(): boolean {
    const { saved } = this;
    const { request, view, zone } = this.#state;
    if (!saved) return false;
    if (getQueryIdentity(request.query) !== getQueryIdentity(saved.query)) return true;
    const savedZone = findOfferedZone(getViewZone(saved) ?? '');
    const isSameZone = savedZone ? savedZone.timeZone === this.zone.timeZone : zone === undefined;
    if (!isDeepStrictEqual(getSavedSources(request), pickSourceParts(saved.analysis))) return true;
    return !isSameZone || (view !== undefined && !isSameView(view, parseView(saved)));
  }

  /** The name of the saved query, or `System state · last 7 days · hourly`, with the connection if there are several. */
  get name(): string {
    const { saved } = this;
    if (saved) return saved.name;
    const { query, connection } = this.#state.request;
    const { range, interval } = this.#toolbarTexts();
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
    return this.#state.zone ?? getQueryZone(this.#state.request.query);
  }

  /** The time zone of the days in a range that is chosen in the panel. The service's own days are days of UTC, regardless of the displayed zone. */
  get rangeZone(): DisplayZone {
    const { query } = this.#state.request;
    return query.interval === '1d' ? getQueryZone(query) : this.zone;
  }

  /** Updates the panel to a new state. Unchanged parts are not sent again. */
  show(state: SessionState): void {
    const previous = this.#state;
    this.#state = state;
    if (state.zone !== previous.zone) this.#showZone();
    if (
      state.request !== previous.request ||
      state.zone !== previous.zone ||
      state.savedId !== previous.savedId ||
      state.board !== previous.board
    )
      this.panel.persistState(this.#serializeState());
    if (this.isChanged !== this.#wasChanged || state.request.query !== previous.request.query) this.updateNames();
    const isNew = this.#showContent();
    const { running } = state;
    if (!running || running.confirmation || (!isNew && running.wait === this.#wait)) return;
    if (running.wait !== this.#wait) this.#silentSince = this.#deps.clock.now() + getKnownWaitMs(running.wait);
    this.#wait = running.wait;
    this.panel.show(this.#loadingView());
  }

  /** Updates the names after the query was saved or renamed; the result stays. */
  updateNames(): void {
    this.#wasChanged = this.isChanged;
    this.panel.updateNames(this.title, this.#toolbarTexts());
  }

  /** Shows the same rows in another time zone; only texts change. */
  #showZone(): void {
    const { result, running } = this.#state;
    const displayed = result ?? running?.rows?.result;
    if (displayed) this.panel.showZone(this.zone, createHeader(displayed, this.#viewOptions()));
    this.updateNames();
  }

  /** Shows the content if it is new; returns whether it was. */
  #showContent(): boolean {
    const { running, outcome } = this.#state;
    const content = running ? (running.confirmation ?? running.rows?.displayed) : outcome;
    if (!content || content === this.#content) return false;
    const view = running ? this.#runningView(running) : this.#finishedView();
    if (!view) return false;
    this.#content = content;
    this.panel.show(view);
    return true;
  }

  #runningView(running: RunState): ViewState | undefined {
    const { confirmation, rows } = running;
    if (confirmation) return this.#confirmationView(running, confirmation);
    return rows && createResultState(rows.result, this.#viewOptions());
  }

  #finishedView(): ViewState {
    const { result, outcome } = this.#state;
    const failed = outcome?.type === 'failed' ? outcome : undefined;
    const message = failed && describeFailure(failed.error);
    const canceled = failed?.hasPartialResult ? t('Query canceled; the result is incomplete.') : undefined;
    const sentence = message?.sentence ?? canceled;
    const { connection } = this.#state.request;
    const isAvailable = (action: PanelAction): boolean => action !== 'openDashboard' || hasDashboard(connection);
    // After a failed refresh the earlier result stays on screen.
    if (result) return createResultState(result, this.#viewOptions(sentence));
    return {
      view: message ? 'error' : 'empty',
      ...this.#queryHeader(),
      sentence: sentence ?? t('Query canceled.'),
      actions: createOffers(...(message?.actions.filter(isAvailable) ?? (['refresh', 'changeQuery'] as const))),
    };
  }

  /**
   * Asks the user to confirm a plan, with Run, Narrow and Cancel. After a failed request, Try Again replaces Run, and Narrow is
   * left out, because a shorter range would not cost less.
   */
  #confirmationView(
    { query, comparedWith }: RunState,
    confirmation: NonNullable<RunState['confirmation']>,
  ): ViewState | undefined {
    if (!query) return undefined;
    const failed = confirmation.type === 'moreRequests' ? confirmation.failed : undefined;
    const planSentence =
      confirmation.type === 'planned'
        ? formatPlan(confirmation.price, confirmation.steps, query, comparedWith)
        : formatMoreRequests(confirmation.price, failed);
    const sentence = prefixDatasetTitle(confirmation.dataset, planSentence);
    const tryAgain = { action: 'runPlan' as const, label: actionLabel('tryAgain') };
    const narrow = { action: 'changeQuery' as const, label: t('Narrow…') };
    const choices = failed ? [tryAgain] : [...createOffers('runPlan'), narrow];
    return { view: 'empty', ...this.#queryHeader(), sentence, actions: [...choices, ...createOffers('cancel')] };
  }

  #loadingView(): ViewState {
    const { running } = this.#state;
    const since = this.#silentSince;
    return {
      view: 'loading',
      ...this.#queryHeader(),
      detail: this.#describeWait(running),
      silence: since === undefined ? undefined : { since, endsAfterMs: transportDefaults.idleTimeoutMs },
      content: running?.rows ? 'partial' : 'earlier',
      actions: createOffers(...(isThrottledRepeatedly(running) ? (['setLimits'] as const) : []), 'cancel'),
    };
  }

  #describeWait(running: RunState | undefined): string {
    const { wait, partial, query, refresh } = running ?? {};
    const progress = partial && formatProgress(partial.result, partial.progress, refresh === 'always');
    if (wait?.for === 'budget' && query) {
      const dataset = { id: wait.dataset ?? query.dataset.id };
      return formatWait(
        wait.ms,
        dataset,
        isThrottledRepeatedly(running) ? formatRefusals(running.throttledCount, progress) : progress,
      );
    }
    if (wait?.for === 'retry') return formatRetry(wait.ms, wait.failed, progress);
    if (wait?.for === 'otherRun') return formatSharedWait(progress);
    if (wait?.for === 'nextPart' && progress) return progress;
    return t('Querying {0}…', this.#state.request.connection.name);
  }

  #serializeState(): Record<string, unknown> {
    const { request, zone, savedId, board } = this.#state;
    const { query, connection, comparison, join } = request;
    return serializePanel({ query, connection: connection.id, zone, savedId, board, comparison, join });
  }

  #viewOptions(notRefreshed?: string): ResultViewOptions {
    const { title, zone } = this;
    const { query, comparison, join = [], notice } = this.#state.request;
    const dataset = findDataset(query.dataset);
    const hasDays = dataset && getMembers(dataset).some(({ intervals }) => intervals.includes('1d'));
    const compare: readonly PanelAction[] = comparison ? ['endComparison', 'compare'] : ['compare'];
    const rest: readonly PanelAction[] = [
      'compareFile',
      'addPreset',
      'addJoined',
      ...(join.length > 0 ? (['removeJoined'] as const) : []),
      ...(hasDays ? (['checkDays'] as const) : []),
      'copyAs',
      'copyLink',
      'openInNewTab',
      'refreshAll',
    ];
    const actions: readonly PanelAction[] = [...compare, ...rest, 'saveAs'];
    const daysZone = this.#differingDaysZone();
    return { title, toolbarTexts: this.#toolbarTexts(), zone, daysZone, notRefreshed, notice, actions };
  }

  /** Returns the time zone of the query's days if it differs from the setting or the displayed zone. */
  #differingDaysZone(): DisplayZone | undefined {
    const { query, connection } = this.#state.request;
    const now = this.#deps.nowAt(connection);
    return findDifferingZone(query, now) ?? findDifferingZone(query, now, this.zone);
  }

  /** Returns the texts of the toolbar. */
  #toolbarTexts(): Required<Pick<QueryTools, 'range' | 'interval'>> & Omit<QueryTools, 'actions'> {
    const { query, connection } = this.#state.request;
    const { saved, zone } = this;
    const now = this.#deps.nowAt(connection);
    const hasOtherZone = findDifferingZone(query, now, this.rangeZone) !== undefined;
    const days = parseDayZone(query.interval) ?? this.rangeZone;
    return {
      range: formatRange(query.range, zone, now),
      preset: hasOtherZone ? undefined : presetActions.find(action => presetRanges[action] === query.range),
      days: days.timeZone === zone.timeZone ? undefined : formatShortZone(days),
      interval: intervalName(query.interval),
      savedAs: saved?.name,
      ...(saved && { isChanged: this.isChanged }),
    };
  }

  /** Returns the title, toolbar and header of a view without a result. */
  #queryHeader(): { readonly title: string; readonly tools: QueryTools; readonly header: readonly HeaderPart[] } {
    const { query, connection } = this.#state.request;
    const named = this.#toolbarTexts();
    const texts = [connection.name, datasetTitle(query.dataset), named.range, named.interval];
    const different = this.#differingDaysZone();
    const header = [...texts.map(text => ({ text })), ...(different ? [daysPart(different)] : [])];
    return {
      title: this.title,
      tools: { ...named, actions: createQueryOffers() },
      header,
    };
  }
}

/** Whether the service rejected at least two requests of the run with 429. The configured limits may then be higher than those of the provider. */
function isThrottledRepeatedly(running: RunState | undefined): running is RunState {
  return running !== undefined && running.throttledCount >= 2;
}

/** Returns the milliseconds of a wait whose end is known: the service is not expected to reply before. */
function getKnownWaitMs(wait: Wait): number {
  return 'ms' in wait ? wait.ms : 0;
}
