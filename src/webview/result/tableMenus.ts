import { t } from '@vscode/l10n';
import type { ActionOffer } from '../../shared/protocol.ts';
import type { CopyFormat } from './copyText.ts';
import { openColumnPicker } from '../grid/columnPicker.ts';
import type { DataGrid } from '../grid/dataGrid.ts';
import { openPopupMenu, type MenuItem } from '../grid/popupMenu.ts';
import { valueFilter } from '../rows/valueFilter.ts';
import type { SortKey, PanelView } from './panelView.ts';
import type { SelectedCells } from './selectedCells.ts';
import type { TabParts } from './tabParts.ts';
import { menuActions } from './toolbar.ts';
import type { Act } from '../views/actionButtons.ts';
import type { NumberStyle } from '../columns/numberTexts.ts';

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
  readonly #parts: TableMenusParts;

  constructor(parts: TableMenusParts) {
    this.#parts = parts;
  }

  openMore(actions: readonly ActionOffer[], anchor: DOMRect): void {
    const { host, view, change, reset, find, grid } = this.#parts;
    const items = moreMenu({
      actions: menuActions(actions),
      act: host.act,
      view: view(),
      change,
      reset,
      find,
      pickColumns: () => openColumnPicker(grid, anchor),
    });
    openPopupMenu(items, anchor, t('More Actions'));
  }

  openColumn(name: string, anchor: DOMRect): void {
    const { change, view, open, grid, cells, sort, removeFilter } = this.#parts;
    const model = grid.columns.find(column => column.name === name);
    const column = model?.source ?? name;
    const { operations } = grid;
    const { sort: sorted, filters } = view();
    const items = columnMenu({
      column,
      sort: sorted,
      filtered: Boolean(filters[column]?.trim()),
      canHide: operations.shown.length > 1,
      isNumber: cells.columnNamed(column)?.kind === 'number',
      setSort: sort,
      editFilter: () => this.#editFilter(column),
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
    const { host, change, view, grid, cells, copy } = this.#parts;
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

  #editFilter(column: string): void {
    const { change, view, host } = this.#parts;
    change({ filters: { ...view().filters, [column]: view().filters[column] ?? '' } });
    host.render();
    document.getElementById(`filter-${column}`)?.focus();
  }
}

interface CellMenuModel {
  readonly copy: (format: CopyFormat, headers: boolean) => () => void;
  readonly selectAll: () => void;
  /** Shows only the rows with the focused value, or only the others. */
  readonly filter: (sign: '=' | '!=') => void;
}

/** What can be done with the selected cells. */
function cellMenu({ copy, selectAll, filter }: CellMenuModel): MenuItem[] {
  return [
    { label: t('Copy'), shortcut: 'Ctrl+C', run: copy('tsv', false) },
    { label: t('Copy With Headers'), shortcut: 'Ctrl+Shift+C', run: copy('tsv', true) },
    { label: t('Copy as CSV'), run: copy('csv', true) },
    { label: t('Copy as JSON'), run: copy('json', true) },
    { label: t('Copy as Markdown'), run: copy('markdown', true) },
    { label: t('Select All'), shortcut: 'Ctrl+A', run: selectAll, separatorBefore: true },
    { label: t('Include Only This Value'), run: () => filter('='), separatorBefore: true },
    { label: t('Exclude This Value'), run: () => filter('!=') },
  ];
}

interface MoreMenuModel {
  readonly actions: readonly ActionOffer[];
  readonly act: Act;
  readonly view: PanelView;
  readonly change: (change: Partial<PanelView>) => void;
  readonly find: () => void;
  readonly pickColumns: () => void;
  readonly reset: () => void;
}

/** What is not in the toolbar's row: the host's further actions, and how the table shows things. */
function moreMenu({ actions, act, view, change, find, pickColumns, reset }: MoreMenuModel): MenuItem[] {
  const flag = (label: string, name: 'missingRows' | 'intervalEnd' | 'hints' | 'linked'): MenuItem => ({
    label,
    checked: view[name],
    run: () => change({ [name]: !view[name] }),
  });
  const numbers = (label: string, style: NumberStyle): MenuItem => ({
    label,
    checked: view.numbers === style,
    run: () => change({ numbers: style }),
  });
  return [
    ...actions.map(({ action, label }) => ({ label, run: () => act(action) })),
    { label: t('Find…'), shortcut: 'Ctrl+F', run: find, separatorBefore: true },
    { label: t('Choose Columns…'), run: pickColumns },
    { ...flag(t('Show Missing Intervals'), 'missingRows'), separatorBefore: true },
    flag(t('Show Interval End'), 'intervalEnd'),
    flag(t('Show Cell Hints'), 'hints'),
    flag(t('Limit to Chart Range'), 'linked'),
    { ...numbers(t('Locale Number Format'), 'locale'), separatorBefore: true },
    numbers(t('Decimal Point Number Format'), 'plain'),
    numbers(t('Full Precision'), 'full'),
    { label: t('Reset View'), run: reset, separatorBefore: true },
  ];
}

/** What a column's menu works on. */
interface ColumnMenuModel {
  /** Field name. */
  readonly column: string;
  readonly sort: readonly SortKey[];
  readonly filtered: boolean;
  readonly isNumber: boolean;
  readonly canHide: boolean;
  readonly setSort: (sort: readonly SortKey[]) => void;
  readonly editFilter: () => void;
  readonly removeFilter: () => void;
  readonly hide: () => void;
  readonly freeze: () => void;
  readonly unfreeze: () => void;
  readonly fit: () => void;
  readonly fitAll: () => void;
  readonly pickColumns: () => void;
  readonly chart: () => void;
  readonly statistics: () => void;
}

/** Everything that can be done with one column. */
function columnMenu(model: ColumnMenuModel): MenuItem[] {
  const { column, sort, setSort } = model;
  const own = sort.find(key => key.column === column);
  const others = sort.filter(key => key.column !== column);
  const by = (descending: boolean) => () => setSort([{ column, descending }]);
  const item = (label: string, run: () => void, more: Partial<MenuItem> = {}): MenuItem => ({ label, run, ...more });
  return [
    item(t('Sort Ascending'), by(false), { checked: own?.descending === false }),
    item(t('Sort Descending'), by(true), { checked: own?.descending === true }),
    item(t('Add to Sort'), () => setSort([...others, { column, descending: false }]), {
      disabled: own !== undefined || sort.length === 0,
    }),
    item(t('Remove From Sort'), () => setSort(others), { disabled: !own }),
    item(model.filtered ? t('Edit Filter…') : t('Filter…'), model.editFilter, { separatorBefore: true }),
    item(t('Remove Filter'), model.removeFilter, { disabled: !model.filtered }),
    item(t('Show in Chart'), model.chart, { separatorBefore: true, disabled: !model.isNumber }),
    item(t('Show Statistics'), model.statistics, { disabled: !model.isNumber }),
    item(t('Freeze up to Here'), model.freeze, { separatorBefore: true }),
    item(t('Unfreeze Columns'), model.unfreeze),
    item(t('Fit to Content'), model.fit),
    item(t('Fit All Columns'), model.fitAll),
    item(t('Hide Column'), model.hide, { separatorBefore: true, disabled: !model.canHide }),
    item(t('Choose Columns…'), model.pickColumns),
  ];
}
