import assert from 'node:assert/strict';
import { suggestRange } from '../../../../src/core/range/exampleRange.ts';
import { normalizeRange, parseRange } from '../../../../src/core/range/parseRange.ts';
import { toAfrikaansRange } from '../../../../src/core/range/printRange.ts';
import { formatShort, resolveText, formatSpan } from './spanText.ts';

/** A Wednesday in spring; in UTC its last full hour is 11:00. */
const now = '2023-10-18T11:25:30Z';

/** Maps each resolved range in UTC to its spellings. The ranges were worked out by hand from a calendar. */
const expectations: readonly (readonly [span: string, ...texts: string[]])[] = [
  ['2023-10-16T00:00Z 2023-10-17T00:00Z', 'day before yesterday', 'the day before yesterday', 'eergister'],
  ['2023-10-16T00:00Z 2023-10-17T00:00Z', '2 days before today', 'two days before today', '2 dae voor vandag'],
  ['2023-10-13T00:00Z 2023-10-14T00:00Z', '5 days before today', '4 days before yesterday', 'vyf dae voor vandag'],
  ['2023-10-16T14:00Z 2023-10-16T17:00Z', 'day before yesterday 14:00-17:00', 'eergister 14h00-17h00'],
  ['2023-10-16T22:00Z 2023-10-17T02:00Z', 'day before yesterday 22:00-02:00', 'eergister 22:00 tot gister 02:00'],
  ['2023-10-16T00:00Z 2023-10-18T11:00Z', 'since the day before yesterday', 'sedert eergister'],
  ['2023-10-11T11:00Z 2023-10-18T11:00Z', 'last seven days', 'past seven days', 'seven days', 'laaste sewe dae'],
  ['2023-10-04T11:00Z 2023-10-18T11:00Z', 'last two weeks', 'laaste twee weke', 'afgelope 2 weke', 'two weeks'],
  ['2022-10-18T11:00Z 2023-10-18T11:00Z', 'last twelve months', 'laaste twaalf maande'],
  ['2023-10-18T02:00Z 2023-10-18T11:00Z', 'last nine hours', 'laaste nege uur', 'past nine hrs'],
  ['2023-10-18T10:00Z 2023-10-18T11:00Z', 'an hour ago', '1 hour ago', "'n uur gelede", '’n uur gelede'],
  ['2023-10-11T11:00Z 2023-10-18T11:00Z', 'since seven days ago', 'since a week ago', 'sedert sewe dae gelede'],
  ['2023-10-02T00:00Z 2023-10-09T00:00Z', 'week before last', '2 weeks before this week', '1 week before last week'],
  ['2023-08-01T00:00Z 2023-09-01T00:00Z', 'month before last', 'the month before last', '2 maande voor hierdie maand'],
  ['2021-01-01T00:00Z 2022-01-01T00:00Z', 'year before last', '2 years before this year'],
  ['2023-04-01T00:00Z 2023-10-01T00:00Z', '2 quarters before this quarter..last quarter'],
  ['2023-01-01T00:00Z 2023-04-01T00:00Z', 'first quarter of 2023', '1st quarter 2023', 'eerste kwartaal 2023'],
  [
    '2023-01-01T00:00Z 2023-04-01T00:00Z',
    '1ste kwartaal 2023',
    '1ste kwartaal van 2023',
    'the first quarter of 2023',
    'the 1st quarter of 2023',
  ],
  ['2023-04-01T00:00Z 2023-07-01T00:00Z', 'second quarter of 2023', '2nd quarter, 2023', '2de kwartaal van 2023'],
  [
    '2022-10-01T00:00Z 2023-01-01T00:00Z',
    'fourth quarter of 2022',
    'last quarter of 2022',
    'the last quarter of 2022',
    '2022 4th quarter',
  ],
  [
    '2022-10-01T00:00Z 2023-01-01T00:00Z',
    'last quarter of last year',
    'laaste kwartaal van verlede jaar',
    'Q4 last year',
  ],
  ['2022-07-01T00:00Z 2023-01-01T00:00Z', 'second half of 2022', 'tweede helfte van 2022', '2nd half 2022'],
  ['2022-07-01T00:00Z 2023-01-01T00:00Z', 'last half of 2022', 'H2 last year', 'second half of last year'],
  ['2023-01-01T00:00Z 2023-07-01T00:00Z', 'first half of 2023', 'first half of this year', 'eerste halfjaar 2023'],
  ['2022-01-01T00:00Z 2022-10-01T00:00Z', 'first quarter to third quarter 2022', 'Q1 - Q3 last year'],
  ['2023-05-01T00:00Z 2023-05-08T00:00Z', 'week of 1 May 2023', 'the week of 2023-05-01', 'week van 1 Mei 2023'],
  [
    '2023-01-01T00:00Z 2023-03-01T00:00Z',
    'Jan and Feb 2023',
    'January and February 2023',
    'Januarie en Februarie 2023',
  ],
  ['2022-12-01T00:00Z 2023-02-01T00:00Z', 'Dec and Jan 2023', 'Dec 2022 and Jan 2023'],
  ['2022-01-01T00:00Z 2022-07-01T00:00Z', 'Q1 and Q2 2022', '1Q22-2Q22', '1Q and 2Q 2022'],
  ['2023-07-01T00:00Z 2023-10-01T00:00Z', '3Q23', '3Q2023', '3Q 2023', "3Q'23"],
  ['2023-10-17T18:00Z 2023-10-17T20:00Z', 'yesterday 6-8pm', 'yesterday 6–8 pm', 'gister 6 tot 8pm'],
  ['2023-05-01T00:00Z 2023-05-04T00:00Z', 'between 1 May 2023 and 3 May 2023', 'between 1 and 3 May 2023'],
  [
    '2023-05-01T00:00Z 2023-05-04T00:00Z',
    'tussen 1 en 3 Mei 2023',
    'tussen 1 Mei en 3 Mei 2023',
    'first to third of May 2023',
  ],
  [
    '2023-05-01T14:00Z 2023-05-01T17:00Z',
    'between 14:00 and 17:00 on 1 May 2023',
    '1 May 2023 between 14:00 and 17:00',
  ],
  [
    '2023-01-01T00:00Z 2023-04-01T00:00Z',
    'between January and March 2023',
    'Jan through March 2023',
    'Jan till Mar 2023',
  ],
  ['2022-01-01T00:00Z 2023-10-18T11:00Z', '2022 to date', '2022 tot datum', '2022 onwards', 'since 2022'],
  ['2023-05-01T00:00Z 2023-10-18T11:00Z', 'May 2023 to date', 'from 1 May 2023 onwards'],
  ['2022-05-01T00:00Z 2022-06-01T00:00Z', 'May last year', 'last year May', 'Mei verlede jaar', 'May of last year'],
  ['2023-05-01T00:00Z 2023-06-01T00:00Z', 'May this year', 'Mei vanjaar', 'Mei hierdie jaar'],
  ['2021-05-01T00:00Z 2021-06-01T00:00Z', 'May 2 years before this year', 'Mei 2 jaar voor hierdie jaar'],
  ['2022-05-01T00:00Z 2022-05-02T00:00Z', '1 May last year', 'first of May last year', '1 Mei verlede jaar'],
  [
    '2022-05-01T00:00Z 2022-08-01T00:00Z',
    'May to July last year',
    'May last year to July last year',
    'May-July last year',
  ],
  ['2021-11-01T00:00Z 2022-03-01T00:00Z', 'Nov-Feb last year', 'Nov 2021 - Feb last year'],
  ['2022-11-01T00:00Z 2023-03-01T00:00Z', 'Nov-Feb this year', 'November last year to February this year'],
  ['2023-10-14T00:00Z 2023-10-16T00:00Z', 'last weekend', 'previous weekend', 'verlede naweek'],
  ['2023-06-01T00:00Z 2023-09-01T00:00Z', 'last winter', 'verlede winter', 'past winter'],
  ['2022-12-01T00:00Z 2023-03-01T00:00Z', 'last summer', 'verlede somer', 'afgelope somer'],
  ['2023-03-01T00:00Z 2023-06-01T00:00Z', 'last autumn', 'last fall', 'verlede herfs'],
  ['2022-09-01T00:00Z 2022-12-01T00:00Z', 'last spring', 'verlede lente'],
  ['2023-06-01T00:00Z 2023-10-18T11:00Z', 'since last winter', 'sedert verlede winter'],
  ['2022-12-01T00:00Z 2023-09-01T00:00Z', 'last summer to last winter'],
  ['2023-01-01T00:00Z 2023-02-01T00:00Z', "Jan '23", 'Jan ’23', "January '23", "Jan'23", "01/'23"],
  ['2023-05-01T00:00Z 2023-05-02T00:00Z', "1 May '23", "1 Mei '23", "Mon 1 May '23"],
  ['2023-01-01T00:00Z 2023-04-01T00:00Z', "Q1 '23", "first quarter '23", "Jan-Mar '23"],
  ['2022-04-01T00:00Z 2023-04-01T00:00Z', "FY'22/'23", "FY '22-23"],
  [
    '2023-09-01T00:00Z 2023-10-01T00:00Z',
    'the previous month',
    'prior month',
    'preceding month',
    'last calendar month',
  ],
  ['2023-09-01T00:00Z 2023-10-01T00:00Z', 'last full month', 'the last complete month', 'laaste volle maand'],
  ['2023-07-01T00:00Z 2023-10-01T00:00Z', 'last 3 full months', 'last three calendar months', 'laaste 3 volle maande'],
  ['2023-10-11T00:00Z 2023-10-18T00:00Z', 'last 7 whole days', 'last seven full days'],
  [
    '2023-10-11T11:00Z 2023-10-18T11:00Z',
    'rolling 7 days',
    'trailing 7 days',
    'over the past week',
    'within the last 7 days',
  ],
  ['2023-10-04T11:00Z 2023-10-18T11:00Z', 'last fortnight', 'past fortnight', 'the last fortnight'],
  [
    '2022-01-01T00:00Z 2023-01-01T00:00Z',
    'during 2022',
    'gedurende 2022',
    'all of 2022',
    'the whole of 2022',
    'heel 2022',
  ],
  [
    '2022-01-01T00:00Z 2023-01-01T00:00Z',
    'die hele 2022',
    'full year 2022',
    'the year 2022',
    'in the year 2022',
    'die jaar 2022',
  ],
  ['2022-01-01T00:00Z 2023-01-01T00:00Z', 'calendar year 2022', 'kalenderjaar 2022'],
  [
    '2023-05-01T00:00Z 2023-06-01T00:00Z',
    'the month of May 2023',
    'during May 2023',
    'die maand Mei 2023',
    'maand van Mei 2023',
  ],
  ['2022-04-01T00:00Z 2023-04-01T00:00Z', 'finansiële jaar 2022/23', 'die finansiele jaar 2022/23'],
  [
    '2023-01-01T00:00Z 2023-10-18T11:00Z',
    'this year so far',
    'so far this year',
    'jaar tot op hede',
    '2023 tot op hede',
  ],
  [
    '2023-01-01T00:00Z 2023-10-18T11:00Z',
    'since the start of the year',
    'from start of 2023',
    'sedert die begin van die jaar',
  ],
  ['2023-10-18T00:00Z 2023-10-18T11:00Z', 'today so far', 'since midnight', 'sedert middernag'],
  ['2023-10-14T00:00Z 2023-10-16T00:00Z', 'past weekend', 'afgelope naweek'],
  ['2023-10-02T00:00Z 2023-10-09T00:00Z', 'voorverlede week'],
  ['2021-01-01T00:00Z 2022-01-01T00:00Z', 'voorverlede jaar'],
  ['2023-01-30T00:00Z 2023-02-06T00:00Z', 'wk 5 2023'],
  ['2023-10-17T18:00Z 2023-10-17T20:00Z', 'yesterday from 18:00 to 20:00', 'yesterday from 6pm until 8pm'],
  ['2023-10-16T00:00Z 2023-10-18T11:00Z', 'vandeesweek', 'this week', 'wtd'],
  ['2023-10-01T00:00Z 2023-10-18T11:00Z', 'vandeesmaand', 'this month', 'mtd'],
  ['2023-01-01T00:00Z 2023-10-18T11:00Z', 'vanjaar', 'this year', 'ytd'],
];

