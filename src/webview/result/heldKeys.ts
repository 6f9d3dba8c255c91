import { t } from '@vscode/l10n';
import type { DataGrid } from '../grid/dataGrid.ts';

const moves = /^(Arrow|Page|Home$|End$)/;

/**
 * Defers keys that go to the last row or copy all rows while only the first rows are loaded, together with all keys after them.
 * Escape discards them.
 */
export class HeldKeys {
  readonly #grid: DataGrid;
  readonly #announce: (text: string) => void;
  readonly #held: KeyboardEvent[] = [];

  constructor(grid: DataGrid, announce: (text: string) => void) {
    this.#grid = grid;
    this.#announce = announce;
    // In the capture phase, before the grid handles them.
    grid.element.addEventListener('keydown', event => this.#pressed(event), { capture: true });
  }

  /** Dispatches the deferred keys once all rows are loaded, unless the focus has left the grid since. */
  release(): void {
    if (this.#grid.element.ariaBusy === 'true') return;
    const { element } = this.#grid;
    for (const event of this.#held.splice(0))
      if (element.contains(document.activeElement)) element.dispatchEvent(new KeyboardEvent(event.type, event));
  }

  #pressed(event: KeyboardEvent): void {
    if (this.#grid.element.ariaBusy !== 'true') return;
    if (event.key === 'Escape') this.#held.length = 0;
    if (!this.#mustWait(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (this.#held.push(event) === 1) this.#announce(t('Available when all rows are loaded.'));
  }

  #mustWait({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    const jump = (ctrlKey || metaKey) && !altKey;
    const isCopy = jump && key.toLowerCase() === 'c';
    if (this.#held.length > 0) return isCopy || moves.test(key);
    const { reach } = this.#grid.position();
    if (isCopy) return reach === 'all' || reach === 'columns';
    return jump && (key === 'End' || key === 'ArrowDown');
  }
}
