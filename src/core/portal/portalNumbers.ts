import type { Cell, PortalRow } from './portalCells.ts';
import { commaColumn } from './portalColumns.ts';
import { correctLine, quoted, type Refuse } from './portalError.ts';
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
const longestNumber = 60;

/** A cell's number, NaN for a gap; null for a text that is neither. */
export function readNumber(cell: Cell, mark: DecimalMark): number | null {
  if (typeof cell === 'number') return cell;
  if (gap.test(cell)) return Number.NaN;
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
  /** The first cell that is another number with either. */
  either?: PortalRow;
}

export interface DecimalMarks {
  /** By the place of the column. */
  readonly marks: ReadonlyMap<number, DecimalMark>;
  readonly notes: readonly string[];
}

/**
 * Decides once for the whole file. A column with cells that are numbers with one mark alone is read with it; all others with the mark
 * that makes the sums of the columns right, else with the one that the file has elsewhere. Where it has none, or both, it is refused.
 */
export function decideMarks(header: PortalHeader, rows: readonly PortalRow[], refuse: Refuse): DecimalMarks {
  const evidence = [...header.columns].map(([name, place]) => ({
    name,
    place,
    ...evidenceOf(name, place, rows, refuse),
  }));
  const marks = new Map<number, DecimalMark>();
  for (const { place, point, comma } of evidence) if (point ?? comma) marks.set(place, point ? 'point' : 'comma');
  const others = evidence.filter(({ name }) => name !== commaColumn);
  const [hasPoint, hasComma] = [others.some(({ point }) => point), others.some(({ comma }) => comma)];
  const open = evidence.filter(({ point, comma, either }) => !point && !comma && either);
  const [first] = open;
  if (!first?.either) return { marks, notes: [] };
  const byCells = hasPoint === hasComma ? undefined : hasPoint ? 'point' : 'comma';
  const mark = markBySums(header.sums, rows, marks) ?? byCells;
  const text = first.either.cells[first.place] ?? '';
  const [withPoint, withComma] = [readNumber(text, 'point'), readNumber(text, 'comma')];
  if (!mark)
    throw refuse(
      `, line ${first.either.line}`,
      `: ${quoted(String(text))} under "${first.name}" can be ${withPoint} or ${withComma}, and neither the other cells nor the sums of columns tell which`,
      'export the hours again from the Eskom Data Portal, with decimal points and without marks between thousands',
    );
  for (const { place } of open) marks.set(place, mark);
  const read = mark === 'point' ? withPoint : withComma;
  const bySums = `numbers such as ${quoted(String(text))} are read as ${read}: with that, the sums of columns are right.`;
  return { marks, notes: mark === byCells ? [] : [bySums] };
}

function evidenceOf(name: string, place: number, rows: readonly PortalRow[], refuse: Refuse): Evidence {
  const found: Evidence = {};
  for (const row of rows) {
    const cell = row.cells[place] ?? '';
    if (typeof cell === 'number') continue;
    const [point, comma] = [readNumber(cell, 'point'), readNumber(cell, 'comma')];
    if (comma === null && point !== null) found.point ??= row;
    if (point === null && comma !== null) found.comma ??= row;
    if (point !== null && comma !== null && !Object.is(point, comma)) found.either ??= row;
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
