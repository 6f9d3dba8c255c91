import { html, nothing, type TemplateResult } from 'lit';
import { t } from '@vscode/l10n';
import { getRowEdges } from '../../core/bins/binEdges.ts';
import { parseMark, replayMark } from '../../core/query/serviceMeta.ts';
import { getZoneOfRows } from '../../core/bins/dayInterval.ts';
import { findTimeColumn } from '../../core/frame/clip.ts';
import type { Frame, TimeColumn } from '../../shared/frame.ts';
import type { SortKey, TimeRange } from '../../shared/analysis.ts';
import type { ShownSelection } from '../../shared/protocol.ts';
import { readTheme } from '../chart/chartTheme.ts';
import { createCellShades, createScaleLegends } from '../../presentation/columns/colorScale.ts';
import { createGridColumns } from '../../presentation/columns/createGridColumns.ts';
import { formatIntervalCount } from '../../presentation/coverage/coverageFormatter.ts';
import { parseArrangement, arrangeColumns } from '../../presentation/table/columnArrangement.ts';
import { DataGrid } from '../grid/dataGrid.ts';
import type { GridColumn } from '../../presentation/table/gridColumn.ts';
import { hasMultipleCells, type CellRange, type GridPosition } from '../grid/gridSelection.ts';
import { ColumnSummaries } from './columnSummaries.ts';
import { formatHtmlTable, formatDisplayedText } from './copyTable.ts';
import { formatCopy, type CopyFormat, listCopiedColumns } from './copyText.ts';
import { Finder } from './finder.ts';
import { formatTableSize } from '../../presentation/result/sizeText.ts';
import { formatFrozenNotice } from './footerText.ts';
import { DeferredKeys } from './deferredKeys.ts';
import { toggleSort, formatSort } from './viewChanges.ts';
import { mapPosition, findRowAt } from './mapPosition.ts';
import type { TableState } from '../../shared/protocol.ts';
import type { DisplayedRows } from '../../presentation/result/displayedRows.ts';
import { SelectedCells } from './selectedCells.ts';
import { type TabDeps } from './tabDeps.ts';
import { TableMenus } from './tableMenus.ts';

const selectionDelayMs = 80;

/** The table, its menus, its find box and its footer. */
export class TableTab {
  readonly grid: DataGrid;
  /** The menus of columns and cells, and More Actions. */
  readonly menus: TableMenus;
  readonly #deps: TabDeps;
  readonly #finder: Finder;
  readonly #deferredKeys: DeferredKeys;
  readonly #summaries: ColumnSummaries;
  /** Maps visible cells to the data. */
  readonly cells: SelectedCells;
  #state: TableState | undefined;
  #rows: DisplayedRows | undefined;
  #positionToRestore: GridPosition | undefined;
  readonly #onMove: (isSelectionChange: boolean) => void;
  #selectionText = '';
  #selectionTimer = 0;
  /** Whether the columns were created for a narrow table. */
  #narrow = false;
  #frozenNotice = '';
  #columns: { readonly frame: Frame; readonly key: string; readonly gridColumns: readonly GridColumn[] } | undefined;

  /**
   * `label` names the table for screen readers. `onMove` is called whenever the focused row may have changed, which is often. It is called with
   * `isSelectionChange` after the selection has changed.
   */
  constructor(
    deps: TabDeps,
    label = t('Result table'),
    onMove: (isSelectionChange: boolean) => void = () => undefined,
  ) {
    this.#onMove = onMove;
    this.#deps = deps;
    const { host, changeView, view } = deps;
    this.grid = new DataGrid(
      {
        copy: (text, range, withHeaders) => this.#copyRange(text, range, withHeaders, 'tsv'),
        onSettled: () => this.#onSettled(),
        onSelectionChanged: () => {
          this.#onSelectionChanged();
          onMove(false);
          // Saved at once, because the user may leave the tab before scrolling ends.
          host.savePosition();
          this.#finder.onFocusMoved();
        },
        onColumnsArranged: arrangement => changeView({ arrangement }),
        announce: host.announce,
        sort: (column, additive) => this.#sort(toggleSort(view().sort, column, additive)),
        openColumnMenu: (column, anchor) => this.menus.openColumn(column, anchor),
        openCellMenu: (_, anchor) => this.menus.openCell(anchor),
      },
      label,
    );
    this.#deferredKeys = new DeferredKeys(this.grid, host.announce);
    this.#summaries = new ColumnSummaries(deps, () => this.grid.updateSummaries());
    this.cells = new SelectedCells(this.grid, () => this.#rows);
    this.menus = new TableMenus({
      ...deps,
      grid: this.grid,
      cells: this.cells,
      setSort: (keys: readonly SortKey[]) => this.#sort(keys),
      removeFilter: column => this.removeFilter(column),
      copy: (format, headers) => this.#copyRange('', this.grid.range, headers, format),
    });
    this.#finder = new Finder({
      getCells: () => this.cells.getSearchedCells(),
      getFocusedCell: () => this.cells.getFocusedCell(),
      goTo: ({ row, column }) => this.grid.focusCell(row, this.grid.columns[column]?.name),
      highlight: matches => this.grid.highlightMatches(matches),
      describeRow: row => this.#describeRow(row),
      hasHiddenCells: () =>
        this.grid.columns.length < this.grid.allColumns.length ||
        this.cells.rowCount < (this.#rows?.frame.rowCount ?? 0),
      close: () => this.grid.focus(),
      render: host.render,
      locale: host.locale,
    });
  }

