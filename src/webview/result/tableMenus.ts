import { t } from '@vscode/l10n';
import type { ActionOffer } from '../../shared/protocol.ts';
import type { CopyFormat } from '../copy/copyText.ts';
import { openColumnPicker } from '../grid/columnPicker.ts';
import type { DataGrid } from '../grid/dataGrid.ts';
import { openPopupMenu } from '../grid/popupMenu.ts';
import { valueFilter } from '../rows/valueFilter.ts';
import { cellMenu } from './cellMenu.ts';
import { columnMenu } from './columnMenu.ts';
import { moreMenu } from './moreMenu.ts';
import type { SortKey } from './panelView.ts';
import type { SelectedCells } from './selectedCells.ts';
import type { TabParts } from './tabParts.ts';
import { menuActions } from './toolbar.ts';

/** What the menus of a table do to it. */
export interface TableMenusParts extends TabParts {
  readonly grid: DataGrid;
  readonly cells: SelectedCells;
  readonly sort: (keys: readonly SortKey[]) => void;
  readonly removeFilter: (column: string) => void;
  readonly find: () => void;
  /** Copies what is selected. */
  readonly copy: (format: CopyFormat, headers: boolean) => void;
}

/** The menus of a table: of its columns, of its cells, and the one of all that is not in the toolbar. */
export class TableMenus {
  private readonly parts: TableMenusParts;

  constructor(parts: TableMenusParts) {
    this.parts = parts;
  }

  openMore(actions: readonly ActionOffer[], anchor: DOMRect): void {
    const { host, view, change, reset, find, grid } = this.parts;
    const items = moreMenu({
      ...{ actions: menuActions(actions), act: host.act, view: view(), change, reset, find },
      pickColumns: () => openColumnPicker(grid, anchor),
    });
    openPopupMenu(items, anchor, t('More Actions'));
  }

  openColumn(name: string, anchor: DOMRect): void {
    const { change, view, open, grid, cells, sort, removeFilter } = this.parts;
    const model = grid.columns.find(column => column.name === name);
    const column = model?.source ?? name;
    const { operations } = grid;
    const { sort: sorted, filters } = view();
    const items = columnMenu({
      ...{ column, sort: sorted, filtered: Boolean(filters[column]?.trim()), canHide: operations.shown.length > 1 },
      isNumber: cells.columnNamed(column)?.kind === 'number',
      setSort: sort,
      editFilter: () => this.editFilter(column),
      removeFilter: () => removeFilter(column),
      hide: () => operations.hide(name),
      freeze: () => operations.freezeUpTo(name),
      unfreeze: () => operations.freezeUpTo(undefined),
      fit: () => operations.fit(name),
      fitAll: () => operations.fitAll(),
      pickColumns: () => openColumnPicker(grid, anchor),
      chart: () => {
        change({ chart: { mode: 'lines', columns: [column], hidden: [] } });
        open('chart');
      },
      statistics: () => {
        change({ chosen: column });
        open('statistics');
      },
    });
    openPopupMenu(items, anchor, model?.label ?? name);
  }

  openCell(anchor: DOMRect): void {
    const { host, change, view, grid, cells, copy } = this.parts;
    const focus = cells.focused();
    const column = focus && grid.columns[focus.column];
    const row = focus && cells.dataRow(focus.row);
    const items = cellMenu({
      copy: (format, headers) => () => copy(format, headers),
      selectAll: () => grid.select({ rows: [0, cells.rowCount - 1], columns: [0, grid.columns.length - 1] }, 'all'),
      filter: sign => {
        const source = column && cells.columnNamed(column.source ?? column.name);
        if (!source || row === undefined) return;
        const text = valueFilter(source, row, sign, host.locale);
        change({ filters: { ...view().filters, [source.name]: text } });
      },
    });
    openPopupMenu(items, anchor, t('Cells'));
  }

  private editFilter(column: string): void {
    const { change, view, host } = this.parts;
    change({ filters: { ...view().filters, [column]: view().filters[column] ?? '' } });
    host.render();
    document.getElementById(`filter-${column}`)?.focus();
  }
}
