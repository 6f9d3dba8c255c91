import { t } from '@vscode/l10n';
import type { DataGrid } from '../grid/dataGrid.ts';

const movementKey = /^(Arrow|Page|Home$|End$)/;

/**
 * Defers keys that go to the last row or copy all rows while only the first rows are loaded, together with all keys after them.
 * Escape discards them.
 */
export class DeferredKeys {
  readonly #grid: DataGrid;
  readonly #announce: (text: string) => void;
  readonly #deferred: KeyboardEvent[] = [];

  constructor(grid: DataGrid, announce: (text: string) => void) {
    this.#grid = grid;
    this.#announce = announce;
    // The capture phase comes before the handlers of the grid.
    grid.element.addEventListener('keydown', event => this.#onKeydown(event), { capture: true });
  }

  /** Dispatches the deferred keys once all rows are loaded, unless the focus has left the grid since. */
  release(): void {
    if (this.#grid.element.ariaBusy === 'true') return;
    const { element } = this.#grid;
    for (const event of this.#deferred.splice(0))
      if (element.contains(document.activeElement)) element.dispatchEvent(new KeyboardEvent(event.type, event));
  }

  #onKeydown(event: KeyboardEvent): void {
    if (this.#grid.element.ariaBusy !== 'true') return;
    if (event.key === 'Escape') this.#deferred.length = 0;
    if (!this.#mustDefer(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (this.#deferred.push(event) === 1) this.#announce(t('Available when all rows are loaded.'));
  }

  #mustDefer({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    const isJump = (ctrlKey || metaKey) && !altKey;
    const isCopy = isJump && key.toLowerCase() === 'c';
    if (this.#deferred.length > 0) return isCopy || movementKey.test(key);
    const { reach } = this.#grid.position();
    if (isCopy) return reach === 'all' || reach === 'columns';
    return isJump && (key === 'End' || key === 'ArrowDown');
  }
}
