import { t } from '@vscode/l10n';
import {
  freezeUpTo,
  hideColumn,
  moveColumnTo,
  plainArrangement,
  setWidths,
  showColumn,
  shownNames,
} from './columnArrangement.ts';
import type { ColumnArrangement } from './columnArrangement.ts';
import type { GridColumn } from './gridColumn.ts';

/** How many columns are to stay in place, and how many do: the others keep half of the view. */
export interface FrozenColumns {
  readonly wanted: number;
  readonly kept: number;
}

/** What the operations need of the grid. */
export interface ArrangedSurface {
  readonly names: () => readonly string[];
  readonly arrangement: () => ColumnArrangement;
  readonly column: (name: string) => GridColumn | undefined;
  readonly width: (name: string) => number;
  /** The width at which what is in view of a column is whole. */
  readonly contentWidth: (name: string) => number;
  readonly frozen: () => FrozenColumns;
  readonly apply: (arrangement: ColumnArrangement) => void;
  readonly announce: (text: string) => void;
}

/** What a person does to the columns, by name, whether by pointer, key or menu; each says aloud what it did. */
export class ColumnOperations {
  readonly #surface: ArrangedSurface;

  constructor(surface: ArrangedSurface) {
    this.#surface = surface;
  }

  /** Names of the columns shown. */
  get shown(): readonly string[] {
    return shownNames(this.#surface.names(), this.#surface.arrangement());
  }

  /** How many of the columns shown are to stay in place, and how many do. */
  get frozen(): FrozenColumns {
    return this.#surface.frozen();
  }

  /** Moves a column by so many places among those shown. */
  move(name: string, by: number): void {
    this.moveTo(name, this.shown.indexOf(name) + by);
  }

  /** Moves a column to a place among those shown. */
  moveTo(name: string, index: number): void {
    const { length } = this.shown;
    if (index < 0 || index >= length || this.shown[index] === name) return;
    this.#surface.apply(moveColumnTo(this.#surface.names(), this.#surface.arrangement(), name, index));
    this.#say(name, label => t('{0}, column {1} of {2}', label, index + 1, length));
  }

  setWidth(name: string, width: number): void {
    this.#surface.apply(setWidths(this.#surface.arrangement(), new Map([[name, width]])));
    this.#say(name, label => t('{0}, {1} pixels wide', label, this.#surface.width(name)));
  }

  widen(name: string, by: number): void {
    this.setWidth(name, this.#surface.width(name) + by);
  }

  /** Makes a column as wide as what is in view of it. */
  fit(name: string): void {
    this.setWidth(name, this.#surface.contentWidth(name));
  }

  fitAll(): void {
    const widths = new Map(this.shown.map(name => [name, this.#surface.contentWidth(name)]));
    this.#surface.apply(setWidths(this.#surface.arrangement(), widths));
    this.#surface.announce(t('All columns fit their contents'));
  }

  hide(name: string): void {
    if (this.shown.length < 2 || !this.shown.includes(name)) return;
    this.#surface.apply(hideColumn(this.#surface.names(), this.#surface.arrangement(), name));
    this.#say(name, label => t('{0} hidden', label));
  }

  show(name: string): void {
    if (this.shown.includes(name)) return;
    this.#surface.apply(showColumn(this.#surface.names(), this.#surface.arrangement(), name));
    this.#say(name, label => t('{0} shown', label));
  }

  showAll(): void {
    const names = this.#surface.names();
    this.#surface.apply(names.reduce((all, name) => showColumn(names, all, name), this.#surface.arrangement()));
    this.#surface.announce(t('All columns shown'));
  }

  /** Keeps the columns up to this one in place; none of them for undefined. Whoever shows the grid says where not all find room. */
  freezeUpTo(name: string | undefined): void {
    this.#surface.apply(freezeUpTo(this.#surface.names(), this.#surface.arrangement(), name));
    const { wanted, kept } = this.frozen;
    if (kept < wanted) return;
    if (name === undefined) this.#surface.announce(t('No frozen columns'));
    else this.#say(name, label => t('Columns frozen up to {0}', label));
  }

  /** Takes back order, widths, hiding and freezing. */
  reset(): void {
    this.#surface.apply(plainArrangement);
    this.#surface.announce(t('Columns as received'));
  }

  #say(name: string, words: (label: string) => string): void {
    this.#surface.announce(words(this.#surface.column(name)?.label ?? name));
  }
}
