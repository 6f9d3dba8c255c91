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
import { cellShades, scaleLegends } from '../../presentation/columns/colorScale.ts';
import { gridColumnsOf } from '../../presentation/columns/gridColumnsOf.ts';
import { stepsText } from '../../presentation/coverage/coverageWords.ts';
import { readArrangement, arrangedColumns } from '../../presentation/table/columnArrangement.ts';
import { DataGrid } from '../grid/dataGrid.ts';
import type { GridColumn } from '../../presentation/table/gridColumn.ts';
import { hasMultipleCells, type CellRange, type GridPosition } from '../grid/gridSelection.ts';
import { ColumnSummaries } from './columnSummaries.ts';
import { copyHtml, copyShownText } from './copyTable.ts';
import { copyText, type CopyFormat, copiedColumns } from './copyText.ts';
import { Finder } from './finder.ts';
import { sizeText } from '../../presentation/result/sizeText.ts';
import { frozenText } from './footerText.ts';
import { HeldKeys } from './heldKeys.ts';
import { nextSort, sortText } from './panelView.ts';
import { placeInNewer, rowAt } from './placeInNewer.ts';
import type { TableState } from '../../shared/protocol.ts';
import type { ShownRows } from '../../presentation/result/shownRows.ts';
import { SelectedCells } from './selectedCells.ts';
import { type TabParts } from './tabParts.ts';
import { TableMenus } from './tableMenus.ts';

const selectionMs = 80;

/** The table, its menus, its find box and its footer. */
export class TableTab {
  readonly grid: DataGrid;
  /** The menus of columns and cells, and More Actions. */
  readonly menus: TableMenus;
  readonly #parts: TabParts;
  readonly #finder: Finder;
  readonly #heldKeys: HeldKeys;
  readonly #summaries: ColumnSummaries;
  /** Maps visible cells to the data. */
  readonly cells: SelectedCells;
  #state: TableState | undefined;
  #shown: ShownRows | undefined;
  #place: GridPosition | undefined;
  readonly #moved: (settled: boolean) => void;
  #selected = '';
  #selectionTimer = 0;
  /** Whether the columns were created for a narrow table. */
  #narrow = false;
  #frozen = '';
  #columns: { readonly frame: Frame; readonly key: string; readonly made: readonly GridColumn[] } | undefined;

  /**
   * `label` names the table for screen readers. `moved` is called often: when the focused row may have changed or, with `settled`, after the
   * selection has changed.
   */
  constructor(parts: TabParts, label = t('Result table'), moved: (settled: boolean) => void = () => undefined) {
    this.#moved = moved;
    this.#parts = parts;
    const { host, change, view } = parts;
    this.grid = new DataGrid(
      {
        copy: (text, range, withHeaders) => this.#copyRange(text, range, withHeaders, 'tsv'),
        onSettled: () => this.#settled(),
        onSelectionChanged: () => {
          this.#selectionChanged();
          moved(false);
          // Saved at once, because the user may leave the tab before scrolling ends.
          host.savePlace();
          this.#finder.moved();
        },
        onColumnsArranged: arrangement => change({ arrangement }),
        announce: host.announce,
        sort: (column, additive) => this.#sort(nextSort(view().sort, column, additive)),
        openColumnMenu: (column, anchor) => this.menus.openColumn(column, anchor),
        openCellMenu: (_, anchor) => this.menus.openCell(anchor),
      },
      label,
    );
    this.#heldKeys = new HeldKeys(this.grid, host.announce);
    this.#summaries = new ColumnSummaries(parts, () => this.grid.updateSummaries());
    this.cells = new SelectedCells(this.grid, () => this.#shown);
    this.menus = new TableMenus({
      ...parts,
      grid: this.grid,
      cells: this.cells,
      sort: (keys: readonly SortKey[]) => this.#sort(keys),
      removeFilter: column => this.removeFilter(column),
      copy: (format, headers) => this.#copyRange('', this.grid.range, headers, format),
    });
    this.#finder = new Finder({
      cells: () => this.cells.texts(),
      from: () => this.cells.focused(),
      goTo: ({ row, column }) => this.grid.focusCell(row, this.grid.columns[column]?.name),
      mark: holds => this.grid.highlightMatches(holds),
      rowName: row => this.#rowName(row),
      isPart: () =>
        this.grid.columns.length < this.grid.allColumns.length ||
        this.cells.rowCount < (this.#shown?.frame.rowCount ?? 0),
      close: () => this.grid.focus(),
      render: host.render,
      locale: host.locale,
    });
  }

