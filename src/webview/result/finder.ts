import { t } from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { countFormatter } from '../../presentation/columns/numberTexts.ts';
import type { CellPosition } from '../grid/gridSelection.ts';
import { findAll, findCell, textTest, type SearchedCells } from '../rows/findCell.ts';
import { pageScheduler } from '../scheduling.ts';
import { iconButton } from '../views/icon.ts';
import { rove } from '../views/roving.ts';

/** Maximum number of matches that are counted. */
const mostCounted = 1_000;

interface FinderHost {
  readonly cells: () => SearchedCells;
  /** The focused cell, where the search starts. */
  readonly from: () => CellPosition | undefined;
  readonly goTo: (place: CellPosition) => void;
  /** Highlights the matching cells, including those scrolled into view later; undefined highlights none. */
  readonly mark: (holds: ((text: string) => boolean) | undefined) => void;
  /** The name of a visible row: its time. */
  readonly rowName: (row: number) => string;
  /** Whether rows or columns are hidden, which are not searched. */
  readonly isPart: () => boolean;
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
  #counting = new AbortController();
  #seeking = new AbortController();
  #open = false;
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
    if (!this.#open) return nothing;
    const pressed = (event: KeyboardEvent) => {
      // Enter on a button must click it.
      if (event.key === 'Enter' && event.target instanceof HTMLInputElement) void this.next(event.shiftKey);
      else if (event.key === 'Escape') this.#close();
      else return;
      event.preventDefault();
    };
    return html`<div class="find" role="search" @keydown=${pressed} ${ref(rove)}>
      <input
        class="find-text"
        type="text"
        spellcheck="false"
        aria-label=${t('Find in the table')}
        placeholder=${t('Find')}
        .value=${this.#text}
        @input=${(event: Event) => void this.#change((event.target as HTMLInputElement).value)}
      />
      <span role="status">${this.#status}</span>
      ${iconButton('arrow-up', t('Previous match (Shift+Enter, Shift+F3)'), () => void this.next(true))}
      ${iconButton('arrow-down', t('Next match (Enter, F3)'), () => void this.next(false))}
      ${iconButton('close', t('Close (Escape)'), () => this.#close())}
    </div>`;
  }

  show(): void {
    this.#open = true;
    this.#host.mark(this.#test());
    this.#host.render();
    this.refresh();
  }

  /** Searches again after other cells are shown. */
  refresh(): void {
    if (this.#open && this.#text !== '') void this.#count();
  }

  /** Updates the status after the focus has moved to another cell. */
  moved(): void {
    if (this.#open && this.#matches) this.#showStatus();
  }

  /** Goes to the next match; opens the find box if it is closed. */
  async next(backwards: boolean): Promise<void> {
    if (!this.#open) this.show();
    await this.#seek(this.#host.from(), backwards);
  }

  async #change(text: string): Promise<void> {
    this.#text = text;
    this.#matches = undefined;
    this.#host.mark(this.#test());
    const from = this.#host.from();
    // Starts one cell earlier, because the focused cell may be the first match.
    await Promise.all([this.#seek(from && { ...from, column: from.column - 1 }, false), this.#count()]);
  }

  #close(): void {
    this.#counting.abort();
    this.#seeking.abort();
    this.#open = false;
    this.#host.mark(undefined);
    this.#host.render();
    this.#host.close();
  }

  async #seek(from: CellPosition | undefined, backwards: boolean): Promise<void> {
    this.#seeking.abort();
    const { signal } = (this.#seeking = new AbortController());
    const host = this.#host;
    const search = { from, backwards, locale: host.locale, scheduling: pageScheduler, signal };
    const place = await findCell(host.cells(), this.#text, search);
    if (signal.aborted) return;
    if (place) host.goTo(place);
    this.#showStatus();
  }

  async #count(): Promise<void> {
    this.#counting.abort();
    const { signal } = (this.#counting = new AbortController());
    const host = this.#host;
    this.#matches = undefined;
    const search = { locale: host.locale, scheduling: pageScheduler, signal };
    const matches = await findAll(host.cells(), this.#text, mostCounted, search);
    if (!matches || signal.aborted) return;
    this.#matches = matches;
    this.#showStatus();
  }

  #test(): ((text: string) => boolean) | undefined {
    return textTest(this.#text, this.#host.locale);
  }

  #showStatus(): void {
    const status = this.#text === '' ? '' : this.#statusText();
    if (status === this.#status) return;
    this.#status = status;
    this.#host.render();
  }

  /** Formats the status, such as “2 of 7, 16 Nov 18:00”. It has no number before the matches are counted, and no exact count if there are too many. */
  #statusText(): string {
    const host = this.#host;
    const matches = this.#matches;
    if (matches?.length === 0) return host.isPart() ? t('No results in the rows and columns shown') : t('No results');
    const { columnCount, textOf } = host.cells();
    const at = host.from();
    const name = at && this.#test()?.(textOf(at.row, at.column)) ? [host.rowName(at.row)] : [];
    if (!matches) return name.join('');
    const write = countFormatter(host.locale);
    const isCut = matches.length === mostCounted;
    const all = isCut ? t('{0} or more', write(mostCounted)) : write(matches.length);
    const index = at && name.length > 0 ? matches.indexOf(at.row * columnCount + at.column) : -1;
    if (index >= 0) return [t('{0} of {1}', write(index + 1), all), ...name].join(', ');
    return [isCut ? all : t('{0} found', all), ...name].join(', ');
  }
}
