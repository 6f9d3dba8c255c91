import { every, lines, type Cell, type RealWorldFile, utc } from './realWorldFile.ts';

const count = 3_000;
const lateRow = 2_500;
const times = every(60, '2023-01-01T00:00Z', count);
const numbers = times.map((_, row) => row);

/** Creates one number for each hour, with the given cell in a late row. */
function createHoursWithLateCell(cell: string, separator = ','): string[] {
  const rows = numbers.map(row => `${times[row]?.toISOString() ?? ''}${separator}${row === lateRow ? cell : row}`);
  return [`ts${separator}mw`, ...rows];
}

function createPower(cell: Cell): { readonly mw: Cell[] } {
  return { mw: numbers.map(row => (row === lateRow ? cell : row)) };
}

/** Files whose first rows do not reveal the type of later cells. */
export const longFiles: readonly RealWorldFile[] = [
  {
    title: 'a cell without a value, far below the heading',
    content: lines(...createHoursWithLateCell('n/e')),
    times,
    columns: createPower(null),
    notes: [/'mw'.*'n\/e'.*line 2502/i],
  },
  {
    title: 'a text far below the heading, in a column of numbers',
    content: lines(...createHoursWithLateCell('offline')),
    times,
    columns: { mw: createPower('offline').mw.map(String) },
    notes: [/'mw'.*'offline'.*line 2502/i],
  },
  {
    title: 'a decimal comma far below the heading',
    content: lines(...createHoursWithLateCell('12,5', ';')),
    times,
    columns: createPower(12.5),
  },
  {
    title: 'an unquoted decimal comma far below the heading',
    content: lines(...createHoursWithLateCell('12,5')),
    refusal: /line 2502/i,
  },
  {
    title: 'a quoted decimal comma far below the heading',
    content: lines(...createHoursWithLateCell('"12,5"')),
    times,
    columns: createPower(12.5),
  },
  {
    title: 'a number with thousands separators far below the heading',
    content: lines(...createHoursWithLateCell('"1,234.5"')),
    times,
    columns: createPower(1234.5),
  },
  {
    title: 'an infinite number far below the heading',
    content: lines(...createHoursWithLateCell('-inf')),
    times,
    columns: createPower(-Infinity),
  },
  {
    title: 'a stray quotation mark far below the heading',
    content: lines(
      'ts,note',
      ...times.map((time, row) => `${time.toISOString()},${row === lateRow ? '5" pipe' : 'ok'}`),
    ),
    times,
    columns: { note: numbers.map(row => (row === lateRow ? '5" pipe' : 'ok')) },
    notes: [/line 2502/i],
  },
  {
    title: 'a footnote below many rows',
    content: lines(...createHoursWithLateCell('5'), '', 'Source: system operator'),
    times,
    columns: createPower(5),
    notes: [/Source: system operator|line 3003/i],
  },
  {
    title: 'dates whose order only a late row reveals',
    content: lines(
      'time,mw',
      ...every(1440, '2023-02-01T00:00Z', 12).map((day, row) => `${day.toISOString().slice(8, 10)}/02/2023,${row}`),
      '13/02/2023,12',
    ),
    options: utc,
    times: every(1440, '2023-02-01T00:00Z', 13),
    columns: { mw: numbers.slice(0, 13) },
    notes: [/day first/],
  },
  {
    title: 'a column that is empty except for one late number',
    content: lines(
      'ts,mw,rest',
      ...times.map((time, row) => `${time.toISOString()},${row},${row === lateRow ? '0.5' : ''}`),
    ),
    times,
    columns: { mw: numbers, rest: numbers.map(row => (row === lateRow ? 0.5 : null)) },
  },
];
