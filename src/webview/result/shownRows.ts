import { withMissingRows } from '../../core/missingRows.ts';
import type { Frame } from '../../shared/frame.ts';
import type { ViewState } from '../../shared/protocol.ts';
import { stepNote } from '../coverage/stepNote.ts';
import { RowOrder } from '../rows/rowOrder.ts';
import type { PanelView } from './panelView.ts';

export type TableState = Extract<ViewState, { view: 'table' }>;

/** The rows of a result as a person looks at them. */
export interface ShownRows {
  /** The frame of the result, or with a row for each missing step where the person wants these. */
  readonly frame: Frame;
  /** The data rows in the order shown; undefined for all as they are. */
  readonly order: Uint32Array | undefined;
  readonly rowCount: number;
  /** Why a row holds nothing. */
  readonly note: ((row: number) => string | undefined) | undefined;
}

/** Works out which rows are shown, and keeps what did not change: the frame with its missing rows, and the order. */
export class RowShower {
  private readonly locale: string;
  private state: TableState | undefined;
  private withMissing: { readonly frame: Frame; readonly notes: Uint8Array } | undefined;
  private orders: RowOrder | undefined;
  private zone = '';

  constructor(locale: string) {
    this.locale = locale;
  }

  shown(state: TableState, view: PanelView): ShownRows {
    if (state.frame !== this.state?.frame) this.withMissing = undefined;
    this.state = state;
    const { frame, notes } = this.rowsOf(state, view);
    const order = this.orderer(state.zone.timeZone).orderOf(frame, {
      sort: view.sort,
      filters: view.filters,
      window: view.linked ? view.window : undefined,
    });
    const note = notes && ((row: number) => stepNote(notes[row] ?? 0));
    return { frame, order, rowCount: order?.length ?? frame.rowCount, note };
  }

  private rowsOf(state: TableState, view: PanelView): { readonly frame: Frame; readonly notes?: Uint8Array } {
    const { frame, coverage, start, step } = state;
    if (!view.missingRows || !coverage || step === undefined) return { frame };
    return (this.withMissing ??= withMissingRows(frame, coverage, start, step));
  }

  /** Filters of times are read in the zone shown. */
  private orderer(timeZone: string): RowOrder {
    if (timeZone !== this.zone) this.orders = undefined;
    this.zone = timeZone;
    return (this.orders ??= new RowOrder({ timeZone, locale: this.locale }));
  }
}
