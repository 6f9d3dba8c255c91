import { instants, every, lines, type RealWorldFile } from './realWorldFile.ts';

const times = every(60, '2023-01-01T00:00Z', 3);
const rows = ['2023-01-01T00:00Z,1', '2023-01-01T01:00Z,2', '2023-01-01T02:00Z,3'] as const;
const columns = { mw: [1, 2, 3] };
const plain = ['ts,mw', ...rows];

function latin(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

function utf16(text: string, order: 'le' | 'be'): Buffer {
  const bytes = Buffer.from(text, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
}

/** Line ends, encodings, separators, quotes and names. */
export const textFiles: readonly RealWorldFile[] = [
  { title: 'CRLF', content: plain.join('\r\n'), times, columns },
  { title: 'CR', content: plain.join('\r'), times, columns },
  { title: 'the heading ends CRLF, rows LF', content: `ts,mw\r\n${lines(...rows)}`, times, columns },
  { title: 'the heading ends LF, rows CRLF', content: `ts,mw\n${rows.join('\r\n')}\r\n`, times, columns },
  { title: 'CRLF, LF and CR in turn', content: `ts,mw\r\n${rows[0]}\n${rows[1]}\r${rows[2]}\r\n`, times, columns },
  {
    title: 'lines that end with CR and CRLF, after a transfer in text mode',
    content: plain.join('\r\r\n'),
    times,
    columns,
  },
  { title: 'blank lines between and below', content: `\n\nts,mw\n${rows.join('\n\n')}\n\n \n`, times, columns },
  {
    title: 'a line end in a quoted cell',
    content: lines('ts,mw,note', `${rows[0]},"a\r\nb"`, `${rows[1]},"c\nd"`, `${rows[2]},e`),
    times,
    columns: { ...columns, note: ['a\r\nb', 'c\nd', 'e'] },
  },
  {
    title: 'a line end in a quoted name',
    content: lines('ts,"Wind\nOffshore"', ...rows),
    times,
    columns: { 'Wind\nOffshore': [1, 2, 3] },
  },
  {
    title: 'rows of separators at the end, from a spreadsheet',
    content: lines(...plain, ',', ',', ','),
    times,
    columns,
  },
  { title: 'a byte order mark', content: `\uFEFF${lines(...plain)}`, times, columns },
  {
    title: 'a byte order mark before a quoted name',
    content: `\uFEFF"ts","mw"\r\n${rows.join('\r\n')}`,
    times,
    columns,
  },
  {
    title: 'UTF-16 with tabs, from Excel',
    name: 'data.txt.csv',
    content: utf16(`\uFEFF${plain.join('\r\n').replaceAll(',', '\t')}`, 'le'),
    times,
    columns,
  },
  { title: 'UTF-16, the high byte first', content: utf16(`\uFEFF${lines(...plain)}`, 'be'), times, columns },
  { title: 'UTF-16 without a mark', content: utf16(lines(...plain), 'le'), times, columns },
  {
    title: 'Windows-1252',
    content: latin(lines('ts;Größe;Zone', '2023-01-01T00:00Z;1,5;São Paulo', '2023-01-01T01:00Z;2,5;Münster')),
    times: times.slice(0, 2),
    columns: { Größe: [1.5, 2.5], Zone: ['São Paulo', 'Münster'] },
    importedAs: { encoding: 'windows-1252', separator: ';', decimal: 'comma', headingLine: 1 },
  },
  {
    title: 'an encoding that the user selected',
    content: Buffer.from([...Buffer.from('ts;name\n2023-01-01T00:00Z;'), 0xcc, 0xee, 0xf1, 0xea, 0xe2, 0xe0, 0x0a]),
    options: { encoding: 'windows-1251' },
    times: times.slice(0, 1),
    columns: { name: ['Москва'] },
  },
  { title: 'Excel’s sep= line', content: `sep=;\r\n${plain.join('\r\n').replaceAll(',', ';')}`, times, columns },
  {
    title: 'Excel’s sep= line, quoted, with a byte order mark',
    content: `\uFEFF"sep=,"\r\n${plain.join('\r\n')}`,
    times,
    columns,
  },
  { title: 'tabs', name: 'data.tsv', content: lines(...plain).replaceAll(',', '\t'), times, columns },
  { title: 'bars and blanks around them', content: lines(...plain).replaceAll(',', ' | '), times, columns },
  {
    title: 'semicolons as separators, and commas in texts',
    content: lines('ts;mw;note', '2023-01-01T00:00Z;1;a, b, c', '2023-01-01T01:00Z;2;d', '2023-01-01T02:00Z;3;e, f'),
    times,
    columns: { ...columns, note: ['a, b, c', 'd', 'e, f'] },
  },
  {
    title: 'tabs as separators, and commas in quoted texts',
    name: 'data.tsv',
    content: lines(
      'ts\tmw\tnote',
      '2023-01-01T00:00Z\t1\t"a\tb"',
      '2023-01-01T01:00Z\t2\t"1,000 cars"',
      '2023-01-01T02:00Z\t3\t',
    ),
    times,
    columns: { ...columns, note: ['a\tb', '1,000 cars', null] },
  },
  {
    title: 'a separator that the user selected',
    content: lines(...plain).replaceAll(',', '~'),
    options: { separator: '~' },
    times,
    columns,
  },
  { title: 'a single column', content: lines('mw', '1.5', '2.5'), columns: { mw: [1.5, 2.5] } },
  {
    title: 'a separator at the end of each line',
    content: lines(...plain.map(line => `${line},`)),
    times,
    columns,
    optional: ['column 3'],
  },
  {
    title: 'a separator at the end of each row, but not of the heading',
    content: lines('ts,mw', ...rows.map(line => `${line},`)),
    times,
    columns,
    optional: ['column 3'],
  },
  {
    title: 'row names without a heading, from R',
    content: lines('"ts","mw"', ...rows.map((line, row) => `"${row + 1}","${line.replace(',', '",')}`)),
    times,
    columns: { ...columns, 'column 1': [1, 2, 3] },
  },
  {
    title: 'one row that is longer than the heading',
    content: lines('ts,mw', rows[0], `${rows[1]},see below`, rows[2]),
    times,
    columns: { ...columns, 'column 3': [null, 'see below', null] },
  },
  {
    title: 'rows that are shorter than the heading',
    content: lines('ts,mw,note', rows[0], `${rows[1]},x`, '2023-01-01T02:00Z'),
    times,
    columns: { mw: [1, 2, null], note: [null, 'x', null] },
  },
  {
    title: 'two columns of the same name',
    content: lines('ts,mw,mw', ...rows.map(line => `${line},9`)),
    times,
    columns: { ...columns, 'mw (2)': [9, 9, 9] },
  },
  {
    title: 'columns without a name',
    content: lines('ts,,mw,', ...rows.map(line => `${line.replace(',', ',x,')},y`)),
    times,
    columns: { ...columns, 'column 2': ['x', 'x', 'x'], 'column 4': ['y', 'y', 'y'] },
  },
  {
    title: 'an index without a name, from pandas',
    content: lines(',ts,mw', ...rows.map((line, row) => `${row},${line}`)),
    times,
    columns: { ...columns, 'column 1': [0, 1, 2] },
  },
  {
    title: 'years as column names',
    content: lines('fuel,2020,2021,2022', 'Coal,1.5,2,3', 'Wind,4,,6'),
    columns: { fuel: ['Coal', 'Wind'], 2020: [1.5, 4], 2021: [2, null], 2022: [3, 6] },
  },
  {
    title: 'dates as column names',
    content: lines('region,2024-01-30,2024-01-31', 'North,1.5,2', 'South,4,'),
    columns: { region: ['North', 'South'], '2024-01-30': [1.5, 4], '2024-01-31': [2, null] },
  },
  {
    title: 'data in the first line',
    content: lines(...rows),
    times,
    columns: { 'column 2': [1, 2, 3] },
    notes: [/heading|names/i],
  },
  {
    title: 'numbers in the first line',
    content: lines('1.5,2', '3,4.5', '5,6'),
    columns: { 'column 1': [1.5, 3, 5], 'column 2': [2, 4.5, 6] },
    notes: [/heading|names/i],
  },
  {
    title: 'no heading, as the user selected',
    content: lines('a,b', 'c,d'),
    options: { headingLine: 0 },
    columns: { 'column 1': ['a', 'c'], 'column 2': ['b', 'd'] },
  },
  {
    title: 'a stray quotation mark',
    content: lines('ts,mw,comment', `${rows[0]},5" pipe`, `${rows[1]},ok`, `${rows[2]},7" pipe`),
    times,
    columns: { ...columns, comment: ['5" pipe', 'ok', '7" pipe'] },
    notes: [/line 2/i],
  },
  {
    title: 'a quoted cell with text after its quotes',
    content: lines('ts,mw,comment', `${rows[0]},"a" and b`, `${rows[1]},ok`, `${rows[2]},"c"`),
    times,
    columns: { ...columns, comment: ['"a" and b', 'ok', 'c'] },
    notes: [/line 2/i],
  },
  {
    title: 'an unclosed quotation mark',
    content: lines('ts,mw,comment', `${rows[0]},"open`, `${rows[1]},ok`, `${rows[2]},ok`),
    times,
    columns: { ...columns, comment: ['"open', 'ok', 'ok'] },
    notes: [/line 2/i],
  },
  {
    // The comma in the cell shows that the backslash is an escape.
    title: 'quotation marks escaped with backslashes',
    content: lines('ts,mw,comment', `${rows[0]},"say \\"hi\\", please"`, `${rows[1]},ok`, `${rows[2]},ok`),
    times,
    columns: { ...columns, comment: ['say "hi", please', 'ok', 'ok'] },
    notes: [/line 2/i],
  },
  {
    title: 'a list of names that does not look like a table',
    content: lines('ts,mw,constructor,__proto__', ...rows.map(line => `${line},a,b`)),
    times,
    columns: { ...columns, constructor: ['a', 'a', 'a'], ['__proto__']: ['b', 'b', 'b'] },
  },
  { title: 'an empty file', content: '', refusal: /empty/ },
  { title: 'a file of blank lines', content: '\n\n \n', refusal: /empty/ },
  { title: 'only a heading', content: 'ts,mw\n', columns: { ts: [], mw: [] } },
  { title: 'only a heading, without an end', content: 'ts;mw;note', columns: { ts: [], mw: [], note: [] } },
  {
    title: 'a web page',
    content: lines(
      '<!DOCTYPE html>',
      '<html lang="en">',
      '<head><title>Page not found - Eskom</title></head>',
      '<body><p>404</p></body></html>',
    ),
    refusal: /web page.*Page not found - Eskom/,
  },
  {
    title: 'a web page with uppercase tags, after blank lines',
    content: '\r\n\r\n<HTML><HEAD><TITLE>\r\nSign in\r\n</TITLE></HEAD><BODY>a, b</BODY></HTML>',
    refusal: /web page.*Sign in/,
  },
  {
    title: 'an error message of a file store, in XML',
    content:
      '<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
    refusal: /XML|web page/,
  },
  {
    title: 'a Git LFS pointer',
    content: lines(
      'version https://git-lfs.github.com/spec/v1',
      'oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393',
      'size 12345',
    ),
    refusal: /Git LFS/,
  },
  { title: 'JSON that is called CSV', content: '{"error": "rate limit exceeded"}\n', refusal: /JSON/ },
  {
    title: 'two time columns, and a truncated text',
    content: lines(
      'ts,mw,end',
      '2023-01-01T00:00Z,1,2023-01-01T01:00Z',
      '2023-01-01T01:00Z,2,2023-01-01T02:00Z',
      '2023-01-01T02:00Z,3,',
    ),
    times,
    columns: { ...columns, end: instants('2023-01-01T01:00Z', '2023-01-01T02:00Z', null) },
  },
  {
    title: 'one line that ends with LF, among many that do not',
    content: `ts,mw\r\n${rows[0]}\r\n${rows[1]}\n${rows[2]}\r\n`,
    times,
    columns,
  },
  {
    title: 'CR, semicolons and decimal commas',
    content: 'ts;mw\r2023-01-01T00:00Z;1,5\r2023-01-01T01:00Z;-2,25\r',
    times: times.slice(0, 2),
    columns: { mw: [1.5, -2.25] },
  },
  {
    title: 'UTF-16 with a byte order mark, semicolons and decimal commas',
    content: utf16('\uFEFFts;Größe\r\n2023-01-01T00:00Z;1,5\r\n2023-01-01T01:00Z;-2,25\r\n', 'le'),
    times: times.slice(0, 2),
    columns: { Größe: [1.5, -2.25] },
  },
  {
    title: 'Windows-1252 with punctuation that Latin-1 lacks',
    content: Buffer.from([
      ...Buffer.from('ts,price,note\n2023-01-01T00:00Z,1,'),
      ...[0x80, 0x35, 0x20, 0x96, 0x20, 0x6f, 0x92, 0x6b, 0x0a],
    ]),
    times: times.slice(0, 1),
    columns: { price: [1], note: ['€5 – o’k'] },
  },
  {
    title: 'a stray quotation mark between quoted cells of a comma-separated file',
    content: lines(
      'ts,comment,mw',
      '2023-01-01T00:00Z,"a, b",1',
      '2023-01-01T01:00Z,24" disc,2',
      '2023-01-01T02:00Z,"c ""d"" e",3',
    ),
    times,
    columns: { ...columns, comment: ['a, b', '24" disc', 'c "d" e'] },
    notes: [/line 3/i],
  },
  {
    title: 'a web page after a byte order mark',
    content: '\uFEFF<!doctype html>\n<title>Access &amp; login</title>',
    refusal: /web page.*Access/,
  },
  {
    title: 'an HTML table without a page',
    content: '<table><tr><td>ts</td><td>mw</td></tr></table>',
    refusal: /web page/,
  },
  {
    title: 'tabs in a file named .csv, with a decimal comma in each cell',
    content: lines('ts\ta\tb', '2023-01-01T00:00Z\t1,5\t2,25', '2023-01-01T01:00Z\t-3,5\t4,75'),
    times: times.slice(0, 2),
    columns: { a: [1.5, -3.5], b: [2.25, 4.75] },
  },
  {
    title: 'tabs in a file named .csv, with more decimal commas than tabs',
    content: lines('a\tb', '1,5\t2,5', '3,5\t4,5'),
    columns: { a: [1.5, 3.5], b: [2.5, 4.5] },
  },
  {
    title: 'vertical bars in the texts of a comma-separated file',
    content: lines('ts,zone', '2023-01-01T00:00Z,BZN|DE|LU', '2023-01-01T01:00Z,BZN|DE|AT'),
    times: times.slice(0, 2),
    columns: { zone: ['BZN|DE|LU', 'BZN|DE|AT'] },
  },
  {
    title: 'commas in the texts of a semicolon-separated file, the same number in each row',
    content: lines('name;link', 'a;https://example.com/?a=1,2,3', 'b;https://example.com/?b=1,2,3'),
    columns: { name: ['a', 'b'], link: ['https://example.com/?a=1,2,3', 'https://example.com/?b=1,2,3'] },
  },
  {
    title: 'a row with three decimal commas and two semicolons',
    content: lines('a;b;c', '1,5;2,5;3,5', '1,25;2,75;3,5'),
    columns: { a: [1.5, 1.25], b: [2.5, 2.75], c: [3.5, 3.5] },
  },
  {
    // The number is split into two cells, and the times are not row names.
    title: 'unquoted decimal commas in each row of a comma-separated file',
    content: lines('ts,mw', '2023-01-01T00:00Z,1,5', '2023-01-01T01:00Z,2,25'),
    refusal: /line 2/i,
  },
  {
    title: 'unquoted thousands separators in each row of a comma-separated file',
    content: lines('time,load', '2023-01-01 00:00,21,234', '2023-01-01 01:00,22,345'),
    options: { timeZone: 'UTC' },
    refusal: /line 2/i,
  },
  {
    title: 'a table of texts, without a note',
    content: lines('name,unit', 'load,MW', 'price,EUR'),
    columns: { name: ['load', 'price'], unit: ['MW', 'EUR'] },
    hasNotes: false,
  },
  {
    title: 'texts beside numbers and times, without a note',
    content: lines('ts,station,mw', ...rows.map((row, index) => row.replace(',', `,Unit ${index + 1},`))),
    times,
    columns: { ...columns, station: ['Unit 1', 'Unit 2', 'Unit 3'] },
    hasNotes: false,
  },
  {
    title: 'names that begin with # in the first column, which are not comments',
    content: lines('id,mw', '#1,5', '#2,6'),
    columns: { id: ['#1', '#2'], mw: [5, 6] },
  },
];
