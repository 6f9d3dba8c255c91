import assert from 'node:assert/strict';
import { createFileResult } from '../../../../src/core/dataFile/fileResult.ts';
import type { ImportOptions } from '../../../../src/shared/importOptions.ts';
import { readTextTable } from '../../../../src/core/dataFile/textTable.ts';
import { findTimeColumn } from '../../../../src/core/frame/clip.ts';
import { cellState } from '../../../../src/shared/frame.ts';
import { createWorkbook } from '../../../support/workbook.ts';

const minuteMs = 60_000;
const timeZone = 'Africa/Johannesburg';
const day = Date.UTC(2026, 4, 1);
/** Midnight at the start of 1 May 2026 in South Africa. */
const midnight = day - 120 * minuteMs;
/** The minutes of a day at which half hours end: 00:30 to 24:00. */
const ends = Array.from({ length: 48 }, (_, index) => (index + 1) * 30);

function formatClock(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map(part => String(part).padStart(2, '0')).join(':');
}

/** Returns the instants of a number of rows, in minutes from midnight. */
function listInstants(first: number, count: number, step = 30): number[] {
  return Array.from({ length: count }, (_, index) => midnight + (first + index * step) * minuteMs);
}

function createLines(heading: string, dates: readonly string[], formatRow: (date: string, minutes: number) => string) {
  return [heading, ...dates.flatMap(date => ends.map(minutes => formatRow(date, minutes)))].join('\r\n');
}

/** Energies such as 30,25 with a decimal comma: the minutes of the row and a quarter. */
const formatCommaRow = (date: string, minutes: number) => `${date};${formatClock(minutes)};${minutes},25`;

/** Reads a file and returns what the tests compare; gaps are null. */
async function read(content: string | Uint8Array, options: ImportOptions = { timeZone }) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const parsed = await readTextTable(bytes, options);
  if (parsed.kind !== 'table') return parsed;
  const { table } = parsed;
  const { result, intervalFrom, duplicates } = createFileResult(table, 'meter.csv');
  const numbers = table.frame?.columns.filter(column => column.kind === 'number') ?? [];
  const time = table.frame && findTimeColumn(table.frame);
  return {
    kind: parsed.kind,
    instants: [...(time?.values ?? [])],
    interval: result.provenance.interval,
    intervalFrom,
    duplicates,
    span: [result.provenance.start, result.provenance.end],
    missing: result.coverage?.missing,
    zone: table.zone,
    offersHourEnd: table.offersHourEnd ?? false,
    columns: Object.fromEntries(
      numbers.map(({ name, values, gaps }) => [
        name,
        Array.from(values, (value, row) => ((gaps?.[row] ?? cellState.value) === cellState.value ? value : null)),
      ]),
    ),
  };
}

async function readRows(content: string | Uint8Array, options?: ImportOptions) {
  const file = await read(content, options);
  assert.ok(file.kind === 'table', file.kind);
  return file;
}