describe('a range in everyday language', () => {
  for (const [span, ...texts] of expectations)
    it(`resolves ${texts.join(', ')}`, () => {
      for (const text of texts) {
        for (const spelling of [text, text.toUpperCase(), ` ${text.replaceAll(' ', '  ')} `])
          assert.equal(formatSpan(spelling, now), span, spelling);
        const normal = normalizeRange(text);
        assert.equal(formatSpan(normal, now), span, normal);
        assert.equal(normalizeRange(normal), normal);
        assert.equal(normalizeRange(toAfrikaansRange(normal)), normal, toAfrikaansRange(normal));
      }
    });

  const ambiguous: readonly (readonly [text: string, ...spans: string[]])[] = [
    ['two days ago', '2023-10-16T00:00Z 2023-10-17T00:00Z', '2023-10-16T11:00Z 2023-10-18T11:00Z'],
    ['3 dae gelede', '2023-10-15T00:00Z 2023-10-16T00:00Z', '2023-10-15T11:00Z 2023-10-18T11:00Z'],
    ['a day ago', '2023-10-17T00:00Z 2023-10-18T00:00Z', '2023-10-17T11:00Z 2023-10-18T11:00Z'],
    ['24 hours ago', '2023-10-17T11:00Z 2023-10-17T12:00Z', '2023-10-17T11:00Z 2023-10-18T11:00Z'],
    ['two weeks ago', '2023-10-02T00:00Z 2023-10-09T00:00Z', '2023-10-04T11:00Z 2023-10-18T11:00Z'],
    ['3 months ago', '2023-07-01T00:00Z 2023-08-01T00:00Z', '2023-07-18T11:00Z 2023-10-18T11:00Z'],
    ['2 quarters ago', '2023-04-01T00:00Z 2023-07-01T00:00Z', '2023-04-18T11:00Z 2023-10-18T11:00Z'],
    ['1 jaar gelede', '2022-01-01T00:00Z 2023-01-01T00:00Z', '2022-10-18T11:00Z 2023-10-18T11:00Z'],
    ['last 2 quarters', '2023-04-18T11:00Z 2023-10-18T11:00Z', '2023-04-01T00:00Z 2023-10-01T00:00Z'],
    ['laaste twee kwartale', '2023-04-18T11:00Z 2023-10-18T11:00Z', '2023-04-01T00:00Z 2023-10-01T00:00Z'],
    ['past quarter', '2023-07-18T11:00Z 2023-10-18T11:00Z', '2023-07-01T00:00Z 2023-10-01T00:00Z'],
    ['ytd 2022', '2022-01-01T00:00Z 2023-01-01T00:00Z', '2022-01-01T00:00Z 2023-10-18T11:00Z'],
    ['2022 ytd', '2022-01-01T00:00Z 2023-01-01T00:00Z', '2022-01-01T00:00Z 2023-10-18T11:00Z'],
    ['mtd May 2023', '2023-05-01T00:00Z 2023-06-01T00:00Z', '2023-05-01T00:00Z 2023-10-18T11:00Z'],
    ['1 May 2023 18:00', '2023-05-01T18:00Z 2023-10-18T11:00Z', '2023-05-01T18:00Z 2023-05-01T19:00Z'],
    ['2023-05-01T16:00Z', '2023-05-01T16:00Z 2023-10-18T11:00Z', '2023-05-01T16:00Z 2023-05-01T17:00Z'],
    ['gister 18h00', '2023-10-17T18:00Z 2023-10-18T11:00Z', '2023-10-17T18:00Z 2023-10-17T19:00Z'],
    ['winter last year', '2022-06-01T00:00Z 2022-09-01T00:00Z', '2022-12-01T00:00Z 2023-03-01T00:00Z'],
    ['18h', '2023-10-17T17:00Z 2023-10-18T11:00Z', '2023-10-17T18:00Z 2023-10-17T19:00Z'],
    ['week of 3 May 2023', '2023-05-01T00:00Z 2023-05-08T00:00Z', '2023-05-03T00:00Z 2023-05-10T00:00Z'],
    ['1/5 last year', '2022-05-01T00:00Z 2022-05-02T00:00Z', '2022-01-05T00:00Z 2022-01-06T00:00Z'],
    ['May - March last year', '2021-05-01T00:00Z 2022-04-01T00:00Z', '2022-03-01T00:00Z 2022-06-01T00:00Z'],
  ];
  for (const [text, ...spans] of ambiguous)
    it(`offers the possible ranges of ${text}`, () => {
      const parsed = parseRange(text);
      assert.ok(!parsed.ok && parsed.problem === 'ambiguous', JSON.stringify(parsed));
      assert.deepEqual(
        parsed.readings.map(reading => formatSpan(reading, now)),
        spans,
        parsed.readings.join(),
      );
    });

  const invalidRanges: readonly (readonly [text: string, problem: string, example?: string])[] = [
    ...[
      'until March 2023',
      'up to March 2023',
      'before March 2023',
      'tot Maart 2023',
      '..2023-03',
      'until yesterday',
    ].map(text => [text, 'startMissing'] as const),
    ['2023-05-01T18:00:00.123456Z..2023-05-02', 'tooFine', '2023-05-01T18:00:00.123Z..2023-05-02'],
    // Each of these has several plausible meanings.
    ...[
      ...[
        'Saturdays',
        'last Mondays',
        'first quarter',
        'second half',
        'first week',
        'first week of 2023',
        'first week of May 2023',
      ],
      ...[
        'last week of 2023',
        'this weekend',
        'this winter',
        'summer this year',
        'before',
        'between 1 May 2023',
        'and',
        '1 a.m.',
      ],
      ...[
        'between 1 and 2 and 3 May 2023',
        'last month to date',
        'Mon 1 May last year',
        'week 5 last year',
        'evening',
        'May next year',
      ],
      ...[
        '1 May last year 14:00-17:00',
        'last year last year',
        'last year 2023',
        '5000 days before today',
        'May and June',
        'a',
        'to soon',
      ],
      ...[
        'May this year to date',
        '2023-05-01T14:00-17:00',
        'last May',
        '2 days ago yesterday',
        '0 days ago',
        'whole 7 days',
        'year',
        'from start',
        'last year 2023',
        "'23 months",
        "last '23 days",
        "'23 days ago",
        'a 2023',
        '3 eergister',
        'in two weeks',
        'in 7 days',
        'since date',
        'between May 2023 and',
        'seven May 2023',
        'one 2023',
        'two hrs 2023',
        '0 days before today',
        'last 0 quarters',
        "'5",
        "'235",
      ],
    ].map(text => [text, ''] as const),
    ['29 Feb last year', 'noSuchDate'],
    ['fifth quarter 2023', 'notUnderstood'],
    ['5th quarter 2023', 'noSuchDate'],
    ['3rd half 2023', 'noSuchDate'],
  ];
  for (const [text, problem, example] of invalidRanges)
    it(`rejects ${text}${example === undefined ? '' : ` and gives ${example} as an example`}`, () => {
      const parsed = resolveText(text, { now: Date.parse(now), timeZone: 'UTC', intervalMs: 3_600_000 });
      assert.ok(!parsed.ok, JSON.stringify(parsed));
      assert.ok(
        parsed.problem === problem || (problem === '' && parsed.problem !== 'ambiguous'),
        JSON.stringify(parsed),
      );
      if (parsed.problem === 'tooFine') assert.equal(parsed.example, example);
    });

  const examples: readonly (readonly [text: string, example: string | undefined])[] = [
    ['yesterday evening', 'yesterday 18:00..yesterday 24:00'],
    ['gisteraand', 'yesterday 18:00..yesterday 24:00'],
    ['eergisteraand', '2 days before today 18:00..2 days before today 24:00'],
    ['this morning', 'today 06:00..today 12:00'],
    ['tonight', 'today 22:00..tomorrow 06:00'],
    ['last night', 'yesterday 22:00..today 06:00'],
    ['Monday night', 'Monday 22:00..Tuesday 06:00'],
    ['1 May 2023 afternoon', '2023-05-01T12:00..2023-05-01T18:00'],
    ['2023-05-01 evening', '2023-05-01T18:00..2023-05-02T00:00'],
    ['evening', 'yesterday 18:00..yesterday 24:00'],
    ['6-8pm', 'yesterday 18:00..yesterday 20:00'],
    ['18h00', 'yesterday 18:00..PT1H'],
    ['after 18:00', 'yesterday 18:00..PT1H'],
    ['between 18:00 and 20:00', 'yesterday 18:00..yesterday 20:00'],
    ['Monday last week', 'last week'],
    ['Maandag verlede week', 'last week'],
    ['last 90 minutes', 'last 2 hours'],
    ['laaste 45 minute', 'last 1 hour'],
    ['30m', 'last 1 hour'],
    ['end of May 2023', '2023-05'],
    ['einde van Mei 2023', '2023-05'],
    ['mid-May 2023', '2023-05'],
    ['first week of May 2023', '2023-05'],
    ['May 2023?', '2023-05'],
    ['early May', 'May last year'],
    ['Jan and Mar 2023', '2023-01..2023-03'],
    ['Mondays', 'Monday'],
    ['Saturday and Sunday', 'Saturday..Sunday'],
    ['this weekend', 'last Saturday..last Sunday'],
    ['this winter', 'last winter'],
    ['week 5 last year', 'last year'],
    ['week ending 5 May 2023', '2023-05-05'],
    ['1 May last year 14:00-17:00', '1 May last year'],
    ['Mon 1 May last year', '1 May last year'],
    ['holidays 2023', '2023'],
    ['soon', undefined],
    ['last 24', undefined],
    ['5', undefined],
    ['x 1 2 3 4 5 6 7 8 9 10 11 2023', undefined],
  ];
  for (const [text, example] of examples)
    it(`rejects ${text} and proposes ${example ?? 'nothing'}`, () => {
      const parsed = parseRange(text);
      assert.ok(!parsed.ok && parsed.problem === 'notUnderstood', JSON.stringify(parsed));
      assert.equal(suggestRange(parsed.part), example);
      if (example !== undefined) assert.ok(parseRange(example).ok);
    });

  const inZones: readonly (readonly [zone: string, at: string, text: string, span: string])[] = [
    // Berlin's clocks go forward on Sunday 26 March 2023 and back on Sunday 29 October.
    ['Europe/Berlin', '2023-03-28T10:10Z', 'day before yesterday', '2023-03-25T23:00Z 2023-03-26T22:00Z'],
    ['Europe/Berlin', '2023-03-27T10:10Z', 'last weekend', '2023-03-24T23:00Z 2023-03-26T22:00Z'],
    ['Europe/Berlin', '2023-10-30T10:10Z', 'last weekend', '2023-10-27T22:00Z 2023-10-29T23:00Z'],
    ['Europe/Berlin', '2024-02-01T10:10Z', 'fourth quarter of 2023', '2023-09-30T22:00Z 2023-12-31T23:00Z'],
    ['Europe/Berlin', '2024-02-01T10:10Z', 'October last year', '2023-09-30T22:00Z 2023-10-31T23:00Z'],
    ['Europe/Berlin', '2023-10-30T10:10Z', 'last seven days', '2023-10-23T09:00Z 2023-10-30T10:00Z'],
    // The evening of 31 December in UTC is in the new year in South Africa.
    ['Africa/Johannesburg', '2023-12-31T22:30Z', 'May last year', '2023-04-30T22:00Z 2023-05-31T22:00Z'],
    ['UTC', '2023-12-31T22:30Z', 'May last year', '2022-05-01T00:00Z 2022-06-01T00:00Z'],
    ['Africa/Johannesburg', '2023-10-17T22:30Z', 'eergister', '2023-10-15T22:00Z 2023-10-16T22:00Z'],
    ['Asia/Kolkata', '2023-10-18T11:25Z', '2 weeks before this week', '2023-10-01T18:00Z 2023-10-08T19:00Z'],
    // Midnight does not exist in São Paulo on 4 November 2018.
    ['America/Sao_Paulo', '2018-11-06T12:00Z', 'day before yesterday', '2018-11-04T03:00Z 2018-11-05T02:00Z'],
    // “Last” does not mean the current weekend or season.
    ['UTC', '2023-10-14T12:00Z', 'last weekend', '2023-10-07T00:00Z 2023-10-09T00:00Z'],
    ['UTC', '2023-10-15T12:00Z', 'last weekend', '2023-10-07T00:00Z 2023-10-09T00:00Z'],
    ['UTC', '2023-10-16T00:00Z', 'last weekend', '2023-10-14T00:00Z 2023-10-16T00:00Z'],
    ['UTC', '2023-08-31T23:59Z', 'last winter', '2022-06-01T00:00Z 2022-09-01T00:00Z'],
    ['UTC', '2023-09-01T00:00Z', 'last winter', '2023-06-01T00:00Z 2023-09-01T00:00Z'],
    ['UTC', '2024-01-15T12:00Z', 'last summer', '2022-12-01T00:00Z 2023-03-01T00:00Z'],
    ['UTC', '2024-02-29T12:00Z', 'last summer', '2022-12-01T00:00Z 2023-03-01T00:00Z'],
    ['UTC', '2024-03-01T00:00Z', 'last summer', '2023-12-01T00:00Z 2024-03-01T00:00Z'],
    ['UTC', '2023-12-15T12:00Z', 'last summer', '2022-12-01T00:00Z 2023-03-01T00:00Z'],
    // This February has 29 days.
    ['UTC', '2025-05-01T12:00Z', 'February last year', '2024-02-01T00:00Z 2024-03-01T00:00Z'],
    ['UTC', '2025-05-01T12:00Z', 'February this year', '2025-02-01T00:00Z 2025-03-01T00:00Z'],
  ];
  for (const [zone, present, text, span] of inZones)
    it(`resolves ${text} in ${zone} at ${present}`, () => {
      assert.equal(formatSpan(text, present, zone), span);
    });

  it('finds the same days for every count as an independent calendar', () => {
    const getMidnight = Date.parse('2023-10-18T00:00Z');
    for (let count = 1; count <= 999; count += 7)
      assert.equal(
        formatSpan(`${count} days before today`, now),
        `${formatShort(getMidnight - count * 86_400_000)} ${formatShort(getMidnight - (count - 1) * 86_400_000)}`,
      );
  });
});