  /** Sets the position to restore in the next result. */
  restore(position: GridPosition): void {
    this.#positionToRestore = position;
  }

  show(state: TableState, rows: DisplayedRows): void {
    const { view } = this.#deps;
    const { sort, filters, hints, summaries, arrangement } = view();
    const isSame = rows === this.#rows && state === this.#state;
    const hasSameRows = rows.frame === this.#rows?.frame && !this.#positionToRestore;
    const position = this.#positionToRestore ?? (isSame ? this.grid.position() : this.#computePosition(rows));
    this.#state = state;
    this.#rows = rows;
    const filtered = new Set(Object.keys(filters).filter(name => filters[name]?.trim()));
    this.#narrow = isNarrow(this.grid.element);
    const columns = this.#getColumns(state, rows, this.#narrow);
    const { rowCount, order, getNote } = rows;
    this.#positionToRestore = undefined;
    const arranged = parseArrangement(arrangement);
    const { scaled } = arranged;
    const palette = scaled?.length ? readTheme(this.grid.element).palette : undefined;
    const getShade = palette && scaled && createCellShades(palette, scaled);
    const getLegend = palette && scaled && createScaleLegends(palette, scaled);
    // Summaries are computed only after all rows have been loaded.
    const getSummary = summaries ? this.#summaries.getSummaries(state.isHead ? undefined : rows) : undefined;
    const marks = { rowNote: getNote, sort, filtered, hints, getSummary, getShade, getLegend };
    const data = { columns, rowCount, order, ...marks, more: state.isHead };
    const draw = (): void => this.grid.show(data, position, arranged);
    if (hasSameRows) this.cells.keepSelectionNotice(draw);
    else draw();
    this.#deferredKeys.release();
    this.#finder.refresh();
  }

  template(): TemplateResult {
    const { frame, rowCount } = this.#rows ?? {};
    const isEmpty = rowCount === 0 && frame && frame.rowCount > 0;
    return html`${this.#finder.template()} ${this.grid.element}
    ${isEmpty ? html`<p class="aside" role="status">${t('No rows match the filters.')}</p>` : nothing}`;
  }

