import type { Message } from '../shared/messenger.ts';
import { headerRow, type GridPosition } from './grid/gridSelection.ts';
import { parsePanelAnalysis } from '../core/analysis/analysisSchema.ts';
import { isRecord, parseView, type View, type SerializedView } from '../shared/view.ts';

/**
 * The state of the page that VS Code persists when the panel is hidden or moved and when VS Code restarts: the request (from which the
 * host restores the panel), the view of the result, and the position in the table.
 */
export class SavedState {
  readonly #api: VsCodeApi;

  constructor(api: VsCodeApi) {
    this.#api = api;
  }

  saveHostState(hostState: Readonly<Record<string, unknown>>): void {
    this.#save({ question: hostState });
  }

  saveView(view: SerializedView): void {
    this.#save({ view });
  }

  /** Saves the position in the table of the result with this title. */
  savePosition(title: string, position: GridPosition): void {
    this.#save({ title, place: position });
  }

  /** The state of the host that was saved last; empty before there is one. */
  get hostState(): Readonly<Record<string, unknown>> {
    const { question } = this.#saved();
    return isRecord(question) ? question : {};
  }

  /** Whether a view was saved, because the page has shown a result before. */
  get hasView(): boolean {
    return this.#saved()['view'] !== undefined;
  }

  view(): View {
    const saved = this.#saved()['view'];
    const { analysis, display } = isRecord(saved) ? saved : {};
    // Another version of the extension may have saved it.
    return parseView({
      analysis: parsePanelAnalysis(analysis),
      display: isRecord(display) ? display : undefined,
    });
  }

  /** Returns the position that was saved for this title. Returns undefined for another title, and if the state is invalid. */
  position(title: string): GridPosition | undefined {
    const saved = this.#saved();
    const position = isRecord(saved['place']) ? saved['place'] : {};
    const { topRow, row, column, left, anchor } = position as Partial<GridPosition>;
    if (saved['title'] !== title || !isRow(topRow) || !isFocusableRow(row) || typeof column !== 'string')
      return undefined;
    return {
      topRow,
      row,
      column,
      ...(isRow(left) && { left }),
      ...(isRecord(anchor) && isRow(anchor.row) && typeof anchor.column === 'string' && { anchor }),
    };
  }

  /** Saves parts of the state and leaves the other parts unchanged. */
  #save(parts: Readonly<Record<string, unknown>>): void {
    this.#api.setState({ ...this.#saved(), ...parts });
  }

  #saved(): Readonly<Record<string, unknown>> {
    const state = this.#api.getState();
    return isRecord(state) ? state : {};
  }
}

/** Whether a value is the index of a row that can be focused; -1 is the header. */
function isFocusableRow(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= headerRow;
}

function isRow(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** VS Code's webview API: messages to the host, and a state that survives a reload. */
interface VsCodeApi {
  postMessage(message: Message): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  /** May be called only once per page load. */
  function acquireVsCodeApi(): VsCodeApi;
}
