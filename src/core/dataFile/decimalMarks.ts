import { GridError } from '../errors.ts';
import { normalizeName, splitColumn } from '../portal/portalColumns.ts';
import { cellKind, numberKinds } from './cellKinds.ts';
import type { ColumnEvidence } from './columnEvidence.ts';
import type { ImportOptions } from '../../shared/importOptions.ts';
import type { TableScan } from './scanRecords.ts';
import { parseNumber, type DecimalMark } from './writtenNumber.ts';

/**
 * Finds the decimal mark of each column. Returns undefined for a column that must be read as text, because it has no numbers or its numbers
 * remain ambiguous.
 *
 * A cell such as 1,234 is ambiguous: its number depends on the mark. The mark then comes from the other cells of the column. If they are
 * ambiguous too, it comes from the unambiguous columns of the file, provided that all of them have the same mark. Throws a GridError if a
 * number of a portal file remains ambiguous.
 */
export function findDecimalMarks(
  { columns, headings, isPortal }: TableScan,
  names: readonly string[],
  separator: string | undefined,
  { decimal }: ImportOptions,
): readonly (DecimalMark | undefined)[] {
  const unambiguousMarks = columns.map(findUnambiguousMark);
  // Ignores the portal's total column: it has a decimal comma even if the other columns have a decimal point.
  const marksOfOtherColumns = unambiguousMarks.filter(
    (_, index) => !isPortal || normalizeName(headings[index] ?? '') !== normalizeName(splitColumn),
  );
  const hasPoint = marksOfOtherColumns.includes('point');
  const hasComma = marksOfOtherColumns.includes('comma');
  const fileMark = hasPoint === hasComma ? undefined : hasPoint ? 'point' : 'comma';
  const hasThousandsSeparatorsWith = (mark: DecimalMark): boolean =>
    columns.some((column, index) => column.hasThousandsSeparators && unambiguousMarks[index] === mark);
  return columns.map((column, index) => {
    if (!isNumberColumn(column)) return undefined;
    if (decimal && column.kinds & cellKind[decimal]) return decimal;
    const { ambiguous } = column;
    const mark = unambiguousMarks[index] ?? fileMark;
    // A cell with the other mark is unambiguous if numbers elsewhere in the file have thousands separators.
    const unresolvedCell =
      mark === undefined
        ? (ambiguous.comma ?? ambiguous.point)
        : hasThousandsSeparatorsWith(mark)
          ? undefined
          : ambiguous[otherMark[mark]];
    if (!unresolvedCell) return mark ?? 'point';
    if (isPortal) {
      const withPoint = parseNumber(unresolvedCell.cell, 'point');
      const withComma = parseNumber(unresolvedCell.cell, 'comma');
      const detail = `'${unresolvedCell.cell}' under '${names[index]}' in line ${unresolvedCell.line} can be ${withPoint} or ${withComma}, and no other cell resolves this. Select the decimal mark in Import Options.`;
      throw new GridError('fileDamaged', { detail });
    }
    if (unambiguousMarks[index] !== undefined) return mark;
    // Without a known mark, numbers such as 1.234 have a decimal point, and numbers such as 1,234 make the column text. In a file whose
    // separator is a comma, they do so only if the column also has numbers such as 1.234.
    if (mark === undefined) return ambiguous.comma && (separator !== ',' || ambiguous.point) ? undefined : 'point';
    return undefined;
  });
}

const otherMark = { point: 'comma', comma: 'point' } as const;

function isNumberColumn({ kinds, example }: ColumnEvidence): boolean {
  const isPercentOrPlain = (kinds & (cellKind.percent | cellKind.plainNumber)) !== 0;
  return example !== undefined && (kinds & numberKinds) !== 0 && isPercentOrPlain;
}

/** Returns the only mark with which all cells of a column are numbers; undefined if both marks fit. */
function findUnambiguousMark(column: ColumnEvidence): DecimalMark | undefined {
  const marks = isNumberColumn(column) ? column.kinds & numberKinds : numberKinds;
  return marks === numberKinds ? undefined : marks & cellKind.point ? 'point' : 'comma';
}
