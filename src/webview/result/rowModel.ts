import { type WithMissingRows, withMissingRows } from '../../core/frame/frames.ts';
import type { Frame } from '../../shared/frame.ts';
import type { ViewState } from '../../shared/protocol.ts';
import { stepState } from '../../shared/result.ts';
import { stepNote } from '../../presentation/coverage/coverageWords.ts';
import { RowOrder, type OrderChoice } from '../rows/rowOrder.ts';
import type { PanelView } from '../../shared/savedView.ts';

export type TableState = Extract<ViewState, { view: 'table' }>;

/** The rows of a result as a person looks at them. */
export interface ShownRows {
  /** The frame of the result, or with a row for each missing step where these are shown. */
  readonly frame: Frame;
  /** The length of the requested interval, in milliseconds, where it is known. */
  readonly step: number | undefined;
  /** The data rows in the order shown; undefined for all as they are. */
  readonly order: Uint32Array | undefined;
  readonly rowCount: number;
  /** Those of them that were received; the others stand for a missing step. */
  readonly received: number;
  /** Missing steps to be shown for which the table has no room. */
  readonly leftOut: number;
  /** Why a row has no values. */
  readonly note: ((row: number) => string | undefined) | undefined;
}

/** `table`: of the rows with those that are missing; `received`: without; `charted`: of all times, where the table is limited to some. */
type Orders = Readonly<Record<'table' | 'received' | 'charted', RowOrder>>;

/** Computes which rows are shown, and caches what did not change: the frame with its missing rows, and the order. */
export class RowModel {
  readonly #locale: string;
  #state: TableState | undefined;
  #withMissing: WithMissingRows | undefined;
  #orders: Orders | undefined;
  #zone = '';
  #tariffs: TableState['tariffs'];

  constructor(locale: string) {
    this.#locale = locale;
  }

  /** As the table shows them. */
  shown(state: TableState, view: PanelView): ShownRows {
    if (state.frame !== this.#state?.frame) this.#withMissing = undefined;
    this.#state = state;
    const { frame, notes, leftOut = 0 } = this.#rowsOf(state, view);
    const order = this.#ordersOf(state).table.orderOf(frame, choiceOf(view));
    const rowCount = order?.length ?? frame.rowCount;
    const note = notes && ((row: number) => stepNote(notes[row] ?? stepState.present));
    const received = notes ? countReceived(notes, order) : rowCount;
    return { frame, step: state.step, order, rowCount, received, leftOut, note };
  }

  /** The rows that were received, in the same order, for statistics. Undefined for all as they are. */
  receivedOrder(state: TableState, view: PanelView): Uint32Array | undefined {
    const { table, received } = this.#ordersOf(state);
    // Where the table shows no missing rows, its order is the same: a million rows are not sorted twice.
    const orders = this.#rowsOf(state, view).frame === state.frame ? table : received;
    return orders.orderOf(state.frame, choiceOf(view));
  }

  /** The rows received that the filters leave, at all times and as received, for the chart. Undefined for all. */
  charted(state: TableState, view: PanelView): Uint32Array | undefined {
    const { table, charted } = this.#ordersOf(state);
    const isSame = choiceOf(view).window === undefined && this.#rowsOf(state, view).frame === state.frame;
    return (isSame ? table : charted).orderOf(state.frame, { sort: [], filters: view.filters });
  }

  #rowsOf(state: TableState, view: PanelView): Pick<WithMissingRows, 'frame'> & Partial<WithMissingRows> {
    const { frame, coverage, start, step } = state;
    if (!view.missingRows || !coverage || step === undefined) return { frame };
    return (this.#withMissing ??= withMissingRows(frame, coverage, start, step));
  }

  /** Filters of times are read in the zone shown. */
  #ordersOf({ zone: { timeZone }, tariffs }: TableState): Orders {
    if (timeZone !== this.#zone || tariffs !== this.#tariffs) this.#orders = undefined;
    [this.#zone, this.#tariffs] = [timeZone, tariffs];
    const context = { timeZone, locale: this.#locale, tariffs };
    const order = (): RowOrder => new RowOrder(context);
    return (this.#orders ??= { table: order(), received: order(), charted: order() });
  }
}

function choiceOf({ sort, filters, linked, window }: PanelView): OrderChoice {
  return { sort, filters, window: linked ? window : undefined };
}

function countReceived(notes: Uint8Array, order: Uint32Array | undefined): number {
  let count = 0;
  for (let row = 0; row < (order?.length ?? notes.length); row++)
    count += Number(notes[order?.[row] ?? row] === stepState.present);
  return count;
}
