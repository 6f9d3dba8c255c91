import assert from 'node:assert/strict';
import type { Column } from '../../../../src/shared/frame.ts';
import { filterTerms } from '../../../../src/core/filter/filterTerms.ts';
import { parseFilter } from '../../../../src/core/filter/parseFilter.ts';
import type { FilterContext } from '../../../../src/core/filter/filterTypes.ts';
import { booleanColumn, nestedColumn, numberColumn, textColumn, timeColumn } from './columns.ts';

const english: FilterContext = { timeZone: 'UTC', locale: 'en' };

/** The rows that pass; the problem where the text is no filter. */
function rows(text: string, column: Column, context: Partial<FilterContext> = {}): number[] | string {
  const parsed = parseFilter(text, column, { ...english, ...context });
  if (!parsed.ok) return `${parsed.problem}: ${parsed.part}`;
  const count = 'values' in column ? column.values.length : column.texts.codes.length;
  return Array.from({ length: count }, (_, row) => row).filter(row => parsed.test(row));
}

describe('parseFilter of numbers', () => {
  const column = numberColumn('mw', [0, 100, 150.5, null, -5, 200, undefined, 1500]);

  it('compares numbers', () => {
    assert.deepEqual(rows('>100', column), [2, 5, 7]);
    assert.deepEqual(rows('>= 100', column), [1, 2, 5, 7]);
    assert.deepEqual(rows('≥100', column), [1, 2, 5, 7]);
    assert.deepEqual(rows('<0', column), [4]);
    assert.deepEqual(rows('<=0', column), [0, 4]);
    assert.deepEqual(rows('=0', column), [0]);
    assert.deepEqual(rows('150.5', column), [2]);
    assert.deepEqual(rows('−5', column), [4]);
    assert.deepEqual(rows('1.5e3', column), [7]);
    assert.deepEqual(rows('1,5e+3', column, { locale: 'af' }), [7]);
    assert.deepEqual(rows('1.5e3', column, { locale: 'af' }), [7]);
  });

  it('parses ranges with both ends, open ones too', () => {
    assert.deepEqual(rows('100..200', column), [1, 2, 5]);
    assert.deepEqual(rows(' -5 .. 0 ', column), [0, 4]);
    assert.deepEqual(rows('200..', column), [5, 7]);
    assert.deepEqual(rows('..0', column), [0, 4]);
    assert.deepEqual(rows('!100..200', column), [0, 4, 7]);
  });

  it('parses ranges without the upper end', () => {
    assert.deepEqual(rows('100..<200', column), [1, 2]);
    assert.deepEqual(rows(' -5 .. < 0 ', column), [4]);
    assert.deepEqual(rows('..<0', column), [4]);
    assert.deepEqual(rows('!100..<200', column), [0, 4, 5, 7]);
    assert.deepEqual(rows('0,5..<150,5', column, { locale: 'de' }), [1]);
    assert.deepEqual(rows('100..<', column), [1, 2, 5, 7]);
    assert.equal(rows('100..<<200', column), 'notNumber: <200');
    assert.equal(rows('100<..200', column), 'notNumber: 100<');
  });

  it('matches cells without a value only by null: they are never zero, and never different', () => {
    assert.deepEqual(rows('null', column), [3, 6]);
    assert.deepEqual(rows('= NULL', column), [3, 6]);
    assert.deepEqual(rows('!null', column), [0, 1, 2, 4, 5, 7]);
    assert.deepEqual(rows('!=0', column), [1, 2, 4, 5, 7]);
    assert.deepEqual(rows('null', numberColumn('full', [1, 2])), []);
  });

  it('accepts alternatives, and combines all exclusions', () => {
    assert.deepEqual(rows('100 or <0', column), [1, 4]);
    assert.deepEqual(rows('100, null', column), [1, 3, 6]);
    assert.deepEqual(rows('!=0, !=100', column), [2, 4, 5, 7]);
    assert.deepEqual(rows('100,', column), [1]);
    assert.deepEqual(rows('null or !=0', column), [1, 2, 3, 4, 5, 6, 7]);
  });

  it('shows every row for an empty text', () => {
    assert.deepEqual(rows('  ', column), [0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('parses the separators of the locale, and refuses an ambiguous number', () => {
    assert.deepEqual(rows('1,500', column), [7]);
    assert.deepEqual(rows('150,5', column, { locale: 'de' }), [2]);
    assert.deepEqual(rows('150.5', column, { locale: 'de' }), [2]);
    assert.deepEqual(rows('1.500,0', column, { locale: 'de' }), [7]);
    assert.equal(rows('1.500', column, { locale: 'de' }), 'ambiguousNumber: 1.500');
    assert.deepEqual(rows('1 500', column, { locale: 'de' }), [7]);
    assert.deepEqual(rows('1\u202f500,0', column, { locale: 'fr' }), [7]);
    assert.deepEqual(rows('1’500', column, { locale: 'de-CH' }), [7]);
    assert.deepEqual(rows('1,5', numberColumn('a', [1, 1.5, 5]), { locale: 'af' }), [1]);
    assert.deepEqual(rows('12,34,567.5', numberColumn('a', [1234567.5]), { locale: 'hi' }), [0]);
    assert.equal(rows('150,5', column), 'notNumber: 150,5');
    assert.equal(rows('1,50', column), 'notNumber: 1,50');
  });

  it('explains an invalid number filter', () => {
    assert.equal(rows('abc', column), 'notNumber: abc');
    assert.equal(rows('>', column), 'valueMissing: >');
    assert.equal(rows('> null', column), 'notNumber: null');
    assert.equal(rows('200..100', column), 'backwards: 200..100');
    assert.equal(rows('1..2..3', column), 'notNumber: 1..2..3');
    assert.equal(rows('..', column), 'notNumber: ..');
    assert.equal(rows('100 or x', column), 'notNumber: x');
    assert.equal(rows('""', column), 'notNumber: ');
  });

  it('refuses more alternatives than a long table can be searched for', () => {
    const list = (count: number): string => Array.from({ length: count }, (_, at) => at).join(' or ');
    assert.notEqual(rows(list(100), column), 'tooMany: 100');
    assert.equal(rows(list(101), column), 'tooMany: 101');
  });
});

describe('parseFilter of times', () => {
  const at = (text: string): number => Date.parse(text);
  const instants = [
    '2023-04-30T22:00Z',
    '2023-05-01T00:00Z',
    '2023-05-31T23:00Z',
    '2023-06-01T00:00Z',
    '2023-07-01T00:00Z',
  ];
  const column = timeColumn('ts', [...instants.map(at), null]);

  it('matches a date for its whole length', () => {
    assert.deepEqual(rows('2023-05', column), [1, 2]);
    assert.deepEqual(rows('!=2023-05', column), [0, 3, 4]);
    assert.deepEqual(rows('> 2023-05', column), [3, 4]);
    assert.deepEqual(rows('>=2023-05', column), [1, 2, 3, 4]);
    assert.deepEqual(rows('<2023-05', column), [0]);
    assert.deepEqual(rows('<=2023-05', column), [0, 1, 2]);
    assert.deepEqual(rows('2023-05..2023-06', column), [1, 2, 3]);
    assert.deepEqual(rows('2023-06..', column), [3, 4]);
    assert.deepEqual(rows('..2023-05', column), [0, 1, 2]);
    assert.deepEqual(rows('>May 2023', column), [3, 4]);
    assert.deepEqual(rows('1 May 2023 to 31 May 2023', column), [1, 2]);
    assert.deepEqual(rows('2023-05-31, 2023-07', column), [2, 4]);
    assert.deepEqual(rows('null', column), [5]);
  });

  it('matches parts of the calendar in the selected time zone', () => {
    const johannesburg = { timeZone: 'Africa/Johannesburg' };
    assert.deepEqual(rows('May', column), [1, 2]);
    assert.deepEqual(rows('May', column, johannesburg), [0, 1]);
    assert.deepEqual(rows('!May', column), [0, 3, 4]);
    assert.deepEqual(rows('=Monday', column), [1]);
    assert.deepEqual(rows('22:00-01:00', column), [0, 1, 2, 3, 4]);
    assert.deepEqual(rows('22:00-01:00 weekend, June', column), [0, 3, 4]);
    assert.deepEqual(rows('!weekend, !holiday', column), [2, 3]);
    assert.equal(rows('>Monday', column), 'notTime: Monday');
    const days = { ...column, bins: { size: 'day', timeZone: 'UTC', label: 'UTC' } } as Column;
    assert.deepEqual(rows('May', days, johannesburg), [1, 2]);
  });

  it('matches an hour by its number alone', () => {
    assert.deepEqual(rows('23', column), [2]);
    assert.deepEqual(rows('0, 22', column), [0, 1, 3, 4]);
    assert.deepEqual(rows('!0', column), [0, 2]);
    assert.equal(rows('24', column), 'notTime: 24');
    assert.equal(rows('>23', column), 'notTime: 23');
  });

  it('matches one of several weekdays or months', () => {
    assert.deepEqual(rows('Mondays and Fridays', column), rows('Monday or Friday', column));
    assert.deepEqual(rows('!Mondays and Fridays', column), rows('Tue-Thu or Sat-Sun', column));
    assert.deepEqual(rows('May en Junie', column), rows('May or June', column));
    assert.deepEqual(
      rows('Mondays and Fridays 22:00-24:00', column),
      rows('Mon 22:00-24:00 or Fri 22:00-24:00', column),
    );
    for (const text of ['Mondays and winter', 'Monday and', 'weekdays and peak', '18:00 and 20:00'])
      assert.equal(rows(text, column), `notTime: ${text}`);
  });

  it('names the text that works where a part of a day or a length could be meant', () => {
    const refusal = (text: string) => parseFilter(text, column, { timeZone: 'UTC', locale: 'en', now: 0 });
    const [notTimeBut, ambiguousTime] = ['notTimeBut', 'ambiguousTime'];
    assert.deepEqual(refusal('evening'), { ok: false, problem: notTimeBut, part: 'evening', example: '18:00-24:00' });
    assert.deepEqual(refusal('Mon aand'), {
      ok: false,
      problem: notTimeBut,
      part: 'Mon aand',
      example: 'mon 18:00-24:00',
    });
    assert.deepEqual(refusal('18h'), { ok: false, problem: ambiguousTime, part: '18h' });
    for (const text of ['18h00', 'last 18h']) assert.ok(refusal(text).ok, text);
  });

  it('matches several parts with blanks between them only where all hold', () => {
    const days = [
      '2023-05-01T05:00Z',
      '2023-05-02T05:00Z',
      '2023-05-03T12:00Z',
      '2023-05-06T05:00Z',
      '2023-06-02T05:00Z',
    ];
    const week = timeColumn('ts', [...days.map(at), null]);
    const passing: Readonly<Record<string, number[]>> = {
      'weekday !holiday': [1, 2, 4],
      'Mon-Fri !public holiday': [1, 2, 4],
      'Mon - Fri ! holiday 05:00-06:00': [1, 4],
      'Mon-Fri !holiday !peak': [2],
      '2023-05 weekday': [0, 1, 2],
      'weekday May 2023 !holiday': [1, 2],
      'peak May 2 2023': [1],
      '2023-05..2023-06 05:00-06:00 !weekend': [0, 1, 4],
      '>=2023-05-02 05:00 Mon-Fri': [1, 2, 4],
      '>= 2023-05-02 < 2023-05-06 !holiday': [1, 2],
      'Q2 2023 weekend': [3],
      '!holiday !weekend': [1, 2, 4],
      '2023-05 !2023-05-03': [0, 1, 3],
      '2023-05 weekend or 2023-06 weekday': [3, 4],
      '!holiday !weekend, !2023-06': [1, 2],
    };
    for (const [text, expected] of Object.entries(passing)) assert.deepEqual(rows(text, week), expected, text);
    // One sign at the front is of all parts.
    assert.deepEqual(rows('!Mon-Fri 05:00-06:00', week), [2, 3]);
    for (const text of [
      '!holiday 2023',
      '!holiday weekday !peak',
      'weekday soon',
      'peak 17',
      'May 17',
      'May 17 peak',
      'null weekday',
      '2023-05 2023-06 2023-07',
    ])
      assert.equal(rows(text, week), `notTime: ${text.replace(/^!/, '')}`);
  });

  it('parses dates in the selected time zone, and instants in their own', () => {
    const johannesburg = { timeZone: 'Africa/Johannesburg' };
    assert.deepEqual(rows('2023-05', column, johannesburg), [0, 1]);
    assert.deepEqual(rows('>= 2023-06-01 01:00', column, johannesburg), [2, 3, 4]);
    assert.deepEqual(rows('>= 2023-06-01 01:00Z', column, johannesburg), [4]);
    assert.deepEqual(rows('2023-06-01T01:00+02:00', column), [2]);
    assert.deepEqual(rows('2023-05-31 23:00..2023-06-01 00:00', column), [2, 3]);
  });

  it('matches both occurrences of a repeated hour, and refuses a skipped one', () => {
    const autumn = timeColumn(
      'ts',
      ['2023-10-29T00:00Z', '2023-10-29T00:30Z', '2023-10-29T01:00Z', '2023-10-29T02:00Z'].map(at),
    );
    const paris = { timeZone: 'Europe/Paris' };
    assert.deepEqual(rows('2023-10-29 02:00', autumn, paris), [0, 2]);
    assert.deepEqual(rows('>=2023-10-29 02:00', autumn, paris), [0, 1, 2, 3]);
    assert.deepEqual(rows('>2023-10-29 02:00', autumn, paris), [3]);
    assert.equal(rows('2023-03-26 02:30', autumn, paris), 'skippedTime: 2023-03-26 02:30');
  });

  it('parses relative times when the present is known', () => {
    const now = at('2023-06-01T10:00Z');
    assert.deepEqual(rows('today', column, { now }), [3]);
    assert.deepEqual(rows('last 24 hours', column, { now }), [2, 3]);
    assert.deepEqual(rows('>=yesterday', column, { now }), [2, 3, 4]);
    assert.equal(rows('today', column), 'notTime: today');
  });

  it('explains an invalid time filter', () => {
    assert.equal(rows('2023-13', column), 'noSuchDate: 2023-13');
    assert.equal(rows('2023-02-30 06:00', column), 'noSuchDate: 2023-02-30 06:00');
    assert.equal(rows('soon', column), 'notTime: soon');
    assert.equal(rows('2023-06..2023-05', column), 'backwards: 2023-06..2023-05');
  });
});

describe('parseFilter of texts', () => {
  const column = textColumn('kind', ['Coal', 'charcoal', '', 'Café, noir', null, 'null', 'wind']);

  it('matches a part of the text, ignoring case and accents', () => {
    assert.deepEqual(rows('coal', column), [0, 1]);
    assert.deepEqual(rows('CAFE', column), [3]);
    assert.deepEqual(rows('café', column), [3]);
    assert.deepEqual(rows('!coal', column), [2, 3, 5, 6]);
    assert.deepEqual(rows('coal or wind', column), [0, 1, 6]);
    assert.deepEqual(rows('coal,wind', column), [0, 1, 6]);
    assert.deepEqual(rows('!coal, !wind', column), [2, 3, 5]);
  });

  it('takes signs and spaces with an accent for what they are without', () => {
    const odd = textColumn('a', ['ς\u0301', '−\u0301', '’\u0301', '\u00a0\u0301']);
    assert.deepEqual(
      ['σ', '-', "'", '" "'].map(text => rows(text, odd)),
      [[0], [1], [2], [3]],
    );
  });

  it('distinguishes letters that the locale distinguishes', () => {
    const towns = textColumn('town', ['Malmö', 'Malmo']);
    assert.deepEqual(rows('malmo', towns), [0, 1]);
    assert.deepEqual(rows('malmo', towns, { locale: 'sv' }), [1]);
  });

  it('matches exactly after an equals sign', () => {
    assert.deepEqual(rows('=Coal', column), [0]);
    assert.deepEqual(rows('=coal', column), []);
    assert.deepEqual(rows('!=Coal', column), [1, 2, 3, 5, 6]);
    assert.deepEqual(rows('=Cafe\u0301', textColumn('a', ['Café'])), [0]);
  });

  it('matches quoted text literally', () => {
    assert.deepEqual(rows('null', column), [4]);
    assert.deepEqual(rows('"null"', column), [5]);
    assert.deepEqual(rows('""', column), [2]);
    assert.deepEqual(rows('!""', column), [0, 1, 3, 5, 6]);
    assert.deepEqual(rows('"Café, noir"', column), [3]);
    assert.deepEqual(rows('"Café, n', column), [3]);
    assert.deepEqual(rows('="Café, noir" or wind', column), [3, 6]);
    assert.deepEqual(rows('"say ""hi"""', textColumn('a', ['say "hi"', 'say hi'])), [0]);
    assert.deepEqual(rows('>5', textColumn('a', ['>5', '6'])), [0]);
  });

  it('matches the JSON of nested cells, whose commas have no space', () => {
    const nested = nestedColumn('a', ['[1,2]', '[1,3]', '{"b":"x"}']);
    assert.deepEqual(rows('[1,2', nested), [0]);
    assert.deepEqual(rows('1,3, "b"', nested), [1, 2]);
  });
});

describe('parseFilter of booleans', () => {
  const column = booleanColumn('on', [true, false, null]);

  it('accepts true, false or null', () => {
    assert.deepEqual(rows('TRUE', column), [0]);
    assert.deepEqual(rows('!=true', column), [1]);
    assert.deepEqual(rows('false,null', column), [1, 2]);
    assert.equal(rows('yes', column), 'notBoolean: yes');
    assert.equal(rows('>true', column), 'notBoolean: true');
  });
});

describe('a very long filter', () => {
  for (const [name, text, terms] of [
    ['blanks', ' '.repeat(300_000), 0],
    ['a text after blanks', `${' '.repeat(300_000)}a`, 1],
    ['blanks between texts', `a${' '.repeat(300_000)}b`, 1],
    ['a quote after blanks and a text', `${' '.repeat(300_000)}a"`, 1],
    ['operators', '='.repeat(300_000), 1],
    ['alternatives', 'a or '.repeat(60_000), 60_000],
    ['commas', ', '.repeat(150_000), 0],
  ] as const)
    it(`parses in one pass: ${name}`, () => {
      for (const kind of ['text', 'number', 'nested', 'time'] as const)
        assert.equal(filterTerms(text, kind).length, terms, kind);
    });
});
