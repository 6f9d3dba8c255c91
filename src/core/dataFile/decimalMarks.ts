import { GridError } from '../errors.ts';
import { plainName, splitColumn } from '../portal/portalColumns.ts';
import { cellKind, numberKinds } from './cellKinds.ts';
import type { ColumnEvidence } from './columnEvidence.ts';
import type { ImportOptions } from './importOptions.ts';
import type { Scan } from './scanRecords.ts';
import { readNumber, type DecimalMark } from './writtenNumber.ts';

/**
 * Finds the decimal mark of each column, undefined for columns without numbers. Cells that are a number with only one of the marks decide, or
 * else those of other columns. If the whole file is ambiguous, a comma is a decimal mark only if another character separates the columns.
 * Throws a GridError for an ambiguous file of the portal, where a comma can be either.
 */
export function decimalMarks(
  { columns, headings, isPortal }: Scan,
  names: readonly string[],
  separator: string | undefined,
  { decimal }: ImportOptions,
): readonly (DecimalMark | undefined)[] {
  const single = columns.map(singleMark);
  // The portal writes its total with a decimal comma, unlike the other columns.
  const others = single.filter((_, at) => !isPortal || plainName(headings[at] ?? '') !== plainName(splitColumn));
  const [hasPoint, hasComma] = [others.includes('point'), others.includes('comma')];
  const ofFile = hasPoint === hasComma ? undefined : hasPoint ? 'point' : 'comma';
  const groupedBy = (mark: DecimalMark): boolean =>
    columns.some((column, at) => column.hasGroups && single[at] === mark);
  return columns.map((column, at) => {
    if (!isNumber(column)) return undefined;
    if (decimal && column.kinds & cellKind[decimal]) return decimal;
    const { either } = column;
    const mark = single[at] ?? ofFile;
    const other =
      mark === undefined ? (either.comma ?? either.point) : groupedBy(mark) ? undefined : either[otherMark[mark]];
    if (!other) return mark ?? 'point';
    if (isPortal) {
      const [a, b] = [readNumber(other.cell, 'point'), readNumber(other.cell, 'comma')];
      const detail = `'${other.cell}' under '${names[at]}' in line ${other.line} can be ${a} or ${b}, and no other cell tells which. Choose the decimal mark in Import Options.`;
      throw new GridError('fileDamaged', { detail });
    }
    if (single[at] !== undefined) return mark;
    if (mark === undefined) return either.comma && (separator !== ',' || either.point) ? undefined : 'point';
    return undefined;
  });
}

const otherMark = { point: 'comma', comma: 'point' } as const;

function isNumber({ kinds, example }: ColumnEvidence): boolean {
  const isPercentOrPlain = (kinds & (cellKind.percent | cellKind.plainNumber)) !== 0;
  return example !== undefined && (kinds & numberKinds) !== 0 && isPercentOrPlain;
}

/** The only mark with which all cells of a column are numbers; undefined if both marks fit. */
function singleMark(column: ColumnEvidence): DecimalMark | undefined {
  const marks = isNumber(column) ? column.kinds & numberKinds : numberKinds;
  return marks === numberKinds ? undefined : marks & cellKind.point ? 'point' : 'comma';
}
