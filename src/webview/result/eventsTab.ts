import { html, nothing, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { zoneOfRows } from '../../core/bins/dayInterval.ts';
import { stepsWithin } from '../../core/bins/resample.ts';
import { eventSteps } from '../../core/events/eventFrame.ts';
import type { Steps } from '../../core/time/steps.ts';
import type { EventSearch } from '../../shared/eventSearch.ts';
import type { Frame } from '../../shared/frame.ts';
import type { ShownTable } from '../../shared/protocol.ts';
import { appliedChoice, type AppliedChoice } from '../events/eventChoice.ts';
import { eventControls } from '../events/eventControls.ts';
import { eventsSentence } from '../events/eventWords.ts';
import { positionOf } from '../grid/gridDom.ts';
import { headerRow } from '../grid/gridSelection.ts';
import { LatestResult } from '../slices.ts';
import { OwnTable } from './ownTable.ts';
import type { PanelView, TimeWindow } from './panelView.ts';
import { inWords } from './resampledRows.ts';
import type { TableState } from './rowModel.ts';
import { countedRows, stepsOf } from './rowSteps.ts';
import type { TableTab } from './tableTab.ts';
import type { TabParts } from './tabParts.ts';

/** An event as the other tabs show it. Instants are UTC milliseconds. */
export interface ShownEvent extends TimeWindow {
  readonly kind: AppliedChoice['kind'];
  readonly column: string;
  /** The beginning of the hour with the extreme. */
  readonly at: number;
  readonly stepMs: number;
}

interface Events {
  readonly frame: Frame;
  readonly search: EventSearch;
}

/** The events in the rows of a result, and what is searched for. */
export class EventsTab {
  readonly #parts: TabParts;
  readonly #own: OwnTable;
  readonly #latest: LatestResult<Events>;
  readonly #showIn: (tab: 'chart' | 'table', event: ShownEvent) => void;
  #state: TableState | undefined;
  #choice: AppliedChoice | undefined;
  /** The events on screen; undefined before there are any, and where the choice is no search. */
  #events: Events | undefined;
  #isComputing = false;

  constructor(parts: TabParts, computed: () => void, showIn: (tab: 'chart' | 'table', event: ShownEvent) => void) {
    this.#parts = parts;
    this.#showIn = showIn;
    this.#own = new OwnTable(parts, 'events', t('Events'));
    this.#latest = new LatestResult(computed);
    const { element } = this.table.grid;
    const isRow = (target: EventTarget | null): boolean => (positionOf(target)?.row ?? headerRow) > headerRow;
    // The grid has captured the pointer, so the event is not of the cell.
    element.addEventListener('dblclick', ({ clientX, clientY }) => {
      if (isRow(document.elementFromPoint(clientX, clientY))) this.#show('chart');
    });
    element.addEventListener('keydown', event => {
      if (event.key !== 'Enter' || !isRow(event.target)) return;
      event.preventDefault();
      this.#show('chart');
    });
  }

  get table(): TableTab {
    return this.#own.table;
  }

  /** Searches the rows of a result. The events before stay until those of many rows are found. */
  search(state: TableState): void {
    const { host, view } = this.#parts;
    const { filters, events: chosen } = view();
    const span = stepsOf(state);
    const choice = span && appliedChoice(state.frame, span.stepMs, chosen, host.locale);
    this.#state = state;
    this.#choice = choice;
    this.#isComputing = false;
    if (!span || !choice?.rule) {
      this.#events = undefined;
      return;
    }
    const { rule, searched } = choice;
    const { timeZone } = zoneOfRows(state.interval, state.zone);
    const search = { rule, column: searched.name, ...span };
    const key = JSON.stringify([search, filters, timeZone]);
    const found = this.#latest.of(state.frame, key, () => this.#steps(state.frame, search, filters, timeZone));
    this.#isComputing = found === 'computing';
    if (found !== 'computing') this.#events = found;
  }

  /** Shows the events in their table, which must stand in the page. */
  show(): void {
    const state = this.#state;
    const events = this.#events;
    if (state && events)
      this.#own.show({ ...state, frame: events.frame, step: events.search.stepMs, coverage: undefined, compared: [] });
  }

  template(): TemplateResult {
    const choice = this.#choice;
    if (!choice) return html`<p class="aside" role="status">${t('There are no rows to search for events.')}</p>`;
    const { change, view } = this.#parts;
    const hasRows = (this.#events?.frame.rowCount ?? 0) > 0;
    return html`${eventControls({
        choice,
        change: part => change({ events: { ...view().events, ...part } }),
        showInChart: hasRows ? () => this.#show('chart') : undefined,
        showInTable: hasRows ? () => this.#show('table') : undefined,
      })}
      <p class="event-sentence" role="status">${this.#sentence(choice)}</p>
      ${this.#events ? this.table.template() : nothing}`;
  }

  footer(): string {
    return this.#events ? this.#own.footer() : '';
  }

  /** What is shown, for an export; undefined while it is being computed. */
  shownTable(): ShownTable | undefined {
    return this.#events && !this.#isComputing ? this.#own.shownTable({ events: this.#events.search }) : undefined;
  }

  *#steps(
    frame: Frame,
    search: Omit<EventSearch, 'rows' | 'counted'>,
    filters: PanelView['filters'],
    timeZone: string,
  ): Steps<Events> {
    const { locale } = this.#parts.host;
    const steps = { ...stepsWithin(search), stepMs: search.stepMs };
    const counted = { ...search, ...countedRows(filters, frame, steps, { timeZone, locale }) };
    return { frame: inWords(yield* eventSteps(frame, counted)), search: counted };
  }

  #sentence({ rule, searched }: AppliedChoice): string {
    const events = this.#events;
    if (this.#isComputing) return t('Searching…');
    if (!rule || !events) return '';
    return eventsSentence(events.frame.rowCount, rule, searched, events.search.stepMs, this.#parts.host.locale);
  }

  /** Shows the event of the focused row, or else the first, in another tab. */
  #show(tab: 'chart' | 'table'): void {
    const events = this.#events;
    const choice = this.#choice;
    const { grid, cells } = this.table;
    const row = cells.dataRow(Math.max(0, grid.place().row));
    const at = (name: string): number | undefined => {
      const column = events?.frame.columns.find(one => one.name === name);
      return column?.kind === 'time' ? column.values[row] : undefined;
    };
    const [start, end] = [at('start'), at('end')];
    if (!events || !choice || start === undefined || end === undefined) return;
    const { column, stepMs } = events.search;
    this.#showIn(tab, { kind: choice.kind, column, start, end, at: at('extreme_at') ?? start, stepMs });
  }
}
