import { withUnit } from '../../core/export/exportTable.ts';
import { ZoneOffsets } from '../../core/time/zoneOffsets.ts';
import { dayMs } from '../../shared/durations.ts';
import { cellState, getCellState, type Column } from '../../shared/frame.ts';
import type { GridColumn } from '../../presentation/table/gridColumn.ts';

/** Maximum number of cells that are copied as HTML: larger tables slow down the application they are pasted into. The plain text has all cells. */
const mostCells = 50_000;
/** The last instant that a Date can represent, less a margin for the offset of a zone. */
const lastInstant = 8.64e15 - 2 * dayMs;

/** A column of the grid and its values. */
interface CopiedColumn {
  readonly shown: GridColumn;
  readonly column: Column | undefined;
}

interface CopiedTable {
  readonly columns: readonly CopiedColumn[];
  /** Data rows in their visible order. */
  readonly rows: Uint32Array;
  /** The time zone of the copied times. */
  readonly timeZone: string;
}

/**
 * Formats the cells as an HTML table for word processors, mail programs and spreadsheets; undefined for too many cells. Numbers carry their
 * values (`x:num` of Office), so that a spreadsheet reads them whatever its decimal separator, and other cells are marked as text (`x:str`), so
 * that none becomes a formula. With `asShown` the table has the headings and texts of the screen; otherwise it has no headings, all digits, and
 * times in a format that spreadsheets in every language recognize.
 */
export function copyHtml({ columns, rows, timeZone }: CopiedTable, asShown: boolean): string | undefined {
  if (columns.length * rows.length > mostCells) return undefined;
  const offsets = new ZoneOffsets(timeZone);
  const table = document.createElement('table');
  if (asShown) {
    const heads = table.createTHead().insertRow();
    for (const { shown } of columns) {
      const head = document.createElement('th');
      head.textContent = headingOf(shown);
      heads.append(head);
    }
  }
  const body = table.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    for (const { shown, column } of columns) {
      const cell = line.insertCell();
      const value =
        column && 'values' in column && getCellState(column, row) === cellState.value ? column.values[row] : undefined;
      if (column?.kind === 'time' && !asShown && value !== undefined && Math.abs(value) < lastInstant) {
        cell.textContent = wallClock(value + offsets.at(value));
        continue;
      }
      cell.textContent = asShown ? shown.text(row) : shown.exact(row);
      if (column?.kind === 'number' && value !== undefined) cell.setAttribute('x:num', String(value));
      else cell.setAttribute('x:str', '');
    }
  }
  return `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><body>${table.outerHTML}</body></html>`;
}

/** Formats milliseconds of local time, such as `2026-11-14 07:00:00`. */
function wallClock(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** Formats the cells as tab-separated text with the headings and the digits of the screen. */
export function copyShownText({ columns, rows }: Omit<CopiedTable, 'timeZone'>): string {
  const line = (cells: readonly string[]): string => cells.map(cell => cell.replace(/[\t\r\n]+/g, ' ')).join('\t');
  const lines = [line(columns.map(({ shown }) => headingOf(shown)))];
  for (const row of rows) lines.push(line(columns.map(({ shown }) => shown.text(row))));
  return lines.join('\n');
}

function headingOf({ label, unit }: GridColumn): string {
  return withUnit(label, unit);
}
