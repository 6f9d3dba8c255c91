import { html, nothing, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { getTimesOfColumn } from '../../core/compare/compareFrames.ts';
import { findTimeColumn } from '../../core/frame/clip.ts';
import type { TimeRange } from '../../shared/analysis.ts';
import type { ResolvedEventChoice } from '../../core/events/resolveEventChoice.ts';
import { eventControls } from '../events/eventControls.ts';
import { shownEvents, type ShownEvents } from '../../presentation/events/shownEvents.ts';
import { tabHead } from '../views/infoButton.ts';
import { OwnTable } from './ownTable.ts';
import type { ActionOffer, TableState } from '../../shared/protocol.ts';
import type { ResultRows } from '../../core/analysis/resultRows.ts';
import { getIntervalSpan } from '../../core/analysis/rowIntervals.ts';
import type { TabParts } from './tabParts.ts';

/** An event to show in another tab. Instants are UTC milliseconds. */
export interface ShownEvent extends TimeRange {
  readonly kind: ResolvedEventChoice['kind'];
  readonly column: string;
  /** Start of the hour with the extreme value. */
  readonly at: number;
  readonly stepMs: number;
  /** The time range that was searched. */
  readonly range: TimeRange;
}

/** Where to show an event: in a tab that is opened, or in chart and table while the list stays open. */
export type ShowsEvent = 'chart' | 'table' | 'both';

/** The Events tab: the events in the rows of a result, and the search options. */
export class EventsTab {
  readonly #parts: TabParts;
  readonly own: OwnTable;
  readonly #showIn: (tab: ShowsEvent, event: ShownEvent) => void;
  #shown: ShownEvents | undefined;
  /** The action that requests earlier rows to compare with, if there are none yet. */
  #earlier: ActionOffer | undefined;
  /** The rows that are searched. */
  #whole: ResultRows | undefined;

  constructor(parts: TabParts, showIn: (tab: ShowsEvent, event: ShownEvent) => void) {
    this.#parts = parts;
    this.#showIn = showIn;
    this.own = new OwnTable(parts, 'events', t('Events'), {
      open: () => this.#show('chart'),
      clicked: () => this.#show('both'),
    });
  }

  /** Searches the rows of a result. */
  compute(state: TableState): void {
    const { analyser, host, view } = this.#parts;
    this.#shown = shownEvents(analyser, state, view(), host.locale);
    this.#earlier = state.tools.actions.find(({ action }) => action === 'requestEarlier');
    this.#whole = analyser.derive(state, view().derived).rowsWithDerived;
    this.own.take(state, this.#shown.rows);
  }

  /** Shows the computed rows. The table must be in the page. */
  show(): void {
    this.own.show();
  }

  template(): TemplateResult {
    const { choice, words } = this.#shown ?? {};
    if (!choice || !words)
      return html`<p class="aside" role="status">${t('There are no rows to search for events.')}</p>`;
    const { change, view, host } = this.#parts;
    const earlier = choice.kind === 'unusual' ? this.#earlier : undefined;
    const hasRows = (this.own.rows?.frame.rowCount ?? 0) > 0;
    const controls = eventControls({
      choice,
      change: part => change({ events: { ...view().events, ...part } }),
      requestEarlier: earlier && { label: earlier.label, run: () => host.act(earlier.action) },
      showInChart: hasRows ? () => this.#show('chart') : undefined,
      showInTable: hasRows ? () => this.#show('table') : undefined,
    });
    return html`${tabHead('events', controls, words)} ${this.own.rows ? this.own.table.template() : nothing}`;
  }

  /** Computes how far an instant of a column is shifted among the rows: a compared period is aligned with the current one. */
  #shiftOf(column: string, instant: number): number {
    const { frame } = this.#whole ?? {};
    const [own, shown] = [frame && getTimesOfColumn(frame, { name: column }), frame && findTimeColumn(frame)];
    return (shown?.values[own?.values.indexOf(instant) ?? -1] ?? instant) - instant;
  }

  /** Shows the event of the focused row, or the first one. */
  #show(tab: ShowsEvent): void {
    const { rows } = this.own;
    const column = rows?.analysis?.find?.column;
    const { choice } = this.#shown ?? {};
    const at = (name: string): number | undefined => this.own.instantAt(name);
    const [start, end] = [at('start'), at('end')];
    const range = this.#whole && getIntervalSpan(this.#whole);
    if (!rows || column === undefined || !choice || !range || start === undefined || end === undefined) return;
    const shift = this.#shiftOf(column, start);
    const times = { start: start + shift, end: end + shift, at: (at('extreme_at') ?? start) + shift };
    this.#showIn(tab, { kind: choice.kind, column, ...times, stepMs: rows.step, range });
  }
}
