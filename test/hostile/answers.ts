import type { TableProblem } from '../../src/shared/tableLimits.ts';

/** A body that a service could send to do harm, made when it is needed: some are megabytes. */
export interface HostileAnswer {
  readonly name: string;
  readonly body: () => string;
  /** The same in small, where reading `body` takes long: enough to go wrong, and read in a moment. */
  readonly small?: () => string;
  /** What is made of it: a table, the text alone and why, or nothing since it is no JSON. */
  readonly shown: 'table' | TableProblem | 'damaged';
}

const count = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, index) => make(index));
const list = (length: number, make: (index: number) => string): string => `[${count(length, make).join(',')}]`;
const rows = (length: number, make: (index: number) => string): string => `{"data":${list(length, make)}}`;
const members = (length: number, make: (index: number) => string): string => `{${count(length, make).join(',')}}`;
const hour = (index: number): string => new Date(Date.UTC(2023, 0, 1) + index * 3_600_000).toISOString();
const nested = (levels: number, inner = ''): string => '['.repeat(levels) + inner + ']'.repeat(levels);
const opened = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

/** Bodies of every shape known to hang, crash or fill a reader of tables. */
export const hostileAnswers: readonly HostileAnswer[] = [
  // Columns.
  {
    name: 'a name of its own in each of 20,000 rows',
    body: () => rows(20_000, row => `{"c${row}":1}`),
    shown: 'tooManyCells',
  },
  {
    name: 'a million columns',
    body: () => `[${members(1_000_000, at => `"c${at}":${at}`)}]`,
    small: () => `[${members(5_000, at => `"c${at}":${at}`)}]`,
    shown: 'tooManyColumns',
  },
  {
    name: 'one object of a million members',
    body: () => members(1_000_000, at => `"c${at}":0`),
    small: () => members(5_000, at => `"c${at}":0`),
    shown: 'tooManyColumns',
  },
  {
    name: '200,000 columns with numbers that no double holds',
    body: () => `[${members(200_000, at => `"c${at}":12345678901234567890`)}]`,
    small: () => `[${members(5_000, at => `"c${at}":12345678901234567890`)}]`,
    shown: 'tooManyColumns',
  },
  {
    name: 'an object of 5,000 lists',
    body: () => members(5_000, at => `"c${at}":[1,2]`),
    shown: 'tooManyColumns',
  },
  {
    name: 'a row of 200,000 values without names',
    body: () => `[${list(200_000, String)},[1]]`,
    small: () => `[${list(5_000, String)},[1]]`,
    shown: 'tooManyColumns',
  },
  {
    name: '1,900 columns in 3,000 rows that have one of them each',
    body: () => rows(3_000, row => `{"c${row % 1_900}":1}`),
    shown: 'tooManyCells',
  },
  {
    name: '2,000 columns in the first of 2,000 rows',
    body: () => `[{${members(2_000, at => `"c${at}":1`).slice(1, -1)}}${',{}'.repeat(1_999)}]`,
    shown: 'table',
  },
  {
    name: 'a text in another column of each of 2,000 rows',
    body: () => list(2_000, row => `{"ts":"${hour(row % 744)}","c${row % 1_999}":"a text of row ${row}"}`),
    shown: 'table',
  },
  {
    name: 'a text in another of 199 columns in each of 1,200 rows',
    body: () => list(1_200, row => `{"ts":"${hour(row % 744)}","c${row % 199}":"a text of row ${row}"}`),
    shown: 'table',
  },
  {
    name: 'nulls above 120 columns of seven levels',
    body: () => `{"data":[{"a":${members(120, at => `"k${at}":${opened(6)}`)}}${',{"a":null}'.repeat(9_000)}]}`,
    shown: 'table',
  },
  {
    name: 'fields that are an object here and a value there',
    body: () =>
      rows(400, row => `{"ts":"${hour(row)}","f${row % 100}":${row % 200 < 100 ? '1' : `{"g":{"h":${row}}}`}}`),
    shown: 'table',
  },
  {
    name: 'names that look the same when joined',
    body: () => '[{"a.b.c":1,"a":{"b.c":2,"b":{"c":3}},"a.b":{"c":4},"\\"a\\".\\"b\\".\\"c\\"":5}]',
    shown: 'table',
  },
  {
    name: 'names of every object',
    body: () => '[{"__proto__":{"polluted":1},"constructor":{"prototype":2},"toString":3,"valueOf":null,"":4," ":5}]',
    shown: 'table',
  },
  {
    name: 'names of every object beside a number that no double holds',
    body: () => '[{"__proto__":{"polluted":1},"constructor":{"prototype":2},"toString":12345678901234567890,"":4}]',
    shown: 'table',
  },
  { name: 'a name that comes 100,000 times', body: () => `[{${'"a":1,'.repeat(100_000)}"a":2}]`, shown: 'table' },
  { name: 'a name of 10 MB', body: () => `[{"${'n'.repeat(10_000_000)}":1}]`, shown: 'nameTooLong' },
  {
    name: 'a long name in two parts',
    body: () => `[{"${'n'.repeat(600)}":{"${'m'.repeat(600)}":1}}]`,
    shown: 'nameTooLong',
  },
  // Rows.
  {
    name: 'two million numbers',
    body: () => list(2_000_000, () => '1'),
    small: () => list(1_000_001, () => '1'),
    shown: 'tooManyRows',
  },
  {
    name: 'two million empty rows',
    body: () => list(2_000_000, () => '{}'),
    small: () => list(1_000_001, () => '{}'),
    shown: 'tooManyRows',
  },
  {
    name: '100,000 rows of one instant',
    body: () => rows(100_000, row => `{"ts":"${hour(0)}","v":${row}}`),
    small: () => rows(5_000, row => `{"ts":"${hour(0)}","v":${row}}`),
    shown: 'table',
  },
  {
    name: 'instants from the first year to the last',
    body: () => rows(20_000, row => `{"ts":"${String(1 + (row % 9_999)).padStart(4, '0')}-01-01T00:00:00Z","v":1}`),
    shown: 'table',
  },
  {
    name: 'rows in an order that sorts badly',
    body: () => rows(50_000, row => `{"ts":"${hour((row * 7_919) % 50_000)}","v":1}`),
    small: () => rows(5_000, row => `{"ts":"${hour((row * 7_919) % 5_000)}","v":1}`),
    shown: 'table',
  },
  {
    name: 'an object of 100,000 instants',
    body: () => members(100_000, row => `"${hour(row)}":${row}`),
    small: () => members(5_000, row => `"${hour(row)}":${row}`),
    shown: 'table',
  },
  // Nesting.
  { name: '100,000 brackets that never close', body: () => '['.repeat(100_000), shown: 'damaged' },
  { name: '100,000 brackets', body: () => nested(100_000), shown: 'nestedTooDeep' },
  {
    name: '100,000 brackets around a number that no double holds',
    body: () => nested(100_000, '12345678901234567890'),
    shown: 'nestedTooDeep',
  },
  { name: 'a cell of 100,000 brackets', body: () => `{"data":[{"a":${nested(100_000)}}]}`, shown: 'nestedTooDeep' },
  { name: 'an object in an object, 100,000 times', body: () => opened(100_000), shown: 'nestedTooDeep' },
  {
    name: 'an envelope in an envelope, 100,000 times',
    body: () => '{"data":'.repeat(100_000) + '[]' + '}'.repeat(100_000),
    shown: 'nestedTooDeep',
  },
  {
    name: 'an envelope nested 100,000 times beside the rows',
    body: () => `{"meta":${nested(100_000)},"data":[{"a":1}]}`,
    shown: 'table',
  },
  // Texts and numbers.
  {
    name: 'a text of 10 MB',
    body: () => `[{"ts":"${hour(0)}","t":"${'x'.repeat(10_000_000)}"}]`,
    shown: 'cellTooLong',
  },
  {
    name: '30 texts of a megabyte',
    body: () => list(30, row => `{"t":"${row}${'x'.repeat(1_000_000)}"}`),
    shown: 'textsTooLong',
  },
  { name: '3 MB of escapes', body: () => `[{"t":"${'\\u0000'.repeat(500_000)}"}]`, shown: 'table' },
  {
    name: 'an envelope of 10 MB beside the rows',
    body: () => `{"note":"${'x'.repeat(10_000_000)}","data":[{"a":1}]}`,
    shown: 'table',
  },
  {
    name: '300,000 different texts',
    body: () => rows(300_000, row => `{"t":"t${row}"}`),
    small: () => rows(250_001, row => `{"t":"t${row}"}`),
    shown: 'tooManyTexts',
  },
  { name: 'a number of a million digits', body: () => `[{"n":${'7'.repeat(1_000_000)}}]`, shown: 'table' },
  { name: 'a number with zeros between', body: () => `[{"n":1${'0'.repeat(1_000_000)}1}]`, shown: 'table' },
  { name: 'an exponent of a million digits', body: () => `[{"n":1e${'9'.repeat(1_000_000)}}]`, shown: 'table' },
  { name: 'a million fractions', body: () => `[{"n":0.${'0'.repeat(1_000_000)}1}]`, shown: 'table' },
  {
    name: '100,000 numbers that no double holds',
    body: () => rows(100_000, row => `{"n":1234567890123456789${row % 10}}`),
    small: () => rows(5_000, row => `{"n":1234567890123456789${row % 10}}`),
    shown: 'table',
  },
  { name: '10 MB of white space', body: () => `[${' '.repeat(10_000_000)}]`, shown: 'table' },
  { name: 'nothing but white space', body: () => ' '.repeat(10_000_000), shown: 'damaged' },
  {
    name: 'a million lists in one cell',
    body: () => `[{"a":${list(1_000_000, () => '[]')}}]`,
    shown: 'cellTooLong',
  },
  { name: '10 MB that break off', body: () => `{"data":[{"t":"${'x'.repeat(10_000_000)}`, shown: 'damaged' },
];
