import assert from 'node:assert/strict';
import fc from 'fast-check';
import { normalizeRange, parseRange } from '../../../../src/core/range/parseRange.ts';
import { resolveText, formatSpan } from './spanText.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const now = '2023-05-17T14:25:30Z';

describe('normalizeRange', () => {
  const forms: readonly (readonly [string, string])[] = [
    ['  Last   36\tHours ', 'last 36 hours'],
    ['past 36h', 'last 36 hours'],
    ['2023-01-01 to 2023-02-01', '2023-01-01..2023-02-01'],
    ['2023-01-01 … 2023-02-01', '2023-01-01..2023-02-01'],
    ['2023-01 – 2023-03', '2023-01..2023-03'],
    ['2023-01–2023-03', '2023-01..2023-03'],
    ['2023-01 - 2023-03', '2023-01..2023-03'],
    ['2023-01...2023-03', '2023-01..2023-03'],
    ['2023-01....2023-03', '2023-01..2023-03'],
    ['2023-q1', '2023-Q1'],
    ['2023-w07', '2023-W07'],
    ['2023-05-01t05:00z..', '2023-05-01T05:00Z..'],
    ['2023-05-01T05:00:30.5+02:00..', '2023-05-01T03:00:30.500Z..'],
    ['Month To Date', 'month to date'],
    ['2023-05-01 until now', '2023-05-01..'],
    ['May 2023', '2023-05'],
    ['P1M/May 2023', 'P1M..2023-05'],
    ['now-1d..now', 'last 1 day'],
    [' Next Week ', 'Next Week'],
  ];
  for (const [text, normal] of forms)
    it(`normalizes ${JSON.stringify(text)} to ${normal}`, () => {
      assert.equal(normalizeRange(text), normal);
    });

  it('normalizes a normalized range to itself', () => {
    fc.assert(
      fc.property(scraps, text => {
        const once = normalizeRange(text);
        assert.equal(normalizeRange(once), once);
      }),
      { numRuns: scaleRunCount(2000) },
    );
  });
});

