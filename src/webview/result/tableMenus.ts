import { t } from '@vscode/l10n';
import type { QueryTools } from '../../shared/protocol.ts';
import { numberStyles, type NumberStyle } from '../../shared/formatNumber.ts';
import { derivedLimits } from '../../shared/derivedColumns.ts';
import { toggleScale } from '../../presentation/table/columnArrangement.ts';
import { openColumnPicker } from '../grid/columnPicker.ts';
import type { DataGrid } from '../grid/dataGrid.ts';
import { openPopupMenu, type MenuItem } from '../grid/popupMenu.ts';
import { valueFilter } from '../../core/filter/parseFilter.ts';
import type { CopyFormat } from './copyText.ts';
import { longestFilter, type SortKey } from '../../shared/analysis.ts';
import type { SelectedCells } from './selectedCells.ts';
import type { TabParts } from './tabParts.ts';
import { menuActions } from './toolbar.ts';

/** The table of the open tab. */
export interface OpenTable {
  readonly grid: DataGrid;
  find(): void;
}

/** What the menus of a table do to it. */
interface TableMenusParts extends TabParts {
  readonly grid: DataGrid;
  readonly cells: SelectedCells;
  readonly sort: (keys: readonly SortKey[]) => void;
  readonly removeFilter: (column: string) => void;
  /** Copies what is selected. */
  readonly copy: (format: CopyFormat | 'document', headers: boolean) => void;
}

/** The menus of a table: of its columns, of its cells, and the one of all that is not in the toolbar. */
export class TableMenus {
  readonly #parts: TableMenusParts;

  constructor(parts: TableMenusParts) {
    this.#parts = parts;
  }

  /** What is not in the toolbar: the host's further actions, and how tables show things. */
  openMore(tools: QueryTools, anchor: DOMRect, table: OpenTable): void {
    const { host, view: viewNow, change, reset } = this.#parts;
    const view = viewNow();
    type Flag = 'missingRows' | 'intervalEnd' | 'hints' | 'summaries' | 'linked';
    const flag = (label: string, name: Flag): MenuItem => ({
      label,
      checked: view[name],
      run: () => change({ [name]: !view[name] }),
    });
    const items = [
      ...menuActions(tools).map(({ action, label }) => ({
        label,
        run: () => host.act(action),
      })),
      { label: t('Find…'), shortcut: 'Ctrl+F', run: () => table.find(), separatorBefore: true },
      { label: t('Choose Columns…'), run: () => openColumnPicker(table.grid, anchor) },
      this.#addColumn(),
      { ...flag(t('Show Missing Intervals'), 'missingRows'), separatorBefore: true },
      flag(t('Show Interval End'), 'intervalEnd'),
      flag(t('Show Cell Hints'), 'hints'),
      flag(t('Show Column Summaries'), 'summaries'),
      { ...flag(t('Limit to Chart Range'), 'linked'), ...(view.tab === 'split' && { checked: true, disabled: true }) },
      ...this.#numberItems(),
      { label: t('Reset View'), run: reset, separatorBefore: true },
    ];
    openPopupMenu(items, anchor, t('More Actions'));
  }

