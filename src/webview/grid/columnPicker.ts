import { t } from '@vscode/l10n';
import { visibleLine } from '../columns/visibleText.ts';
import type { ColumnOperations } from './columnOperations.ts';
import { element } from './gridDom.ts';
import { matchingChoices } from './matchingChoices.ts';
import type { ColumnChoice } from './matchingChoices.ts';
import { Popup } from './popup.ts';
import type { PopupOptions } from './popup.ts';
import type { ScreenBox } from './popupPlace.ts';

/** What the picker needs of the grid. */
export interface PickedGrid {
  /** Every column of the data, in its order. */
  readonly allColumns: readonly ColumnChoice[];
  readonly operations: Pick<ColumnOperations, 'shown' | 'show' | 'hide' | 'showAll'>;
}

/** Opens a searchable list of columns with check boxes beside an anchor; closes it again by the function given back. */
export function openColumnPicker(grid: PickedGrid, anchor: ScreenBox, options: PopupOptions = {}): () => void {
  const picker = new ColumnPicker(grid, options);
  picker.open(anchor);
  return () => picker.close();
}

interface Line {
  readonly choice: ColumnChoice;
  readonly element: HTMLElement;
  readonly box: HTMLInputElement;
}

/** Tab goes round search, list and button; the arrows go through the list; Space checks; Escape closes. */
class ColumnPicker {
  readonly #operations: PickedGrid['operations'];
  readonly #popup: Popup;
  readonly #search = document.createElement('input');
  readonly #status = element('picker-status', 'status');
  readonly #showAll = document.createElement('button');
  readonly #lines: readonly Line[];

  constructor({ allColumns, operations }: PickedGrid, options: PopupOptions) {
    this.#operations = operations;
    this.#popup = new Popup('picker', 'dialog', t('Columns'), options);
    this.#search.type = 'search';
    this.#search.placeholder = t('Search columns');
    this.#search.setAttribute('aria-label', t('Search columns'));
    this.#search.addEventListener('input', () => this.#filter());
    this.#lines = allColumns.map(choice => this.#line(choice));
    const list = element('picker-list', 'group');
    list.setAttribute('aria-label', t('Columns'));
    list.append(...this.#lines.map(line => line.element));
    this.#showAll.type = 'button';
    this.#showAll.textContent = t('Show All');
    this.#showAll.addEventListener('click', () => {
      this.#operations.showAll();
      this.#update();
    });
    const foot = element('picker-foot');
    foot.append(this.#status, this.#showAll);
    this.#popup.element.append(this.#search, list, foot);
    this.#popup.element.addEventListener('keydown', event => this.#pressed(event));
    this.#update();
  }

  open(anchor: ScreenBox): void {
    this.#popup.open(anchor);
    this.#search.focus();
  }

  close(): void {
    this.#popup.close(false);
  }

  #line(choice: ColumnChoice): Line {
    const line = document.createElement('label');
    line.className = 'picker-line';
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.addEventListener('change', () => {
      if (box.checked) this.#operations.show(choice.name);
      else this.#operations.hide(choice.name);
      this.#update();
    });
    const words = element('picker-words');
    const label = element('picker-label');
    label.textContent = choice.label;
    const about = element('picker-about');
    const name = visibleLine(choice.name, 200);
    about.textContent = [name === choice.label ? '' : name, choice.unit, choice.meaning].filter(Boolean).join(' · ');
    words.append(label, about);
    line.append(box, words);
    return { choice, element: line, box };
  }

  get #visible(): readonly Line[] {
    return this.#lines.filter(line => !line.element.hidden);
  }

  #filter(): void {
    const found = matchingChoices(
      this.#lines.map(({ choice }) => choice),
      this.#search.value,
    );
    for (const line of this.#lines) line.element.hidden = !found.has(line.choice.name);
    this.#update();
  }

  #update(): void {
    const shown = new Set(this.#operations.shown);
    for (const { choice, box } of this.#lines) {
      box.checked = shown.has(choice.name);
      // The last column stays. Its box keeps the keyboard, so it is not taken out of reach.
      box.ariaDisabled = String(box.checked && shown.size === 1);
    }
    const { length } = this.#visible;
    const counts = t('{0} of {1} columns shown', shown.size, this.#lines.length);
    this.#status.textContent = length < this.#lines.length ? `${t('{0} found', length)} · ${counts}` : counts;
    this.#rove(this.#visible.find(({ box }) => box === document.activeElement) ?? this.#visible[0]);
  }

  /** One box at a time is a tab stop. */
  #rove(stop: Line | undefined): void {
    for (const line of this.#lines) line.box.tabIndex = line === stop ? 0 : -1;
  }

  #pressed(event: KeyboardEvent): void {
    const visible = this.#visible;
    const now = visible.findIndex(({ box }) => box === document.activeElement);
    if (event.key === 'Tab') {
      event.preventDefault();
      this.#tab(event.shiftKey);
      return;
    }
    if (now < 0 && !(document.activeElement === this.#search && event.key === 'ArrowDown')) return;
    const target = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: visible.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    if (target < 0) this.#search.focus();
    else this.#focus(visible[Math.min(target, visible.length - 1)]);
  }

  #focus(line: Line | undefined): void {
    if (!line) return;
    this.#rove(line);
    line.box.focus();
  }

  /** The keyboard goes round in the dialog. */
  #tab(back: boolean): void {
    const box = this.#visible.find(line => line.box.tabIndex === 0)?.box;
    const stops = [this.#search, ...(box ? [box] : []), this.#showAll];
    const now = stops.findIndex(stop => stop === document.activeElement);
    stops[(now + (back ? stops.length - 1 : 1)) % stops.length]?.focus();
  }
}