  /** Sets the position to restore in the next result. */
  restore(place: GridPosition): void {
    this.#place = place;
  }

  show(state: TableState, shown: ShownRows): void {
    const { view } = this.#parts;
    const { sort, filters, hints, summaries, arrangement } = view();
    const same = shown === this.#shown && state === this.#state;
    const sameRows = shown.frame === this.#shown?.frame && !this.#place;
    const place = this.#place ?? (same ? this.grid.position() : this.#placeIn(shown));
    this.#state = state;
    this.#shown = shown;
    const filtered = new Set(Object.keys(filters).filter(name => filters[name]?.trim()));
    this.#narrow = isNarrow(this.grid.element);
    const columns = this.#columnsOf(state, shown, this.#narrow);
    const { rowCount, order, note } = shown;
    this.#place = undefined;
    const arranged = readArrangement(arrangement);
    const { scaled } = arranged;
    const palette = scaled?.length ? readTheme(this.grid.element).palette : undefined;
    const shadeOf = palette && scaled && cellShades(palette, scaled);
    const legendOf = palette && scaled && scaleLegends(palette, scaled);
    // There are no summaries before all rows are loaded.
    const summaryOf = summaries ? this.#summaries.of(state.isHead ? undefined : shown) : undefined;
    const marks = { rowNote: note, sort, filtered, hints, summaryOf, shadeOf, legendOf };
    const data = { columns, rowCount, order, ...marks, more: state.isHead };
    const draw = (): void => this.grid.show(data, place, arranged);
    if (sameRows) this.cells.around(draw);
    else draw();
    this.#heldKeys.release();
    this.#finder.refresh();
  }

  template(): TemplateResult {
    const { frame, rowCount } = this.#shown ?? {};
    const none = rowCount === 0 && frame && frame.rowCount > 0;
    return html`${this.#finder.template()} ${this.grid.element}
    ${none ? html`<p class="aside" role="status">${t('No rows match the filters.')}</p>` : nothing}`;
  }