describe('parseRange', () => {
  const invalidRanges: readonly (readonly [text: string, problem: string, part?: string])[] = [
    ['', 'empty'],
    [' \t\n', 'empty'],
    ['next week', 'notUnderstood', 'next week'],
    ['now', 'notUnderstood', 'now'],
    ['..', 'notUnderstood', '..'],
    ['..2023', 'startMissing', '..2023'],
    ['until 2023', 'startMissing', 'until 2023'],
    ['2023..2024..2025', 'notUnderstood', '2023..2024..2025'],
    ['2023..soon', 'notUnderstood', 'soon'],
    ['2023-Q5', 'noSuchDate', '2023-Q5'],
    ['last 3 fortnights', 'notUnderstood', 'last 3 fortnights'],
    ['last -1 days', 'notUnderstood', 'last -1 days'],
    ['last 1.5 days', 'notUnderstood', 'last 1.5 days'],
    ['last 1234567 days', 'notUnderstood', 'last 1234567 days'],
    ['2023-05-01T05Z..', 'notUnderstood', '2023-05-01T05Z'],
    ['__proto__', 'notUnderstood', '__proto__'],
    ['constructor', 'notUnderstood', 'constructor'],
    ['last 0 hours', 'notUnderstood', 'last 0 hours'],
    ['0h', 'notUnderstood', '0h'],
    ['30m', 'notUnderstood', '30m'],
    ['202313', 'noSuchDate', '202313'],
    ['2023-366', 'noSuchDate', '2023-366'],
    ['2023-000', 'noSuchDate', '2023-000'],
    ['2023000', 'noSuchDate', '2023000'],
    ['2023-121-05', 'notUnderstood', '2023-121-05'],
    ['2023 123', 'notUnderstood', '2023 123'],
    ['30/13/23', 'noSuchDate', '30/13/23'],
    ['1/5/23/7', 'notUnderstood', '1/5/23/7'],
    ['1 May 23', 'yearMissing', '1 May 23'],
    ['FY2022-24', 'notUnderstood', 'FY2022-24'],
    ['14:00-17:00 2023', 'notUnderstood', '14:00-17:00 2023'],
    // Neither of its two readings ends after it begins.
    ['5 - 3/1 2023', 'endNotAfterStart'],
    ['summer 2022/23', 'notUnderstood', 'summer 2022/23'],
    ['FY 23 2023', 'notUnderstood', 'FY 23 2023'],
    ['2023-', 'notUnderstood', '2023-'],
    ['-2023', 'notUnderstood', '-2023'],
    ['2023--05', 'notUnderstood', '2023--05'],
    ['2023-05 14:00..', 'notUnderstood', '2023-05 14:00'],
    ['yesterday 14:00 UTC..', 'notUnderstood', 'yesterday 14:00 UTC'],
    ['yesterday Monday', 'notUnderstood', 'yesterday Monday'],
    ['14:00..17:00', 'notUnderstood', '14:00'],
    ['2023-05-01T14:00-17:00', 'notUnderstood', '2023-05-01T14:00-17:00'],
    ['P1M/P1M', 'notUnderstood', 'P1M/P1M'],
    ['PT30M', 'notUnderstood', 'PT30M'],
    ['May to 2023', 'yearMissing', 'May'],
    ['May', 'yearMissing', 'May'],
    ['1 May to 3 May', 'yearMissing', '1 May'],
    ['Q1', 'yearMissing', 'Q1'],
    ['Tue 1 May 2023', 'noSuchDate', 'Tue 1 May 2023'],
    ['31 April 2023', 'noSuchDate', '31 April 2023'],
    ['13/13/2023', 'noSuchDate', '13/13/2023'],
    ['2023-W05-8', 'noSuchDate', '2023-W05-8'],
    ['yesterday 24:01..', 'noSuchDate', 'yesterday 24:01'],
    ['2023-05-01 0 am..', 'notUnderstood', '2023-05-01 0 am'],
    ['2023/P101Y', 'tooLong'],
    ['P999999Y', 'tooLong'],
    ['999999 years ago..', 'tooLong'],
    ['2023-13', 'noSuchDate', '2023-13'],
    ['2023-00', 'noSuchDate', '2023-00'],
    ['2023-02-29', 'noSuchDate', '2023-02-29'],
    ['1900-02-29', 'noSuchDate', '1900-02-29'],
    ['2023-04-31..2023-05-01', 'noSuchDate', '2023-04-31'],
    ['2023-W53', 'noSuchDate', '2023-W53'],
    ['2023-W00', 'noSuchDate', '2023-W00'],
    ['2023-05-01T24:01Z..', 'noSuchDate', '2023-05-01T24:01Z'],
    ['2023-05-01T23:60Z..', 'noSuchDate', '2023-05-01T23:60Z'],
    ['2023-05-01T23:59:60Z..', 'noSuchDate', '2023-05-01T23:59:60Z'],
    ['2023-05-01T23:59:60..', 'noSuchDate', '2023-05-01T23:59:60'],
    ['2023-05-01T25:00..', 'noSuchDate', '2023-05-01T25:00'],
    ['2023-02-30T05:00..', 'noSuchDate', '2023-02-30T05:00'],
    ['2023-05-01T05:00+24:00..', 'notUnderstood', '2023-05-01T05:00+24:00'],
    ['2023-05-01T05:00+23:60..', 'noSuchDate', '2023-05-01T05:00+23:60'],
    ['2023-02-29/2023-03-01', 'noSuchDate', '2023-02-29'],
    ['1-5 May', 'yearMissing', '1'],
    ['2023-05..2023-04', 'endNotAfterStart'],
    ['28 Jan - 3 Jan 2023', 'endNotAfterStart'],
    ['30 Feb 2023 22:00-02:00', 'noSuchDate', '30 Feb 2023 22:00-02:00'],
    ['2023-05 2023-06 2023-07', 'notUnderstood', '2023-05 2023-06 2023-07'],
    ['2023-05-02..2023-05-01T00:00Z', 'endNotAfterStart'],
    ['now..now', 'endNotAfterStart'],
    ['2023-06..', 'endNotAfterStart'],
    ['1900..2023', 'tooLong'],
    ['0000', 'noSuchDate'],
    ['0000-W01', 'noSuchDate'],
    ['0000-01-01T00:30..0000-02', 'noSuchDate'],
    ['9998..9999', 'noSuchDate'],
    ['last 1300 months', 'tooLong'],
    ['last 999999 hours', 'tooLong'],
    ['last 999999 days', 'tooLong'],
    ['last 999999 weeks', 'tooLong'],
    ['last 999999 months', 'tooLong'],
    ['last 999999 years', 'tooLong'],
  ];
  for (const [text, problem, part] of invalidRanges)
    it(`rejects ${JSON.stringify(text)}: ${problem}`, () => {
      const result = resolveText(text, { now: Date.parse(now), timeZone: 'UTC', intervalMs: 3_600_000 });
      assert.ok(!result.ok);
      assert.equal(result.problem, problem);
      if (part !== undefined) assert.equal((result as { part?: string }).part, part);
    });

  const ambiguous: readonly (readonly [text: string, ...readings: string[]])[] = [
    ['2023-05-01 17:00-14:00', '2023-05-01T17:00..2023-05-02T14:00', '2023-05-01T14:00..2023-05-01T17:00'],
    ['22:00-02:00, 1 May 2023', '2023-05-01T22:00..2023-05-02T02:00', '2023-04-30T22:00..2023-05-01T02:00'],
    ['22:00-02:00 today', 'today 22:00..tomorrow 02:00', 'yesterday 22:00..today 02:00'],
    ['22:00-02:00 yesterday', 'yesterday 22:00..today 02:00', '2 days before today 22:00..yesterday 02:00'],
    ['22:00-02:00 Monday', 'Monday 22:00..Tuesday 02:00', 'last Sunday 22:00..Monday 02:00'],
    ['last Monday 17:00-14:00', 'last Monday 17:00..Tuesday 14:00', 'last Monday 14:00..last Monday 17:00'],
    ['1/5 - 3/5 2023', '2023-05-01..2023-05-03', '2023-01-05..2023-03-05'],
    ['May - March 2023', '2022-05..2023-03', '2023-03..2023-05'],
    ['May 2023 - March', '2023-05..2024-03', '2023-03..2023-05'],
    ['01/05/2023', '2023-05-01', '2023-01-05'],
    ['1/5/23', '2023-05-01', '2023-01-05', '2001-05-23'],
    ['01.05.23', '2023-05-01', '2023-01-05', '2001-05-23'],
    ['13/05/23', '2023-05-13', '2013-05-23'],
    ['23-05-01', '2001-05-23', '2023-05-01'],
    ['1/5/23 14:00-17:00', ...['2023-05-01', '2023-01-05', '2001-05-23'].map(date => `${date}T14:00..${date}T17:00`)],
    ['1/5 14:00-17:00 2023', '2023-05-01T14:00..2023-05-01T17:00', '2023-01-05T14:00..2023-01-05T17:00'],
    ...['2022/2023', '2022 2023', '2022/23', '2022-23', '2022–23', '2022 to 23'].map(
      text => [text, '2022-04..2023-03', '2022..2023'] as const,
    ),
    ['5/3-2/3 2023', '2022-05-03..2023-02-03', '2023-02-03..2023-05-03'],
    ['3/5 - 5/3 2023', '2022-05-03..2023-03-05', '2023-03-05..2023-05-03'],
    ['1.5.2023', '2023-05-01', '2023-01-05'],
    ['01/05/2023 - 02/06/2023', '2023-05-01..2023-06-02', '2023-01-05..2023-02-06'],
    ['winter 2023', '2023-06..2023-08', '2023-12..2024-02'],
    ['Spring 2023', '2023-09..2023-11', '2023-03..2023-05'],
    ['somer 2022', '2022-12..2023-02', '2022-06..2022-08'],
    ['autumn 2023', '2023-03..2023-05', '2023-09..2023-11'],
    ...['FY2023', 'fy 2023', 'FY23', 'financial year 2023', 'Boekjaar 2023'].map(
      text => [text, '2022-04..2023-03', '2023-04..2024-03'] as const,
    ),
  ];
  for (const [text, ...readings] of ambiguous)
    it(`rejects ${text} and offers ${readings.join(' and ')}`, () => {
      assert.deepEqual(parseRange(text), { ok: false, problem: 'ambiguous', part: text, readings });
    });

  it('rejects a text longer than any range, and quotes its beginning', () => {
    for (const text of ['. '.repeat(300_000), `2023${' '.repeat(100)}`, `last ${'9'.repeat(300_000)} hours`]) {
      const result = parseRange(text);
      assert.ok(!result.ok && 'part' in result && result.part.length <= 101);
    }
  });

  it('parses a range like its normal form', () => {
    const ranges = fc
      .tuple(
        fc.constantFrom('May 2023', 'Q3 2023', 'last 36 hours', '1 Feb 2023', '2022', 'yesterday', '2023-05-04T05:00'),
        fc.constantFrom('', '', '..', ' to 2023-07', ' – now'),
      )
      .map(parts => parts.join(''));
    let readable = 0;
    fc.assert(
      fc.property(fc.oneof(scraps, ranges), text => {
        readable += Number(parseRange(text).ok);
        assert.equal(formatSpan(text, now), formatSpan(normalizeRange(text), now));
      }),
      { numRuns: scaleRunCount(2000) },
    );
    assert.ok(readable > 50, `${readable}`);
  });

  it('never throws, whatever was entered', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), scraps), text => {
        parseRange(text);
      }),
      { numRuns: scaleRunCount(300) },
    );
  });
});

/** Texts made of parts of the grammar. Most of them are not ranges. */
const scraps = fc
  .array(
    fc.constantFrom(
      ...['2023', '-05', '-01', '-31', 'T', ' ', '05:00', ':30', '.5', 'Z', ' z', '+02:00', ' SAST', ' utc'],
      ...[
        '..',
        '...',
        '.',
        '…',
        ' – ',
        '–',
        ' - ',
        ' to ',
        'to',
        ' until ',
        'now',
        'today',
        'date',
        'q1',
        '-Q2',
        '-W07',
        ...[
          'May',
          ' Mei ',
          '1 ',
          '/',
          '01/05/2023',
          '14h00',
          '2 pm',
          'winter',
          'P1M',
          'PT36H',
          'Mon',
          ' last monday',
          'ago',
          '7d',
          'since ',
        ],
      ],
      ...['last', ' 36', 'hours', '999999', 'years', 'month', ' d', '\t', 'İ'],
    ),
    { maxLength: 8 },
  )
  .map(parts => parts.join(''));
