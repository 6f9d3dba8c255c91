import { t } from '@vscode/l10n';
import type { ActionOffer, PanelAction, QueryTools } from '../../shared/protocol.ts';
import type { ResultTab } from '../../shared/view.ts';
import { numberStyles, type NumberStyle } from '../../shared/formatNumber.ts';
import { derivedLimits } from '../../shared/derivedColumns.ts';
import { toggleScale } from '../../presentation/table/columnArrangement.ts';
import { openColumnPicker } from '../grid/columnPicker.ts';
import type { DataGrid } from '../grid/dataGrid.ts';
import { openPopupMenu, type MenuEntry, type MenuItem } from '../grid/popupMenu.ts';
import { formatValueFilter } from '../../core/filter/parseFilter.ts';
import type { CopyFormat } from './copyText.ts';
import { maxFilterLength, type SortKey } from '../../shared/analysis.ts';
import type { SelectedCells } from './selectedCells.ts';
import type { TabDeps } from './tabDeps.ts';
import { menuActions } from './toolbar.ts';

/** The table of the open tab. */
export interface OpenTable {
  readonly grid: DataGrid;
  find(): void;
}

/** The dependencies of the menus of a table. */
interface TableMenusDeps extends TabDeps {
  readonly grid: DataGrid;
  readonly cells: SelectedCells;
  readonly setSort: (keys: readonly SortKey[]) => void;
  readonly removeFilter: (column: string) => void;
  /** Copies the selected cells. */
  readonly copy: (format: CopyFormat | 'document', headers: boolean) => void;
}

const compareActions: readonly PanelAction[] = [
  'compare',
  'compareFile',
  'endComparison',
  'checkDays',
  'showRevisions',
  'showChangedRows',
];
/** The actions that add columns, shown after Add Column. */
const columnActions: readonly PanelAction[] = ['addPreset', 'addJoined', 'removeJoined'];
const copyActions: readonly PanelAction[] = ['copyAs', 'copyLink', 'export', 'report', 'openInEditor', 'openResponse'];

/** The menus of a table: for a column, for the selected cells, and More Actions. */
export class TableMenus {
  readonly #deps: TableMenusDeps;

  constructor(deps: TableMenusDeps) {
    this.#deps = deps;
  }

