import { tableLimits } from '../../shared/tableLimits.ts';
import { GridError } from '../errors.ts';
import { isPortalHeading, normalizeName, splitColumn, splitParts } from '../portal/portalColumns.ts';
import { ColumnEvidence } from './columnEvidence.ts';
import type { ImportOptions } from '../../shared/importOptions.ts';
import { SkippedRows } from './skippedRows.ts';
import type { Cell, TableRecords } from './records.ts';
import { findLayout, type TableLayout } from './tableLayout.ts';

/** The layout of a table and the kinds of its columns, as found by a first pass over its records. */
export interface TableScan {
  readonly layout: TableLayout;
  readonly columns: readonly ColumnEvidence[];
  /** The names of the columns as in the heading, or "column 3". */
  readonly headings: readonly string[];
  readonly rows: number;
  /** Whether it is a file of the Eskom Data Portal. */
  readonly isPortal: boolean;
  readonly notes: readonly string[];
  /** Returns the cells of a row, or undefined for a record that is not a row of the table. `record` is its index. */
  readonly toRow: (cells: readonly Cell[], line: number, record: number) => readonly Cell[] | undefined;
}

/** Scans all records. Throws a GridError if a row has too many cells and an unquoted decimal comma may have split a number. */
export function scanRecords(records: TableRecords, options: ImportOptions): TableScan {
  const layout = findLayout(records, options);
  const heading = layout.heading?.map(cell => (cell ?? '').slice(0, tableLimits.nameLength).trim());
  const width = (heading?.findLastIndex(name => name !== '') ?? -1) + 1;
  const isPortal = heading !== undefined && isPortalHeading(heading);
  const splitTotal = isPortal ? findSplitTotal(heading) : undefined;
  const skippedRows = new SkippedRows(layout.heading);
  const columns: ColumnEvidence[] =
    heading?.slice(0, width).map((_, column) => new ColumnEvidence(layout.typicalKinds.get(column))) ?? [];
  let rows = 0;
  let record = 0;
  const unevenRows: { longer?: RowLength; shorter?: RowLength } = {};
  records.forEach((recordCells, line) => {
    const recordIndex = record++;
    if (line < layout.firstLine) return;
    const cells = joinSplitTotal(recordCells, heading?.length ?? 0, splitTotal);
    const length = cells.findLastIndex(cell => cell !== null && cell.trim() !== '') + 1;
    const isBlank = cells.every(cell => cell === null || (cell !== '' && columns.length > 1 && cell.trim() === ''));
    if (
      isBlank
        ? skippedRows.add(recordIndex, line, 'blank', '')
        : skippedRows.addIfNotData(recordIndex, line, cells, columns)
    )
      return;
    if (heading && length > width) {
      if (records.separator === ',' && (isPortal || hasSplitNumber(cells)))
        throw createSplitError(line, cells.length, width);
      unevenRows.longer ??= { line, length };
    }
    if (heading && cells.length < width) {
      if (isPortal) throw createShortRowError(line, cells.length, width);
      unevenRows.shorter ??= { line, length: cells.length };
    }
    rows++;
    for (let column = 0; column < Math.max(length, Math.min(cells.length, width)); column++)
      (columns[column] ??= new ColumnEvidence(layout.typicalKinds.get(column))).add(cells[column] ?? null, line);
  });
  return {
    layout,
    columns,
    headings: columns.map((_, column) => heading?.[column] || `column ${column + 1}`),
    rows,
    isPortal,
    notes: [
      ...describeLayout(layout),
      ...skippedRows.notes,
      ...Object.values(unevenRows).map(
        ({ line, length }) => `A row in line ${line} has ${length} cells, and the heading ${width}.`,
      ),
    ],
    toRow: (cells, line, recordIndex) =>
      line < layout.firstLine || skippedRows.has(recordIndex)
        ? undefined
        : joinSplitTotal(cells, heading?.length ?? 0, splitTotal),
  };
}

interface RowLength {
  readonly line: number;
  readonly length: number;
}

function describeLayout({ heading, headingLine, linesAbove, units }: TableLayout): string[] {
  return [
    ...(linesAbove === 1 ? ['1 line above the table is left out.'] : []),
    ...(linesAbove > 1 ? [`${linesAbove} lines above the table are left out.`] : []),
    ...(heading ? [] : ['The first line has data: the columns have no names.']),
    ...(units ? [`The line below the heading, which is line ${headingLine}, has the units.`] : []),
  ];
}

/** The indexes of the total that the portal writes with an unquoted decimal comma, and of the columns that it adds up. */
interface SplitTotal {
  readonly total: number;
  readonly parts: readonly number[];
}

function findSplitTotal(heading: readonly string[]): SplitTotal {
  const names = heading.map(normalizeName);
  return {
    total: names.indexOf(normalizeName(splitColumn)),
    parts: splitParts.map(name => names.indexOf(normalizeName(name))),
  };
}

/** Joins the two cells of a total that was split at its decimal comma, if the result is the sum of its parts (rounding aside). */
function joinSplitTotal(cells: readonly Cell[], width: number, split: SplitTotal | undefined): readonly Cell[] {
  if (!split || split.total === -1 || cells.length !== width + 1) return cells;
  const whole = cells[split.total] ?? '';
  const decimals = cells[split.total + 1] ?? '';
  if (!/^-?\d+$/.test(whole) || !/^\d+$/.test(decimals)) return cells;
  const row = cells.toSpliced(split.total, 2, `${whole}.${decimals}`);
  const parseCell = (column: number): number => Number(row[column]?.replace(',', '.') || NaN);
  const difference = split.parts.reduce((rest, part) => rest - parseCell(part), parseCell(split.total));
  return Math.abs(difference) > 1 ? cells : row;
}

/** Whether two adjacent cells may be one number that was split at a decimal comma or a thousands separator. */
function hasSplitNumber(cells: readonly Cell[]): boolean {
  return cells.some((cell, index) => /^-?\d+$/.test(cell ?? '') && /^(?:\d+|\d{3}\.\d+)$/.test(cells[index + 1] ?? ''));
}

function createSplitError(line: number, cells: number, width: number): GridError {
  const detail = `The row in line ${line} has ${cells} cells, and the heading ${width}: a comma may split a number. Save the file with another separator, or with decimal points.`;
  return new GridError('fileDamaged', { detail });
}

function createShortRowError(line: number, cells: number, width: number): GridError {
  const detail = `The row in line ${line} has ${cells} cells, and the heading ${width}. Correct the line, or export the hours again from the Eskom Data Portal.`;
  return new GridError('fileDamaged', { detail });
}
