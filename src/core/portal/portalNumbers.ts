import { type Cell, type PortalRow, correctLine, quoted, type Refuse } from './portalCells.ts';
import { commaColumn, type PortalColumn, type PlacedSum, type PortalHeader } from './portalColumns.ts';

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
  /** The first cell that is a different number with each decimal mark, and the first such cells by the mark in them. */
  either?: PortalRow;
  eitherWith: { point?: PortalRow; comma?: PortalRow };
  /** Of the cells that are numbers with one mark only, some have the other one between thousands, or not exactly three decimals. */
  hasGroups?: true;
  isLoose?: true;
}

interface DecimalMarks {
  /** By the index of the column. */
  readonly marks: ReadonlyMap<number, DecimalMark>;
  /** Indexes of columns whose ambiguous numbers are gaps: they are not needed, and nothing shows which reading is right. */
  readonly doubtful: ReadonlySet<number>;
  readonly notes: readonly string[];
}

/**
 * Determines the decimal mark of each column, once for the whole file. A column with numbers that allow only one mark has that mark; all
 * others have the mark with which the sums of columns are right, else the one that other columns have. Throws where these have none, or
 * both. In a column without a sum, whose numbers may be in thousands, ambiguous cells are gaps; throws where the column is `needed`.
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
  const bySums = ({ shown, ...read }: (typeof open)[number], chosen: DecimalMark) =>
    `numbers such as ${shown} are read as ${read[chosen]}: with that, the sums of columns are right.`;
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
  // All numbers of the file have the format “0.000”.
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

/** Throws for a column such as “1246.934”, “246,934”, unless other cells have a mark between thousands, or sums show that it is one. */
function checkGroups(
  evidence: readonly (Evidence & { readonly name: string; readonly place: number })[],
  sums: readonly PlacedSum[],
  rows: readonly PortalRow[],
  marks: ReadonlyMap<number, DecimalMark>,
  refuse: Refuse,
): void {
  for (const { name, place, point, comma, eitherWith } of evidence) {
    const [mark, seen] = point ? (['point', point] as const) : (['comma', comma] as const);
    const [unclear, sign] = mark === 'point' ? [eitherWith.comma, ','] : [eitherWith.point, '.'];
    if (!seen || !unclear) continue;
    if (evidence.some(other => other.hasGroups && (mark === 'point' ? other.point : other.comma))) continue;
    const isUnclear = ({ cells }: PortalRow) => isOpen(cells[place]) && String(cells[place]).includes(sign);
    if (markOfColumn(place, sums, rows.filter(isUnclear), marks) === mark) continue;
    const { shown, line, ...read } = readings(unclear, place);
    throw refuse(
      `, line ${line}`,
      `: ${shown} under "${name}" can be ${read.point} or ${read.comma}: ${quoted(String(seen.cells[place]))} of line ${seen.line} has no mark between thousands, and no sum of columns tells`,
      correctLine,
    );
  }
}

/** Whether a cell is a different number with each decimal mark. */
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

/** The most rows that decide about one column. */
const mostSampled = 1_000;

/** The mark of one column by its own sums, given those of all others. */
function markOfColumn(
  place: number,
  sums: readonly PlacedSum[],
  rows: readonly PortalRow[],
  marks: ReadonlyMap<number, DecimalMark>,
): DecimalMark | undefined {
  const own = sumsWith(place, sums);
  if (own.length === 0) return undefined;
  const others = new Map([...marks].filter(([other]) => other !== place));
  return markBySums(own, rows.filter(({ cells }) => isOpen(cells[place])).slice(0, mostSampled), others);
}

/** The most by which a column of the portal exceeds the others: capacity may be three times the demand. */
const mostTimes = 3;

/**
 * Returns whether all numbers of a column can be thousands with a mark. They cannot where one of them would be far larger than all numbers
 * in the other columns: "820,513" MW with a demand of 22,646.1.
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

/** The absolute value; 0 for a gap. */
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

/** A sum is right if its relative error is at most this. */
const near = 0.01;

/** The mark with which the sums are right, in more than nine of ten sums for which the marks differ; else undefined. */
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