  /** Opens More Actions: the actions of the host that are not in the toolbar, and the display options of the table of the open tab, if there is one. */
  openMore(tools: QueryTools, anchor: DOMRect, tab: ResultTab, table: OpenTable | undefined): void {
    const { host, resetView } = this.#deps;
    const offers = menuActions(tools);
    const item = ({ action, label }: ActionOffer): MenuItem => ({ label, run: () => host.act(action) });
    const findItems = (actions: readonly PanelAction[]) =>
      offers.filter(({ action }) => actions.includes(action)).map(item);
    const placedActions = [...compareActions, ...copyActions, ...columnActions];
    const tableItems = table
      ? [
          { label: t('Find…'), shortcut: 'Ctrl+F', run: () => table.find(), separatorBefore: true },
          { label: t('Choose Columns…'), run: () => openColumnPicker(table.grid, anchor) },
        ]
      : [];
    const rowItems =
      tab === 'raw' ? [] : [{ ...this.#addColumn(), separatorBefore: !table }, ...findItems(columnActions)];
    const isResultTable = tab === 'table' || tab === 'split';
    const items = [
      ...offers.filter(({ action }) => !placedActions.includes(action)).map(item),
      ...submenu(t('Compare and Check'), findItems(compareActions)),
      ...submenu(t('Copy and Export'), findItems(copyActions)),
      ...tableItems,
      ...rowItems,
      ...(table && tab !== 'chart' ? submenu(t('View'), this.#viewItems(tab, isResultTable)) : []),
      ...(table ? submenu(t('Numbers'), this.#numberItems()) : []),
      ...(tab === 'raw' ? [] : [{ label: t('Reset View'), run: resetView, separatorBefore: true }]),
    ];
    openPopupMenu(items, anchor, t('More Actions'));
  }

  /** The display options of the table of a tab. The tables of computed tabs have only the chart range. */
  #viewItems(tab: ResultTab, isResultTable: boolean): MenuItem[] {
    const { view, changeView, getRowKind } = this.#deps;
    const createToggle = (
      label: string,
      name: 'missingRows' | 'intervalEnd' | 'hints' | 'summaries' | 'linked',
    ): MenuItem => ({
      label,
      checked: view()[name],
      run: () => changeView({ [name]: !view()[name] }),
    });
    return [
      ...(isResultTable && getRowKind() === 'received'
        ? [createToggle(t('Show Missing Intervals'), 'missingRows')]
        : []),
      ...(isResultTable
        ? [
            createToggle(t('Show Interval End'), 'intervalEnd'),
            createToggle(t('Show Cell Hints'), 'hints'),
            createToggle(t('Show Column Summaries'), 'summaries'),
          ]
        : []),
      // In the split tab the table always shows the range of the chart.
      ...(tab === 'split' ? [] : [createToggle(t('Limit to Chart Range'), 'linked')]),
    ];
  }

  /** The number formats, which apply to all columns. */
  #numberItems(): MenuItem[] {
    const { view, changeView } = this.#deps;
    const styles: Readonly<Record<NumberStyle, string>> = {
      rounded: t('Rounded'),
      digits: t('All Digits'),
      plain: t('All Digits, Decimal Point'),
      received: t('As Received'),
    };
    return numberStyles.map(style => ({
      label: styles[style],
      checked: view().numbers === style,
      radio: true,
      run: () => changeView({ numbers: style }),
    }));
  }

  /** Opens the menu of a column. */
  openColumn(name: string, anchor: DOMRect): void {
    const { changeView, view, openTab, grid, cells, setSort, removeFilter, canFilter, getRowKind } = this.#deps;
    const { editColumn, removeColumn } = this.#deps;
    const gridColumn = grid.columns.find(column => column.name === name);
    const column = gridColumn?.source ?? name;
    const { operations } = grid;
    const { sort, filters } = view();
    const sortKey = sort.find(key => key.column === column);
    const others = sort.filter(key => key.column !== column);
    const sortBy = (descending: boolean) => () => setSort([{ column, descending }]);
    const filtered = Boolean(filters[column]?.trim());
    // Other tabs do not have the columns of computed rows.
    const isSeries = cells.findColumn(column)?.kind === 'number' && getRowKind() !== 'computed';
    const isDerived = getRowKind() !== 'computed' && view().derived.some(derived => derived.name === column);
    const showInChart = () => {
      changeView({ chart: { mode: 'lines', columns: [column], hidden: [] } });
      openTab('chart');
    };
    const showStatistics = () => {
      changeView({ selectedColumn: column });
      openTab('statistics');
    };
    const item = (label: string, run: () => void, options: Partial<MenuItem> = {}): MenuItem => ({
      label,
      run,
      ...options,
    });
    const itemsIf = (isIncluded: boolean, ...items: readonly MenuItem[]) => (isIncluded ? items : []);
    const addToSort = () => setSort([...others, { column, descending: false }]);
    const isScaled = grid.arrangement.scaled?.includes(name) === true;
    const items = [
      item(t('Sort Ascending'), sortBy(false), { checked: sortKey?.descending === false }),
      item(t('Sort Descending'), sortBy(true), { checked: sortKey?.descending === true }),
      ...itemsIf(!sortKey && sort.length > 0, item(t('Add to Sort'), addToSort)),
      ...itemsIf(
        sortKey !== undefined,
        item(t('Remove From Sort'), () => setSort(others)),
      ),
      ...itemsIf(
        canFilter(column),
        item(filtered ? t('Edit Filter…') : t('Filter…'), () => this.#editFilter(column), { separatorBefore: true }),
      ),
      ...itemsIf(
        filtered,
        item(t('Remove Filter'), () => removeFilter(column)),
      ),
      ...itemsIf(
        isSeries,
        item(t('Show in Chart'), showInChart, { separatorBefore: true }),
        item(t('Show Statistics'), showStatistics),
      ),
      ...itemsIf(
        gridColumn?.scalePosition !== undefined,
        item(t('Color Scale'), () => changeView({ arrangement: toggleScale(grid.arrangement, name) }), {
          checked: isScaled,
          separatorBefore: !isSeries,
        }),
      ),
      ...itemsIf(
        isDerived,
        item(t('Edit Formula…'), () => editColumn(column), { separatorBefore: true }),
        item(t('Remove Column'), () => removeColumn(column)),
      ),
      ...itemsIf(
        operations.visibleNames.length > 1,
        item(t('Hide Column'), () => operations.hide(name), { separatorBefore: !isDerived }),
      ),
      {
        label: t('Columns'),
        items: [
          item(t('Freeze Up to Here'), () => operations.freezeUpTo(name)),
          ...itemsIf(
            operations.frozen.requested > 0,
            item(t('Unfreeze Columns'), () => operations.freezeUpTo(undefined)),
          ),
          item(t('Fit to Content'), () => operations.fitToContent(name)),
          item(t('Fit All Columns'), () => operations.fitAll()),
          item(t('Choose Columns…'), () => openColumnPicker(grid, anchor)),
          ...itemsIf(getRowKind() !== 'computed', this.#addColumn()),
        ],
      },
    ];
    openPopupMenu(items, anchor, gridColumn?.label ?? name);
  }

  #addColumn(): MenuItem {
    const { view, editColumn } = this.#deps;
    return {
      label: t('Add Column…'),
      disabled: view().derived.length >= derivedLimits.columns,
      run: () => editColumn(),
    };
  }

  /** Opens the menu of the selected cells. */
  openCell(anchor: DOMRect): void {
    const { grid, cells, copy, getRowKind, zoomChart } = this.#deps;
    const window = getRowKind() === 'computed' ? undefined : cells.selectedWindow;
    const selectAll = () =>
      grid.select({ rows: [0, cells.rowCount - 1], columns: [0, grid.columns.length - 1] }, 'all');
    const items = [
      { label: t('Copy'), shortcut: 'Ctrl+C', run: () => copy('tsv', false) },
      { label: t('Copy With Headers'), shortcut: 'Ctrl+Shift+C', run: () => copy('tsv', true) },
      { label: t('Copy for Documents'), run: () => copy('document', true) },
      { label: t('Copy As CSV'), run: () => copy('csv', true) },
      { label: t('Copy As JSON'), run: () => copy('json', true) },
      { label: t('Copy As Markdown'), run: () => copy('markdown', true) },
      { label: t('Select All'), shortcut: 'Ctrl+A', run: selectAll, separatorBefore: true },
      ...(window ? [{ label: t('Zoom Chart to Selection'), run: () => zoomChart(window), separatorBefore: true }] : []),
      // Filters apply to the received rows, which do not contain resampled or computed values.
      ...(getRowKind() === 'received'
        ? [
            { label: t('Include Only This Value'), run: () => this.#filterFocused('='), separatorBefore: true },
            { label: t('Exclude This Value'), run: () => this.#filterFocused('!=') },
          ]
        : []),
    ];
    openPopupMenu(items, anchor, t('Cells'));
  }

  /** Filters the rows to include only, or to exclude, rows with the focused value. */
  #filterFocused(sign: '=' | '!='): void {
    const { host, changeView, view, grid, cells } = this.#deps;
    const focus = cells.getFocusedCell();
    const column = focus && grid.columns[focus.column];
    const source = column && cells.findColumn(column.source ?? column.name);
    if (!focus || !source) return;
    const text = formatValueFilter(source, cells.toDataRow(focus.row), sign, host.locale);
    if (text.length > maxFilterLength) {
      host.onError(new Error(t('This value is too long for a filter. Filter by a part of it.')));
      return;
    }
    changeView({ filters: { ...view().filters, [source.name]: text } });
  }

  #editFilter(column: string): void {
    const { changeView, view } = this.#deps;
    changeView({ filters: { ...view().filters, [column]: view().filters[column] ?? '' } });
    document.getElementById(`filter-${column}`)?.focus();
  }
}

/** Returns a submenu of the items, or the item itself if there is only one. */
function submenu(label: string, items: readonly MenuItem[]): readonly MenuEntry[] {
  return items.length > 1 ? [{ label, items }] : items;
}
