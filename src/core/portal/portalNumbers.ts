import { type Cell, type PortalRow, correctLine, quoted, type Refuse } from './portalCells.ts';
import { commaColumn, type PortalColumn } from './portalColumns.ts';
import type { PlacedSum, PortalHeader } from './portalHeader.ts';

/** Which mark begins the decimals; the other one, or a blank, stands between thousands. */
export type DecimalMark = 'point' | 'comma';

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
  // Of a measurement, -0 is 0.
  return Number.isFinite(value) ? value + 0 : null;
}

/** The cells of a column that tell, by their line, what the marks in it are. */
interface Evidence {
  /** The first cell that is a number with this mark alone. */
  point?: PortalRow;
  comma?: PortalRow;
  /** The first cell that is another number with either, and the first ones by the mark that is in it. */
  either?: PortalRow;
  eitherWith: { point?: PortalRow; comma?: PortalRow };
  /** Of the cells that are numbers with one mark alone, some have the other one between thousands, or not three decimals. */
  hasGroups?: true;
  isLoose?: true;
}

export interface DecimalMarks {
  /** By the place of the column. */
  readonly marks: ReadonlyMap<number, DecimalMark>;
  /** Places of columns in which a number of both readings is a gap: nobody needs them, and nothing tells which reading is right. */
  readonly doubtful: ReadonlySet<number>;
  readonly notes: readonly string[];
}

/**
 * Decides once for the whole file. A column with cells that are numbers with one mark alone is read with it; all others with the mark
 * that makes the sums of the columns right, else with the one that the file has elsewhere. Where it has none, or both, it is refused; so
 * is a column without a sum that can as well be in thousands, or cannot be, or its cells are gaps where it is not `needed`.
 */
export function decideMarks(
  header: PortalHeader,
  rows: readonly PortalRow[],
  needed: readonly PortalColumn[],
  refuse: Refuse,
): DecimalMarks {
  const evidence = [...header.columns].map(([name, place]) => ({
    name,
    place,
    ...evidenceOf(name, place, rows, refuse),
  }));
  const marks = new Map<number, DecimalMark>();
  for (const { place, point, comma } of evidence) if (point ?? comma) marks.set(place, point ? 'point' : 'comma');
  const others = evidence.filter(({ name }) => name !== commaColumn);
  const [hasPoint, hasComma] = [others.some(({ point }) => point), others.some(({ comma }) => comma)];
  const open = evidence.flatMap(({ name, place, point, comma, either }) =>
    !point && !comma && either ? [{ name, place, ...readings(either, place) }] : [],
  );
  checkGroups(evidence, header.sums, rows, marks, refuse);
  const [first] = open;
  if (!first) return { marks, doubtful: new Set(), notes: [] };
  const byCells = hasPoint === hasComma ? undefined : hasPoint ? 'point' : 'comma';
  const mark = markBySums(header.sums, rows, marks) ?? byCells;
  const refuseOpen = ({ name, line, shown, point, comma }: (typeof open)[number]) =>
    refuse(
      `, line ${line}`,
      `: ${shown} under "${name}" can be ${point} or ${comma}, and neither the other cells nor the sums of columns tell which`,
      'export the hours again from the Eskom Data Portal, with decimal points and without marks between thousands',
    );
  if (!mark) throw refuseOpen(first);
  for (const { place } of open) marks.set(place, mark);
  const bySums = ({ shown, ...read }: (typeof open)[number], told: DecimalMark) =>
    `numbers such as ${shown} are read as ${read[told]}: with that, the sums of columns are right.`;
  const notes = mark === byCells ? [] : [bySums(first, mark)];
  const other = mark === 'point' ? 'comma' : 'point';
  const isDecimal = (column: (typeof open)[number]) => Math.abs(column[mark]) < Math.abs(column[other]);
  for (const column of open.filter(isDecimal)) {
    if (markOfColumn(column.place, header.sums, rows, marks) !== other) continue;
    marks.set(column.place, other);
    notes.push(bySums(column, other));
  }
  const unconfirmed = open.filter(({ place }) => sumsWith(place, header.sums).length === 0);
  const canBeThousands = unconfirmed.length > 0 ? thousandsAmong(rows, marks) : () => true;
  // As “0.000” writes them, all of the file.
  const isFixed = byCells === mark && others.every(({ isLoose }) => !isLoose);
  const doubtful = unconfirmed.filter(column =>
    isDecimal(column) ? !isFixed && canBeThousands(column, other) : !canBeThousands(column, mark),
  );
  const wanted = doubtful.find(({ name }) => needed.includes(name));
  if (wanted) throw refuseOpen(wanted);
  for (const { name, place, shown, point, comma } of doubtful)
    notes.push(
      `${rows.filter(({ cells }) => isOpen(cells[place])).length} cells of "${name}" are gaps: ${shown} can be ${point} or ${comma}.`,
    );
  return { marks, doubtful: new Set(doubtful.map(({ place }) => place)), notes };
}

/** Refuses a column such as “1246.934”, “246,934”, where the file has no mark between thousands elsewhere, and sums do not say that it is one. */
function checkGroups(
  evidence: readonly (Evidence & { readonly name: string; readonly place: number })[],
  sums: readonly PlacedSum[],
  rows: readonly PortalRow[],
  marks: ReadonlyMap<number, DecimalMark>,
  refuse: Refuse,
): void {
  for (const { name, place, point, comma, eitherWith } of evidence) {
    const [mark, seen] = point ? (['point', point] as const) : (['comma', comma] as const);
    const [odd, sign] = mark === 'point' ? [eitherWith.comma, ','] : [eitherWith.point, '.'];
    if (!seen || !odd) continue;
    if (evidence.some(other => other.hasGroups && (mark === 'point' ? other.point : other.comma))) continue;
    const isOdd = ({ cells }: PortalRow) => isOpen(cells[place]) && String(cells[place]).includes(sign);
    if (markOfColumn(place, sums, rows.filter(isOdd), marks) === mark) continue;
    const { shown, line, ...read } = readings(odd, place);
    throw refuse(
      `, line ${line}`,
      `: ${shown} under "${name}" can be ${read.point} or ${read.comma}: ${quoted(String(seen.cells[place]))} of line ${seen.line} has no mark between thousands, and no sum of columns tells`,
      correctLine,
    );
  }
}

