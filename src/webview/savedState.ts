import type { GridPlace } from './grid/cellRange.ts';
import { isRecord, readView, type PanelView } from './result/panelView.ts';
import type { Message } from '../shared/messenger.ts';

/**
 * What VS Code keeps of the page across hiding, moving and restarting: the question (for the host, which restores the
 * panel with it), how the person looks at the result, and where in the table they are.
 */
export class SavedState {
  readonly #api: VsCodeApi;

  constructor(api: VsCodeApi) {
    this.#api = api;
  }

  keepQuestion(question: Readonly<Record<string, unknown>>): void {
    this.#keep({ question });
  }

  keepView(view: PanelView): void {
    this.#keep({ view });
  }

  keepPlace(title: string, place: GridPlace): void {
    this.#keep({ title, place });
  }

  view(): PanelView {
    return readView(this.#kept()['view']);
  }

  /** The place kept for this title; undefined for another title or a state of another form. */
  place(title: string): GridPlace | undefined {
    const kept = this.#kept();
    const place = isRecord(kept['place']) ? kept['place'] : {};
    const { topRow, row, column, left, anchor } = place as Partial<GridPlace>;
    if (kept['title'] !== title || !isRow(topRow) || !isFocusRow(row) || typeof column !== 'string') return undefined;
    return {
      topRow,
      row,
      column,
      ...(isRow(left) && { left }),
      ...(isRecord(anchor) && isRow(anchor.row) && typeof anchor.column === 'string' && { anchor }),
    };
  }

  #kept(): Readonly<Record<string, unknown>> {
    const state = this.#api.getState();
    return isRecord(state) ? state : {};
  }

  #keep(part: Readonly<Record<string, unknown>>): void {
    this.#api.setState({ ...this.#kept(), ...part });
  }
}

/** -1 is the heading. */
function isFocusRow(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= -1;
}

function isRow(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** What VS Code gives a page: the way to the host, and a small state that survives a reload. */
interface VsCodeApi {
  postMessage(message: Message): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  /** May be called once in the life of a page. */
  function acquireVsCodeApi(): VsCodeApi;
}
