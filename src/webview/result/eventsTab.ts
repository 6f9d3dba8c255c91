import { html, nothing, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { getTimesOfColumn } from '../../core/compare/compareFrames.ts';
import { findTimeColumn } from '../../core/frame/clip.ts';
import type { TimeRange } from '../../shared/analysis.ts';
import type { ResolvedEventChoice } from '../../core/events/resolveEventChoice.ts';
import { eventControls } from '../events/eventControls.ts';
import { computeEventsTab, type EventsTabContent } from '../../presentation/events/eventsTabContent.ts';
import { renderTabHead } from '../views/infoButton.ts';
import { TabTable } from './tabTable.ts';
import type { ActionOffer, TableState } from '../../shared/protocol.ts';
import type { ResultRows } from '../../core/analysis/resultRows.ts';
import { getIntervalSpan } from '../../core/analysis/rowIntervals.ts';
import type { TabDeps } from './tabDeps.ts';

/** An event to show in another tab. Instants are UTC milliseconds. */
export interface EventToShow extends TimeRange {
  readonly kind: ResolvedEventChoice['kind'];
  readonly column: string;
  /** Start of the hour with the extreme value. */
  readonly instant: number;
  readonly intervalMs: number;
  /** The time range that was searched. */
  readonly range: TimeRange;
}

/** Where to show an event: in a tab that is opened, or in chart and table while the list stays open. */
export type EventDestination = 'chart' | 'table' | 'both';

/** The Events tab: the events in the rows of a result, and the search options. */
export class EventsTab {
  readonly #deps: TabDeps;
  readonly tabTable: TabTable;
  readonly #onShow: (tab: EventDestination, event: EventToShow) => void;
  #events: EventsTabContent | undefined;
  /** The action that requests earlier rows to compare with, if there are none yet. */
  #requestEarlier: ActionOffer | undefined;
  /** The rows that are searched. */
  #searchedRows: ResultRows | undefined;

  constructor(deps: TabDeps, onShow: (tab: EventDestination, event: EventToShow) => void) {
    this.#deps = deps;
    this.#onShow = onShow;
    this.tabTable = new TabTable(deps, 'events', t('Events'), {
      onOpen: () => this.#show('chart'),
      onClick: () => this.#show('both'),
    });
  }

  /** Searches the rows of a result. */
  compute(state: TableState): void {
    const { analyzer, host, view } = this.#deps;
    this.#events = computeEventsTab(analyzer, state, view(), host.locale);
    this.#requestEarlier = state.tools.actions.find(({ action }) => action === 'requestEarlier');
    this.#searchedRows = analyzer.derive(state, view().derived).rowsWithDerived;
    this.tabTable.setRows(state, this.#events.rows);
  }

  /** Shows the computed rows. The table must be in the page. */
  show(): void {
    this.tabTable.show();
  }

  template(): TemplateResult {
    const { choice, texts } = this.#events ?? {};
    if (!choice || !texts)
      return html`<p class="aside" role="status">${t('There are no rows to search for events.')}</p>`;
    const { changeView, view, host } = this.#deps;
    const requestEarlier = choice.kind === 'unusual' ? this.#requestEarlier : undefined;
    const hasRows = (this.tabTable.rows?.frame.rowCount ?? 0) > 0;
    const controls = eventControls({
      choice,
      change: part => changeView({ events: { ...view().events, ...part } }),
      requestEarlier: requestEarlier && { label: requestEarlier.label, run: () => host.act(requestEarlier.action) },
      showInChart: hasRows ? () => this.#show('chart') : undefined,
      showInTable: hasRows ? () => this.#show('table') : undefined,
    });
    return html`${renderTabHead('events', controls, texts)}
    ${this.tabTable.rows ? this.tabTable.table.template() : nothing}`;
  }

  /** Computes how far an instant of a column is shifted among the rows: a compared period is aligned with the current one. */
  #computeShift(column: string, instant: number): number {
    const { frame } = this.#searchedRows ?? {};
    const columnTimes = frame && getTimesOfColumn(frame, { name: column });
    const frameTimes = frame && findTimeColumn(frame);
    return (frameTimes?.values[columnTimes?.values.indexOf(instant) ?? -1] ?? instant) - instant;
  }

  /** Shows the event of the focused row, or the first one. */
  #show(destination: EventDestination): void {
    const { rows } = this.tabTable;
    const column = rows?.analysis?.find?.column;
    const { choice } = this.#events ?? {};
    const getInstant = (name: string): number | undefined => this.tabTable.instantAt(name);
    const start = getInstant('start');
    const end = getInstant('end');
    const range = this.#searchedRows && getIntervalSpan(this.#searchedRows);
    if (!rows || column === undefined || !choice || !range || start === undefined || end === undefined) return;
    const shift = this.#computeShift(column, start);
    const times = { start: start + shift, end: end + shift, instant: (getInstant('extreme_at') ?? start) + shift };
    this.#onShow(destination, { kind: choice.kind, column, ...times, intervalMs: rows.intervalMs, range });
  }
}
