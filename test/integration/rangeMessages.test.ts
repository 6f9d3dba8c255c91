import assert from 'node:assert/strict';
import { resolveQuery, type Query } from '../../src/core/query/query.ts';
import { describeTypedQuery } from '../../src/host/query/rangeStep.ts';
import { describeQueryProblem } from '../../src/host/messages/problems.ts';

const utc = { timeZone: 'UTC', label: 'UTC' };
const sast = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };
const now = Date.UTC(2023, 10, 23, 2, 10);

function query(range: string, interval = '1h'): Query {
  return { dataset: 'systemState', range, interval, params: {}, timeZone: 'UTC' };
}

describe('the description of a typed range', () => {
  const meanings: readonly (readonly [range: string, inUtc: string, inSast: string])[] = [
    [
      'last month',
      '1–31 Oct · 1 Oct 00:00 – 1 Nov 00:00 UTC · 744 hours',
      '1–31 Oct SAST · 30 Sep 22:00 – 31 Oct 22:00 UTC · 744 hours',
    ],
    [
      'past month',
      '31 days to now · 23 Oct 02:00 – 23 Nov 02:00 UTC · 744 hours',
      '31 days to now · 23 Oct 02:00 – 23 Nov 02:00 UTC · 744 hours',
    ],
    ['24h', '24 hours to now · 22 Nov 02:00 – 23 Nov 02:00 UTC', '24 hours to now · 22 Nov 02:00 – 23 Nov 02:00 UTC'],
    ['today', '2 hours to now · 23 Nov 00:00 – 23 Nov 02:00 UTC', '4 hours to now · 22 Nov 22:00 – 23 Nov 02:00 UTC'],
    [
      '1-5 May 2022',
      '1–5 May 2022 · 1 May 2022 00:00 – 6 May 2022 00:00 UTC · 120 hours',
      '1–5 May 2022 SAST · 30 Apr 2022 22:00 – 5 May 2022 22:00 UTC · 120 hours',
    ],
    ['1 May 2023 14:00-17:00', '1 May 14:00 – 1 May 17:00 UTC · 3 hours', '1 May 12:00 – 1 May 15:00 UTC · 3 hours'],
  ];
  for (const [range, inUtc, inSast] of meanings)
    it(`shows whether the range “${range}” is relative, and its start and end`, () => {
      assert.equal(describeTypedQuery(query(range), now).text, inUtc);
      assert.equal(describeTypedQuery({ ...query(range), timeZone: sast.timeZone }, now).text, inSast);
    });

  it('shows the UTC days that a range of daily values covers', () => {
    const text = '16–22 Nov · 16 Nov 00:00 – 23 Nov 00:00 UTC · 7 days';
    for (const { timeZone } of [utc, sast])
      assert.equal(describeTypedQuery({ ...query('last 7 days', '1d'), timeZone }, now).text, text);
  });
});

describe('the message about an invalid range', () => {
  const sentences: readonly (readonly [range: string, sentence: string])[] = [
    ['', 'Enter a range such as May 2023, 2023-01-01..2023-01-31 or last 36 hours.'],
    ['soon', "'soon' isn't a valid time range. Try 2023-05 or last 36 hours."],
    ['01/05/2023', "'01/05/2023' could be 2023-05-01 or 2023-01-05. Type the one you mean."],
    ['1/5/23', "'1/5/23' could be 2023-05-01 or 2023-01-05 or 2001-05-23. Type the one you mean."],
    ['2022/23', "'2022/23' could be 2022-04..2023-03 or 2022..2023. Type the one you mean."],
    ['winter 2023', "'winter 2023' could be 2023-06..2023-08 or 2023-12..2024-02. Type the one you mean."],
    ['FY2023', "'FY2023' could be 2022-04..2023-03 or 2023-04..2024-03. Type the one you mean."],
    ['1 May', "'1 May' has no year. Add one, as in May 2023."],
    ['until March 2023', "'until March 2023' has no start. Add one, as in January to March 2023."],
    ['last night', "'last night' isn't a valid time range. Try 'yesterday 22:00..today 06:00'."],
    ['two days ago', "'two days ago' could be 2 days before today or last 2 days. Type the one you mean."],
    ['Tue 1 May 2023', "'Tue 1 May 2023' does not exist in the calendar. Check the date, its weekday and the time."],
    ['2023-05-03..2023-05-01', 'The end is not after the start; put the earlier time first.'],
    [
      '2023-05-01 17:00-14:00',
      "'2023-05-01 17:00-14:00' could be 2023-05-01T17:00..2023-05-02T14:00 or 2023-05-01T14:00..2023-05-01T17:00. Type the one you mean.",
    ],
    ['P101Y', 'The range is longer than 100 years; check the years.'],
  ];
  for (const [range, sentence] of sentences)
    it(`explains what is wrong with the range “${range}”`, () => {
      const resolved = resolveQuery(query(range), now);
      assert.ok(!resolved.ok);
      assert.equal(describeQueryProblem(resolved), sentence);
    });
});
