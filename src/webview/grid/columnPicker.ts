import { t } from '@vscode/l10n';
import { visibleLine } from '../../presentation/columns/visibleText.ts';
import type { ColumnOperations } from './columnOperations.ts';
import type { DataGrid } from './dataGrid.ts';
import type { GridColumn } from '../../presentation/table/gridColumn.ts';
import { createElement } from './gridDom.ts';
import { Popup } from './popup.ts';

/** The parts of a column that the picker shows. */
type ColumnChoice = Pick<GridColumn, 'name' | 'label' | 'unit' | 'meaning'>;

/** Opens a searchable list of columns with check boxes beside an anchor. */
export function openColumnPicker(grid: DataGrid, anchor: DOMRect): void {
  new ColumnPicker(grid).open(anchor);
}

interface PickerItem {
  readonly choice: ColumnChoice;
  readonly element: HTMLElement;
  readonly box: HTMLInputElement;
}

/** A dialog in which Tab cycles through search, list and buttons, the arrow keys move in the list, Space checks and Escape closes. */
class ColumnPicker {
  readonly #operations: ColumnOperations;
  readonly #popup: Popup;
  readonly #search = document.createElement('input');
  readonly #status = createElement('picker-status', 'status');
  readonly #showMatches: HTMLButtonElement;
  readonly #hideAll: HTMLButtonElement;
  readonly #showAll: HTMLButtonElement;
  readonly #items: readonly PickerItem[];

  constructor(grid: DataGrid) {
    const { allColumns, operations } = grid;
    // The focused cell may belong to a column that the picker has hidden.
    this.#popup = new Popup('picker', 'dialog', t('Columns'), () => grid.focus());
    this.#operations = operations;
    this.#search.type = 'search';
    this.#search.placeholder = t('Search columns');
    this.#search.setAttribute('aria-label', t('Search columns'));
    this.#search.addEventListener('input', () => this.#filter());
    this.#items = allColumns.map(choice => this.#createItem(choice));
    const list = createElement('picker-list', 'group');
    list.setAttribute('aria-label', t('Columns'));
    list.append(...this.#items.map(line => line.element));
    const columnNames = (lines: readonly PickerItem[]): string[] => lines.map(({ choice }) => choice.name);
    this.#showMatches = this.#button(t('Show Only Matches'), () =>
      this.#operations.showOnly(columnNames(this.#visible)),
    );
    // At least one column must stay visible: the first has the times.
    this.#hideAll = this.#button(t('Hide All'), () => this.#operations.showOnly(columnNames(this.#items.slice(0, 1))));
    this.#showAll = this.#button(t('Show All'), () => this.#operations.showAll());
    const footer = createElement('picker-foot');
    footer.append(this.#status, this.#showMatches, this.#hideAll, this.#showAll);
    this.#popup.element.append(this.#search, list, footer);
    this.#popup.element.addEventListener('keydown', event => this.#onKeyDown(event));
    this.#update();
  }

  open(anchor: DOMRect): void {
    this.#popup.open(anchor);
    this.#search.focus();
  }

  #button(label: string, run: () => void): HTMLButtonElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.addEventListener('click', () => {
      run();
      this.#update();
    });
    return button;
  }

  #createItem(choice: ColumnChoice): PickerItem {
    const line = document.createElement('label');
    line.className = 'picker-line';
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.addEventListener('change', () => {
      if (box.checked) this.#operations.show(choice.name);
      else this.#operations.hide(choice.name);
      this.#update();
    });
    const words = createElement('picker-words');
    const label = createElement('picker-label');
    label.textContent = choice.label;
    const description = createElement('picker-about');
    const name = visibleLine(choice.name, 200);
    description.textContent = [name === choice.label ? '' : name, choice.unit, choice.meaning]
      .filter(Boolean)
      .join(' · ');
    words.append(label, description);
    line.append(box, words);
    return { choice, element: line, box };
  }

  get #visible(): readonly PickerItem[] {
    return this.#items.filter(line => !line.element.hidden);
  }

  #filter(): void {
    const matches = findMatchingColumns(
      this.#items.map(({ choice }) => choice),
      this.#search.value,
    );
    for (const line of this.#items) line.element.hidden = !matches.has(line.choice.name);
    this.#update();
  }

  #update(): void {
    const visibleNames = new Set(this.#operations.visibleNames);
    for (const { choice, box } of this.#items) {
      box.checked = visibleNames.has(choice.name);
      // The last visible column cannot be hidden. Its box is not `disabled`, because it would lose the focus.
      box.ariaDisabled = String(box.checked && visibleNames.size === 1);
    }
    const { length } = this.#visible;
    const counts = t('{0} of {1} columns shown', visibleNames.size, this.#items.length);
    this.#showMatches.hidden = length === 0 || length === this.#items.length;
    this.#status.textContent = length < this.#items.length ? `${t('{0} found', length)} · ${counts}` : counts;
    this.#setTabStop(this.#visible.find(({ box }) => box === document.activeElement) ?? this.#visible[0]);
  }

  /** Makes one check box the only tab stop of the list. */
  #setTabStop(stop: PickerItem | undefined): void {
    for (const line of this.#items) line.box.tabIndex = line === stop ? 0 : -1;
  }

  #onKeyDown(event: KeyboardEvent): void {
    const visible = this.#visible;
    const current = visible.findIndex(({ box }) => box === document.activeElement);
    if (event.key === 'Tab') {
      event.preventDefault();
      this.#focusNextStop(event.shiftKey);
      return;
    }
    if (current < 0 && !(document.activeElement === this.#search && event.key === 'ArrowDown')) return;
    const target = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: visible.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    if (target < 0) this.#search.focus();
    else this.#focus(visible[Math.min(target, visible.length - 1)]);
  }

  #focus(line: PickerItem | undefined): void {
    if (!line) return;
    this.#setTabStop(line);
    line.box.focus();
  }

  /** Moves the focus to the next stop, and keeps it in the dialog. */
  #focusNextStop(back: boolean): void {
    const box = this.#visible.find(line => line.box.tabIndex === 0)?.box;
    const found = this.#showMatches.hidden ? [] : [this.#showMatches];
    const stops = [this.#search, ...(box ? [box] : []), ...found, this.#hideAll, this.#showAll];
    const current = stops.findIndex(stop => stop === document.activeElement);
    stops[(current + (back ? stops.length - 1 : 1)) % stops.length]?.focus();
  }
}

/** Returns the names of the columns that contain every typed word in their label, name, unit or meaning. */
export function findMatchingColumns(choices: readonly ColumnChoice[], typed: string): ReadonlySet<string> {
  const queryWords = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ name, label, unit, meaning = '' }: ColumnChoice) => {
    const text = [label, name, unit, meaning].join('\n').toLowerCase();
    return queryWords.every(word => text.includes(word));
  };
  return new Set(choices.filter(matches).map(({ name }) => name));
}