/** Whether a cell is another number with either mark. */
export function isOpen(cell: Cell = ''): boolean {
  if (typeof cell === 'number') return false;
  const [point, comma] = [readNumber(cell, 'point'), readNumber(cell, 'comma')];
  return point !== null && comma !== null && !Object.is(point, comma);
}

function readings({ line, cells }: PortalRow, place: number) {
  const cell = cells[place] ?? '';
  const [point, comma] = [readNumber(cell, 'point') ?? NaN, readNumber(cell, 'comma') ?? NaN];
  return { line, shown: quoted(String(cell)), point, comma };
}

function sumsWith(place: number, sums: readonly PlacedSum[]): readonly PlacedSum[] {
  return sums.filter(({ sum, parts }) => [sum, ...parts].includes(place));
}

/** So many rows tell of a column what all do. */
const mostAsked = 1_000;

/** The mark of one column by its own sums, once all others are decided. */
function markOfColumn(
  place: number,
  sums: readonly PlacedSum[],
  rows: readonly PortalRow[],
  marks: ReadonlyMap<number, DecimalMark>,
): DecimalMark | undefined {
  const own = sumsWith(place, sums);
  if (own.length === 0) return undefined;
  const others = new Map([...marks].filter(([other]) => other !== place));
  return markBySums(own, rows.filter(({ cells }) => isOpen(cells[place])).slice(0, mostAsked), others);
}

/** No column of the portal is larger than the others by more: capacity may be three times the demand. */
const mostTimes = 3;

/**
 * Tells of a column whether all its numbers can be thousands, read with the mark that makes them so. They cannot where one of them would be
 * far larger than anything in the other columns: "820,513" MW beside a demand of 22,646.1.
 */
function thousandsAmong(
  rows: readonly PortalRow[],
  marks: ReadonlyMap<number, DecimalMark>,
): (column: { readonly place: number }, mark: DecimalMark) => boolean {
  const largest = [...marks].map(([place, mark]) => ({
    place,
    size: rows.reduce((most, { cells }) => Math.max(most, sizeOf(cells[place], mark)), 0),
  }));
  return ({ place }, mark) => {
    const others = largest.reduce((most, other) => (other.place === place ? most : Math.max(most, other.size)), 0);
    return rows.every(({ cells }) => !isOpen(cells[place]) || sizeOf(cells[place], mark) <= mostTimes * others);
  };
}

/** Without its sign; 0 for a gap. */
function sizeOf(cell: Cell | undefined, mark: DecimalMark): number {
  return Math.abs(readNumber(cell ?? '', mark) ?? 0) || 0;
}

function evidenceOf(name: string, place: number, rows: readonly PortalRow[], refuse: Refuse): Evidence {
  const found: Evidence = { eitherWith: {} };
  for (const row of rows) {
    const cell = row.cells[place] ?? '';
    if (typeof cell === 'number') continue;
    const [point, comma] = [readNumber(cell, 'point'), readNumber(cell, 'comma')];
    if (comma === null && point !== null) found.point ??= row;
    if (point === null && comma !== null) found.comma ??= row;
    if (point !== null && comma !== null && !Object.is(point, comma)) {
      found.either ??= row;
      found.eitherWith[cell.includes(',') ? 'comma' : 'point'] ??= row;
    }
    if ((point === null) !== (comma === null)) {
      const [sign, other] = comma === null ? ['.', ','] : [',', '.'];
      if (cell.includes(other)) found.hasGroups = true;
      if (!/^\d{3}$/.test(cell.split(sign)[1] ?? '')) found.isLoose = true;
    }
    const says = `: ${quoted(cell)} under "${name}" is not a number`;
    if (point === null && comma === null) throw refuse(`, line ${row.line}`, says, correctLine);
    const other = found.point === row ? found.comma : found.comma === row ? found.point : undefined;
    if (other)
      throw refuse(
        `, line ${row.line}`,
        `${says} with the decimal ${found.point === row ? 'comma' : 'point'} of line ${other.line}`,
        correctLine,
      );
  }
  return found;
}

/** A sum that one reading meets to a hundredth and the other does not. */
const near = 0.01;

/** The mark with which the sums are right, as nine in ten of those have to say that tell; undefined if they do not. */
function markBySums(
  sums: readonly PlacedSum[],
  rows: readonly PortalRow[],
  known: ReadonlyMap<number, DecimalMark>,
): DecimalMark | undefined {
  const votes = { point: 0, comma: 0 };
  for (const { cells } of rows)
    for (const { sum, parts } of sums) {
      const isNear = (mark: DecimalMark) => {
        const [total = 0, ...terms] = [sum, ...parts].map(
          place => readNumber(cells[place] ?? '', known.get(place) ?? mark) ?? NaN,
        );
        const scale = terms.reduce((all, term) => all + Math.abs(term), Math.abs(total));
        return Math.abs(terms.reduce((rest, term) => rest - term, total)) <= near * scale;
      };
      const [point, comma] = [isNear('point'), isNear('comma')];
      if (point !== comma) votes[point ? 'point' : 'comma']++;
    }
  if (votes.point > 9 * votes.comma) return 'point';
  return votes.comma > 9 * votes.point ? 'comma' : undefined;
}
