import type { Frame } from '../../../src/shared/frame.ts';
import { gridStressFields, systemStateFields } from '../../../src/shared/fields.ts';
import type { NumberStyle } from '../../../src/shared/formatNumber.ts';
import type { DisplayZone } from '../../../src/shared/protocol.ts';
import type { SortKey } from '../../../src/shared/analysis.ts';
import { createGridColumns } from '../../../src/presentation/columns/createGridColumns.ts';
import { openColumnPicker } from '../../../src/webview/grid/columnPicker.ts';
import { defaultArrangement, type ColumnArrangement } from '../../../src/presentation/table/columnArrangement.ts';
import { DataGrid } from '../../../src/webview/grid/dataGrid.ts';
import { openPopupMenu } from '../../../src/webview/grid/popupMenu.ts';
import { systemFrame, timeColumn } from './frames.ts';
import { cellAt } from './gridReader.ts';

const dayMs = 86_400_000;
const frames = {
  month: () => systemFrame(744),
  million: () => systemFrame(1_000_000, 20),
  stress: stressFrame,
  // Clocks in Berlin go back at 01:00 UTC.
  autumn: (): Frame => ({ rowCount: 6, columns: [timeColumn(6, Date.UTC(2026, 9, 24, 22))] }),
  daily: (): Frame => ({ rowCount: 3, columns: [timeColumn(3, Date.UTC(2026, 10, 14), dayMs)] }),
};

/** Stress in every band, and ramps in both directions. Row 4 is null, and row 5 lacks the field. */
function stressFrame(): Frame {
  const stress = [0.12, 0.42, 0.6, 0.91, 0, 0, 0.3, 0, 0.799];
  const ramp = [0, 312, -87.5, 1040, 0, -1, 0, 0, -250];
  const rows = stress.length;
  const gaps = new Uint8Array(rows);
  gaps.set([1, 2, 0, 2], 4);
  const field = gridStressFields.get('value');
  const rampInfo = systemStateFields.get('ocgt_ramp_mw');
  return {
    rowCount: rows,
    columns: [
      timeColumn(rows),
      {
        kind: 'number',
        name: 'value',
        path: ['value'],
        values: Float64Array.from(stress),
        gaps,
        ...(field && { field }),
      },
      {
        kind: 'number',
        name: 'ocgt_ramp_mw',
        path: ['ocgt_ramp_mw'],
        values: Float64Array.from(ramp),
        gaps: Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 2, 0]),
        ...(rampInfo && { field: rampInfo }),
      },
    ],
  };
}

interface GridShown {
  readonly frame: keyof typeof frames;
  readonly zone?: DisplayZone;
  readonly step?: number;
  readonly hints?: boolean;
  readonly intervalEnd?: boolean;
  readonly numbers?: NumberStyle;
  readonly sort?: readonly SortKey[];
  readonly filtered?: readonly string[];
  /** The data rows to show, in their order; all by default. */
  readonly order?: readonly number[];
  /** Whether row 7 has the note that it is not published. */
  readonly note?: boolean;
  readonly arrangement?: ColumnArrangement;
  /** Whether to keep the current position. */
  readonly stay?: boolean;
}

/** Mounts the grid alone. */
export function mountGrid(container: Element) {
  const calls: (readonly unknown[])[] = [];
  const note = (name: string, ...values: readonly unknown[]) => void calls.push([name, ...values]);
  const grid = new DataGrid(
    {
      copy: (text, range, withHeaders) => note('copy', text, range ?? null, withHeaders),
      onSettled: () => undefined,
      onSelectionChanged: range => note('selectionChanged', range ?? null),
      onColumnsArranged: arrangement => note('arranged', arrangement),
      announce: text => note('announce', text),
      sort: (column, additive) => note('sort', column, additive),
      openColumnMenu: (column, anchor) => {
        note('menu', column);
        const { operations } = grid;
        const items = [
          { label: 'Sort Ascending', shortcut: 'Enter', checked: true, run: () => note('run', 'ascending') },
          { label: 'Sort Descending', checked: false, run: () => note('run', 'descending') },
          { label: 'Freeze up to Here', separatorBefore: true, run: () => operations.freezeUpTo(column) },
          { label: 'Fit to Content', run: () => operations.fitToContent(column) },
          { label: 'Show in Chart', disabled: true, run: () => note('run', 'disabled') },
          { label: 'Hide Column', shortcut: 'Delete', separatorBefore: true, run: () => operations.hide(column) },
        ];
        openPopupMenu(items, anchor, column);
      },
      openCellMenu: (position, anchor) => {
        note('cellMenu', position);
        openPopupMenu([{ label: 'Copy', shortcut: 'Ctrl+C', run: () => note('run', 'copy') }], anchor, 'Cells');
      },
    },
    'Result table',
  );
  container.replaceChildren(grid.element);
  return {
    show({
      frame: name,
      zone,
      step,
      hints,
      sort,
      order,
      filtered,
      note: noted,
      arrangement,
      stay,
      ...options
    }: GridShown) {
      const frame = frames[name]();
      const data = {
        columns: createGridColumns(frame, 'en', zone ?? { timeZone: 'UTC', label: 'UTC' }, step, options),
        rowCount: order?.length ?? frame.rowCount,
        hints,
        sort,
        order: order && Uint32Array.from(order),
        filtered: filtered && new Set(filtered),
        rowNote: noted ? (row: number) => (row === 7 ? 'not published' : undefined) : undefined,
      };
      grid.show(data, stay ? grid.position() : undefined, stay ? undefined : (arrangement ?? defaultArrangement));
    },
    /** Returns and clears the recorded calls to the host, oldest first, each as a name and its arguments. */
    calls: () => calls.splice(0),
    range: () => grid.range ?? null,
    arrangement: () => grid.arrangement,
    columns: () => grid.columns.map(({ name }) => name),
    /** Reads the style of a visible cell; `before` and `after` are the contents of its pseudo-elements. */
    look(row: number, column: number) {
      const cell = cellAt(row, column) as HTMLElement;
      return {
        clipped: cell.scrollWidth > cell.clientWidth,
        still: getComputedStyle(cell).position === 'sticky',
        negative: cell.classList.contains('negative'),
        before: getComputedStyle(cell, '::before').content,
        after: getComputedStyle(cell, '::after').content,
      };
    },
    width: (column: number) => cellAt(-1, column)?.offsetWidth ?? 0,
    /** Lists the visible cells with `aria-selected`, as "row,column". */
    selectedCells: () =>
      [...document.querySelectorAll('.grid-row:not([hidden]) [aria-selected=true]:not([hidden])')]
        .map(cell => `${Number(cell.closest('[role=row]')?.ariaRowIndex) - 2},${Number(cell.ariaColIndex) - 1}`)
        .sort(),
    openPicker: () => openColumnPicker(grid, new DOMRect(600, 40, 0, 0)),
  };
}
