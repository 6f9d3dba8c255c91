import type { TableProblem } from '../../src/shared/tableLimits.ts';

/** A malicious body of a response. It is created on demand, because some have megabytes. */
export interface HostileResponse {
  readonly name: string;
  readonly body: () => string;
  /** A smaller body with the same effect, if reading `body` takes long. */
  readonly small?: () => string;
  /** The expected result: a table, the reason why only the text is shown, or `damaged` if it is not JSON. */
  readonly expected: 'table' | TableProblem | 'damaged';
}

const createList = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index));
const list = (length: number, make: (index: number) => string): string => `[${createList(length, make).join(',')}]`;
const rows = (length: number, make: (index: number) => string): string => `{"data":${list(length, make)}}`;
const members = (length: number, make: (index: number) => string): string => `{${createList(length, make).join(',')}}`;
const formatHour = (index: number): string => new Date(Date.UTC(2023, 0, 1) + index * 3_600_000).toISOString();
const nested = (levels: number, inner = ''): string => '['.repeat(levels) + inner + ']'.repeat(levels);
const nestedObjects = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

/** Bodies that are known to hang, crash or exhaust a reader of tables. */
export const hostileResponses: readonly HostileResponse[] = [
  // Columns.
  {
    name: 'a different name in each of 20,000 rows',
    body: () => rows(20_000, row => `{"c${row}":1}`),
    expected: 'tooManyCells',
  },
  {
    name: 'a million columns',
    body: () => `[${members(1_000_000, index => `"c${index}":${index}`)}]`,
    small: () => `[${members(5_000, index => `"c${index}":${index}`)}]`,
    expected: 'tooManyColumns',
  },
  {
    name: 'one object of a million members',
    body: () => members(1_000_000, index => `"c${index}":0`),
    small: () => members(5_000, index => `"c${index}":0`),
    expected: 'tooManyColumns',
  },
  {
    name: '200,000 columns with numbers beyond double precision',
    body: () => `[${members(200_000, index => `"c${index}":12345678901234567890`)}]`,
    small: () => `[${members(5_000, index => `"c${index}":12345678901234567890`)}]`,
    expected: 'tooManyColumns',
  },
  {
    name: 'an object of 5,000 lists',
    body: () => members(5_000, index => `"c${index}":[1,2]`),
    expected: 'tooManyColumns',
  },
  {
    name: 'a row of 200,000 values without names',
    body: () => `[${list(200_000, String)},[1]]`,
    small: () => `[${list(5_000, String)},[1]]`,
    expected: 'tooManyColumns',
  },
  {
    name: '1,900 columns in 3,000 rows that have one of them each',
    body: () => rows(3_000, row => `{"c${row % 1_900}":1}`),
    expected: 'tooManyCells',
  },
  {
    name: '2,000 columns in the first of 2,000 rows',
    body: () => `[{${members(2_000, index => `"c${index}":1`).slice(1, -1)}}${',{}'.repeat(1_999)}]`,
    expected: 'table',
  },
  {
    name: 'a text in another column of each of 2,000 rows',
    body: () => list(2_000, row => `{"ts":"${formatHour(row % 744)}","c${row % 1_999}":"a text of row ${row}"}`),
    expected: 'table',
  },
  {
    name: 'a text in another of 199 columns in each of 1,200 rows',
    body: () => list(1_200, row => `{"ts":"${formatHour(row % 744)}","c${row % 199}":"a text of row ${row}"}`),
    expected: 'table',
  },
  {
    name: 'nulls above 120 columns of seven levels',
    body: () =>
      `{"data":[{"a":${members(120, index => `"k${index}":${nestedObjects(6)}`)}}${',{"a":null}'.repeat(9_000)}]}`,
    expected: 'table',
  },
  {
    name: 'fields that are objects in some rows and values in others',
    body: () =>
      rows(400, row => `{"ts":"${formatHour(row)}","f${row % 100}":${row % 200 < 100 ? '1' : `{"g":{"h":${row}}}`}}`),
    expected: 'table',
  },
  {
    name: 'names that look the same when joined',
    body: () => '[{"a.b.c":1,"a":{"b.c":2,"b":{"c":3}},"a.b":{"c":4},"\\"a\\".\\"b\\".\\"c\\"":5}]',
    expected: 'table',
  },
  {
    name: 'names of built-in object members',
    body: () => '[{"__proto__":{"polluted":1},"constructor":{"prototype":2},"toString":3,"valueOf":null,"":4," ":5}]',
    expected: 'table',
  },
  {
    name: 'names of built-in object members beside a number beyond double precision',
    body: () => '[{"__proto__":{"polluted":1},"constructor":{"prototype":2},"toString":12345678901234567890,"":4}]',
    expected: 'table',
  },
  { name: 'a name that occurs 100,000 times', body: () => `[{${'"a":1,'.repeat(100_000)}"a":2}]`, expected: 'table' },
  { name: 'a name of 10 MB', body: () => `[{"${'n'.repeat(10_000_000)}":1}]`, expected: 'nameTooLong' },
  {
    name: 'a long name in two parts',
    body: () => `[{"${'n'.repeat(600)}":{"${'m'.repeat(600)}":1}}]`,
    expected: 'nameTooLong',
  },
  // Rows.
  {
    name: 'two million numbers',
    body: () => list(2_000_000, () => '1'),
    small: () => list(1_000_001, () => '1'),
    expected: 'tooManyRows',
  },
  {
    name: 'two million empty rows',
    body: () => list(2_000_000, () => '{}'),
    small: () => list(1_000_001, () => '{}'),
    expected: 'tooManyRows',
  },
  {
    name: '100,000 rows of one instant',
    body: () => rows(100_000, row => `{"ts":"${formatHour(0)}","v":${row}}`),
    small: () => rows(5_000, row => `{"ts":"${formatHour(0)}","v":${row}}`),
    expected: 'table',
  },
  {
    name: 'instants from the first year to the last',
    body: () => rows(20_000, row => `{"ts":"${String(1 + (row % 9_999)).padStart(4, '0')}-01-01T00:00:00Z","v":1}`),
    expected: 'table',
  },
  {
    name: 'rows in an order that sorts badly',
    body: () => rows(50_000, row => `{"ts":"${formatHour((row * 7_919) % 50_000)}","v":1}`),
    small: () => rows(5_000, row => `{"ts":"${formatHour((row * 7_919) % 5_000)}","v":1}`),
    expected: 'table',
  },
  {
    name: 'an object of 100,000 instants',
    body: () => members(100_000, row => `"${formatHour(row)}":${row}`),
    small: () => members(5_000, row => `"${formatHour(row)}":${row}`),
    expected: 'table',
  },
  // Nesting.
  { name: '100,000 brackets that never close', body: () => '['.repeat(100_000), expected: 'damaged' },
  { name: '100,000 brackets', body: () => nested(100_000), expected: 'nestedTooDeep' },
  {
    name: '100,000 brackets around a number beyond double precision',
    body: () => nested(100_000, '12345678901234567890'),
    expected: 'nestedTooDeep',
  },
  { name: 'a cell of 100,000 brackets', body: () => `{"data":[{"a":${nested(100_000)}}]}`, expected: 'nestedTooDeep' },
  { name: 'an object in an object, 100,000 times', body: () => nestedObjects(100_000), expected: 'nestedTooDeep' },
  {
    name: 'an envelope in an envelope, 100,000 times',
    body: () => '{"data":'.repeat(100_000) + '[]' + '}'.repeat(100_000),
    expected: 'nestedTooDeep',
  },
  {
    name: 'an envelope nested 100,000 times beside the rows',
    body: () => `{"meta":${nested(100_000)},"data":[{"a":1}]}`,
    expected: 'table',
  },
  // Texts and numbers.
  {
    name: 'a text of 10 MB',
    body: () => `[{"ts":"${formatHour(0)}","t":"${'x'.repeat(10_000_000)}"}]`,
    expected: 'cellTooLong',
  },
  {
    name: '30 texts of a megabyte',
    body: () => list(30, row => `{"t":"${row}${'x'.repeat(1_000_000)}"}`),
    expected: 'textsTooLong',
  },
  { name: '3 MB of escapes', body: () => `[{"t":"${'\\u0000'.repeat(500_000)}"}]`, expected: 'table' },
  {
    name: 'an envelope of 10 MB beside the rows',
    body: () => `{"note":"${'x'.repeat(10_000_000)}","data":[{"a":1}]}`,
    expected: 'table',
  },
  {
    name: '300,000 different texts',
    body: () => rows(300_000, row => `{"t":"t${row}"}`),
    small: () => rows(250_001, row => `{"t":"t${row}"}`),
    expected: 'tooManyTexts',
  },
  { name: 'a number of a million digits', body: () => `[{"n":${'7'.repeat(1_000_000)}}]`, expected: 'table' },
  { name: 'a number with zeros between', body: () => `[{"n":1${'0'.repeat(1_000_000)}1}]`, expected: 'table' },
  { name: 'an exponent of a million digits', body: () => `[{"n":1e${'9'.repeat(1_000_000)}}]`, expected: 'table' },
  { name: 'a million fractions', body: () => `[{"n":0.${'0'.repeat(1_000_000)}1}]`, expected: 'table' },
  {
    name: '100,000 numbers beyond double precision',
    body: () => rows(100_000, row => `{"n":1234567890123456789${row % 10}}`),
    small: () => rows(5_000, row => `{"n":1234567890123456789${row % 10}}`),
    expected: 'table',
  },
  { name: '10 MB of white space', body: () => `[${' '.repeat(10_000_000)}]`, expected: 'table' },
  { name: 'only white space', body: () => ' '.repeat(10_000_000), expected: 'damaged' },
  {
    name: 'a million lists in one cell',
    body: () => `[{"a":${list(1_000_000, () => '[]')}}]`,
    expected: 'cellTooLong',
  },
  { name: '10 MB, truncated', body: () => `{"data":[{"t":"${'x'.repeat(10_000_000)}`, expected: 'damaged' },
];
