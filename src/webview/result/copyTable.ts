import { withUnit } from '../../core/export/exportTable.ts';
import { ZoneOffsets } from '../../core/time/zoneOffsets.ts';
import { dayMs } from '../../shared/durations.ts';
import { cellState, getCellState, type Column } from '../../shared/frame.ts';
import type { GridColumn } from '../../presentation/table/gridColumn.ts';

/** Maximum number of cells that are copied as HTML: larger tables slow down the application they are pasted into. The plain text has all cells. */
const maxHtmlCells = 50_000;
/** The last instant that a Date can represent, less a margin for the offset of a zone. */
const maxInstant = 8.64e15 - 2 * dayMs;

/** A column of the grid and its values. */
interface CopiedColumn {
  readonly gridColumn: GridColumn;
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
 * that none becomes a formula. With `asDisplayed` the table has the headings and texts of the screen; otherwise it has no headings, all digits, and
 * times in a format that spreadsheets in every language recognize.
 */
export function formatHtmlTable({ columns, rows, timeZone }: CopiedTable, asDisplayed: boolean): string | undefined {
  if (columns.length * rows.length > maxHtmlCells) return undefined;
  const offsets = new ZoneOffsets(timeZone);
  const table = document.createElement('table');
  if (asDisplayed) {
    const headerRow = table.createTHead().insertRow();
    for (const { gridColumn } of columns) {
      const headerCell = document.createElement('th');
      headerCell.textContent = formatHeading(gridColumn);
      headerRow.append(headerCell);
    }
  }
  const body = table.createTBody();
  for (const row of rows) {
    const tableRow = body.insertRow();
    for (const { gridColumn, column } of columns) {
      const cell = tableRow.insertCell();
      const value =
        column && 'values' in column && getCellState(column, row) === cellState.value ? column.values[row] : undefined;
      if (column?.kind === 'time' && !asDisplayed && value !== undefined && Math.abs(value) < maxInstant) {
        cell.textContent = formatLocalTime(value + offsets.at(value));
        continue;
      }
      cell.textContent = asDisplayed ? gridColumn.text(row) : gridColumn.exact(row);
      if (column?.kind === 'number' && value !== undefined) cell.setAttribute('x:num', String(value));
      else cell.setAttribute('x:str', '');
    }
  }
  return `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><body>${table.outerHTML}</body></html>`;
}

/** Formats milliseconds of local time, such as `2026-11-14 07:00:00`. */
function formatLocalTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** Formats the cells as tab-separated text with the headings and the digits of the screen. */
export function formatDisplayedText({ columns, rows }: Omit<CopiedTable, 'timeZone'>): string {
  const joinCells = (cells: readonly string[]): string => cells.map(cell => cell.replace(/[\t\r\n]+/g, ' ')).join('\t');
  const lines = [joinCells(columns.map(({ gridColumn }) => formatHeading(gridColumn)))];
  for (const row of rows) lines.push(joinCells(columns.map(({ gridColumn }) => gridColumn.text(row))));
  return lines.join('\n');
}

function formatHeading({ label, unit }: GridColumn): string {
  return withUnit(label, unit);
}
