import assert from 'node:assert/strict';
import type { Column } from '../../../../src/shared/frame.ts';
import { parseTerms } from '../../../../src/core/filter/filterTerms.ts';
import { parseFilter } from '../../../../src/core/filter/parseFilter.ts';
import type { FilterContext } from '../../../../src/core/filter/filterTypes.ts';
import { booleanColumn, nestedColumn, numberColumn, textColumn, timeColumn } from './columns.ts';

const english: FilterContext = { timeZone: 'UTC', locale: 'en' };

/** Returns the rows that pass, or the problem where the text is not a filter. */
function filterRows(text: string, column: Column, context: Partial<FilterContext> = {}): number[] | string {
  const parsed = parseFilter(text, column, { ...english, ...context });
  if (!parsed.ok) return `${parsed.problem}: ${parsed.part}`;
  const count = 'values' in column ? column.values.length : column.texts.codes.length;
  return Array.from({ length: count }, (_, row) => row).filter(row => parsed.test(row));
}

describe('parseFilter of numbers', () => {
  const column = numberColumn('mw', [0, 100, 150.5, null, -5, 200, undefined, 1500]);

  it('compares numbers', () => {
    assert.deepEqual(filterRows('>100', column), [2, 5, 7]);
    assert.deepEqual(filterRows('>= 100', column), [1, 2, 5, 7]);
    assert.deepEqual(filterRows('≥100', column), [1, 2, 5, 7]);
    assert.deepEqual(filterRows('<0', column), [4]);
    assert.deepEqual(filterRows('<=0', column), [0, 4]);
    assert.deepEqual(filterRows('=0', column), [0]);
    assert.deepEqual(filterRows('150.5', column), [2]);
    assert.deepEqual(filterRows('−5', column), [4]);
    assert.deepEqual(filterRows('1.5e3', column), [7]);
    assert.deepEqual(filterRows('1,5e+3', column, { locale: 'af' }), [7]);
    assert.deepEqual(filterRows('1.5e3', column, { locale: 'af' }), [7]);
  });

  it('parses ranges with both ends, also open ones', () => {
    assert.deepEqual(filterRows('100..200', column), [1, 2, 5]);
    assert.deepEqual(filterRows(' -5 .. 0 ', column), [0, 4]);
    assert.deepEqual(filterRows('200..', column), [5, 7]);
    assert.deepEqual(filterRows('..0', column), [0, 4]);
    assert.deepEqual(filterRows('!100..200', column), [0, 4, 7]);
  });

  it('parses ranges without the upper end', () => {
    assert.deepEqual(filterRows('100..<200', column), [1, 2]);
    assert.deepEqual(filterRows(' -5 .. < 0 ', column), [4]);
    assert.deepEqual(filterRows('..<0', column), [4]);
    assert.deepEqual(filterRows('!100..<200', column), [0, 4, 5, 7]);
    assert.deepEqual(filterRows('0,5..<150,5', column, { locale: 'de' }), [1]);
    assert.deepEqual(filterRows('100..<', column), [1, 2, 5, 7]);
    assert.equal(filterRows('100..<<200', column), 'notNumber: <200');
    assert.equal(filterRows('100<..200', column), 'notNumber: 100<');
  });

  it('matches cells without a value only by null, never by 0 or an exclusion', () => {
    assert.deepEqual(filterRows('null', column), [3, 6]);
    assert.deepEqual(filterRows('= NULL', column), [3, 6]);
    assert.deepEqual(filterRows('!null', column), [0, 1, 2, 4, 5, 7]);
    assert.deepEqual(filterRows('!=0', column), [1, 2, 4, 5, 7]);
    assert.deepEqual(filterRows('null', numberColumn('full', [1, 2])), []);
  });

  it('accepts alternatives, and combines all exclusions', () => {
    assert.deepEqual(filterRows('100 or <0', column), [1, 4]);
    assert.deepEqual(filterRows('100, null', column), [1, 3, 6]);
    assert.deepEqual(filterRows('!=0, !=100', column), [2, 4, 5, 7]);
    assert.deepEqual(filterRows('100,', column), [1]);
    assert.deepEqual(filterRows('null or !=0', column), [1, 2, 3, 4, 5, 6, 7]);
  });

  it('shows every row for an empty text', () => {
    assert.deepEqual(filterRows('  ', column), [0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('parses the separators of the locale, and rejects an ambiguous number', () => {
    assert.deepEqual(filterRows('1,500', column), [7]);
    assert.deepEqual(filterRows('150,5', column, { locale: 'de' }), [2]);
    assert.deepEqual(filterRows('150.5', column, { locale: 'de' }), [2]);
    assert.deepEqual(filterRows('1.500,0', column, { locale: 'de' }), [7]);
    assert.equal(filterRows('1.500', column, { locale: 'de' }), 'ambiguousNumber: 1.500');
    assert.deepEqual(filterRows('1 500', column, { locale: 'de' }), [7]);
    assert.deepEqual(filterRows('1\u202f500,0', column, { locale: 'fr' }), [7]);
    assert.deepEqual(filterRows('1’500', column, { locale: 'de-CH' }), [7]);
    assert.deepEqual(filterRows('1,5', numberColumn('a', [1, 1.5, 5]), { locale: 'af' }), [1]);
    assert.deepEqual(filterRows('12,34,567.5', numberColumn('a', [1234567.5]), { locale: 'hi' }), [0]);
    assert.equal(filterRows('150,5', column), 'notNumber: 150,5');
    assert.equal(filterRows('1,50', column), 'notNumber: 1,50');
  });

  it('explains an invalid number filter', () => {
    assert.equal(filterRows('abc', column), 'notNumber: abc');
    assert.equal(filterRows('>', column), 'valueMissing: >');
    assert.equal(filterRows('> null', column), 'notNumber: null');
    assert.equal(filterRows('200..100', column), 'backwards: 200..100');
    assert.equal(filterRows('1..2..3', column), 'notNumber: 1..2..3');
    assert.equal(filterRows('..', column), 'notNumber: ..');
    assert.equal(filterRows('100 or x', column), 'notNumber: x');
    assert.equal(filterRows('""', column), 'notNumber: ');
  });

  it('rejects more alternatives than the limit', () => {
    const joinAlternatives = (count: number): string => Array.from({ length: count }, (_, index) => index).join(' or ');
    assert.notEqual(filterRows(joinAlternatives(100), column), 'tooMany: 100');
    assert.equal(filterRows(joinAlternatives(101), column), 'tooMany: 101');
  });
});

describe('parseFilter of times', () => {
  const parse = (text: string): number => Date.parse(text);
  const instants = [
    '2023-04-30T22:00Z',
    '2023-05-01T00:00Z',
    '2023-05-31T23:00Z',
    '2023-06-01T00:00Z',
    '2023-07-01T00:00Z',
  ];
  const column = timeColumn('ts', [...instants.map(parse), null]);

  it('matches a date for its whole length', () => {
    assert.deepEqual(filterRows('2023-05', column), [1, 2]);
    assert.deepEqual(filterRows('!=2023-05', column), [0, 3, 4]);
    assert.deepEqual(filterRows('> 2023-05', column), [3, 4]);
    assert.deepEqual(filterRows('>=2023-05', column), [1, 2, 3, 4]);
    assert.deepEqual(filterRows('<2023-05', column), [0]);
    assert.deepEqual(filterRows('<=2023-05', column), [0, 1, 2]);
    assert.deepEqual(filterRows('2023-05..2023-06', column), [1, 2, 3]);
    assert.deepEqual(filterRows('2023-06..', column), [3, 4]);
    assert.deepEqual(filterRows('..2023-05', column), [0, 1, 2]);
    assert.deepEqual(filterRows('>May 2023', column), [3, 4]);
    assert.deepEqual(filterRows('1 May 2023 to 31 May 2023', column), [1, 2]);
    assert.deepEqual(filterRows('2023-05-31, 2023-07', column), [2, 4]);
    assert.deepEqual(filterRows('null', column), [5]);
  });

  it('matches parts of the calendar in the selected time zone', () => {
    const johannesburg = { timeZone: 'Africa/Johannesburg' };
    assert.deepEqual(filterRows('May', column), [1, 2]);
    assert.deepEqual(filterRows('May', column, johannesburg), [0, 1]);
    assert.deepEqual(filterRows('!May', column), [0, 3, 4]);
    assert.deepEqual(filterRows('=Monday', column), [1]);
    assert.deepEqual(filterRows('22:00-01:00', column), [0, 1, 2, 3, 4]);
    assert.deepEqual(filterRows('22:00-01:00 weekend, June', column), [0, 3, 4]);
    assert.deepEqual(filterRows('!weekend, !holiday', column), [2, 3]);
    assert.equal(filterRows('>Monday', column), 'notTime: Monday');
    const days = { ...column, bins: { size: 'day', timeZone: 'UTC', label: 'UTC' } } as Column;
    assert.deepEqual(filterRows('May', days, johannesburg), [1, 2]);
  });

  it('matches an hour by its number', () => {
    assert.deepEqual(filterRows('23', column), [2]);
    assert.deepEqual(filterRows('0, 22', column), [0, 1, 3, 4]);
    assert.deepEqual(filterRows('!0', column), [0, 2]);
    assert.equal(filterRows('24', column), 'notTime: 24');
    assert.equal(filterRows('>23', column), 'notTime: 23');
  });

  it('matches one of several weekdays or months', () => {
    assert.deepEqual(filterRows('Mondays and Fridays', column), filterRows('Monday or Friday', column));
    assert.deepEqual(filterRows('!Mondays and Fridays', column), filterRows('Tue-Thu or Sat-Sun', column));
    assert.deepEqual(filterRows('May en Junie', column), filterRows('May or June', column));
    assert.deepEqual(
      filterRows('Mondays and Fridays 22:00-24:00', column),
      filterRows('Mon 22:00-24:00 or Fri 22:00-24:00', column),
    );
    for (const text of ['Mondays and winter', 'Monday and', 'weekdays and peak', '18:00 and 20:00'])
      assert.equal(filterRows(text, column), `notTime: ${text}`);
  });

  it('suggests an unambiguous text where a part of a day or a duration could be meant', () => {
    const getProblem = (text: string) => parseFilter(text, column, { timeZone: 'UTC', locale: 'en', now: 0 });
    const notTimeBut = 'notTimeBut';
    const ambiguousTime = 'ambiguousTime';
    assert.deepEqual(getProblem('evening'), {
      ok: false,
      problem: notTimeBut,
      part: 'evening',
      example: '18:00-24:00',
    });
    assert.deepEqual(getProblem('Mon aand'), {
      ok: false,
      problem: notTimeBut,
      part: 'Mon aand',
      example: 'mon 18:00-24:00',
    });
    assert.deepEqual(getProblem('18h'), { ok: false, problem: ambiguousTime, part: '18h' });
    for (const text of ['18h00', 'last 18h']) assert.ok(getProblem(text).ok, text);
  });

  it('requires all of several parts that are separated by spaces', () => {
    const days = [
      '2023-05-01T05:00Z',
      '2023-05-02T05:00Z',
      '2023-05-03T12:00Z',
      '2023-05-06T05:00Z',
      '2023-06-02T05:00Z',
    ];
    const week = timeColumn('ts', [...days.map(parse), null]);
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
    for (const [text, expected] of Object.entries(passing)) assert.deepEqual(filterRows(text, week), expected, text);
    // A sign at the front applies to all parts.
    assert.deepEqual(filterRows('!Mon-Fri 05:00-06:00', week), [2, 3]);
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
      assert.equal(filterRows(text, week), `notTime: ${text.replace(/^!/, '')}`);
  });

  it('parses dates in the selected time zone, and instants in their own', () => {
    const johannesburg = { timeZone: 'Africa/Johannesburg' };
    assert.deepEqual(filterRows('2023-05', column, johannesburg), [0, 1]);
    assert.deepEqual(filterRows('>= 2023-06-01 01:00', column, johannesburg), [2, 3, 4]);
    assert.deepEqual(filterRows('>= 2023-06-01 01:00Z', column, johannesburg), [4]);
    assert.deepEqual(filterRows('2023-06-01T01:00+02:00', column), [2]);
    assert.deepEqual(filterRows('2023-05-31 23:00..2023-06-01 00:00', column), [2, 3]);
  });

  it('matches both occurrences of a repeated hour, and rejects a skipped hour', () => {
    const autumn = timeColumn(
      'ts',
      ['2023-10-29T00:00Z', '2023-10-29T00:30Z', '2023-10-29T01:00Z', '2023-10-29T02:00Z'].map(parse),
    );
    const paris = { timeZone: 'Europe/Paris' };
    assert.deepEqual(filterRows('2023-10-29 02:00', autumn, paris), [0, 2]);
    assert.deepEqual(filterRows('>=2023-10-29 02:00', autumn, paris), [0, 1, 2, 3]);
    assert.deepEqual(filterRows('>2023-10-29 02:00', autumn, paris), [3]);
    assert.equal(filterRows('2023-03-26 02:30', autumn, paris), 'skippedTime: 2023-03-26 02:30');
  });

  it('parses relative times when the present is known', () => {
    const now = parse('2023-06-01T10:00Z');
    assert.deepEqual(filterRows('today', column, { now }), [3]);
    assert.deepEqual(filterRows('last 24 hours', column, { now }), [2, 3]);
    assert.deepEqual(filterRows('>=yesterday', column, { now }), [2, 3, 4]);
    assert.equal(filterRows('today', column), 'notTime: today');
  });

  it('explains an invalid time filter', () => {
    assert.equal(filterRows('2023-13', column), 'noSuchDate: 2023-13');
    assert.equal(filterRows('2023-02-30 06:00', column), 'noSuchDate: 2023-02-30 06:00');
    assert.equal(filterRows('soon', column), 'notTime: soon');
    assert.equal(filterRows('2023-06..2023-05', column), 'backwards: 2023-06..2023-05');
  });
});

describe('parseFilter of texts', () => {
  const column = textColumn('kind', ['Coal', 'charcoal', '', 'Café, noir', null, 'null', 'wind']);

  it('matches a part of the text, ignoring case and accents', () => {
    assert.deepEqual(filterRows('coal', column), [0, 1]);
    assert.deepEqual(filterRows('CAFE', column), [3]);
    assert.deepEqual(filterRows('café', column), [3]);
    assert.deepEqual(filterRows('!coal', column), [2, 3, 5, 6]);
    assert.deepEqual(filterRows('coal or wind', column), [0, 1, 6]);
    assert.deepEqual(filterRows('coal,wind', column), [0, 1, 6]);
    assert.deepEqual(filterRows('!coal, !wind', column), [2, 3, 5]);
  });

  it('ignores accents on signs and spaces', () => {
    const accentedSigns = textColumn('a', ['ς\u0301', '−\u0301', '’\u0301', '\u00a0\u0301']);
    assert.deepEqual(
      ['σ', '-', "'", '" "'].map(text => filterRows(text, accentedSigns)),
      [[0], [1], [2], [3]],
    );
  });

  it('distinguishes letters that the locale distinguishes', () => {
    const towns = textColumn('town', ['Malmö', 'Malmo']);
    assert.deepEqual(filterRows('malmo', towns), [0, 1]);
    assert.deepEqual(filterRows('malmo', towns, { locale: 'sv' }), [1]);
  });

  it('matches the whole text after an equals sign', () => {
    assert.deepEqual(filterRows('=Coal', column), [0]);
    assert.deepEqual(filterRows('=coal', column), []);
    assert.deepEqual(filterRows('!=Coal', column), [1, 2, 3, 5, 6]);
    assert.deepEqual(filterRows('=Cafe\u0301', textColumn('a', ['Café'])), [0]);
  });

  it('matches quoted text literally', () => {
    assert.deepEqual(filterRows('null', column), [4]);
    assert.deepEqual(filterRows('"null"', column), [5]);
    assert.deepEqual(filterRows('""', column), [2]);
    assert.deepEqual(filterRows('!""', column), [0, 1, 3, 5, 6]);
    assert.deepEqual(filterRows('"Café, noir"', column), [3]);
    assert.deepEqual(filterRows('"Café, n', column), [3]);
    assert.deepEqual(filterRows('="Café, noir" or wind', column), [3, 6]);
    assert.deepEqual(filterRows('"say ""hi"""', textColumn('a', ['say "hi"', 'say hi'])), [0]);
    assert.deepEqual(filterRows('>5', textColumn('a', ['>5', '6'])), [0]);
  });

  it('matches the JSON of nested cells, which has no space after commas', () => {
    const nested = nestedColumn('a', ['[1,2]', '[1,3]', '{"b":"x"}']);
    assert.deepEqual(filterRows('[1,2', nested), [0]);
    assert.deepEqual(filterRows('1,3, "b"', nested), [1, 2]);
  });
});

describe('parseFilter of booleans', () => {
  const column = booleanColumn('on', [true, false, null]);

  it('accepts true, false or null', () => {
    assert.deepEqual(filterRows('TRUE', column), [0]);
    assert.deepEqual(filterRows('!=true', column), [1]);
    assert.deepEqual(filterRows('false,null', column), [1, 2]);
    assert.equal(filterRows('yes', column), 'notBoolean: yes');
    assert.equal(filterRows('>true', column), 'notBoolean: true');
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
        assert.equal(parseTerms(text, kind).length, terms, kind);
    });
});