describe('files of half-hourly meters with a date, a time and kWh', () => {
  const dates = ['2026/05/01', '2026/05/02'];
  const text = createLines('Date;Time;kWh', dates, formatCommaRow);

  it('read times from 00:30 to 24:00 as beginnings, and offer to read them as ends', async () => {
    const { instants, interval, intervalFrom, duplicates, missing, zone, offersHourEnd, columns } =
      await readRows(text);
    assert.deepEqual(instants, listInstants(30, 96));
    assert.deepEqual([interval, intervalFrom, duplicates, missing], ['30m', 'rows', 0, 0]);
    assert.deepEqual(zone, { source: 'user', timeZone });
    assert.equal(offersHourEnd, true);
    assert.deepEqual(
      columns['kWh'],
      dates.flatMap(() => ends.map(minutes => minutes + 0.25)),
    );
  });

  it('read times as ends of half hours if the user selects it, so that the days are whole', async () => {
    const { instants, interval, span, offersHourEnd } = await readRows(text, { timeZone, hour: 'end' });
    assert.deepEqual(instants, listInstants(0, 96));
    assert.deepEqual(span, [midnight, midnight + 2 * 1440 * minuteMs]);
    assert.deepEqual([interval, offersHourEnd], ['30m', false]);
  });

  it('offer ends for times without a colon, and for quarter hours', async () => {
    const digits = createLines('Date,Time,kWh', ['20260501', '20260502'], (date, minutes) =>
      [date, formatClock(minutes).replace(':', ''), minutes].join(),
    );
    const quarters = Array.from({ length: 96 }, (_, index) => `2026/05/01;${formatClock((index + 1) * 15)};1,5`);
    for (const [content, interval, instants] of [
      [digits, '30m', listInstants(30, 96)],
      [['Date;Time;kWh', ...quarters].join('\n'), '15m', listInstants(15, 96, 15)],
    ] as const) {
      const file = await readRows(content);
      assert.deepEqual([file.interval, file.offersHourEnd, file.instants], [interval, true, instants]);
    }
  });

  it('offer no ends for times from 00:00 to 23:30, nor if the last is 00:00 of the next day', async () => {
    const beginnings = createLines('Date;Time;kWh', dates, (date, minutes) => formatCommaRow(date, minutes - 30));
    const nextDay = ends.map(minutes => formatCommaRow(dates[Math.floor(minutes / 1440)] ?? '', minutes % 1440));
    for (const [content, first, count] of [
      [beginnings, 0, 96],
      [['Date;Time;kWh', ...nextDay].join('\n'), 30, 48],
    ] as const) {
      const file = await readRows(content);
      assert.deepEqual([file.interval, file.offersHourEnd], ['30m', false]);
      assert.deepEqual(file.instants, listInstants(first, count));
    }
  });

  it('read half hours as ending at their times if the heading names the end', async () => {
    for (const heading of [
      'Period End',
      'Time Ending',
      'Hour Ending',
      'Half Hour Ending',
      'End Time',
      'EndTime',
      'End',
    ]) {
      const { instants, interval } = await readRows(createLines(`Date;${heading};kWh`, dates, formatCommaRow));
      assert.deepEqual([interval, instants], ['30m', listInstants(0, 96)], heading);
    }
  });

  it('read half hours numbered 1 to 48 as beginning on the date', async () => {
    for (const heading of ['Period', 'Half Hour', 'half_hour_ending', 'Interval']) {
      const numbered = createLines(`Date;${heading};kWh`, dates, (date, minutes) => `${date};${minutes / 30};1,5`);
      const { instants, interval, duplicates, offersHourEnd } = await readRows(numbered);
      assert.deepEqual(
        [interval, duplicates, offersHourEnd, instants],
        ['30m', 0, false, listInstants(0, 96)],
        heading,
      );
    }
  });

  it('number the half hours of a day with a clock change as they pass', async () => {
    const format = (date: string, count: number): string[] =>
      Array.from({ length: count }, (_, index) => `${date};${index + 1};1,5`);
    // The clocks of London changed on 29 March and 25 October 2026.
    for (const [date, count] of [
      ['2026-03-29', 46],
      ['2026-10-25', 50],
    ] as const) {
      const nextDay = new Date(Date.parse(date) + 1440 * minuteMs).toISOString().slice(0, 10);
      const lines = ['Date;Settlement Period;kWh', ...format(date, count), ...format(nextDay, 48)];
      const { instants, missing, duplicates } = await readRows(lines.join('\n'), { timeZone: 'Europe/London' });
      assert.deepEqual([instants.length, missing, duplicates], [count + 48, 0, 0], date);
    }
  });

  it('keep the numbers of a file with one row a day as numbers', async () => {
    const days = Array.from(
      { length: 30 },
      (_, index) => `2026-05-${String(index + 1).padStart(2, '0')};${index + 20};1,5`,
    );
    const { instants, columns } = await readRows(['Date;Period;kWh', ...days].join('\n'));
    assert.deepEqual([instants.length, Object.keys(columns)], [30, ['Period', 'kWh']]);
  });

  it('offer ends for times with seconds', async () => {
    const text = createLines('Date;Time;kWh', dates, (date, minutes) => `${date};${formatClock(minutes)}:00;1,5`);
    assert.equal((await readRows(text)).offersHourEnd, true);
    const beginnings = createLines(
      'Date;Time;kWh',
      dates,
      (date, minutes) => `${date};${formatClock(minutes - 30)}:24;1,5`,
    );
    assert.equal((await readRows(beginnings)).offersHourEnd, false);
  });

  it('read hours that end at 01:00 to 24:00 as an hour earlier', async () => {
    const hours = dates.flatMap(date =>
      Array.from({ length: 24 }, (_, hour) => `${date};${formatClock((hour + 1) * 60)};1,5`),
    );
    const { instants, interval } = await readRows(['Date;Hour Ending;kWh', ...hours].join('\n'));
    assert.deepEqual([interval, instants], ['1h', listInstants(0, 48, 60)]);
  });

  it('find the order of day and month from other dates, and ask if no date decides it', async () => {
    const readDates = (...written: string[]) => read(createLines('Date;Time;kWh', written, formatCommaRow));
    assert.deepEqual(await readDates('01/05/2026', '02/05/2026'), { kind: 'needsDateOrder', example: '01/05/2026' });
    const file = await readDates('30/04/2026', '01/05/2026');
    assert.ok(file.kind === 'table');
    assert.deepEqual(file.instants, listInstants(30 - 1440, 96));
  });

  it('ask for the zone if the user has selected none', async () => {
    assert.deepEqual(await read(text, {}), { kind: 'needsZone', example: '2026/05/01 00:30' });
  });

  it('have gaps for empty cells, and missing half hours without a row', async () => {
    const rows = ends
      .filter(minutes => minutes !== 300 && minutes !== 330)
      .map(minutes => `2026/05/01;${formatClock(minutes - 30)};${minutes === 60 ? '' : '1 234,5'}`);
    const { interval, missing, columns } = await readRows(['Date;Time;kWh', ...rows].join('\n'));
    assert.deepEqual([interval, missing], ['30m', 2]);
    assert.deepEqual(columns['kWh']?.slice(0, 3), [1234.5, null, 1234.5]);
  });

  it('leave out the lines of the meter above the heading, and the total below the rows', async () => {
    const content = `Meter: 12345678\r\nPeriod: May 2026\r\n\r\n${text}\r\nTotal;;69144,00`;
    const { instants, columns } = await readRows(content);
    assert.deepEqual(instants, listInstants(30, 96));
    assert.equal(columns['kWh']?.length, 96);
  });
});

