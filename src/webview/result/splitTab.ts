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
/** Media query for chart and table side by side: the page is wide enough for two columns, or too low for two rows. */
const sideBySideQuery = '(min-width: 1100px), (min-width: 540px) and (max-height: 480px)';

/** The Split tab: chart and table in one view. Crosshair, highlighted row and focused row follow each other, and both parts show the selection. */
export class SplitTab {
  readonly #deps: TabDeps;
  readonly #chart: ChartTab;
  readonly #table: TableTab;
  readonly #sideBySide = matchMedia(sideBySideQuery);
  /** The rows of both parts while the tab is open. */
  #frame: Frame | undefined;
  /** The frame that the chart draws: the same rows, possibly with more columns. */
  #chartFrame: Frame | undefined;
  /** Whether a key or a click in the chart placed the crosshair. */
  #isHeld = false;
  /** Whether the current move is caused by a move in the other part. */
  #isFollowing = false;

  constructor(deps: TabDeps, chart: ChartTab, table: TableTab) {
    this.#deps = deps;
    this.#chart = chart;
    this.#table = table;
    this.#sideBySide.addEventListener('change', () => this.#frame && deps.host.render());
    const { element } = table.grid;
    // A `pointermove` does not occur when rows scroll under a resting pointer.
    element.addEventListener('pointermove', ({ target }) => {
      const row = findCellPosition(target)?.row ?? -1;
      if (this.#frame && row >= 0) this.#pointTo(row);
    });
    element.addEventListener('pointerleave', () => this.#returnToFocusedRow());
  }

  /** Links the two parts after `show` has shown each of them. They must be in the page. */
  show(frame: Frame, chartFrame: Frame, show: () => void): void {
    this.#isFollowing = true;
    show();
    this.#isFollowing = false;
    this.#frame = frame;
    this.#chartFrame = chartFrame;
    this.onChartPointed(this.#chart.view.pointedRow, this.#isHeld);
  }

  /** Unlinks the two parts because another tab is open. */
  close(): void {
    if (!this.#frame) return;
    this.#frame = undefined;
    this.#table.grid.highlightRow(undefined);
  }

  /** Highlights the row of the crosshair after it has moved. If it is held, also scrolls to the row, and focuses it unless that would clear a selection. */
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

  /** Called when the focused row of the table may have changed or, with `settled`, after its selection has changed. */
  onTableMoved(settled: boolean): void {
    if (!this.#frame) return;
    const { grid, cells } = this.#table;
    if (settled && this.#chartFrame) this.#chart.markSelection(this.#chartFrame, cells.selectedIntervals);
    if (settled || this.#isFollowing) return;
    this.#isHeld = false;
    // A row below 0 is the header.
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

  /** Moves the crosshair to a visible row. Hides it for undefined and for the placeholder of a missing interval. */
  #pointTo(row: number | undefined): void {
    this.#isHeld = false;
    this.#chart.goToTime(row === undefined ? undefined : this.#table.cells.instantAt(row));
    this.#table.grid.highlightRow(row);
    this.#deps.onPointed();
  }

  /** Returns the crosshair to the focused row, or hides it while the focus is still on the first row. */
  #returnToFocusedRow(): void {
    const { grid } = this.#table;
    const { row } = grid.position();
    if (!this.#frame) return;
    this.#pointTo(row > 0 ? row : undefined);
  }

  #resizeByKey(event: KeyboardEvent): void {
    const { split } = this.#deps.view();
    const shares: Readonly<Record<string, number>> = {
      ArrowUp: split - keyboardStep,
      ArrowLeft: split - keyboardStep,
      ArrowDown: split + keyboardStep,
      ArrowRight: split + keyboardStep,
      Home: 0,
      End: 1,
      Enter: initialView.split,
    };
    const share = shares[event.key];
    if (share === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.#deps.changeView({ split: clampSplit(share) });
  }

  #resize(event: PointerEvent): void {
    const sash = event.currentTarget as HTMLElement;
    const { parentElement: view } = sash;
    if (event.button !== 0 || !view) return;
    const { left, top, width, height } = view.getBoundingClientRect();
    const before = this.#deps.view().split;
    let share = before;
    startDrag(sash, event, {
      move: (clientX, clientY) => {
        share = clampSplit(this.#sideBySide.matches ? (clientX - left) / width : (clientY - top) / height);
        view.style.setProperty('--split', String(share));
      },
      end: isCancelled => {
        view.style.setProperty('--split', String(before));
        if (!isCancelled && share !== before) this.#deps.changeView({ split: share });
      },
    });
  }
}
