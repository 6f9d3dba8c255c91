import type { Message } from '../shared/messenger.ts';
import { headerRow, type GridPlace } from './grid/gridSelection.ts';
import { panelAnalysisOf } from '../core/analysis/analysisSchema.ts';
import { isRecord, readView, type PanelView, type SavedView } from '../shared/savedView.ts';

/**
 * The page's state that VS Code persists across hiding, moving and restarting: the question (for the host, which restores
 * the panel with it), how the person looks at the result, and where in the table they are.
 */
export class SavedState {
  readonly #api: VsCodeApi;

  constructor(api: VsCodeApi) {
    this.#api = api;
  }

  /** Saves parts; the others stay. A place is of the result with the title. */
  save(
    parts: { question: Readonly<Record<string, unknown>> } | { view: SavedView } | { title: string; place: GridPlace },
  ): void {
    this.#api.setState({ ...this.#saved(), ...parts });
  }

  /** The question saved last; empty before there is one. */
  get question(): Readonly<Record<string, unknown>> {
    const { question } = this.#saved();
    return isRecord(question) ? question : {};
  }

  /** Whether a view was saved: the person has looked at a result here. */
  get hasView(): boolean {
    return this.#saved()['view'] !== undefined;
  }

  view(): PanelView {
    const saved = this.#saved()['view'];
    const { analysis, display } = isRecord(saved) ? saved : {};
    // Another version may have saved it.
    return readView({
      analysis: panelAnalysisOf(analysis),
      display: isRecord(display) ? display : undefined,
    });
  }

  /** The place saved for this title; undefined for another title or a state of another form. */
  place(title: string): GridPlace | undefined {
    const saved = this.#saved();
    const place = isRecord(saved['place']) ? saved['place'] : {};
    const { topRow, row, column, left, anchor } = place as Partial<GridPlace>;
    if (saved['title'] !== title || !isRow(topRow) || !isFocusRow(row) || typeof column !== 'string') return undefined;
    return {
      topRow,
      row,
      column,
      ...(isRow(left) && { left }),
      ...(isRecord(anchor) && isRow(anchor.row) && typeof anchor.column === 'string' && { anchor }),
    };
  }

  #saved(): Readonly<Record<string, unknown>> {
    const state = this.#api.getState();
    return isRecord(state) ? state : {};
  }
}

/** -1 is the header. */
function isFocusRow(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= headerRow;
}

function isRow(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** VS Code's API for a page: messages to the host, and a small state that survives a reload. */
interface VsCodeApi {
  postMessage(message: Message): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  /** May be called once in the life of a page. */
  function acquireVsCodeApi(): VsCodeApi;
}
