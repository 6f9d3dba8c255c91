import { html, nothing, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { zoneOfRows } from '../../core/bins/dayInterval.ts';
import { planEventSearch } from '../../core/analysis/analyse.ts';
import { timesOfColumn } from '../../core/compare/compare.ts';
import { eventTable } from '../../core/events/eventFrame.ts';
import { timeColumnOf } from '../../core/frame/clip.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { EventFinder, TimeWindow } from '../../shared/analysis.ts';
import type { StepSpan } from '../../shared/resampling.ts';
import { appliedChoice, canHaveEvents, type AppliedChoice } from '../../core/events/eventChoice.ts';
import { eventControls } from '../events/eventControls.ts';
import { eventsSentence } from '../../presentation/events/eventWords.ts';
import { windowText } from './filterBar.ts';
import { OwnTable, type ComputedRows } from './ownTable.ts';
import type { PanelView } from '../../shared/savedView.ts';
import type { TableState } from './rowModel.ts';
import { stepSpanOf, stepSpanOfColumn } from '../../core/analysis/rowIntervals.ts';
import { inWords } from '../../presentation/translate.ts';
import type { TabParts } from './tabParts.ts';

/** An event as the other tabs show it. Instants are UTC milliseconds. */
export interface ShownEvent extends TimeWindow {
  readonly kind: AppliedChoice['kind'];
  readonly column: string;
  /** The beginning of the hour with the extreme. */
  readonly at: number;
  readonly stepMs: number;
  /** What was searched. */
  readonly range: TimeWindow;
}

/** Where an event is shown: in a tab that is opened, or in chart and table while the list stays open. */
export type ShowsEvent = 'chart' | 'table' | 'both';

/** The events in the rows of a result, and what is searched for. */
export class EventsTab {
  readonly #parts: TabParts;
  readonly own: OwnTable;
  readonly #showIn: (tab: ShowsEvent, event: ShownEvent) => void;
  #zone: DisplayZone | undefined;
  #choice: AppliedChoice | undefined;
  #state: TableState | undefined;

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
    const { host, view } = this.#parts;
    const { filters, events: chosen } = view();
    const steps = canHaveEvents(state.frame) ? stepSpanOf(state) : undefined;
    const choice = steps && appliedChoice(state.frame, steps.stepMs, chosen, host.locale);
    const span = choice && stepSpanOfColumn(state, choice.searched);
    this.#choice = choice;
    this.#state = state;
    if (!span || !choice.rule) {
      this.own.clear();
      return;
    }
    const { rule, searched } = choice;
    this.#zone = zoneOfRows(state.interval, state.zone);
    const find = { rule, column: searched.name };
    const key = JSON.stringify([find, span, filters, this.#zone, state.tariffs]);
    this.own.compute(state, key, () => this.#find(state, span, find, filters));
  }

  /** What is said of the events; the sentence defines them. */
  words(): { readonly title: string; readonly sentence: string; readonly methods: readonly string[] } {
    return { title: t('Events'), sentence: this.#choice ? this.#sentence(this.#choice) : '', methods: [] };
  }

  /** Shows what was computed; the table stands in the page. */
  show(): void {
    this.own.show();
  }

  template(): TemplateResult {
    const choice = this.#choice;
    if (!choice) return html`<p class="aside" role="status">${t('There are no rows to search for events.')}</p>`;
    const { change, view } = this.#parts;
    const hasRows = (this.own.rows?.frame.rowCount ?? 0) > 0;
    return html`${eventControls({
        choice,
        change: part => change({ events: { ...view().events, ...part } }),
        showInChart: hasRows ? () => this.#show('chart') : undefined,
        showInTable: hasRows ? () => this.#show('table') : undefined,
      })}
      <p class="tab-sentence" role="status">${this.#sentence(choice)}</p>
      ${this.own.rows ? this.own.table.template() : nothing}`;
  }

  #find(state: TableState, span: StepSpan, find: EventFinder, where: PanelView['filters']): ComputedRows {
    const search = planEventSearch(state, span, find, where, this.#parts.host);
    const frame = inWords(eventTable(state.frame, search));
    return { frame, step: span.stepMs, analysis: { find }, isFiltered: search.rows !== undefined };
  }

  #sentence({ rule, searched }: AppliedChoice): string {
    const { rows } = this.own;
    if (!rule || !rows) return '';
    const found = eventsSentence(rows.frame.rowCount, rule, searched, rows.step, this.#parts.host.locale);
    const leftOut = rows.isFiltered && t('Hours that the filters leave out are not looked at, and end a run');
    const { window, linked } = this.#parts.view();
    const shown = linked && window && this.#zone && windowText(window, this.#zone, this.#parts.host.locale);
    return [found, leftOut, shown].filter(Boolean).join('. ');
  }

  /** How much later an instant of a column stands among the rows: those of a compared period stand beside this period's. */
  #shiftOf(column: string, instant: number): number {
    const frame = this.#state?.frame;
    const [own, shown] = [frame && timesOfColumn(frame, { name: column }), frame && timeColumnOf(frame)];
    return (shown?.values[own?.values.indexOf(instant) ?? -1] ?? instant) - instant;
  }

  /** Shows the event of the focused row, or else the first. */
  #show(tab: ShowsEvent): void {
    const { rows } = this.own;
    const column = rows?.analysis?.find?.column;
    const choice = this.#choice;
    const at = (name: string): number | undefined => this.own.instantAt(name);
    const [start, end] = [at('start'), at('end')];
    const range = this.#state && stepSpanOf(this.#state);
    if (!rows || column === undefined || !choice || !range || start === undefined || end === undefined) return;
    const shift = this.#shiftOf(column, start);
    const times = { start: start + shift, end: end + shift, at: (at('extreme_at') ?? start) + shift };
    this.#showIn(tab, { kind: choice.kind, column, ...times, stepMs: rows.step, range });
  }
}
