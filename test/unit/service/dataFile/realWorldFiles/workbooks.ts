import { createWorkbook } from '../../../../support/workbook.ts';
import { instants, every, lines, type RealWorldFile, utc } from './realWorldFile.ts';
import { number, shared, sheetRows, text, workbook } from './workbookXml.ts';

const name = 'data.xlsx';
const times = every(60, '2023-01-01T00:00Z', 3);
const serials = times.map(time => (time.getTime() - Date.UTC(1899, 11, 30)) / 86_400_000);
const time = (row: number): string => number(serials[row] ?? NaN, 1);

/** Workbooks, written by hand. */
export const workbookFiles: readonly RealWorldFile[] = [
  {
    title: 'XLSX: times, numbers and texts',
    name,
    content: createWorkbook([
      ['time', 'mw', 'note'],
      [times[0] ?? null, 1.5, 'a'],
      [times[1] ?? null, null, 'b'],
      [times[2] ?? null, 3, null],
    ]),
    options: utc,
    times,
    columns: { mw: [1.5, null, 3], note: ['a', 'b', null] },
  },
  {
    title: 'XLSX: a prompt for the time zone',
    name,
    content: createWorkbook([
      ['time', 'mw'],
      [times[0] ?? null, 1],
    ]),
    needsZone: /2023-01-01/,
  },
  {
    // The workbook library reads an error as an empty cell.
    title: 'XLSX: shared texts, errors, truth values and a formula with its value',
    name,
    content: workbook(
      {
        Sheet1: sheetRows(
          1,
          [shared(0), shared(1), shared(2), shared(3)],
          [time(0), '<c t="e"><v>#N/A</v></c>', '<c t="b"><v>1</v></c>', '<c><f>B3*2</f><v>11</v></c>'],
          [time(1), number(5.5), '<c t="b"><v>0</v></c>', '<c t="str"><f>IF(A1,"x","")</f><v>12.5</v></c>'],
          [time(2), '<c t="e"><v>#DIV/0!</v></c>', '', number(13)],
        ),
      },
      ['time', 'mw', 'flag', 'double'],
    ),
    options: utc,
    times,
    columns: { mw: [null, 5.5, null], flag: [true, false, null], double: [11, 12.5, 13] },
  },
  {
    title: 'XLSX: numbers stored as text',
    name,
    content: workbook({
      Data: sheetRows(
        1,
        [text('time'), text('mw'), text('meter')],
        [time(0), text('1.5'), text('007')],
        [time(1), number(2), text('008')],
        [time(2), text('-3'), text('009')],
      ),
    }),
    options: utc,
    times,
    columns: { mw: [1.5, 2, -3], meter: ['007', '008', '009'] },
  },
  {
    title: 'XLSX: numbers stored as text with a decimal comma',
    name,
    content: workbook({
      Data: sheetRows(
        1,
        [text('time'), text('mw')],
        [time(0), text('1 234,5')],
        [time(1), text('2,25')],
        [time(2), text('-3,0')],
      ),
    }),
    options: utc,
    times,
    columns: { mw: [1234.5, 2.25, -3] },
  },
  {
    title: 'XLSX: a merged title above the heading, and a table that does not start in the corner',
    name,
    content: workbook(
      {
        Report: sheetRows(
          2,
          ['', text('Hourly load report 2023')],
          ['', '', ''],
          ['', text('time'), text('Load (MW)')],
          ['', time(0), number(1)],
          ['', time(1), number(2)],
          ['', time(2), number(3)],
          ['', text('Total'), number(6)],
        ),
      },
      [],
      { merged: '<mergeCells count="1"><mergeCell ref="B2:E2"/></mergeCells>' },
    ),
    options: utc,
    times,
    columns: { Load: [1, 2, 3] },
    units: { Load: 'MW' },
    optional: ['column 1'],
    notes: [/Hourly load report|row|line/i, /total/i],
  },
  {
    title: 'XLSX: the sheet with the table after a cover sheet',
    name,
    content: workbook({
      Cover: sheetRows(1, [text('Load of 2023')], [text('Contact: data desk')]),
      Hours: sheetRows(1, [text('time'), text('mw')], [time(0), number(1)], [time(1), number(2)], [time(2), number(3)]),
    }),
    options: utc,
    times,
    columns: { mw: [1, 2, 3] },
    importedAs: { sheet: 'Hours' },
  },
  {
    title: 'XLSX: the sheet that the user selected',
    name,
    content: workbook({
      '2022': sheetRows(1, [text('time'), text('mw')], [time(0), number(9)]),
      '2023': sheetRows(1, [text('time'), text('mw')], [time(1), number(2)], [time(2), number(3)]),
    }),
    options: { ...utc, sheet: '2023' },
    times: times.slice(1),
    columns: { mw: [2, 3] },
  },
  {
    title: 'XLSX: dates and times of day in two columns',
    name,
    content: workbook({
      Data: sheetRows(
        1,
        [text('Date'), text('Time'), text('mw')],
        [number(44927, 2), number(0, 4), number(1)],
        [number(44927, 2), number(1 / 24, 4), number(2)],
        [number(44927, 2), number(2 / 24, 4), number(3)],
      ),
    }),
    options: utc,
    times,
    columns: { mw: [1, 2, 3] },
    sources: ['Date', 'Time'],
  },
  {
    title: 'XLSX: dates that count from 1904',
    name,
    content: workbook({ Data: sheetRows(1, [text('time'), text('mw')], [number(44927 - 1462, 1), number(1)]) }, [], {
      properties: '<workbookPr date1904="1"/>',
    }),
    options: utc,
    times: times.slice(0, 1),
    columns: { mw: [1] },
  },
  {
    title: 'XLSX: percentages',
    name,
    content: workbook({
      Data: sheetRows(1, [text('time'), text('share')], [time(0), number(0.525, 3)], [time(1), number(1, 3)]),
    }),
    options: utc,
    times: times.slice(0, 2),
    // Only the number format shows percent: the numbers are as stored in the workbook.
    columns: { share: [0.525, 1] },
  },
  {
    title: 'XLSX: times as texts with an offset',
    name,
    content: workbook({
      Data: sheetRows(
        1,
        [text('ts'), text('mw')],
        ...times.map((instant, row) => [text(instant.toISOString()), number(row)]),
      ),
    }),
    times,
    columns: { mw: [0, 1, 2] },
  },
  {
    title: 'XLSX: missing rows between others',
    name,
    content: workbook({
      Data:
        sheetRows(1, [text('time'), text('mw')], [time(0), number(1)]) +
        sheetRows(5, [time(1), number(2)], [time(2), number(3)]),
    }),
    options: utc,
    times,
    columns: { mw: [1, 2, 3] },
  },
  {
    title: 'XLSX: a file of the Eskom Data Portal',
    name: 'Eskom.xlsx',
    content: createWorkbook([
      ['Date Time Hour Beginning', 'Wind', 'PV', 'Battery'],
      [new Date('2023-01-01T00:00Z'), 1500.25, 0, -5],
      [new Date('2023-01-01T01:00Z'), 1400, null, 'n/a'],
    ]),
    times: instants('2022-12-31T22:00Z', '2022-12-31T23:00Z'),
    columns: { wind_mw: [1500.25, 1400], pv_mw: [0, null], Battery: [-5, null] },
    timeZone: 'Africa/Johannesburg',
  },
  {
    // The value is only known after recalculation.
    title: 'XLSX: a formula without its value',
    name,
    content: workbook({
      Data: sheetRows(1, [text('time'), text('mw')], [time(0), number(1)], [time(1), '<c><f>B2*2</f></c>']),
    }),
    options: utc,
    times: times.slice(0, 2),
    columns: { mw: [1, null] },
  },
  {
    title: 'XLSX: texts with several fonts, and escaped XML characters',
    name,
    content: workbook({
      'Load &amp; price': sheetRows(
        1,
        [text('ts'), text('mw &lt;net&gt;'), text('note')],
        [
          text('2023-01-01T00:00Z'),
          number(1),
          '<c t="inlineStr"><is><r><t>a </t></r><r><rPr><b/></rPr><t>bold</t></r><r><t xml:space="preserve"> word</t></r></is></c>',
        ],
      ),
    }),
    times: times.slice(0, 1),
    columns: { 'mw <net>': [1], note: ['a bold word'] },
  },
  {
    title: 'XLSX: long whole numbers, small numbers and many digits',
    name,
    content: workbook({
      Data: sheetRows(
        1,
        [text('ts'), text('a'), text('b')],
        [text('2023-01-01T00:00Z'), '<c><v>123456789012345</v></c>', '<c><v>1.25E-10</v></c>'],
        [text('2023-01-01T01:00Z'), '<c><v>-5</v></c>', '<c><v>0.30000000000000004</v></c>'],
      ),
    }),
    times: times.slice(0, 2),
    columns: { a: [123456789012345, -5], b: [1.25e-10, 0.30000000000000004] },
  },
  { title: 'XLSX: only a heading', name, content: createWorkbook([['time', 'mw']]), columns: { time: [], mw: [] } },
  { title: 'XLSX: an empty sheet', name, content: workbook({ Sheet1: '' }), refusal: /empty/ },
  {
    title: 'XLSX: a workbook named .csv',
    name: 'data.csv',
    content: workbook({ Data: sheetRows(1, [text('ts'), text('mw')], [text('2023-01-01T00:00Z'), number(1)]) }),
    times: times.slice(0, 1),
    columns: { mw: [1] },
  },
  {
    title: 'XLSX: a web page named .xlsx',
    name,
    content: lines('<html><head><title>Sign in</title></head></html>'),
    refusal: /web page.*Sign in/,
  },
  {
    title: 'XLSX: a CSV file named .xlsx',
    name,
    content: lines('ts,mw', '2023-01-01T00:00Z,1', '2023-01-01T01:00Z,2'),
    times: times.slice(0, 2),
    columns: { mw: [1, 2] },
  },
  {
    title: 'XLS: an old workbook',
    name: 'data.xls',
    content: Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0),
    refusal: /xls|Excel/i,
  },
];
