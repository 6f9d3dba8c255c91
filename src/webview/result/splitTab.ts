import { html, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import type { Frame } from '../../shared/frame.ts';
import { findCellPosition } from '../grid/gridDom.ts';
import { hasMultipleCells } from '../grid/gridSelection.ts';
import { startDrag } from '../startDrag.ts';
import type { ChartTab } from './chartTab.ts';
import { initialView, clampSplit } from '../../shared/view.ts';
import type { TableTab } from './tableTab.ts';
import type { TabParts } from './tabParts.ts';

const step = 0.05;
/** Media query for chart and table side by side: the page is wide enough for two columns, or too low for two rows. */
const sideBySide = '(min-width: 1100px), (min-width: 540px) and (max-height: 480px)';

/** The Split tab: chart and table in one view. Crosshair, highlighted row and focused row follow each other, and both parts show the selection. */
export class SplitTab {
  readonly #parts: TabParts;
  readonly #chart: ChartTab;
  readonly #table: TableTab;
  readonly #wide = matchMedia(sideBySide);
  /** The rows of both parts while the tab is open. */
  #frame: Frame | undefined;
  /** The frame that the chart draws: the same rows, possibly with more columns. */
  #drawn: Frame | undefined;
  /** Whether a key or a click in the chart placed the crosshair. */
  #isHeld = false;
  /** Whether the current move is caused by a move in the other part. */
  #following = false;

  constructor(parts: TabParts, chart: ChartTab, table: TableTab) {
    this.#parts = parts;
    this.#chart = chart;
    this.#table = table;
    this.#wide.addEventListener('change', () => this.#frame && parts.host.render());
    const { element } = table.grid;
    // On moves only, and not when rows scroll under a pointer that rests.
    element.addEventListener('pointermove', ({ target }) => {
      const row = findCellPosition(target)?.row ?? -1;
      if (this.#frame && row >= 0) this.#pointTo(row);
    });
    element.addEventListener('pointerleave', () => this.#rest());
  }

  /** Links the two parts after `show` has shown each of them. They must be in the page. */
  show(frame: Frame, drawn: Frame, show: () => void): void {
    this.#following = true;
    show();
    this.#following = false;
    this.#frame = frame;
    this.#drawn = drawn;
    this.chartPointed(this.#chart.view.row, this.#isHeld);
  }

  /** Unlinks the two parts because another tab is open. */
  close(): void {
    if (!this.#frame) return;
    this.#frame = undefined;
    this.#table.grid.highlightRow(undefined);
  }

  /** Highlights the row of the crosshair after it has moved. If it is held, also scrolls to the row, and focuses it unless that would clear a selection. */
  chartPointed(receivedRow: number | undefined, isHeld: boolean): void {
    const { grid, cells } = this.#table;
    if (!this.#frame) return;
    if (receivedRow === undefined) {
      this.#rest();
      return;
    }
    this.#isHeld = isHeld;
    const row = cells.shownRow(receivedRow, this.#frame);
    this.#following = true;
    if (row !== undefined && isHeld && !(grid.range && hasMultipleCells(grid.range))) grid.focusCell(row);
    grid.highlightRow(row, isHeld);
    this.#following = false;
  }

  /** Called when the focused row of the table may have changed or, with `settled`, after its selection has changed. */
  tableMoved(settled: boolean): void {
    if (!this.#frame) return;
    const { grid, cells } = this.#table;
    if (settled && this.#drawn) this.#chart.mark(this.#drawn, cells.selectedIntervals);
    if (settled || this.#following) return;
    this.#isHeld = false;
    // A row below 0 is the header.
    if (grid.position().row >= 0) this.#pointTo(grid.position().row);
  }

  template(): TemplateResult {
    const isWide = this.#wide.matches;
    const { split } = this.#parts.view();
    return html`<div class=${isWide ? 'split beside' : 'split'} .style=${`--split: ${split}`}>
      <section id="split-chart" aria-label=${t('Chart')}>${this.#chart.view.element}</section>
      <div
        class="sash"
        role="separator"
        tabindex="0"
        aria-label=${t('Resize chart and table')}
        aria-controls="split-chart"
        aria-orientation=${isWide ? 'vertical' : 'horizontal'}
        aria-valuenow=${Math.round(split * 100)}
        aria-valuemin="20"
        aria-valuemax="80"
        title=${t('Drag, or press the arrow keys. A double-click or Enter makes both equal.')}
        @keydown=${(event: KeyboardEvent) => this.#resizeByKey(event)}
        @pointerdown=${(event: PointerEvent) => this.#resize(event)}
        @dblclick=${() => this.#parts.change({ split: initialView.split })}
      ></div>
      <section aria-label=${t('Table')}>${this.#table.template()}</section>
    </div>`;
  }

  /** Moves the crosshair to a visible row. Hides it for undefined and for the placeholder of a missing interval. */
  #pointTo(row: number | undefined): void {
    this.#isHeld = false;
    this.#chart.goToTime(row === undefined ? undefined : this.#table.cells.instantAt(row));
    this.#table.grid.highlightRow(row);
    this.#parts.pointed();
  }

  /** Returns the crosshair to the focused row, or hides it while the focus is still on the first row. */
  #rest(): void {
    const { grid } = this.#table;
    const { row } = grid.position();
    if (!this.#frame) return;
    this.#pointTo(row > 0 ? row : undefined);
  }

  #resizeByKey(event: KeyboardEvent): void {
    const { split } = this.#parts.view();
    const shares: Readonly<Record<string, number>> = {
      ArrowUp: split - step,
      ArrowLeft: split - step,
      ArrowDown: split + step,
      ArrowRight: split + step,
      Home: 0,
      End: 1,
      Enter: initialView.split,
    };
    const share = shares[event.key];
    if (share === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.#parts.change({ split: clampSplit(share) });
  }

  #resize(press: PointerEvent): void {
    const sash = press.currentTarget as HTMLElement;
    const { parentElement: view } = sash;
    if (press.button !== 0 || !view) return;
    const { left, top, width, height } = view.getBoundingClientRect();
    const before = this.#parts.view().split;
    let share = before;
    startDrag(sash, press, {
      move: (clientX, clientY) => {
        share = clampSplit(this.#wide.matches ? (clientX - left) / width : (clientY - top) / height);
        view.style.setProperty('--split', String(share));
      },
      end: isCancelled => {
        view.style.setProperty('--split', String(before));
        if (!isCancelled && share !== before) this.#parts.change({ split: share });
      },
    });
  }
}
