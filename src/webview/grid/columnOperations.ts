import { t } from '@vscode/l10n';
import {
  freezeUpTo,
  hideColumn,
  moveColumnTo,
  setWidths,
  showColumn,
  listVisibleNames,
  type ColumnArrangement,
  type FrozenColumns,
} from '../../presentation/table/columnArrangement.ts';
import type { GridTable } from './gridTable.ts';

/** The operations on columns that pointer, keyboard and menus share. Each change is announced to screen readers. */
export class ColumnOperations {
  readonly #table: GridTable;
  readonly #apply: (arrangement: ColumnArrangement) => void;
  readonly #announce: (text: string) => void;

  constructor(table: GridTable, apply: (arrangement: ColumnArrangement) => void, announce: (text: string) => void) {
    this.#table = table;
    this.#apply = apply;
    this.#announce = announce;
  }

  /** Names of the visible columns. */
  get visibleNames(): readonly string[] {
    return listVisibleNames(this.#names, this.#arrangement);
  }

  /** How many columns should be frozen, and how many the width of the view allows. */
  get frozen(): FrozenColumns {
    return this.#table.frozen;
  }

  /** Moves a column by a number of positions among the visible ones. */
  move(name: string, by: number): void {
    this.moveTo(name, this.visibleNames.indexOf(name) + by);
  }

  /** Moves a column to an index among the visible ones. */
  moveTo(name: string, index: number): void {
    const { length } = this.visibleNames;
    if (index < 0 || index >= length || this.visibleNames[index] === name) return;
    this.#apply(moveColumnTo(this.#names, this.#arrangement, name, index));
    this.#announce(t('{0}, column {1} of {2}', this.#getLabel(name), index + 1, length));
  }

  setWidth(name: string, width: number): void {
    this.#apply(setWidths(this.#arrangement, new Map([[name, width]])));
    this.#announce(t('{0}, {1} pixels wide', this.#getLabel(name), this.#getWidth(name)));
  }

  changeWidth(name: string, by: number): void {
    this.setWidth(name, this.#getWidth(name) + by);
  }

  /** Makes a column as wide as its cells in view. */
  fitToContent(name: string): void {
    this.setWidth(name, this.#table.computeFittingWidth(name));
  }

  fitAll(): void {
    const widths = new Map(this.visibleNames.map(name => [name, this.#table.computeFittingWidth(name)]));
    this.#apply(setWidths(this.#arrangement, widths));
    this.#announce(t('All columns fit their contents'));
  }

  hide(name: string): void {
    if (this.visibleNames.length < 2 || !this.visibleNames.includes(name)) return;
    this.#apply(hideColumn(this.#names, this.#arrangement, name));
    this.#announce(t('{0} hidden', this.#getLabel(name)));
  }

  show(name: string): void {
    if (this.visibleNames.includes(name)) return;
    this.#apply(showColumn(this.#names, this.#arrangement, name));
    this.#announce(t('{0} shown', this.#getLabel(name)));
  }

  showAll(): void {
    const names = this.#names;
    this.#apply(names.reduce((arrangement, name) => showColumn(names, arrangement, name), this.#arrangement));
    this.#announce(t('All columns shown'));
  }

  /** Shows these columns, at least one, and hides all others. */
  showOnly(selectedNames: readonly string[]): void {
    const names = this.#names;
    const withSelected = selectedNames.reduce(
      (arrangement, name) => showColumn(names, arrangement, name),
      this.#arrangement,
    );
    const others = names.filter(name => !selectedNames.includes(name));
    this.#apply(others.reduce((arrangement, name) => hideColumn(names, arrangement, name), withSelected));
    this.#announce(t('{0} of {1} columns shown', selectedNames.length, names.length));
  }

  /** Freezes the columns up to this one, or none if undefined. If there is no room for all of them, the footer reports that instead. */
  freezeUpTo(name: string | undefined): void {
    this.#apply(freezeUpTo(this.#names, this.#arrangement, name));
    const { requested, fittingCount } = this.frozen;
    if (fittingCount < requested) return;
    this.#announce(name === undefined ? t('No frozen columns') : t('Columns frozen up to {0}', this.#getLabel(name)));
  }

  get #names(): readonly string[] {
    return this.#table.visible.names;
  }

  get #arrangement(): ColumnArrangement {
    return this.#table.visible.arrangement;
  }

  #getWidth(name: string): number {
    const { visible } = this.#table;
    return visible.layout.width(visible.indexOf(name));
  }

  #getLabel(name: string): string {
    return this.#table.data.columns.find(column => column.name === name)?.label ?? name;
  }
}
