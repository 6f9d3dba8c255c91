import type { ImportOptions } from '../../../../../src/shared/importOptions.ts';
import { instants, every, lines, type RealWorldFile, utc } from './realWorldFile.ts';

const start = '2023-01-01T00:00Z';
const berlin: ImportOptions = { timeZone: 'Europe/Berlin' };

/** A column of times, and a column with 1, 2, 3 …. */
function createCsv(heading: string, times: readonly string[], separator = ','): string {
  return lines(`${heading}${separator}mw`, ...times.map((time, row) => `${time}${separator}${row + 1}`));
}

function numberTimes(count: number): { readonly mw: number[] } {
  return { mw: Array.from({ length: count }, (_, row) => row + 1) };
}

/** The first two hours of 2023, written in different formats. */
const twoHours: readonly (readonly [
  title: string,
  heading: string,
  first: string,
  second: string,
  options?: ImportOptions,
])[] = [
  ['minutes and Z', 'ts', '2023-01-01T00:00Z', '2023-01-01T01:00Z'],
  ['milliseconds and Z', 'ts', '2023-01-01T00:00:00.000Z', '2023-01-01T01:00:00.000Z'],
  ['an offset with a colon', 'ts', '2023-01-01 02:00:00+02:00', '2023-01-01 03:00:00+02:00'],
  ['an offset without a colon', 'ts', '2023-01-01T02:00:00+0200', '2023-01-01T03:00:00+0200'],
  ['a short offset', 'ts', '2023-01-01 02:00:00+02', '2023-01-01 03:00:00+02'],
  ['a short offset west of Greenwich', 'ts', '2022-12-31 19:00:00-05', '2022-12-31 20:00:00-05'],
  ['an offset after a blank', 'ts', '2023-01-01 02:00:00 +0200', '2023-01-01 03:00:00 +0200'],
  ['UTC behind', 'ts', '2023-01-01 00:00:00 UTC', '2023-01-01 01:00:00 UTC'],
  ['GMT behind', 'ts', '2023-01-01 00:00 GMT', '2023-01-01 01:00 GMT'],
  ['Z after a blank', 'ts', '2023-01-01 00:00:00 Z', '2023-01-01 01:00:00 Z'],
  ['nanoseconds', 'ts', '2023-01-01T00:00:00.000000000Z', '2023-01-01T01:00:00.000000000Z'],
  ['the basic form with Z', 'ts', '20230101T0000Z', '20230101T0100Z'],
  ['the basic form with seconds and Z', 'ts', '20230101T000000Z', '20230101T010000Z'],
  ['the basic form with a blank', 'time', '20230101 00:00', '20230101 01:00', utc],
  ['the form of PVGIS', 'time', '20230101:0000', '20230101:0100', utc],
  ['the zone in the heading', 'Time (UTC)', '2023-01-01 00:00', '2023-01-01 01:00'],
  ['the zone in brackets in the heading', 'Datetime [UTC]', '2023-01-01 00:00', '2023-01-01 01:00'],
  ['the zone in the name', 'timestamp_utc', '2023-01-01 00:00:00', '2023-01-01 01:00:00'],
  ['GMT in the name', 'INTERVALSTARTTIME_GMT', '2023-01-01T00:00:00-00:00', '2023-01-01T01:00:00-00:00'],
  ['South African time in the heading', 'ts (SAST)', '2023-01-01 02:00', '2023-01-01 03:00'],
  ['GMT in brackets without a blank', 'ObservationTime(GMT)', '01/01/2023 00:00', '01/01/2023 01:00'],
  ['hours without minutes', 'period', '2023-01-01T00', '2023-01-01T01', utc],
  ['hours without minutes, with an offset', 'period', '2022-12-31T19-05', '2022-12-31T20-05'],
  ['slashes, the year first', 'time', '2023/01/01 00:00', '2023/01/01 01:00', utc],
  ['points, the year first', 'time', '2023.01.01 00:00:00', '2023.01.01 01:00:00', utc],
  ['digits without zeros', 'time', '2023-1-1 0:00', '2023-1-1 1:00', utc],
  ['the mail form', 'time', '"Sun, 01 Jan 2023 00:00:00 GMT"', '"Sun, 01 Jan 2023 01:00:00 GMT"'],
  ['a month’s name and two digits of the year', 'time', '01-Jan-23 00:00', '01-Jan-23 01:00', utc],
  ['a month’s name in capitals', 'time', '01-JAN-2023 00:00:00', '01-JAN-2023 01:00:00', utc],
  ['a month’s name with halves of the day', 'time', '"Jan 1, 2023 12:00 AM"', '"Jan 1, 2023 1:00 AM"', utc],
  ['a whole month’s name', 'time', '1 January 2023 00:00', '1 January 2023 01:00', utc],
  ['seven decimals', 'ts', '2023-01-01T00:00:00.0000000Z', '2023-01-01T01:00:00.0000000Z'],
  ['an offset of half an hour', 'ts', '2023-01-01 05:30:00+0530', '2023-01-01 06:30:00+0530'],
  ['a month’s name in the middle', 'time', '2023-Jan-01 00:00', '2023-Jan-01 01:00', utc],
  ['the form of SAS', 'time', '01JAN2023:00:00:00', '01JAN2023:01:00:00', utc],
  ['halves of the day behind a date with the year first', 'time', '2023-01-01 12:00 AM', '2023-01-01 01:00 AM', utc],
  ['epochs of another name', 'timestamp_ms', '1672531200000', '1672534800000'],
  ['epochs of another name without a blank', 'UnixTimestamp', '1672531200', '1672534800'],
  ['epochs in seconds', 'time', '1672531200', '1672534800'],
  ['epochs in milliseconds', 'timestamp', '1672531200000', '1672534800000'],
  ['epochs in microseconds', 'Timestamp', '1672531200000000', '1672534800000000'],
  ['epochs in nanoseconds', 'unix_time', '1672531200000000000', '1672534800000000000'],
  ['epochs with decimals', 'epoch', '1672531200.0', '1672534800.0'],
  ['epochs in quotes', 'ts', '"1672531200"', '"1672534800"'],
  [
    'ranges',
    'MTU (UTC)',
    '01.01.2023 00:00 - 01.01.2023 01:00',
    '01.01.2023 01:00 - 01.01.2023 02:00',
    { dateOrder: 'day first' },
  ],
  [
    'ranges of two times with Z',
    'interval',
    '2023-01-01T00:00Z/2023-01-01T01:00Z',
    '2023-01-01T01:00Z/2023-01-01T02:00Z',
  ],
  [
    'ranges, the year first',
    'period',
    '2023-01-01 00:00 - 2023-01-01 01:00',
    '2023-01-01 01:00 - 2023-01-01 02:00',
    utc,
  ],
];

