import { type PortalRow, correctLine, quoted, type Refuse } from './portalCells.ts';
import { commaColumn, type PortalHeader } from './portalColumns.ts';

/** The most by which the portal's own total of failures is off in some hours, in MW. */
const mostOff = 1;

/**
 * The rows with one cell for each column: without empty cells from separators at the end of a row, and with the halves joined of the portal's
 * own column that an unquoted decimal comma splits. Throws for any other row that is too long or too short.
 */
export function wholeRows(
  header: PortalHeader,
  rows: readonly PortalRow[],
  splitsAtCommas: boolean,
  refuse: Refuse,
): readonly PortalRow[] {
  const { width, columns, names } = header;
  const ownPlace = columns.get(commaColumn) ?? -1;
  const trimmed = withoutTrailing(width, ownPlace, rows);
  const hasWhole = trimmed.some(({ cells }) => cells.length === width && /^-?\d+$/.test(String(cells[ownPlace])));
  return trimmed.map(row => {
    const { line, cells } = row;
    if (cells.length === width) return row;
    const joined =
      splitsAtCommas && isSplitAt(ownPlace, row, width) ? joinedAt(ownPlace, cells.map(String)) : undefined;
    // Where whole numbers are written without decimals, zeros are not decimals.
    const isWhole = hasWhole && /^0+$/.test(String(cells[ownPlace + 1]));
    if (joined && !isWhole && isNearSum(header, joined)) return { line, cells: joined };
    const problem = `${cells.length} fields where the header has ${width}: `;
    const what =
      cells.length < width
        ? `nothing under ${quoted(names[cells.length] ?? '')}`
        : `${quoted(String(cells[width]))} is left over behind the last one, ${quoted(names[width - 1] ?? '')}`;
    throw refuse(`, line ${line}`, `: ${problem}${what}`, correctLine);
  });
}

/**
 * Removes surplus empty cells at the end of rows, where a separator ends each row. Where only some rows are too long, which a split number of
 * the portal's own column explains, the empty cell is that of their last column.
 */
function withoutTrailing(width: number, ownPlace: number, rows: readonly PortalRow[]): readonly PortalRow[] {
  let cut = 0;
  for (;;) {
    const longer = rows.filter(({ cells }) => cells.length - cut > width);
    if (longer.length === 0 || !longer.every(({ cells }) => cells.at(-1 - cut) === '')) break;
    if (longer.length < rows.length && longer.every(row => isSplitAt(ownPlace, row, width + cut))) break;
    cut++;
  }
  if (cut === 0) return rows;
  return rows.map(({ line, cells }) => ({
    line,
    cells: cells.slice(0, Math.max(cells.length - cut, Math.min(cells.length, width))),
  }));
}

/** Whether the row is one cell too long, and the number of the column may have been split. */
function isSplitAt(place: number, { cells }: PortalRow, width: number): boolean {
  const [whole = '', decimals = ''] = [cells[place], cells[place + 1]];
  return cells.length === width + 1 && /^-?\d+$/.test(String(whole)) && /^\d+$/.test(String(decimals));
}

function joinedAt(place: number, cells: readonly string[]): readonly string[] {
  return cells.toSpliced(place, 2, `${cells[place]}.${cells[place + 1]}`);
}

/** Whether the portal's own column is the sum of its two parts; true where the file lacks one of them. */
function isNearSum({ columns }: PortalHeader, cells: readonly string[]): boolean {
  const names = [commaColumn, 'Total UCLF', 'Total OCLF'] as const;
  const [sum, ...parts] = names.map(name => {
    const cell = cells[columns.get(name) ?? -1] ?? '';
    return cell === '' ? NaN : Number(cell.replace(',', '.'));
  });
  return !(Math.abs(parts.reduce((rest, part) => rest - part, sum ?? NaN)) > mostOff);
}