describe('files of half-hourly meters with a timestamp', () => {
  it('read import, export and reactive energy as numbers', async () => {
    const content = createLines('Timestamp,Import kWh,Export kWh,kVArh', ['2026-05-01'], (date, minutes) =>
      [`${date} ${formatClock(minutes - 30)}`, `${minutes}.5`, '0', '-0.25'].join(),
    );
    const { instants, interval, offersHourEnd, columns } = await readRows(content);
    assert.deepEqual([interval, offersHourEnd, instants], ['30m', false, listInstants(0, 48)]);
    assert.deepEqual(Object.keys(columns), ['Import kWh', 'Export kWh', 'kVArh']);
    assert.deepEqual(
      columns['Import kWh'],
      ends.map(minutes => minutes + 0.5),
    );
    assert.deepEqual(new Set([...(columns['Export kWh'] ?? []), ...(columns['kVArh'] ?? [])]), new Set([0, -0.25]));
  });

  it('offer to read times to 24:00 as ends', async () => {
    const content = createLines(
      'Timestamp,kWh',
      ['2026-05-01'],
      (date, minutes) => `${date} ${formatClock(minutes)},1`,
    );
    const { instants, offersHourEnd } = await readRows(content);
    assert.deepEqual([offersHourEnd, instants], [true, listInstants(30, 48)]);
    assert.deepEqual((await readRows(content, { timeZone, hour: 'end' })).instants, listInstants(0, 48));
  });

  it('read 24:00 in a workbook as the end of the day', async () => {
    const excelDay = Date.UTC(1899, 11, 30);
    const rows = ends.map(minutes => [new Date(day), new Date(excelDay + minutes * minuteMs), minutes]);
    const workbook = createWorkbook([['Date', 'Time', 'kWh'], ...rows]);
    const { instants, offersHourEnd } = await readRows(workbook);
    assert.deepEqual([offersHourEnd, instants], [true, listInstants(30, 48)]);
    assert.deepEqual((await readRows(workbook, { timeZone, hour: 'end' })).instants, listInstants(0, 48));
  });

  it('read dates of a workbook, in one column or with times of day in another', async () => {
    const excelDay = Date.UTC(1899, 11, 30);
    const oneColumn = ends.map(minutes => [new Date(day + minutes * minuteMs), minutes]);
    const twoColumns = ends.map(minutes => [
      new Date(day + Math.floor(minutes / 1440) * 1440 * minuteMs),
      new Date(excelDay + (minutes % 1440) * minuteMs),
      minutes,
    ]);
    for (const rows of [
      [['Timestamp', 'kWh'], ...oneColumn],
      [['Date', 'Time', 'kWh'], ...twoColumns],
    ]) {
      const { instants, interval, columns } = await readRows(createWorkbook(rows));
      assert.deepEqual([interval, instants], ['30m', listInstants(30, 48)]);
      assert.deepEqual(columns['kWh'], ends);
    }
  });
});
