import { GridError } from '../errors.ts';
import { normalizeName, splitColumn } from '../portal/portalColumns.ts';
import { cellKind, numberKinds } from './cellKinds.ts';
import type { ColumnEvidence } from './columnEvidence.ts';
import type { ImportOptions } from './importOptions.ts';
import type { TableScan } from './scanRecords.ts';
import { parseNumber, type DecimalMark } from './writtenNumber.ts';

/**
 * Finds the decimal mark of each column, undefined for columns without numbers. Cells that are a number with only one of the marks decide, or
 * else those of other columns. If the whole file is ambiguous, a comma is a decimal mark only if another character separates the columns.
 * Throws a GridError for an ambiguous file of the portal, where a comma can be either.
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
    (_, at) => !isPortal || normalizeName(headings[at] ?? '') !== normalizeName(splitColumn),
  );
  const [hasPoint, hasComma] = [otherColumns.includes('point'), otherColumns.includes('comma')];
  const fileMark = hasPoint === hasComma ? undefined : hasPoint ? 'point' : 'comma';
  const hasGroupsWith = (mark: DecimalMark): boolean =>
    columns.some((column, at) => column.hasGroups && unambiguousMarks[at] === mark);
  return columns.map((column, at) => {
    if (!isNumberColumn(column)) return undefined;
    if (decimal && column.kinds & cellKind[decimal]) return decimal;
    const { ambiguous } = column;
    const mark = unambiguousMarks[at] ?? fileMark;
    const ambiguousCell =
      mark === undefined
        ? (ambiguous.comma ?? ambiguous.point)
        : hasGroupsWith(mark)
          ? undefined
          : ambiguous[otherMark[mark]];
    if (!ambiguousCell) return mark ?? 'point';
    if (isPortal) {
      const [a, b] = [parseNumber(ambiguousCell.cell, 'point'), parseNumber(ambiguousCell.cell, 'comma')];
      const detail = `'${ambiguousCell.cell}' under '${names[at]}' in line ${ambiguousCell.line} can be ${a} or ${b}, and no other cell resolves this. Choose the decimal mark in Import Options.`;
      throw new GridError('fileDamaged', { detail });
    }
    if (unambiguousMarks[at] !== undefined) return mark;
    if (mark === undefined) return ambiguous.comma && (separator !== ',' || ambiguous.point) ? undefined : 'point';
    return undefined;
  });
}

const otherMark = { point: 'comma', comma: 'point' } as const;

function isNumberColumn({ kinds, example }: ColumnEvidence): boolean {
  const isPercentOrPlain = (kinds & (cellKind.percent | cellKind.plainNumber)) !== 0;
  return example !== undefined && (kinds & numberKinds) !== 0 && isPercentOrPlain;
}

/** The only mark with which all cells of a column are numbers; undefined if both marks fit. */
function findUnambiguousMark(column: ColumnEvidence): DecimalMark | undefined {
  const marks = isNumberColumn(column) ? column.kinds & numberKinds : numberKinds;
  return marks === numberKinds ? undefined : marks & cellKind.point ? 'point' : 'comma';
}
