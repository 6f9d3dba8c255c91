import { withUnit } from '../../core/export/exportTable.ts';
import { ZoneOffsets } from '../../core/time/zoneOffsets.ts';
import { dayMs } from '../../shared/durations.ts';
import { cellState, stateAt, type Column } from '../../shared/frame.ts';
import type { GridColumn } from '../../presentation/table/gridColumn.ts';

/** A clipboard with a larger table slows down whoever is pasted into; text has all cells. */
const mostCells = 50_000;
/** The range of a Date, less the days that an offset needs. */
const lastInstant = 8.64e15 - 2 * dayMs;

/** A column as the grid shows it, and its values. */
interface CopiedColumn {
  readonly shown: GridColumn;
  readonly column: Column | undefined;
}

interface CopiedTable {
  readonly columns: readonly CopiedColumn[];
  /** Data rows in the order shown. */
  readonly rows: Uint32Array;
  /** Times are written in it. */
  readonly timeZone: string;
}

/**
 * The cells as a table of HTML, which word processors, mail and spreadsheets take from the clipboard; undefined for very many. Numbers carry their
 * values (`x:num` of Office), so that a spreadsheet reads them whatever its decimal sign is, and other cells are texts (`x:str`), so that none is
 * a formula. `asShown`: with the headings and the texts of the screen; else with all digits, and times as spreadsheets in every language read them.
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
        column && 'values' in column && stateAt(column, row) === cellState.value ? column.values[row] : undefined;
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

/** `2026-11-14 07:00:00`, of milliseconds by the clocks of the zone. */
function wallClock(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** The same as text, with the headings and the digits of the screen: cells apart by tabs. */
export function copyShownText({ columns, rows }: Omit<CopiedTable, 'timeZone'>): string {
  const line = (cells: readonly string[]): string => cells.map(cell => cell.replace(/[\t\r\n]+/g, ' ')).join('\t');
  const lines = [line(columns.map(({ shown }) => headingOf(shown)))];
  for (const row of rows) lines.push(line(columns.map(({ shown }) => shown.text(row))));
  return lines.join('\n');
}

function headingOf({ label, unit }: GridColumn): string {
  return withUnit(label, unit);
}