  /**
   * Formats the number of rows and columns, and the selection. Only received rows count, and not the placeholders of missing intervals,
   * so that the count is the same in every tab.
   */
  footer(shown: ShownRows, state: TableState): string {
    const { rowCount, received, leftOut } = shown;
    const { host, view } = this.#parts;
    // While another tab is open, the grid still has the columns of earlier rows.
    const columns = this.#arranged(this.#columnsOf(state, shown, this.#narrow));
    const size = sizeText(received, state.frame.rowCount, columns.length, host.locale);
    const lacking = rowCount - received;
    const steps = stepsText(lacking + leftOut, state.interval, host.locale);
    const text = leftOut > 0 ? t('the table has no space for {0} without a row', steps) : t('{0} without a row', steps);
    const without = lacking + leftOut > 0 ? [text] : [];
    this.#frozen = frozenText(this.grid.operations.frozen);
    const more = ['table', 'split'].includes(view().tab) ? [this.#frozen, this.#selected].filter(Boolean) : [];
    return [size, ...without, ...more].join(' · ');
  }

  themeChanged(): void {
    if (this.grid.element.isConnected && this.#state && this.#shown) this.show(this.#state, this.#shown);
  }

  find(): void {
    if (!this.grid.element.isConnected) this.#parts.open('table');
    this.#finder.show();
    this.grid.element.parentElement?.querySelector<HTMLInputElement>('.find-text')?.select();
  }

  /** Goes to the next match of the find box. */
  findNext(backwards: boolean): void {
    if (!this.grid.element.isConnected) this.#parts.open('table');
    void this.#finder.next(backwards);
  }

  /** The selection for an export; undefined for one cell or none. */
  get selection(): ShownSelection | undefined {
    const { selected } = this.cells;
    if (!selected) return undefined;
    const [first, last] = selected.columns;
    // A column that the table derives from another one is the end of its intervals.
    const columns = this.grid.columns
      .slice(first, last + 1)
      .map(({ name, source = name }) => (source === name ? { name } : ({ name: source, isEnd: true } as const)));
    return { rows: selected.rows, columns };
  }

  /** Scrolls to the row of an instant, or to its neighbour if there is none. Returns a sentence about the neighbour. */
  goToTime(instant: number): string | undefined {
    const state = this.#state;
    const shown = this.#shown;
    const time = this.#time;
    const found = time && rowAt(time, shown?.order, rowStart(time, instant));
    if (!state || !time || !found) return t('No row to go to.');
    this.grid.focusCell(found.row);
    if (found.ms >= instant && found.ms < instant + (state.step ?? 1)) return undefined;
    const at = this.cells.textOf(found.row, time.name);
    return found.ms > instant
      ? t('No row at this time. Next row: {0}.', at)
      : t('No row at this time. Previous row: {0}.', at);
  }

  /** Highlights the row that contains an instant which is pointed to in another panel, or no row if there is none. */
  point(instant: number | undefined): void {
    const time = this.#time;
    const from = (at: number): number =>
      time?.bins || time?.lengths ? rowStart(time, at) : at + 1 - (this.#state?.step ?? 1);
    const found = instant === undefined ? undefined : rowAt(time, this.#shown?.order, from(instant));
    this.grid.highlightRow(found && instant !== undefined && found.ms <= instant ? found.row : undefined);
  }

  /** The time of the focused row in UTC milliseconds; undefined while the focus is still on the first row. */
  get instant(): number | undefined {
    const { row } = this.grid.position();
    return row > 0 ? this.#time?.values[this.cells.dataRow(row)] : undefined;
  }

  /** Selects the rows of a time window. Removes the sort if it has scattered them. */
  selectTimes(window: TimeRange): void {
    if (this.cells.within(window) === 'scattered') this.#sort([]);
    const rows = this.cells.within(window);
    if (!rows || rows === 'scattered') return;
    this.grid.select({ rows, columns: [0, this.grid.columns.length - 1] });
    this.grid.focus();
  }

  get #time(): TimeColumn | undefined {
    return this.#shown && findTimeColumn(this.#shown.frame);
  }

  /** The time of a visible row, or its number if it has none. */
  #rowName(row: number): string {
    const time = this.#time;
    return (time && this.cells.textOf(row, time.name)) || t('row {0}', row + 1);
  }

  removeFilter(column: string): void {
    const { [column]: removed, ...filters } = this.#parts.view().filters;
    if (removed !== undefined) this.#parts.change({ filters });
    this.grid.focus();
  }

  /** Creates the columns of the grid. They are cached, because choosing the number format takes a pass over all values, which sort and filter do not change. */
  #columnsOf(state: TableState, { frame }: ShownRows, narrow = false): readonly GridColumn[] {
    const { locale } = this.#parts.host;
    const { numbers, intervalEnd } = this.#parts.view();
    const options = { numbers, intervalEnd, narrow };
    // Only our own resampling has a minimum coverage; rows of whole days from the service have none.
    const rows = this.#parts.rows();
    const leastCoverage = rows === 'resampled' ? state.leastCoverage : undefined;
    const computed = rows === 'computed';
    const key = JSON.stringify([state.zone, state.step, options, leastCoverage]);
    if (this.#columns?.frame !== frame || this.#columns.key !== key)
      this.#columns = {
        frame,
        key,
        made: gridColumnsOf(frame, locale, state.zone, state.step, { ...options, leastCoverage, computed }),
      };
    return this.#columns.made;
  }

  /** The visible columns, in their order. */
  #arranged(columns: readonly GridColumn[]): readonly GridColumn[] {
    return arrangedColumns(columns, readArrangement(this.#parts.view().arrangement));
  }

  /** Computes the position among other rows. Focus and selection stay on their rows if these are still visible. */
  #placeIn(after: ShownRows): GridPosition | undefined {
    if (!this.grid.element.isConnected || this.grid.columns.length === 0) return undefined;
    const place = this.grid.position();
    // The rows of a summary are not hours, even if some of its columns are times.
    const areHours = this.#parts.rows() !== 'computed' || after.frame.columns[0]?.kind === 'time';
    return this.#shown && (areHours || this.#shown.frame === after.frame)
      ? placeInNewer(place, this.#shown, after)
      : place;
  }

  #sort(sort: readonly SortKey[]): void {
    this.#parts.change({ sort });
    this.#parts.host.announce(sortText(sort, column => this.cells.labelOf(column)));
  }

  /** Updates what depends on the width: the columns, and the notice on frozen columns in the footer. */
  #settled(): void {
    const { host } = this.#parts;
    host.savePlace();
    if (frozenText(this.grid.operations.frozen) !== this.#frozen) host.render();
    const state = this.#state;
    const shown = this.#shown;
    if (state && shown && this.#narrow !== isNarrow(this.grid.element)) this.show(state, shown);
  }

  #copyRange(text: string, range: CellRange | undefined, headers: boolean, format: CopyFormat | 'document'): void {
    const { host } = this.#parts;
    if (!this.#state || !range || (!hasMultipleCells(range) && !headers && format === 'tsv')) {
      host.copy(text, this.#copied(text));
      return;
    }
    const rows = this.cells.rowsIn(range);
    const [first, last] = range.columns;
    const columns = copiedColumns(this.grid.columns.slice(first, last + 1), name => this.cells.columnNamed(name), rows);
    const { interval, zone, origin } = this.#state;
    const ofRows = getZoneOfRows(interval, zone);
    const cells = t('{0} × {1} cells', rows.length, columns.length);
    const shown = this.grid.columns.slice(first, last + 1);
    const table = {
      columns: shown.map((one, at) => ({ shown: one, column: columns[at] })),
      rows,
      timeZone: ofRows.timeZone,
    };
    if (format === 'document') {
      host.copy(copyShownText(table), this.#copied(cells), copyHtml(table, true));
      return;
    }
    const copied = copyText({ columns, rows, zone: ofRows, origin }, format, headers);
    // The headers are field names for programs, so that a copy with headers is plain text only.
    host.copy(copied, this.#copied(cells), format === 'tsv' && !headers ? copyHtml(table, false) : undefined);
  }

  /**
   * Describes a copy for the message. It names sample data, because the copied cells without headers do not: an extra row or column would
   * be mixed with the numbers of a sheet.
   */
  #copied(what: string): string {
    return this.#state?.origin.mark
      ? `${what}, ${parseMark(this.#state.origin.mark) === replayMark ? t('Replayed Hours') : t('Sample Data')}`
      : what;
  }

  /** Updates the selection after a delay, because this is called at every move of a drag and the selection may be the whole table. */
  #selectionChanged(): void {
    clearTimeout(this.#selectionTimer);
    this.#selectionTimer = window.setTimeout(() => {
      this.cells.changed();
      this.#showSelection();
      this.#moved(true);
    }, selectionMs);
  }

  #showSelection(): void {
    const { host } = this.#parts;
    this.#selected = this.cells.text(host.locale, this.#parts.view().numbers);
    host.render();
  }
}

/** Returns the start of the row that contains an instant; the rows may differ in length. */
function rowStart(time: TimeColumn, instant: number): number {
  return getRowEdges({ start: instant, end: instant + 1 }, time)?.[0] ?? instant;
}

/** Width in CSS pixels from which the table has room for two time columns. */
const twoTimesWidth = 520;

/** Whether an element is too narrow for two time columns before the numbers. */
function isNarrow({ clientWidth }: HTMLElement): boolean {
  return clientWidth < twoTimesWidth;
}
