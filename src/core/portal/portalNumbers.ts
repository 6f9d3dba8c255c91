import { type Cell, type PortalRow, correctLine, quoted, type Refuse } from './portalCells.ts';
import { commaColumn, type PortalHeader } from './portalColumns.ts';

/** The decimal mark; the other mark, or a space, separates thousands. */
type DecimalMark = 'point' | 'comma';

const grouped = String.raw`[1-9]\d{0,2}(?:[ \u00a0\u202f']\d{3})+`;
const patterns: Readonly<Record<DecimalMark, RegExp>> = {
  point: new RegExp(
    String.raw`^[-+]?(?:(?:\d+|${grouped}|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$`,
    'i',
  ),
  comma: new RegExp(
    String.raw`^[-+]?(?:(?:\d+|${grouped}|[1-9]\d{0,2}(?:\.\d{3})+)(?:,\d*)?|,\d+)(?:e[-+]?\d+)?$`,
    'i',
  ),
};
const gap = /^(?:|-|null|nan)$/i;
/** #N/A, #VALUE!, #DIV/0!, in the languages of a spreadsheet. */
const spreadsheetError = /^#\p{Lu}[\p{Lu}\d/]{0,11}[!?]?$/u;
const longestNumber = 60;

export function isSpreadsheetError(cell: Cell): boolean {
  return typeof cell === 'string' && spreadsheetError.test(cell);
}

/** A cell's number, NaN for a gap; null for a text that is neither. */
export function readNumber(cell: Cell, mark: DecimalMark): number | null {
  if (typeof cell === 'number') return cell;
  if (gap.test(cell) || isSpreadsheetError(cell)) return Number.NaN;
  if (cell.length > longestNumber || !patterns[mark].test(cell)) return null;
  const digits = cell.replaceAll(mark === 'point' ? /[ \u00a0\u202f',]/g : /[ \u00a0\u202f'.]/g, '');
  const value = Number(digits.replace(',', '.'));
  // Turns -0 into 0.
  return Number.isFinite(value) ? value + 0 : null;
}

/** The rows whose cells in a column show what the marks in it mean. */
interface Evidence {
  /** The first cell that is a number only with this decimal mark. */
  point?: PortalRow;
  comma?: PortalRow;
  /** The first cells that are a different number with each decimal mark, by the mark in them. */
  readonly either: { point?: PortalRow; comma?: PortalRow };
  /** Of the cells that are numbers with one mark only, some have the other one between thousands. */
  hasGroups?: true;
}

/**
 * Determines the decimal mark of each column, once for the whole file, by their indexes. A column with numbers that allow only one mark has
 * that mark; all others have the one that these columns have. Throws where they have none, or both, and for a mark between thousands that no
 * other cell of the file shows to be one.
 */
export function decideMarks(
  header: PortalHeader,
  rows: readonly PortalRow[],
  refuse: Refuse,
): ReadonlyMap<number, DecimalMark> {
  const evidence = [...header.columns].map(([name, place]) => ({
    name,
    place,
    ...evidenceOf(name, place, rows, refuse),
  }));
  const others = evidence.filter(({ name }) => name !== commaColumn);
  const [hasPoint, hasComma] = [others.some(({ point }) => point), others.some(({ comma }) => comma)];
  const ofFile = hasPoint === hasComma ? undefined : hasPoint ? 'point' : 'comma';
  const marks = new Map<number, DecimalMark>();
  for (const { name, place, point, comma, either } of evidence) {
    const mark = point ? 'point' : comma ? 'comma' : ofFile;
    const hasGroups = evidence.some(other => mark && other.hasGroups && other[mark]);
    const unclear =
      mark === undefined ? (either.comma ?? either.point) : hasGroups ? undefined : either[opposite[mark]];
    if (unclear) throw ambiguous(name, unclear, place, refuse);
    if (mark) marks.set(place, mark);
  }
  return marks;
}

const opposite = { point: 'comma', comma: 'point' } as const;

function ambiguous(name: string, { line, cells }: PortalRow, place: number, refuse: Refuse): Error {
  const cell = cells[place] ?? '';
  return refuse(
    `, line ${line}`,
    `: ${quoted(String(cell))} under "${name}" can be ${readNumber(cell, 'point')} or ${readNumber(cell, 'comma')}, and no other cell tells which`,
    'export the hours again from the Eskom Data Portal, with decimal points and without marks between thousands',
  );
}

function evidenceOf(name: string, place: number, rows: readonly PortalRow[], refuse: Refuse): Evidence {
  const found: Evidence = { either: {} };
  for (const row of rows) {
    const cell = row.cells[place] ?? '';
    if (typeof cell === 'number') continue;
    const [point, comma] = [readNumber(cell, 'point'), readNumber(cell, 'comma')];
    if (comma === null && point !== null) found.point ??= row;
    if (point === null && comma !== null) found.comma ??= row;
    if (point !== null && comma !== null && !Object.is(point, comma))
      found.either[cell.includes(',') ? 'comma' : 'point'] ??= row;
    if ((point === null) !== (comma === null) && cell.includes(comma === null ? ',' : '.')) found.hasGroups = true;
    const problem = `: ${quoted(cell)} under "${name}" is not a number`;
    if (point === null && comma === null) throw refuse(`, line ${row.line}`, problem, correctLine);
    const other = found.point === row ? found.comma : found.comma === row ? found.point : undefined;
    if (other)
      throw refuse(
        `, line ${row.line}`,
        `${problem} with the decimal ${found.point === row ? 'comma' : 'point'} of line ${other.line}`,
        correctLine,
      );
  }
  return found;
}