/** Times as programs and users write them. */
export const timeFiles: readonly RealWorldFile[] = [
  ...twoHours.map(([title, heading, first, second, options]): RealWorldFile => ({
    title: `times: ${title}`,
    content: createCsv(heading, [first, second]),
    ...(options && { options }),
    times: every(60, start, 2),
    columns: numberTimes(2),
  })),
  {
    title: 'ranges across a repeated hour, from ENTSO-E',
    content: lines(
      '"MTU (CET/CEST)","Area","Day-ahead Price (EUR/MWh)"',
      '"25/10/2026 01:00:00 - 25/10/2026 02:00:00","BZN|NL","51.5"',
      '"25/10/2026 02:00:00 (CEST) - 25/10/2026 02:00:00 (CET)","BZN|NL","-0.01"',
      '"25/10/2026 02:00:00 (CET) - 25/10/2026 03:00:00","BZN|NL","1,022.11"',
      '"25/10/2026 03:00:00 - 25/10/2026 04:00:00","BZN|NL","n/e"',
    ),
    times: every(60, '2026-10-24T23:00Z', 4),
    columns: {
      Area: Array.from({ length: 4 }, () => 'BZN|NL'),
      'Day-ahead Price (EUR/MWh)': [51.5, -0.01, 1022.11, null],
    },
    notes: [/'n\/e'/, /day first/],
  },
  {
    title: 'quarter hours in the older range format of ENTSO-E',
    content: lines(
      '"MTU (CET/CEST)";"Actual Total Load [MW] - BZN|DE-LU"',
      '"29.03.2026 01:30 - 29.03.2026 01:45";"41000"',
      '"29.03.2026 01:45 - 29.03.2026 03:00";"-"',
      '"29.03.2026 03:00 - 29.03.2026 03:15";"41500"',
    ),
    times: every(15, '2026-03-29T00:30Z', 3),
    columns: { 'Actual Total Load [MW] - BZN|DE-LU': [41000, null, 41500] },
  },
  {
    title: 'a prompt for the time zone',
    content: createCsv('time', ['2023-01-01 00:00', '2023-01-01 01:00']),
    needsZone: /2023-01-01 00:00/,
  },
  {
    title: 'a prompt for the time zone: PVGIS',
    content: createCsv('time', ['20230101:0010', '20230101:0110']),
    needsZone: /20230101:0010/,
  },
  {
    title: 'a clock that is set back, without any marking',
    content: createCsv('time', ['2026-10-25 01:00', '2026-10-25 02:00', '2026-10-25 02:00', '2026-10-25 03:00']),
    options: berlin,
    times: every(60, '2026-10-24T23:00Z', 4),
    columns: numberTimes(4),
  },
  {
    title: 'a clock that is set back, in quarter hours',
    content: createCsv(
      'time',
      ['01:45', '02:00', '02:15', '02:30', '02:45', '02:00', '02:15', '02:30', '02:45', '03:00'].map(
        clock => `25.10.2026 ${clock}`,
      ),
    ),
    options: berlin,
    times: every(15, '2026-10-24T23:45Z', 10),
    columns: numberTimes(10),
  },
  {
    title: 'the zone abbreviation after each time',
    content: createCsv('time', [
      '2026-10-25 01:00 CEST',
      '2026-10-25 02:00 CEST',
      '2026-10-25 02:00 CET',
      '2026-10-25 03:00 CET',
    ]),
    times: every(60, '2026-10-24T23:00Z', 4),
    columns: numberTimes(4),
  },
  {
    title: 'day-first dates, as another row shows',
    content: createCsv('time', ['10/05/2023 00:00', '13/05/2023 12:30']),
    options: utc,
    times: instants('2023-05-10T00:00Z', '2023-05-13T12:30Z'),
    columns: numberTimes(2),
    notes: [/day first/],
  },
  {
    title: 'month-first dates with AM and PM, as another row shows',
    content: createCsv('time', ['5/10/2023 12:00:00 AM', '5/13/2023 1:30:00 PM', '5/13/2023 12:00:00 PM']),
    options: utc,
    times: instants('2023-05-10T00:00Z', '2023-05-13T13:30Z', '2023-05-13T12:00Z'),
    columns: numberTimes(3),
    notes: [/month first/],
  },
  {
    title: 'two-digit years, where only the month can be first',
    content: createCsv('time', ['01/30/24 13:00', '01/31/24 13:00']),
    options: utc,
    times: instants('2024-01-30T13:00Z', '2024-01-31T13:00Z'),
    columns: numberTimes(2),
    notes: [/month first/],
  },
  {
    title: 'ambiguous dates: a prompt for their order',
    content: createCsv('time', ['01/02/2023', '01/03/2023', '02/03/2023']),
    options: utc,
    needsDateOrder: /01\/02\/2023/,
  },
  {
    title: 'ambiguous dates, with the order that the user selected',
    content: createCsv('time', ['01/02/2023', '01/03/2023', '02/03/2023']),
    options: { ...utc, dateOrder: 'month first' },
    times: instants('2023-01-02T00:00Z', '2023-01-03T00:00Z', '2023-02-03T00:00Z'),
    columns: numberTimes(3),
  },
  {
    title: 'dates whose day and month are equal, without a prompt',
    content: createCsv('time', ['01/01/2023 00:00', '01/01/2023 01:00']),
    options: utc,
    times: every(60, start, 2),
    columns: numberTimes(2),
  },
  {
    title: 'dates with points',
    content: createCsv('Datum', ['30.12.2023', '31.12.2023', '01.01.2024'], ';'),
    options: utc,
    times: every(1440, '2023-12-30T00:00Z', 3),
    columns: numberTimes(3),
  },
  {
    title: 'the hour 24:00',
    content: createCsv('ts', ['2023-01-01 22:00', '2023-01-01 23:00', '2023-01-01 24:00']),
    options: utc,
    times: every(60, '2023-01-01T22:00Z', 3),
    columns: numberTimes(3),
  },
  {
    title: 'the hour 24:00:00 with an offset, at the end of a year',
    content: createCsv('ts', ['2023-12-31T23:00:00Z', '2023-12-31T24:00:00Z']),
    times: every(60, '2023-12-31T23:00Z', 2),
    columns: numberTimes(2),
  },
  {
    title: 'an impossible date, which makes the column text',
    content: createCsv('ts', ['2023-02-27T00:00Z', '2023-02-29T00:00Z']),
    columns: { ts: ['2023-02-27T00:00Z', '2023-02-29T00:00Z'], ...numberTimes(2) },
    notes: [/'ts'.*'2023-02-29T00:00Z'.*line 3/],
  },
  {
    title: 'some missing times',
    content: createCsv('ts', ['2023-01-01T00:00Z', '', 'NaT', '2023-01-01T03:00Z']),
    times: instants('2023-01-01T00:00Z', null, null, '2023-01-01T03:00Z'),
    columns: numberTimes(4),
    notes: [/'ts'.*'NaT'/],
  },
  {
    title: 'times with one offset before and another after a clock change',
    content: createCsv('ts', ['2026-10-25T02:00:00+02:00', '2026-10-25T02:00:00+01:00', '2026-10-25T03:00:00+01:00']),
    times: every(60, '2026-10-25T00:00Z', 3),
    columns: numberTimes(3),
  },
  {
    title: 'seconds with a decimal comma',
    content: createCsv('ts', ['"2023-01-01T00:00:00,500Z"', '"2023-01-01T00:00:01,000Z"']),
    times: instants('2023-01-01T00:00:00.500Z', '2023-01-01T00:00:01Z'),
    columns: numberTimes(2),
  },
  {
    title: 'large numbers in a column whose name is not a time',
    content: lines('ts,id', '2023-01-01T00:00Z,1672531200', '2023-01-01T01:00Z,1672534800'),
    times: every(60, start, 2),
    columns: { id: [1672531200, 1672534800] },
  },
  {
    title: 'years in a column whose name is a time',
    content: lines('time,gwh', '2021,1', '2022,2'),
    columns: { time: [2021, 2022], gwh: [1, 2] },
  },
  {
    title: 'day-first dates with dashes, without leading zeros',
    content: createCsv('time', ['30-1-2023 0:00', '31-1-2023 0:00', '1-2-2023 0:00']),
    options: utc,
    times: every(1440, '2023-01-30T00:00Z', 3),
    columns: numberTimes(3),
  },
  {
    title: 'the last day of February in a leap year',
    content: createCsv('time', ['28.02.2024', '29.02.2024', '01.03.2024'], ';'),
    options: utc,
    times: every(1440, '2024-02-28T00:00Z', 3),
    columns: numberTimes(3),
  },
  {
    title: 'dates in both orders, which make the column text, with a note',
    content: createCsv('time', ['13/05/2023', '05/13/2023', '01/02/2023']),
    options: utc,
    columns: { time: ['13/05/2023', '05/13/2023', '01/02/2023'], ...numberTimes(3) },
    notes: [/'time'.*'05\/13\/2023'.*line 3/i],
  },
  {
    title: 'a name that contains the word time, in a column of other values',
    content: createCsv('ts,downtime', ['2023-01-01T00:00Z,1672531200', '2023-01-01T01:00Z,5']),
    times: every(60, start, 2),
    columns: { downtime: [1672531200, 5], ...numberTimes(2) },
  },
];
