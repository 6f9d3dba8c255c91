import type { ImportOptions } from '../../../../../src/shared/importOptions.ts';
import { instants, every, lines, type RealWorldFile, utc } from './realWorldFile.ts';

const berlin: ImportOptions = { timeZone: 'Europe/Berlin' };
/** The hours around the end of daylight saving in Berlin in 2023. */
const changeOfClocks = ['01:00', '02:00', '02:00', '03:00'].map(hour => `2023-10-29 ${hour}`);
const beforeChange = '2023-10-28T23:00Z';

/** Ambiguous texts, for which a wrong number or time would not be noticed. */
export const mistakableFiles: readonly RealWorldFile[] = [
  {
    title: 'an offset that matches the zone abbreviation before it',
    content: lines('ts,mw', '2023-01-01 10:00 SAST+02:00,1', '2023-01-01 11:00 SAST+0200,2'),
    times: every(60, '2023-01-01T08:00Z', 2),
    columns: { mw: [1, 2] },
  },
  {
    title: 'an offset that contradicts the zone abbreviation before it',
    content: lines('ts,mw', '2023-01-01 10:00 EST+0200,1', '2023-01-01 11:00 EST+0200,2'),
    columns: { ts: ['2023-01-01 10:00 EST+0200', '2023-01-01 11:00 EST+0200'], mw: [1, 2] },
    notes: [/'ts' is text/],
  },
  {
    title: 'ranges without spaces, which are not offsets',
    content: lines('ts,mw', '2023-01-01 13:00-14:00,1', '2023-01-01 14:00-15:00,2'),
    columns: { ts: ['2023-01-01 13:00-14:00', '2023-01-01 14:00-15:00'], mw: [1, 2] },
    notes: [/'ts' is text/],
  },
  {
    title: 'a column name that contains the letters DST, without a meaning for the repeated hour',
    content: lines('ts;Windstrom', ...changeOfClocks.map(time => `${time};1,5`)),
    options: berlin,
    times: every(60, beforeChange, 4),
    columns: { Windstrom: [1.5, 1.5, 1.5, 1.5] },
  },
  {
    title: 'a DST column with words other than yes and no',
    content: lines('ts;dst;mw', ...changeOfClocks.map((time, row) => `${time};${row < 2 ? 'summer' : 'winter'};1`)),
    options: berlin,
    times: every(60, beforeChange, 4),
    columns: { dst: ['summer', 'summer', 'winter', 'winter'], mw: [1, 1, 1, 1] },
  },
  {
    title: 'several rows for each hour, one of them repeated',
    content: lines('ts;area;mw', ...changeOfClocks.flatMap(time => ['A', 'B'].map(area => `${time};${area};1`))),
    options: berlin,
    times: every(60, beforeChange, 4).flatMap(time => [time, time]),
    columns: { area: ['A', 'B', 'A', 'B', 'A', 'B', 'A', 'B'], mw: [1, 1, 1, 1, 1, 1, 1, 1] },
  },
  {
    title: 'descending rows with a repeated hour',
    content: lines('ts;mw', ...changeOfClocks.toReversed().map(time => `${time};1`)),
    options: berlin,
    times: every(60, beforeChange, 4).toReversed(),
    columns: { mw: [1, 1, 1, 1] },
  },
  {
    title: 'a column of sunrise times, which are not the times of the rows',
    content: lines('Date,Sunrise,mwh', '2023-01-01,05:12,3', '2023-01-02,05:13,4'),
    options: utc,
    times: every(24 * 60, '2023-01-01T00:00Z', 2),
    columns: { Sunrise: ['05:12', '05:13'], mwh: [3, 4] },
  },
  {
    title: 'commas and points between three digits in one column',
    content: lines('ts,mw', '2023-01-01T00:00Z,1.234', '2023-01-01T01:00Z,"1,234"'),
    times: every(60, '2023-01-01T00:00Z', 2),
    columns: { mw: ['1.234', '1,234'] },
    notes: [/'mw' is text: '1,234' in line 3 can be 1234 or 1.234/],
  },
  {
    title: 'thousands split by a comma',
    content: lines('ts,mw,mvar', '2023-01-01T00:00Z,100.5,5', '2023-01-01T01:00Z,1,234.5,7'),
    refusal: /line 3 has 4 cells.*a comma may split a number/,
  },
  {
    title: 'a row with an invalid time, long after a line of words between rows',
    content: lines(
      'ts;mw;mvar',
      ...['00', '01', '02', '03'].map(hour => `2023-01-01T${hour}:00Z;1;2`),
      'changed;by hand',
      '2023-01-01T04:00Z;1;2',
      'about 5;1;2',
    ),
    columns: {
      ts: [...['00', '01', '02', '03', '04'].map(hour => `2023-01-01T${hour}:00Z`), 'about 5'],
      mw: [1, 1, 1, 1, 1, 1],
      mvar: [2, 2, 2, 2, 2, 2],
    },
    notes: [/'changed' in line 6/, /'ts' is text because of 'about 5' in line 8/],
  },
  {
    title: 'a cell with thousands of commas',
    content: lines('ts\tmw\ttext', `2023-01-01T00:00Z\t1\t${','.repeat(3000)}`, '2023-01-01T01:00Z\t2\tb'),
    times: every(60, '2023-01-01T00:00Z', 2),
    columns: { mw: [1, 2], text: [','.repeat(3000), 'b'] },
  },
  {
    title: 'half a million spaces after a time',
    content: lines('ts,mw', '2023-01-01T00:00Z,1', `2023-01-01 01:00${' '.repeat(500_000)}!,2`),
    columns: { ts: ['2023-01-01T00:00Z', `2023-01-01 01:00${' '.repeat(500_000)}!`], mw: [1, 2] },
    notes: [/'ts' is text/],
  },
  {
    title: 'a heading line that the user selected for a longer file',
    content: lines('ts,mw', '2023-01-01T00:00Z,1', '2023-01-01T01:00Z,2'),
    options: { headingLine: 40 },
    times: every(60, '2023-01-01T00:00Z', 2),
    columns: { mw: [1, 2] },
  },
  {
    title: 'a heading far below others, as the user selected',
    content: lines(...Array.from({ length: 400 }, (_, line) => `remark ${line}`), 'ts;mw', '2023-01-01T00:00Z;1'),
    options: { headingLine: 401 },
    times: instants('2023-01-01T00:00Z'),
    columns: { mw: [1] },
    notes: [/400 lines above the table/],
  },
];
