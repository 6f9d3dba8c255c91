import { html, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import type { Frame } from '../../shared/frame.ts';
import { findCellPosition } from '../grid/gridDom.ts';
import { hasMultipleCells } from '../grid/gridSelection.ts';
import { startDrag } from '../startDrag.ts';
import type { ChartTab } from './chartTab.ts';
import { initialView, clampSplit } from '../../shared/view.ts';
import type { TableTab } from './tableTab.ts';
import type { TabDeps } from './tabDeps.ts';

const keyboardStep = 0.05;
/** Places chart and table side by side if the page is wide enough for both, or not high enough to stack them. */
const sideBySideQuery = '(min-width: 1100px), (min-width: 540px) and (max-height: 480px)';

/**
 * The Split tab shows the chart and the table in one view. The crosshair of the chart and the highlighted row of the table follow
 * each other, and both parts show the selection.
 */
export class SplitTab {
  readonly #deps: TabDeps;
  readonly #chart: ChartTab;
  readonly #table: TableTab;
  readonly #sideBySide = matchMedia(sideBySideQuery);
  /** The rows of both parts while the tab is open. */
  #frame: Frame | undefined;
  /** The frame that the chart draws. It has the same rows, and may have more columns. */
  #chartFrame: Frame | undefined;
  /** Whether a key or a click in the chart placed the crosshair. */
  #isHeld = false;
  /** Whether the current move only follows a move in the other part, which must not be moved again. */
  #isFollowing = false;

  constructor(deps: TabDeps, chart: ChartTab, table: TableTab) {
    this.#deps = deps;
    this.#chart = chart;
    this.#table = table;
    this.#sideBySide.addEventListener('change', () => this.#frame && deps.host.render());
    const { element } = table.grid;
    // Rows that scroll under a resting pointer do not cause a `pointermove`, so the crosshair stays.
    element.addEventListener('pointermove', ({ target }) => {
      const row = findCellPosition(target)?.row ?? -1;
      if (this.#frame && row >= 0) this.#pointTo(row);
    });
    element.addEventListener('pointerleave', () => this.#returnToFocusedRow());
  }

  /** Calls `showParts` to fill both parts, which must be in the page, and then links them. */
  show(frame: Frame, chartFrame: Frame, showParts: () => void): void {
    this.#isFollowing = true;
    showParts();
    this.#isFollowing = false;
    this.#frame = frame;
    this.#chartFrame = chartFrame;
    this.onChartPointed(this.#chart.view.pointedRow, this.#isHeld);
  }

  /** Unlinks the two parts when another tab is opened. */
  close(): void {
    if (!this.#frame) return;
    this.#frame = undefined;
    this.#table.grid.highlightRow(undefined);
  }

  /**
   * Highlights the row of the crosshair. If a key or a click has placed the crosshair, also scrolls to the row, and focuses it unless that would
   * clear a selection.
   */
  onChartPointed(receivedRow: number | undefined, isHeld: boolean): void {
    const { grid, cells } = this.#table;
    if (!this.#frame) return;
    if (receivedRow === undefined) {
      this.#returnToFocusedRow();
      return;
    }
    this.#isHeld = isHeld;
    const row = cells.findVisibleRow(receivedRow, this.#frame);
    this.#isFollowing = true;
    if (row !== undefined && isHeld && !(grid.range && hasMultipleCells(grid.range))) grid.focusCell(row);
    grid.highlightRow(row, isHeld);
    this.#isFollowing = false;
  }

  /** Called when the focused row of the table may have changed. With `isSelectionChange`, called after the selection has changed. */
  onTableMoved(isSelectionChange: boolean): void {
    if (!this.#frame) return;
    const { grid, cells } = this.#table;
    if (isSelectionChange && this.#chartFrame) this.#chart.markSelection(this.#chartFrame, cells.selectedIntervals);
    if (isSelectionChange || this.#isFollowing) return;
    this.#isHeld = false;
    // A negative row is the header.
    if (grid.position().row >= 0) this.#pointTo(grid.position().row);
  }

  template(): TemplateResult {
    const isSideBySide = this.#sideBySide.matches;
    const { split } = this.#deps.view();
    return html`<div class=${isSideBySide ? 'split beside' : 'split'} .style=${`--split: ${split}`}>
      <section id="split-chart" aria-label=${t('Chart')}>${this.#chart.view.element}</section>
      <div
        class="sash"
        role="separator"
        tabindex="0"
        aria-label=${t('Resize chart and table')}
        aria-controls="split-chart"
        aria-orientation=${isSideBySide ? 'vertical' : 'horizontal'}
        aria-valuenow=${Math.round(split * 100)}
        aria-valuemin="20"
        aria-valuemax="80"
        title=${t('Drag, or press the arrow keys. A double-click or Enter makes both equal.')}
        @keydown=${(event: KeyboardEvent) => this.#resizeByKey(event)}
        @pointerdown=${(event: PointerEvent) => this.#resize(event)}
        @dblclick=${() => this.#deps.changeView({ split: initialView.split })}
      ></div>
      <section aria-label=${t('Table')}>${this.#table.template()}</section>
    </div>`;
  }

  /** Moves the crosshair to a visible row. Hides the crosshair if the row is undefined or a placeholder for a missing interval. */
  #pointTo(row: number | undefined): void {
    this.#isHeld = false;
    this.#chart.goToTime(row === undefined ? undefined : this.#table.cells.instantAt(row));
    this.#table.grid.highlightRow(row);
    this.#deps.onPointed();
  }

  /** Moves the crosshair back to the focused row. Hides it if the focus is still on the first row. */
  #returnToFocusedRow(): void {
    const { grid } = this.#table;
    const { row } = grid.position();
    if (!this.#frame) return;
    this.#pointTo(row > 0 ? row : undefined);
  }

  #resizeByKey(event: KeyboardEvent): void {
    const { split } = this.#deps.view();
    const sharesByKey: Readonly<Record<string, number>> = {
      ArrowUp: split - keyboardStep,
      ArrowLeft: split - keyboardStep,
      ArrowDown: split + keyboardStep,
      ArrowRight: split + keyboardStep,
      Home: 0,
      End: 1,
      Enter: initialView.split,
    };
    const share = sharesByKey[event.key];
    if (share === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.#deps.changeView({ split: clampSplit(share) });
  }

  #resize(event: PointerEvent): void {
    const sash = event.currentTarget as HTMLElement;
    const { parentElement: container } = sash;
    if (event.button !== 0 || !container) return;
    const { left, top, width, height } = container.getBoundingClientRect();
    const previousSplit = this.#deps.view().split;
    let share = previousSplit;
    startDrag(sash, event, {
      move: (clientX, clientY) => {
        share = clampSplit(this.#sideBySide.matches ? (clientX - left) / width : (clientY - top) / height);
        container.style.setProperty('--split', String(share));
      },
      end: isCanceled => {
        container.style.setProperty('--split', String(previousSplit));
        if (!isCanceled && share !== previousSplit) this.#deps.changeView({ split: share });
      },
    });
  }
}
