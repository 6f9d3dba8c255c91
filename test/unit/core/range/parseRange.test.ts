import assert from 'node:assert/strict';
import fc from 'fast-check';
import { normaliseRange, parseRange } from '../../../../src/core/range/parseRange.ts';
import { resolveText, spanText } from './spanText.ts';

const now = '2023-05-17T14:25:30Z';

describe('normaliseRange', () => {
  const forms: readonly (readonly [string, string])[] = [
    ['  Last   36\tHours ', 'last 36 hours'],
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
    ['Month To Date', 'month to date'],
    ['2023-05-01 until now', '2023-05-01..now'],
  ];
  for (const [text, normal] of forms)
    it(`makes ${JSON.stringify(text)} ${normal}`, () => {
      assert.equal(normaliseRange(text), normal);
    });

  it('takes a time that grows with the length of the text, and not with its square', () => {
    const blank = '. '.repeat(300_000);
    assert.equal(normaliseRange(`a${blank}b`), `a${blank}b`);
    assert.equal(normaliseRange(`${blank}..${blank}`), '..');
  });

  it('changes nothing the second time, whatever was typed', () => {
    fc.assert(
      fc.property(scraps, text => {
        const once = normaliseRange(text);
        assert.equal(normaliseRange(once), once);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('parseRange', () => {
  const refused: readonly (readonly [text: string, problem: string, part?: string])[] = [
    ['', 'empty'],
    [' \t\n', 'empty'],
    ['tomorrow', 'notUnderstood', 'tomorrow'],
    ['now', 'notUnderstood', 'now'],
    ['..', 'notUnderstood', '..'],
    ['..2023', 'notUnderstood', '..2023'],
    ['until 2023', 'notUnderstood', 'until 2023'],
    ['2023..2024..2025', 'notUnderstood', '2023..2024..2025'],
    ['2023..soon', 'notUnderstood', 'soon'],
    ['2023-5', 'notUnderstood', '2023-5'],
    ['23-05-01', 'notUnderstood', '23-05-01'],
    ['2023-Q5', 'notUnderstood', '2023-q5'],
    ['2023-05-01T05:00Z', 'notUnderstood', '2023-05-01T05:00Z'],
    ['2023-05-01 05:00', 'notUnderstood', '2023-05-01 05:00'],
    ['last 3 fortnights', 'notUnderstood', 'last 3 fortnights'],
    ['last -1 days', 'notUnderstood', 'last -1 days'],
    ['last 1.5 days', 'notUnderstood', 'last 1.5 days'],
    ['last 1234567 days', 'notUnderstood', 'last 1234567 days'],
    ['2023-05-01T05Z..', 'notUnderstood', '2023-05-01T05Z'],
    ['__proto__', 'notUnderstood', '__proto__'],
    ['constructor', 'notUnderstood', 'constructor'],
    ['last 0 hours', 'notUnderstood', 'last 0 hours'],
    ['2023-13', 'noSuchDate', '2023-13'],
    ['2023-00', 'noSuchDate', '2023-00'],
    ['2023-02-29', 'noSuchDate', '2023-02-29'],
    ['1900-02-29', 'noSuchDate', '1900-02-29'],
    ['2023-04-31..2023-05-01', 'noSuchDate', '2023-04-31'],
    ['2023-W53', 'noSuchDate', '2023-W53'],
    ['2023-W00', 'noSuchDate', '2023-W00'],
    ['2023-05-01T24:00Z..', 'noSuchDate', '2023-05-01T24:00Z'],
    ['2023-05-01T23:60Z..', 'noSuchDate', '2023-05-01T23:60Z'],
    ['2023-05-01T23:59:60Z..', 'noSuchDate', '2023-05-01T23:59:60Z'],
    ['2023-05-01T23:59:60..', 'noSuchDate', '2023-05-01T23:59:60'],
    ['2023-05-01T24:00..', 'noSuchDate', '2023-05-01T24:00'],
    ['2023-02-30T05:00..', 'noSuchDate', '2023-02-30T05:00'],
    ['2023-05-01T05:00+24:00..', 'noSuchDate', '2023-05-01T05:00+24:00'],
    ['2023-05..2023-04', 'endNotAfterStart'],
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
  for (const [text, problem, part] of refused)
    it(`refuses ${JSON.stringify(text)}: ${problem}`, () => {
      const result = resolveText(text, { now: Date.parse(now), timeZone: 'UTC', stepMs: 3_600_000 });
      assert.ok(!result.ok);
      assert.equal(result.problem, problem);
      if (part !== undefined) assert.equal((result as { part?: string }).part, part);
    });

  it('reads no text that is longer than any range, and names its beginning', () => {
    for (const text of ['. '.repeat(300_000), `2023${' '.repeat(100)}`, `last ${'9'.repeat(300_000)} hours`]) {
      const result = parseRange(text);
      assert.ok(!result.ok && 'part' in result && result.part.length <= 101);
    }
  });

  it('reads a range as it reads its normal form', () => {
    fc.assert(
      fc.property(scraps, text => {
        assert.equal(spanText(text, now), spanText(normaliseRange(text), now));
      }),
      { numRuns: 2000 },
    );
  });

  it('never throws, whatever was typed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), scraps), text => {
        parseRange(text);
      }),
      { numRuns: 300 },
    );
  });
});

/** Texts made of the pieces of the grammar, most of them no range. */
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
      ],
      ...['last', ' 36', 'hours', '999999', 'years', 'month', ' d', '\t', 'İ'],
    ),
    { maxLength: 8 },
  )
  .map(parts => parts.join(''));
