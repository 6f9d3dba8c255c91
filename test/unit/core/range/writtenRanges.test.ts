import assert from 'node:assert/strict';
import { normalizeRange } from '../../../../src/core/range/parseRange.ts';
import { formatSpan } from './spanText.ts';

/** Texts with the same meaning. The first one states its resolved range. */
interface Meaning {
  readonly span: string;
  readonly texts: readonly string[];
  /** The normal form, if it is not the first text. */
  readonly normal?: string;
}

/** This is a Wednesday. */
const now = '2023-10-18T11:25:30Z';

const inUtc: readonly Meaning[] = [
  {
    span: '2023-05-01T00:00Z 2023-06-01T00:00Z',
    texts: [
      ...[
        '2023-05',
        '2023-5',
        '2023/05',
        '2023/5',
        '05/2023',
        '05-2023',
        'May 2023',
        'may, 2023',
        'MAY  2023',
        '2023 May',
        '202305',
      ],
      ...['Mei 2023', 'mei/2023', 'May-2023', 'in May 2023', 'Mei van 2023'],
    ],
  },
  { span: '2023-09-01T00:00Z 2023-10-01T00:00Z', texts: ['2023-09', 'September 2023', 'Sep 2023', 'Sept. 2023'] },
  { span: '2022-12-01T00:00Z 2023-01-01T00:00Z', texts: ['2022-12', 'Desember 2022', 'des 2022', 'December 2022'] },
  {
    span: '2023-05-01T00:00Z 2023-05-02T00:00Z',
    texts: [
      ...[
        '2023-05-01',
        '2023-5-1',
        '2023/05/01',
        '2023.05.01',
        '20230501',
        '1 May 2023',
        '1st of May 2023',
        'May 1, 2023',
      ],
      ...[
        '1-May-2023',
        '1. Mei 2023',
        '1 Mei 2023',
        'Mon 1 May 2023',
        'Monday, 1 May 2023',
        'Ma. 1 Mei 2023',
        '2023-W18-1',
      ],
      ...['2023‑05‑01', '2023−05−01', '2023W181', '2023-05-01..01', '2023-05-01/P1D'],
    ],
  },
  { span: '2023-05-13T00:00Z 2023-05-14T00:00Z', texts: ['2023-05-13', '13/05/2023', '05/13/2023', '13.5.2023'] },
  { span: '2023-05-05T00:00Z 2023-05-06T00:00Z', texts: ['2023-05-05', '05/05/2023'] },
  {
    span: '2023-01-01T00:00Z 2023-04-01T00:00Z',
    texts: [
      ...['2023-Q1', '2023Q1', '2023 q1', 'Q1 2023', 'q1/2023', 'quarter 1 2023', 'kwartaal 1 2023', 'Jan–Mar 2023'],
      ...['Jan-Mar 2023', 'January to March 2023', '2023-01..03', '2023-01/P3M', '2023-01..2023-03', '2023-01/03'],
      ...['202301..202303', '202301-202303'],
    ],
  },
  { span: '2023-07-01T00:00Z 2024-01-01T00:00Z', texts: ['2023-H2', '2023H2', 'H2 2023', 'half 2 2023', 'Q3-Q4 2023'] },
  {
    span: '2023-01-30T00:00Z 2023-02-06T00:00Z',
    texts: ['2023-W05', '2023W05', '2023-w5', 'W5 2023', 'week 5 of 2023', 'week 5 2023', 'week 5 van 2023'],
  },
  {
    span: '2023-01-30T00:00Z 2023-02-20T00:00Z',
    texts: ['2023-W05..2023-W07', '2023-W05..W07', '2023-W05..07', 'W5-W7 2023'],
  },
  {
    span: '2023-05-01T00:00Z 2023-05-04T00:00Z',
    texts: [
      ...['2023-05-01..2023-05-03', '2023-05-01..03', '2023-05-01..05-03', '2023-05-01/2023-05-03', '2023-05-01/03'],
      ...['from 2023-05-01 to 2023-05-03', '2023-05-01 until 2023-05-03', '20230501/20230503', '20230501-20230503'],
      ...['1–3 May 2023', '1-3 May 2023', '1 to 3 May 2023', 'May 1-3, 2023', 'May 1 to 3, 2023', '1 May - 3 May 2023'],
      ...['1 Mei 2023 tot 3 Mei 2023', 'van 1 tot 3 Mei 2023', '2023-05-01/P3D', '2023-05-01..2023-05-03 24:00'],
      ...['2023-05-01-2023-05-03', '2023/05/01 - 2023/05/03'],
    ],
  },
  {
    span: '2022-12-31T00:00Z 2023-01-03T00:00Z',
    texts: ['2022-12-31..2023-01-02', '31/12/2022 - 02/01/2023', '12/31/2022-01/02/2023'],
  },
  {
    span: '2023-05-01T14:00Z 2023-05-01T17:00Z',
    texts: [
      ...[
        '2023-05-01T14:00..2023-05-01T17:00',
        '2023-05-01 14:00-17:00',
        '2023-05-01 14:00..17:00',
        '1 May 2023 14:00 to 17:00',
      ],
      ...['2023-05-01 14h00-17h00', '2023-05-01 2pm-5pm', '1 May 2023 2 pm to 5 pm', '14:00-17:00, 1 May 2023'],
      ...[
        '14:00 to 17:00 on 1 May 2023',
        '20230501T1400/20230501T1700',
        '2023-05-01T14:00/PT3H',
        '2023-05-01 16:00-19:00 SAST',
      ],
      ...['2023-05-01T14:00Z/17:00'],
    ],
  },
  {
    span: '2023-05-01T14:00Z 2023-05-02T00:00Z',
    texts: ['2023-05-01T14:00..2023-05-02T00:00', '2023-05-01 14:00-24:00', '2023-05-01 14:00..24:00'],
  },
  { span: '2023-05-01T00:00Z 2023-05-01T13:00Z', texts: ['2023-05-01T00:00..2023-05-01T13:00', '2023-05-01 12am-1pm'] },
  {
    span: '2023-05-01T12:00Z 2023-05-01T13:00Z',
    texts: ['2023-05-01T12:00..2023-05-01T13:00', '2023-05-01 12:00pm-1:00pm'],
  },
  {
    span: '2023-10-11T11:00Z 2023-10-18T11:00Z',
    texts: [
      'last 7 days',
      'past 7 d',
      '7d',
      '7 days',
      'now-7d',
      'now - 7 days',
      'now-7d..now',
      '7 days ago..',
      'P7D',
      'since 7 days ago',
      'laaste 7 dae',
      'die afgelope 7 dae',
      'P7D/now',
    ],
  },
  {
    span: '2023-10-17T11:00Z 2023-10-18T11:00Z',
    texts: ['last 24 hours', '24h', '24 hours', 'PT24H', 'laaste 24 uur', 'now-24h'],
  },
  { span: '2023-10-16T11:00Z 2023-10-18T11:00Z', texts: ['last 48 hours', '48 hours', '48h'] },
  {
    span: '2023-09-18T11:00Z 2023-10-18T11:00Z',
    texts: ['last 1 month', 'past month', 'the last month', 'P1M', 'afgelope maand'],
  },
  { span: '2023-09-01T00:00Z 2023-10-01T00:00Z', texts: ['last month', 'previous month', 'verlede maand'] },
  { span: '2023-07-01T00:00Z 2023-10-01T00:00Z', texts: ['last quarter', 'previous quarter', 'vorige kwartaal'] },
  {
    span: '2023-10-01T00:00Z 2023-10-18T11:00Z',
    texts: ['quarter to date', 'qtd', 'this quarter', 'hierdie kwartaal', 'kwartaal tot datum'],
  },
  {
    span: '2023-10-17T14:00Z 2023-10-18T09:00Z',
    texts: ['yesterday 14:00..today 09:00', 'gister 14:00 tot vandag 9:00', 'from yesterday 2 pm to today 9 am'],
    normal: 'yesterday 14:00..today 09:00',
  },
  { span: '2023-10-17T14:00Z 2023-10-17T17:00Z', texts: ['yesterday 14:00..yesterday 17:00', 'yesterday 14:00-17:00'] },
  { span: '2023-10-18T00:00Z 2023-10-18T09:00Z', texts: ['yesterday 24:00..today 09:00'] },
  { span: '2023-10-16T00:00Z 2023-10-17T00:00Z', texts: ['Monday', 'mon', 'Maandag', 'last Monday'], normal: '' },
  { span: '2023-10-18T00:00Z 2023-10-19T00:00Z', texts: ['Wednesday', 'Woensdag', 'wed'] },
  { span: '2023-10-11T00:00Z 2023-10-12T00:00Z', texts: ['last Wednesday', 'verlede Woensdag', 'previous wed'] },
  { span: '2023-10-16T00:00Z 2023-10-18T11:00Z', texts: ['Monday..', 'since Monday', 'sedert Maandag', 'vanaf Ma'] },
  {
    span: '2023-05-01T00:00Z 2023-10-18T11:00Z',
    texts: [
      '2023-05-01..',
      'since 2023-05-01',
      'since 1 May 2023',
      'from 1 May 2023',
      '2023-05-01 to now',
      'vanaf 1 Mei 2023',
    ],
  },
  {
    span: '2023-09-01T00:00Z 2023-10-18T11:00Z',
    texts: ['last month..', 'since last month', 'previous month to now', 'sedert verlede maand'],
  },
  { span: '2023-05-01T00:00Z 2023-10-01T00:00Z', texts: ['2023-05..last month', 'from May 2023 to last month'] },
  { span: '2023-07-01T00:00Z 2023-10-18T00:00Z', texts: ['last quarter..yesterday', 'last quarter until yesterday'] },
  { span: '2023-01-01T00:00Z 2023-10-18T11:00Z', texts: ['this year..', 'since this year', 'sedert hierdie jaar'] },
  {
    span: '2023-10-09T00:00Z 2023-10-14T00:00Z',
    texts: ['Monday..Friday', 'Mon-Fri', 'Monday to Friday', 'Maandag tot Vrydag', 'last Monday..last Friday'],
    normal: 'Monday..Friday',
  },
  { span: '2023-10-09T14:00Z 2023-10-13T10:00Z', texts: ['Monday 14:00..Friday 10:00', 'Mon 14:00 to Fri 10:00'] },
  { span: '2023-10-14T00:00Z 2023-10-16T00:00Z', texts: ['Saturday..Sunday', 'Sat - Sun'] },
  { span: '2023-10-16T00:00Z 2023-10-19T00:00Z', texts: ['Monday..today', 'Monday..Wednesday'], normal: '' },
  {
    span: '2023-10-11T11:00Z 2023-10-17T11:00Z',
    texts: ['7 days ago..1 day ago', 'now-7d..now-1d', 'now-7d to now-24h'],
  },
  { span: '2023-04-02T00:00Z 2023-05-02T00:00Z', texts: ['P1M..2023-05-01', 'P1M/2023-05-01'] },
  {
    span: '2022-12-28T00:00Z 2023-01-04T00:00Z',
    texts: [
      ...['2022-12-28..2023-01-03', '28 Dec - 3 Jan 2023', '28 Des–3 Jan 2023', '28 Dec 2022 to 3 January'],
      ...['2022-12-28..01-03', '2022-12-28 2023-01-03', '28 Dec 2022 3 Jan 2023', '20221228 20230103'],
      'Wed 28 Dec - Tue 3 Jan 2023',
    ],
  },
  {
    span: '2022-11-01T00:00Z 2023-03-01T00:00Z',
    texts: [
      '2022-11..2023-02',
      'Nov–Feb 2023',
      'Nov 2022 - Feb',
      'Nov to Feb 2023',
      '2022-11..02',
      'Nov 2022 Feb 2023',
    ],
  },
  { span: '2022-10-01T00:00Z 2023-04-01T00:00Z', texts: ['2022-Q4..2023-Q1', 'Q4-Q1 2023', '2022-Q4 2023-Q1'] },
  {
    span: '2023-05-01T22:00Z 2023-05-02T02:00Z',
    texts: [
      ...['2023-05-01T22:00..2023-05-02T02:00', '2023-05-01 22:00-02:00', '1 May 2023 22:00 to 02:00'],
      ...['Mon 1 May 2023 10 pm - 2 am', '2023-05-01 22:00 2023-05-02 02:00'],
    ],
  },
  {
    span: '2022-12-31T22:00Z 2023-01-01T02:00Z',
    texts: ['2022-12-31T22:00..2023-01-01T02:00', '31 Dec 2022 22:00-02:00'],
  },
  {
    span: '2023-05-01T18:00Z 2023-05-02T06:00Z',
    texts: ['2023-05-01T18:00..2023-05-02T06:00', '1 May 2023 18:00-06:00'],
  },
  { span: '2023-10-17T22:00Z 2023-10-18T02:00Z', texts: ['yesterday 22:00..today 02:00', 'gister 22:00-02:00'] },
  {
    span: '2023-10-18T22:00Z 2023-10-19T02:00Z',
    texts: ['today 22:00..tomorrow 02:00', 'today 22:00-02:00', 'vandag 22:00 tot môre 02:00'],
  },
  {
    span: '2023-10-16T22:00Z 2023-10-17T02:00Z',
    texts: ['Monday 22:00..Tuesday 02:00', 'Monday 22:00-02:00', 'Ma 22h00 tot 02h00'],
  },
  {
    span: '2023-10-15T22:00Z 2023-10-16T02:00Z',
    texts: ['last Sunday 22:00..Monday 02:00', 'last Sunday 10 pm - 2 am', 'verlede Sondag 22:00-02:00'],
  },
  // Today is a Wednesday, so that "Wednesday night" is tonight.
  {
    span: '2023-10-18T22:00Z 2023-10-19T02:00Z',
    texts: ['Wednesday 22:00..Thursday 02:00', 'Wednesday 22:00-02:00', 'Woensdag 22h00 tot Donderdag 02h00'],
  },
  {
    span: '2023-10-11T22:00Z 2023-10-12T02:00Z',
    texts: ['last Wednesday 22:00..Thursday 02:00', 'last Wed 22:00-02:00'],
  },
  {
    span: '2022-04-01T00:00Z 2023-04-01T00:00Z',
    texts: ['2022-04..2023-03', 'FY2022-23', 'FY22/23', '2022/23 FY', 'boekjaar 2022/2023'],
  },
  { span: '2023-05-03T00:00Z 2023-05-04T00:00Z', texts: ['2023-05-03', '2023-123', '2023123'] },
  {
    span: '2023-05-03T14:00Z 2023-05-03T17:00Z',
    texts: ['2023-05-03T14:00..2023-05-03T17:00', '2023-123 14:00-17:00'],
  },
  { span: '2020-12-31T00:00Z 2021-01-01T00:00Z', texts: ['2020-12-31', '2020-366'] },
  { span: '2023-01-01T00:00Z 2023-06-01T00:00Z', texts: ['2023-01..2023-05', '1-5/2023', '01-05/2023', '1..5/2023'] },
  {
    span: '2023-05-13T14:00Z 2023-05-13T17:00Z',
    texts: ['2023-05-13T14:00..2023-05-13T17:00', '13/5 14:00-17:00 2023', '13 Mei 14:00 tot 17:00 2023'],
  },
  {
    span: '2022-12-28T00:00Z 2023-01-04T00:00Z',
    texts: ['2022-12-28..2023-01-03', '28/12 - 3/1 2023', '28.12.-3.1.2023'],
  },
  { span: '2023-05-01T00:00Z 2023-07-01T00:00Z', texts: ['2023-05..2023-06', '2023-05 2023-06', 'May 2023 June 2023'] },
  { span: '2023-01-01T00:00Z 2025-01-01T00:00Z', texts: ['2023..2024', '2023-2024', '2023–2024'] },
];

describe('a range in its various spellings', () => {
  for (const { span, texts, normal } of inUtc)
    it(`parses ${texts[0] ?? ''} in ${texts.length} spellings`, () => {
      for (const text of texts) {
        assert.equal(formatSpan(text, now), span, text);
        assert.equal(formatSpan(text.toUpperCase(), now), span, text.toUpperCase());
        assert.equal(formatSpan(`  ${text.replaceAll(' ', '   ')}\t`, now), span, text);
      }
      if (normal !== '') assert.equal(normalizeRange(texts[0] ?? ''), normal ?? texts[0]);
    });
});