  /**
   * Formats the number of rows and columns, and the selection. Only received rows count, and not the placeholders of missing intervals,
   * so that the count is the same in every tab.
   */
  footer(rows: DisplayedRows, state: TableState): string {
    const { rowCount, receivedCount, omittedCount } = rows;
    const { host, view } = this.#deps;
    // While another tab is open, the grid still has the columns of earlier rows.
    const columns = this.#arrange(this.#getColumns(state, rows, this.#narrow));
    const size = formatTableSize(receivedCount, state.frame.rowCount, columns.length, host.locale);
    const missingCount = rowCount - receivedCount;
    const intervalsText = formatIntervalCount(missingCount + omittedCount, state.interval, host.locale);
    const text =
      omittedCount > 0
        ? t('the table has no space for {0} without a row', intervalsText)
        : t('{0} without a row', intervalsText);
    const missingTexts = missingCount + omittedCount > 0 ? [text] : [];
    this.#frozenNotice = formatFrozenNotice(this.grid.operations.frozen);
    const selectionTexts = ['table', 'split'].includes(view().tab)
      ? [this.#frozenNotice, this.#selectionText].filter(Boolean)
      : [];
    return [size, ...missingTexts, ...selectionTexts].join(' · ');
  }

  themeChanged(): void {
    if (this.grid.element.isConnected && this.#state && this.#rows) this.show(this.#state, this.#rows);
  }

  find(): void {
    if (!this.grid.element.isConnected) this.#deps.openTab('table');
    this.#finder.show();
    this.grid.element.parentElement?.querySelector<HTMLInputElement>('.find-text')?.select();
  }

  /** Goes to the next match of the find box. */
  findNext(backwards: boolean): void {
    if (!this.grid.element.isConnected) this.#deps.openTab('table');
    void this.#finder.next(backwards);
  }

  /** The selection for an export. Undefined if at most one cell is selected. */
  get selection(): ShownSelection | undefined {
    const { selected } = this.cells;
    if (!selected) return undefined;
    const [first, last] = selected.columns;
    // A column that the table derives from another column contains the ends of its intervals.
    const columns = this.grid.columns
      .slice(first, last + 1)
      .map(({ name, source = name }) => (source === name ? { name } : ({ name: source, isEnd: true } as const)));
    return { rows: selected.rows, columns };
  }

  /** Scrolls to the row of an instant. If it has no row, scrolls to the neighboring row and returns a sentence about this. */
  goToTime(instant: number): string | undefined {
    const state = this.#state;
    const rows = this.#rows;
    const time = this.#time;
    const match = time && findRowAt(time, rows?.order, findRowStart(time, instant));
    if (!state || !time || !match) return t('No row to go to.');
    this.grid.focusCell(match.row);
    if (match.ms >= instant && match.ms < instant + (state.intervalMs ?? 1)) return undefined;
    const timeText = this.cells.getCellText(match.row, time.name);
    return match.ms > instant
      ? t('No row at this time. Next row: {0}.', timeText)
      : t('No row at this time. Previous row: {0}.', timeText);
  }

  /** Highlights the row that contains the instant under the pointer in another panel, or no row if there is none. */
  highlightRowAt(instant: number | undefined): void {
    const time = this.#time;
    const getStart = (pointedInstant: number): number =>
      time?.bins || time?.lengths
        ? findRowStart(time, pointedInstant)
        : pointedInstant + 1 - (this.#state?.intervalMs ?? 1);
    const match = instant === undefined ? undefined : findRowAt(time, this.#rows?.order, getStart(instant));
    this.grid.highlightRow(match && instant !== undefined && match.ms <= instant ? match.row : undefined);
  }

  /** The time of the focused row in UTC milliseconds; undefined while the focus is still on the first row. */
  get instant(): number | undefined {
    const { row } = this.grid.position();
    return row > 0 ? this.#time?.values[this.cells.toDataRow(row)] : undefined;
  }

  /** Selects the rows of a time window. Removes the sort if it has scattered them. */
  selectTimes(window: TimeRange): void {
    if (this.cells.findRowsWithin(window) === 'scattered') this.#sort([]);
    const rows = this.cells.findRowsWithin(window);
    if (!rows || rows === 'scattered') return;
    this.grid.select({ rows, columns: [0, this.grid.columns.length - 1] });
    this.grid.focus();
  }

  get #time(): TimeColumn | undefined {
    return this.#rows && findTimeColumn(this.#rows.frame);
  }

  /** The time of a visible row, or its number if it has none. */
  #describeRow(row: number): string {
    const time = this.#time;
    return (time && this.cells.getCellText(row, time.name)) || t('row {0}', row + 1);
  }

  removeFilter(column: string): void {
    const { [column]: removed, ...filters } = this.#deps.view().filters;
    if (removed !== undefined) this.#deps.changeView({ filters });
    this.grid.focus();
  }

  /** Creates the columns of the grid. They are cached, because choosing the number format takes a pass over all values, which sort and filter do not change. */
  #getColumns(state: TableState, { frame }: DisplayedRows, isNarrow = false): readonly GridColumn[] {
    const { locale } = this.#deps.host;
    const { numbers, intervalEnd } = this.#deps.view();
    const options = { numbers, intervalEnd, isNarrow };
    // Only rows that the extension has resampled have a minimum coverage. Daily rows of the service do not.
    const rowKind = this.#deps.getRowKind();
    const minCoverage = rowKind === 'resampled' ? state.minCoverage : undefined;
    const areComputed = rowKind === 'computed';
    const key = JSON.stringify([state.zone, state.intervalMs, options, minCoverage]);
    if (this.#columns?.frame !== frame || this.#columns.key !== key)
      this.#columns = {
        frame,
        key,
        gridColumns: createGridColumns(frame, locale, state.zone, state.intervalMs, {
          ...options,
          minCoverage,
          areComputed,
        }),
      };
    return this.#columns.gridColumns;
  }

  /** The visible columns, in their order. */
  #arrange(columns: readonly GridColumn[]): readonly GridColumn[] {
    return arrangeColumns(columns, parseArrangement(this.#deps.view().arrangement));
  }

  /** Computes the position among other rows. Focus and selection stay on their rows if these are still visible. */
  #computePosition(displayed: DisplayedRows): GridPosition | undefined {
    if (!this.grid.element.isConnected || this.grid.columns.length === 0) return undefined;
    const position = this.grid.position();
    // The rows of a summary are not hours, even if some of its columns are times.
    const areTimes = this.#deps.getRowKind() !== 'computed' || displayed.frame.columns[0]?.kind === 'time';
    return this.#rows && (areTimes || this.#rows.frame === displayed.frame)
      ? mapPosition(position, this.#rows, displayed)
      : position;
  }

  #sort(sort: readonly SortKey[]): void {
    this.#deps.changeView({ sort });
    this.#deps.host.announce(formatSort(sort, column => this.cells.getColumnLabel(column)));
  }

  /** Updates what depends on the width: the columns, and the notice on frozen columns in the footer. */
  #onSettled(): void {
    const { host } = this.#deps;
    host.savePosition();
    if (formatFrozenNotice(this.grid.operations.frozen) !== this.#frozenNotice) host.render();
    const state = this.#state;
    const rows = this.#rows;
    if (state && rows && this.#narrow !== isNarrow(this.grid.element)) this.show(state, rows);
  }

  #copyRange(text: string, range: CellRange | undefined, headers: boolean, format: CopyFormat | 'document'): void {
    const { host } = this.#deps;
    if (!this.#state || !range || (!hasMultipleCells(range) && !headers && format === 'tsv')) {
      host.copy(text, this.#describeCopy(text));
      return;
    }
    const rows = this.cells.rowsIn(range);
    const [first, last] = range.columns;
    const columns = listCopiedColumns(
      this.grid.columns.slice(first, last + 1),
      name => this.cells.findColumn(name),
      rows,
    );
    const { interval, zone, origin } = this.#state;
    const rowZone = getZoneOfRows(interval, zone);
    const size = t('{0} × {1} cells', rows.length, columns.length);
    const visibleColumns = this.grid.columns.slice(first, last + 1);
    const table = {
      columns: visibleColumns.map((gridColumn, index) => ({ gridColumn, column: columns[index] })),
      rows,
      timeZone: rowZone.timeZone,
    };
    if (format === 'document') {
      host.copy(formatDisplayedText(table), this.#describeCopy(size), formatHtmlTable(table, true));
      return;
    }
    const copied = formatCopy({ columns, rows, zone: rowZone, origin }, format, headers);
    // The headers are field names for programs, so that a copy with headers is plain text only.
    host.copy(
      copied,
      this.#describeCopy(size),
      format === 'tsv' && !headers ? formatHtmlTable(table, false) : undefined,
    );
  }

  /**
   * Describes a copy for the message. It names sample data, because the copied cells without headers do not: an extra row or column would
   * be mixed with the numbers of a sheet.
   */
  #describeCopy(content: string): string {
    return this.#state?.origin.mark
      ? `${content}, ${parseMark(this.#state.origin.mark) === replayMark ? t('Replayed Hours') : t('Sample Data')}`
      : content;
  }

  /** Updates the selection after a delay, because this is called at every move of a drag and the selection may be the whole table. */
  #onSelectionChanged(): void {
    clearTimeout(this.#selectionTimer);
    this.#selectionTimer = window.setTimeout(() => {
      this.cells.onSelectionChanged();
      this.#showSelection();
      this.#onMove(true);
    }, selectionDelayMs);
  }

  #showSelection(): void {
    const { host } = this.#deps;
    this.#selectionText = this.cells.formatSelection(host.locale, this.#deps.view().numbers);
    host.render();
  }
}

/** Returns the start of the row that contains an instant; the rows may differ in length. */
function findRowStart(time: TimeColumn, instant: number): number {
  return getRowEdges({ start: instant, end: instant + 1 }, time)?.[0] ?? instant;
}

/** Width in CSS pixels from which the table has room for two time columns. */
const twoTimesWidth = 520;

/** Whether an element is too narrow for two time columns before the numbers. */
function isNarrow({ clientWidth }: HTMLElement): boolean {
  return clientWidth < twoTimesWidth;
}
