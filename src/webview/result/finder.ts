import { t } from '@vscode/l10n';
import { findAll, findCell, textTest, timeSlices, type CellPlace, type SearchedCells } from '../rows/findCell.ts';
import { html, nothing, type TemplateResult } from 'lit';

/** Matches beyond so many are not counted. */
const mostCounted = 1_000;

export interface FinderHost {
  readonly cells: () => SearchedCells;
  /** Where the person is. */
  readonly from: () => CellPlace | undefined;
  readonly goTo: (place: CellPlace) => void;
  /** Marks the cells whose text passes, in sight and as they come there; undefined for none. */
  readonly mark: (holds: ((text: string) => boolean) | undefined) => void;
  /** What a shown row is called: its time. */
  readonly rowName: (row: number) => string;
  /** Rows or columns are hidden, in which nothing is looked for. */
  readonly isPart: () => boolean;
  readonly close: () => void;
  readonly render: () => void;
  readonly locale: () => string;
}

/**
 * Looks for a text in the cells shown, a slice at a time: the page stays responsive, and a newer search ends the older one. The
 * current match is the focused cell, where that is one.
 */
export class Finder {
  readonly #host: FinderHost;
  #counting = new AbortController();
  #seeking = new AbortController();
  #open = false;
  #text = '';
  #found = '';
  /** The matches in reading order, as places row × columns + column; undefined until they are counted. */
  #matches: readonly number[] | undefined;

  constructor(host: FinderHost) {
    this.#host = host;
  }

  get model(): FindModel {
    const open = this.#open;
    const text = this.#text;
    const found = this.#found;
    return {
      open,
      text,
      found,
      change: typed => void this.#change(typed),
      next: backwards => void this.next(backwards),
      close: () => this.#end(),
    };
  }

  show(): void {
    this.#open = true;
    this.#host.mark(this.#test());
    this.#host.render();
    this.again();
  }

  /** Other cells are shown: what was found of those before them says nothing. */
  again(): void {
    if (this.#open && this.#text !== '') void this.#count();
  }

  /** The person is at another cell. */
  moved(): void {
    if (this.#open && this.#matches) this.#say();
  }

  /** The next match; opens the find box where that is closed. */
  async next(backwards: boolean): Promise<void> {
    if (!this.#open) this.show();
    await this.#seek(this.#host.from(), backwards);
  }

  async #change(text: string): Promise<void> {
    this.#text = text;
    this.#matches = undefined;
    this.#host.mark(this.#test());
    const from = this.#host.from();
    // The first match may be where the person is.
    await Promise.all([this.#seek(from && { ...from, column: from.column - 1 }, false), this.#count()]);
  }

  #end(): void {
    this.#counting.abort();
    this.#seeking.abort();
    this.#open = false;
    this.#host.mark(undefined);
    this.#host.render();
    this.#host.close();
  }

  async #seek(from: CellPlace | undefined, backwards: boolean): Promise<void> {
    this.#seeking.abort();
    const { signal } = (this.#seeking = new AbortController());
    const host = this.#host;
    const text = this.#text;
    const place = await findCell(host.cells(), text, from, backwards, slices(signal), host.locale());
    if (signal.aborted) return;
    if (place) host.goTo(place);
    this.#say();
  }

  async #count(): Promise<void> {
    this.#counting.abort();
    const { signal } = (this.#counting = new AbortController());
    const host = this.#host;
    const text = this.#text;
    this.#matches = undefined;
    const matches = await findAll(host.cells(), text, mostCounted, slices(signal), host.locale());
    if (!matches || signal.aborted) return;
    this.#matches = matches;
    this.#say();
  }

  #test(): ((text: string) => boolean) | undefined {
    return textTest(this.#text, this.#host.locale());
  }

  #say(): void {
    const found = this.#text === '' ? '' : this.#words();
    if (found === this.#found) return;
    this.#found = found;
    this.#host.render();
  }

  /** “2 of 7, 16 Nov 18:00”; without a place while they are counted, and without a count where there are too many. */
  #words(): string {
    const host = this.#host;
    const matches = this.#matches;
    if (matches?.length === 0) return host.isPart() ? t('No results in the rows and columns shown') : t('No results');
    const { columnCount, textOf } = host.cells();
    const at = host.from();
    const name = at && this.#test()?.(textOf(at.row, at.column)) ? [host.rowName(at.row)] : [];
    if (!matches) return name.join('');
    const write = new Intl.NumberFormat(host.locale(), { numberingSystem: 'latn' });
    const isCut = matches.length === mostCounted;
    const all = isCut ? t('{0} or more', write.format(mostCounted)) : write.format(matches.length);
    const index = at && name.length > 0 ? placeIn(matches, at.row * columnCount + at.column) : -1;
    if (index >= 0) return [t('{0} of {1}', write.format(index + 1), all), ...name].join(', ');
    return [isCut ? all : t('{0} found', all), ...name].join(', ');
  }
}

/** Where the number stands among ascending ones; -1 where it does not. */
function placeIn(numbers: readonly number[], wanted: number): number {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? Infinity) < wanted) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === wanted ? low : -1;
}

function slices(signal: AbortSignal) {
  return timeSlices(
    () => performance.now(),
    () => new Promise(resolve => setTimeout(resolve)),
    signal,
  );
}

interface FindModel {
  readonly open: boolean;
  readonly text: string;
  /** “2 of 7, 16 Nov 18:00”, “No results” or nothing while it is looked for. */
  readonly found: string;
  readonly change: (text: string) => void;
  readonly next: (backwards: boolean) => void;
  readonly close: () => void;
}

/** The find box, above the table. */
export function findBar(model: FindModel): TemplateResult | typeof nothing {
  if (!model.open) return nothing;
  const button = (icon: string, label: string, act: () => void) =>
    html`<button class="bare" aria-label=${label} title=${label} @click=${act}>
      <span class="codicon codicon-${icon}" aria-hidden="true"></span>
    </button>`;
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Enter') model.next(event.shiftKey);
    if (event.key === 'Escape') model.close();
    if (event.key === 'Enter' || event.key === 'Escape') event.preventDefault();
  };
  return html`<div class="find" role="search" @keydown=${pressed}>
    <input
      class="find-text"
      type="text"
      spellcheck="false"
      aria-label=${t('Find in the table')}
      placeholder=${t('Find')}
      .value=${model.text}
      @input=${(event: Event) => model.change((event.target as HTMLInputElement).value)}
    />
    <span role="status">${model.found}</span>
    ${button('arrow-up', t('Previous match (Shift+Enter, Shift+F3)'), () => model.next(true))}
    ${button('arrow-down', t('Next match (Enter, F3)'), () => model.next(false))}
    ${button('close', t('Close (Escape)'), model.close)}
  </div>`;
}