  /** Everything that can be done with one column. */
  openColumn(name: string, anchor: DOMRect): void {
    const { change, view, open, grid, cells, sort: setSort, removeFilter, canFilter, rows } = this.#parts;
    const { editColumn, removeColumn } = this.#parts;
    const model = grid.columns.find(column => column.name === name);
    const column = model?.source ?? name;
    const { operations } = grid;
    const { sort, filters } = view();
    const own = sort.find(key => key.column === column);
    const others = sort.filter(key => key.column !== column);
    const by = (descending: boolean) => () => setSort([{ column, descending }]);
    const filtered = Boolean(filters[column]?.trim());
    // The other tabs do not know the columns of computed rows.
    const isSeries = cells.columnNamed(column)?.kind === 'number' && rows() !== 'computed';
    const isDerived = rows() !== 'computed' && view().derived.some(derived => derived.name === column);
    const showInChart = () => {
      change({ chart: { mode: 'lines', columns: [column], hidden: [] } });
      open('chart');
    };
    const showStatistics = () => {
      change({ chosen: column });
      open('statistics');
    };
    const item = (label: string, run: () => void, more: Partial<MenuItem> = {}): MenuItem => ({ label, run, ...more });
    const items = [
      item(t('Sort Ascending'), by(false), { checked: own?.descending === false }),
      item(t('Sort Descending'), by(true), { checked: own?.descending === true }),
      item(t('Add to Sort'), () => setSort([...others, { column, descending: false }]), {
        disabled: own !== undefined || sort.length === 0,
      }),
      item(t('Remove From Sort'), () => setSort(others), { disabled: !own }),
      item(filtered ? t('Edit Filter…') : t('Filter…'), () => this.#editFilter(column), {
        separatorBefore: true,
        disabled: !canFilter(column),
      }),
      item(t('Remove Filter'), () => removeFilter(column), { disabled: !filtered }),
      item(t('Show in Chart'), showInChart, { separatorBefore: true, disabled: !isSeries }),
      item(t('Show Statistics'), showStatistics, { disabled: !isSeries }),
      item(t('Color Scale'), () => change({ arrangement: toggleScale(grid.arrangement, name) }), {
        checked: grid.arrangement.scaled?.includes(name) === true,
        disabled: !model?.place,
      }),
      item(t('Freeze up to Here'), () => operations.freezeUpTo(name), { separatorBefore: true }),
      item(t('Unfreeze Columns'), () => operations.freezeUpTo(undefined)),
      item(t('Fit to Content'), () => operations.fit(name)),
      item(t('Fit All Columns'), () => operations.fitAll()),
      ...(isDerived
        ? [
            item(t('Edit Formula…'), () => editColumn(column), { separatorBefore: true }),
            item(t('Remove Column'), () => removeColumn(column)),
          ]
        : []),
      item(t('Hide Column'), () => operations.hide(name), {
        separatorBefore: !isDerived,
        disabled: operations.shown.length < 2,
      }),
      item(t('Choose Columns…'), () => openColumnPicker(grid, anchor)),
      ...(rows() === 'computed' ? [] : [this.#addColumn()]),
      ...(cells.columnNamed(column)?.kind === 'number' ? this.#numberItems() : []),
    ];
    openPopupMenu(items, anchor, model?.label ?? name);
  }

  /** How numbers are written, in all columns. */
  #numberItems(): MenuItem[] {
    const { view, change } = this.#parts;
    const styles: Readonly<Record<NumberStyle, string>> = {
      rounded: t('Rounded'),
      digits: t('All Digits'),
      plain: t('All Digits, Decimal Point'),
      received: t('As Received'),
    };
    return numberStyles.map((style, at) => ({
      label: styles[style],
      checked: view().numbers === style,
      radio: true,
      separatorBefore: at === 0,
      run: () => change({ numbers: style }),
    }));
  }

  #addColumn(): MenuItem {
    const { view, editColumn } = this.#parts;
    return {
      label: t('Add Column…'),
      disabled: view().derived.length >= derivedLimits.columns,
      run: () => editColumn(),
    };
  }

  /** What can be done with the selected cells. */
  openCell(anchor: DOMRect): void {
    const { grid, cells, copy, rows, zoom } = this.#parts;
    const window = rows() === 'computed' ? undefined : cells.selectedWindow;
    // Filters are of the rows as received, which have no such values.
    const disabled = rows() !== 'received';
    const selectAll = () =>
      grid.select({ rows: [0, cells.rowCount - 1], columns: [0, grid.columns.length - 1] }, 'all');
    const items = [
      { label: t('Copy'), shortcut: 'Ctrl+C', run: () => copy('tsv', false) },
      { label: t('Copy With Headers'), shortcut: 'Ctrl+Shift+C', run: () => copy('tsv', true) },
      { label: t('Copy for Documents'), run: () => copy('document', true) },
      { label: t('Copy as CSV'), run: () => copy('csv', true) },
      { label: t('Copy as JSON'), run: () => copy('json', true) },
      { label: t('Copy as Markdown'), run: () => copy('markdown', true) },
      { label: t('Select All'), shortcut: 'Ctrl+A', run: selectAll, separatorBefore: true },
      {
        label: t('Zoom Chart to Selection'),
        disabled: !window,
        run: () => window && zoom(window),
        separatorBefore: true,
      },
      { label: t('Include Only This Value'), disabled, run: () => this.#filterFocused('='), separatorBefore: true },
      { label: t('Exclude This Value'), disabled, run: () => this.#filterFocused('!=') },
    ];
    openPopupMenu(items, anchor, t('Cells'));
  }

  /** Shows only the rows with the focused value, or only the others. */
  #filterFocused(sign: '=' | '!='): void {
    const { host, change, view, grid, cells } = this.#parts;
    const focus = cells.focused();
    const column = focus && grid.columns[focus.column];
    const source = column && cells.columnNamed(column.source ?? column.name);
    if (!focus || !source) return;
    const text = valueFilter(source, cells.dataRow(focus.row), sign, host.locale);
    if (text.length > longestFilter) {
      host.failed(new Error(t('This value is too long for a filter. Filter by a part of it.')));
      return;
    }
    change({ filters: { ...view().filters, [source.name]: text } });
  }

  #editFilter(column: string): void {
    const { change, view } = this.#parts;
    change({ filters: { ...view().filters, [column]: view().filters[column] ?? '' } });
    document.getElementById(`filter-${column}`)?.focus();
  }
}
