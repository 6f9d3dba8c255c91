import { t } from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { createCountFormatter } from '../../presentation/columns/numberColumnFormat.ts';
import type { CellPosition } from '../grid/gridSelection.ts';
import { findAllCells, findCell, createTextMatcher, type SearchedCells } from '../rows/findCell.ts';
import { pageScheduler } from '../scheduling.ts';
import { iconButton } from '../views/icon.ts';
import { rove } from '../views/roving.ts';

/** Maximum number of matches that are counted. */
const maxCounted = 1_000;

interface FinderHost {
  readonly getCells: () => SearchedCells;
  /** The focused cell, where the search starts. */
  readonly getFocusedCell: () => CellPosition | undefined;
  readonly goTo: (cell: CellPosition) => void;
  /** Highlights the matching cells, including cells that are scrolled into view later. If undefined, no cell is highlighted. */
  readonly highlight: (matches: ((text: string) => boolean) | undefined) => void;
  /** The name of a visible row: its time. */
  readonly describeRow: (row: number) => string;
  /** Whether there are hidden rows or columns, which the search skips. */
  readonly hasHiddenCells: () => boolean;
  readonly close: () => void;
  readonly render: () => void;
  readonly locale: string;
}

/**
 * Searches the visible cells for a text. The work is done in slices to keep the page responsive, and a newer search cancels the older
 * one. The current match is the focused cell, if it matches.
 */
export class Finder {
  readonly #host: FinderHost;
  #countAbort = new AbortController();
  #seekAbort = new AbortController();
  #isOpen = false;
  #text = '';
  /** The status, such as “2 of 7, 16 Nov 18:00” or “No results”; empty during the search. */
  #status = '';
  /** The matches in reading order, as row × column count + column; undefined until they are counted. */
  #matches: readonly number[] | undefined;

  constructor(host: FinderHost) {
    this.#host = host;
  }

  /** The find box, above the table. */
  template(): TemplateResult | typeof nothing {
    if (!this.#isOpen) return nothing;
    const onKeydown = (event: KeyboardEvent) => {
      // Enter on a button must click it.
      if (event.key === 'Enter' && event.target instanceof HTMLInputElement) void this.next(event.shiftKey);
      else if (event.key === 'Escape') this.#close();
      else return;
      event.preventDefault();
    };
    return html`<div class="find" role="search" @keydown=${onKeydown} ${ref(rove)}>
      <input
        class="find-text"
        type="text"
        spellcheck="false"
        aria-label=${t('Find in the table')}
        placeholder=${t('Find')}
        .value=${this.#text}
        @input=${(event: Event) => void this.#onInput((event.target as HTMLInputElement).value)}
      />
      <span role="status">${this.#status}</span>
      ${iconButton('arrow-up', t('Previous match (Shift+Enter, Shift+F3)'), () => void this.next(true))}
      ${iconButton('arrow-down', t('Next match (Enter, F3)'), () => void this.next(false))}
      ${iconButton('close', t('Close (Escape)'), () => this.#close())}
    </div>`;
  }

  show(): void {
    this.#isOpen = true;
    this.#host.highlight(this.#createMatcher());
    this.#host.render();
    this.refresh();
  }

  /** Searches again after the displayed cells have changed. */
  refresh(): void {
    if (this.#isOpen && this.#text !== '') void this.#count();
  }

  /** Updates the status after the focus has moved to another cell. */
  onFocusMoved(): void {
    if (this.#isOpen && this.#matches) this.#showStatus();
  }

  /** Goes to the next match; opens the find box if it is closed. */
  async next(backwards: boolean): Promise<void> {
    if (!this.#isOpen) this.show();
    await this.#seek(this.#host.getFocusedCell(), backwards);
  }

  async #onInput(text: string): Promise<void> {
    this.#text = text;
    this.#matches = undefined;
    this.#host.highlight(this.#createMatcher());
    const from = this.#host.getFocusedCell();
    // Starts one cell earlier, because the focused cell may be the first match.
    await Promise.all([this.#seek(from && { ...from, column: from.column - 1 }, false), this.#count()]);
  }

  #close(): void {
    this.#countAbort.abort();
    this.#seekAbort.abort();
    this.#isOpen = false;
    this.#host.highlight(undefined);
    this.#host.render();
    this.#host.close();
  }

  async #seek(from: CellPosition | undefined, backwards: boolean): Promise<void> {
    this.#seekAbort.abort();
    const { signal } = (this.#seekAbort = new AbortController());
    const host = this.#host;
    const search = { from, backwards, locale: host.locale, scheduling: pageScheduler, signal };
    const match = await findCell(host.getCells(), this.#text, search);
    if (signal.aborted) return;
    if (match) host.goTo(match);
    this.#showStatus();
  }

  async #count(): Promise<void> {
    this.#countAbort.abort();
    const { signal } = (this.#countAbort = new AbortController());
    const host = this.#host;
    this.#matches = undefined;
    const search = { locale: host.locale, scheduling: pageScheduler, signal };
    const matches = await findAllCells(host.getCells(), this.#text, maxCounted, search);
    if (!matches || signal.aborted) return;
    this.#matches = matches;
    this.#showStatus();
  }

  #createMatcher(): ((text: string) => boolean) | undefined {
    return createTextMatcher(this.#text, this.#host.locale);
  }

  #showStatus(): void {
    const status = this.#text === '' ? '' : this.#formatStatus();
    if (status === this.#status) return;
    this.#status = status;
    this.#host.render();
  }

  /** Formats the status, such as “2 of 7, 16 Nov 18:00”. It has no number before the matches are counted, and no exact count if there are too many. */
  #formatStatus(): string {
    const host = this.#host;
    const matches = this.#matches;
    if (matches?.length === 0)
      return host.hasHiddenCells() ? t('No results in the rows and columns shown') : t('No results');
    const { columnCount, getText } = host.getCells();
    const focusedCell = host.getFocusedCell();
    const rowNames =
      focusedCell && this.#createMatcher()?.(getText(focusedCell.row, focusedCell.column))
        ? [host.describeRow(focusedCell.row)]
        : [];
    if (!matches) return rowNames.join('');
    const formatCount = createCountFormatter(host.locale);
    const isCapped = matches.length === maxCounted;
    const total = isCapped ? t('{0} or more', formatCount(maxCounted)) : formatCount(matches.length);
    const index =
      focusedCell && rowNames.length > 0 ? matches.indexOf(focusedCell.row * columnCount + focusedCell.column) : -1;
    if (index >= 0) return [t('{0} of {1}', formatCount(index + 1), total), ...rowNames].join(', ');
    return [isCapped ? total : t('{0} found', total), ...rowNames].join(', ');
  }
}
