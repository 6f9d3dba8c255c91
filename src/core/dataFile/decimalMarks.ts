import { GridError } from '../errors.ts';
import { normalizeName, splitColumn } from '../portal/portalColumns.ts';
import { cellKind, numberKinds } from './cellKinds.ts';
import type { ColumnEvidence } from './columnEvidence.ts';
import type { ImportOptions } from './importOptions.ts';
import type { TableScan } from './scanRecords.ts';
import { parseNumber, type DecimalMark } from './writtenNumber.ts';

/**
 * Finds the decimal mark of each column; undefined for columns without numbers. The mark follows from cells that are numbers with only one of
 * the marks: first from the cells of the column, then from other columns. If the whole file is ambiguous, a comma is a decimal mark only if
 * another character separates the columns. Throws a GridError if a file of the portal is ambiguous, since a comma can mean either there.
 */
export function findDecimalMarks(
  { columns, headings, isPortal }: TableScan,
  names: readonly string[],
  separator: string | undefined,
  { decimal }: ImportOptions,
): readonly (DecimalMark | undefined)[] {
  const unambiguousMarks = columns.map(findUnambiguousMark);
  // The portal writes its total with a decimal comma, unlike the other columns.
  const otherColumns = unambiguousMarks.filter(
    (_, index) => !isPortal || normalizeName(headings[index] ?? '') !== normalizeName(splitColumn),
  );
  const hasPoint = otherColumns.includes('point');
  const hasComma = otherColumns.includes('comma');
  const fileMark = hasPoint === hasComma ? undefined : hasPoint ? 'point' : 'comma';
  const hasGroupsWith = (mark: DecimalMark): boolean =>
    columns.some((column, index) => column.hasGroups && unambiguousMarks[index] === mark);
  return columns.map((column, index) => {
    if (!isNumberColumn(column)) return undefined;
    if (decimal && column.kinds & cellKind[decimal]) return decimal;
    const { ambiguous } = column;
    const mark = unambiguousMarks[index] ?? fileMark;
    const ambiguousCell =
      mark === undefined
        ? (ambiguous.comma ?? ambiguous.point)
        : hasGroupsWith(mark)
          ? undefined
          : ambiguous[otherMark[mark]];
    if (!ambiguousCell) return mark ?? 'point';
    if (isPortal) {
      const a = parseNumber(ambiguousCell.cell, 'point');
      const b = parseNumber(ambiguousCell.cell, 'comma');
      const detail = `'${ambiguousCell.cell}' under '${names[index]}' in line ${ambiguousCell.line} can be ${a} or ${b}, and no other cell resolves this. Choose the decimal mark in Import Options.`;
      throw new GridError('fileDamaged', { detail });
    }
    if (unambiguousMarks[index] !== undefined) return mark;
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
