import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatInstant, parseInstant } from '../../../../src/core/time/instant.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const inFourDigitYears = fc.integer({ min: Date.UTC(100, 0, 1), max: Date.UTC(9999, 11, 31, 23, 59, 59, 999) });

describe('parseInstant', () => {
  const accepted: readonly (readonly [string, string])[] = [
    ['2023-05-01T05:00:00Z', '2023-05-01T05:00:00.000Z'],
    ['2023-05-01t05:00:00z', '2023-05-01T05:00:00.000Z'],
    ['2023-05-01 05:00Z', '2023-05-01T05:00:00.000Z'],
    ['2023-05-01T05:00:00+02:00', '2023-05-01T03:00:00.000Z'],
    ['2023-05-01T05:00:00-0330', '2023-05-01T08:30:00.000Z'],
    ['2023-05-01T05:00:00.5Z', '2023-05-01T05:00:00.500Z'],
    ['2023-05-01T05:00:00.123456789Z', '2023-05-01T05:00:00.123Z'],
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
    ['2023-01-01T00:00:00+14:00', '2022-12-31T10:00:00.000Z'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
  ];
  for (const [text, instant] of accepted)
    it(`reads ${text}`, () => {
      assert.equal(parseInstant(text), Date.parse(instant));
    });

  for (const text of [
    ...['', '2023-05-01', '2023-05-01T05:00:00', '2023-05-01 05:00', '05:00Z', '1682917200', '1682917200000'],
    ...['2023-02-29T00:00:00Z', '2023-04-31T00:00:00Z', '2023-00-10T00:00:00Z', '2023-13-01T00:00:00Z'],
    ...['2023-05-00T00:00:00Z', '2023-05-01T24:00:00Z', '2023-05-01T23:60:00Z', '2023-05-01T23:59:60Z'],
    ...['2023-05-01T05:00:00+24:00', '2023-05-01T05:00:00+02:60', '2023-05-01T05:00:00+2', '2023-5-1T05:00:00Z'],
    ...['2023-05-01T05:00:00.Z', '2023-05-01T05:00:00 Z', ' 2023-05-01T05:00:00Z', '2023-05-01T05:00:00Z\n'],
    ...['0050-01-01T00:00:00Z', '+002023-05-01T05:00:00Z', '2023-05-01T05:00:00 CAT', '２０２３-05-01T05:00:00Z'],
  ])
    it(`rejects ${JSON.stringify(text)}`, () => {
      assert.equal(parseInstant(text), undefined);
    });

  it('accepts exactly the dates and times that Date accepts', () => {
    const arbitraryTwoDigits = (max: number) =>
      fc.integer({ min: 0, max }).map(value => String(value).padStart(2, '0'));
    const parts = fc.tuple(
      fc.integer({ min: 1000, max: 9999 }),
      arbitraryTwoDigits(13),
      arbitraryTwoDigits(32),
      arbitraryTwoDigits(25),
      arbitraryTwoDigits(61),
      arbitraryTwoDigits(61),
    );
    fc.assert(
      fc.property(parts, ([year, month, day, hour, minute, second]) => {
        const text = `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
        const date = new Date(text);
        // Date accepts 31 April and 24:00, but changes them. Only a time that it returns unchanged exists.
        const exists = !Number.isNaN(date.getTime()) && date.toISOString() === text.replace('Z', '.000Z');
        assert.equal(parseInstant(text), exists ? date.getTime() : undefined);
      }),
      { numRuns: scaleRunCount(1000) },
    );
  });

  it('reads an offset as Date does', () => {
    // No zone is further from UTC, and "14:00-15:00" is a range.
    const offset = fc.integer({ min: -840, max: 840 });
    fc.assert(
      fc.property(inFourDigitYears, offset, (ms, minutes) => {
        const size = Math.abs(minutes);
        const zone = `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
        const text = new Date(ms).toISOString().replace('Z', zone);
        assert.equal(parseInstant(text), Date.parse(text));
      }),
    );
  });
});

describe('formatInstant', () => {
  it('writes whole seconds in UTC', () => {
    assert.equal(formatInstant(Date.UTC(2023, 4, 1, 5)), '2023-05-01T05:00:00Z');
    assert.equal(formatInstant(Date.UTC(2023, 4, 1, 5, 0, 59, 999)), '2023-05-01T05:00:59Z');
    assert.equal(formatInstant(-1), '1969-12-31T23:59:59Z');
  });

  it('formats a year of more than four digits in full', () => {
    assert.equal(formatInstant(Date.UTC(10_000, 0, 1)), '+010000-01-01T00:00:00Z');
  });

  it('formats instants that parseInstant parses back', () => {
    fc.assert(
      fc.property(inFourDigitYears, ms => {
        assert.equal(parseInstant(formatInstant(ms)), Math.floor(ms / 1000) * 1000);
      }),
    );
  });
});

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
