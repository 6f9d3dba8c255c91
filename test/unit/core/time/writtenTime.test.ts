import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseTime, parseTimeOfDay, type DateOrder } from '../../../../src/core/time/writtenTime.ts';

/** Each text, the local time that it means, and its offset in hours. */
const times: readonly (readonly [text: string, localTime: string, offset?: number])[] = [
  ['2023-01-31T14:30:00Z', '2023-01-31T14:30', 0],
  ['2023-01-31 14:30:00+02', '2023-01-31T14:30', 2],
  ['2023-01-31 14:30:00-0330', '2023-01-31T14:30', -3.5],
  ['2023-01-31 14:30 UTC', '2023-01-31T14:30', 0],
  ['2023-01-31 14:30 UTC+2', '2023-01-31T14:30', 2],
  ['2023-01-31T14:30:00+01:00[Europe/Berlin]', '2023-01-31T14:30', 1],
  ['Tue, 31 Jan 2023 14:30:00 GMT', '2023-01-31T14:30', 0],
  ['20230131:1430', '2023-01-31T14:30'],
  ['20230131T1430Z', '2023-01-31T14:30', 0],
  ['20230131 14:30', '2023-01-31T14:30'],
  ['2023/01/31 14:30', '2023-01-31T14:30'],
  ['31.01.2023 14:30 - 31.01.2023 15:00', '2023-01-31T14:30'],
  ['26/10/2025 02:00:00 (CEST) - 26/10/2025 02:00:00 (CET)', '2025-10-26T02:00', 2],
  ['31-Jan-23 2:30 PM', '2023-01-31T14:30'],
  ['Jan 31, 2023 2:30 p.m.', '2023-01-31T14:30'],
  ['31JAN2023:14:30:00', '2023-01-31T14:30'],
  ['31/01/23 14:30', '2023-01-31T14:30'],
  ['2023-01-30 24:00', '2023-01-31T00:00'],
  ['2023-01-31 14', '2023-01-31T14:00'],
  ['2024-W01', '2024-01-01T00:00'],
  ['2023-01', '2023-01-01T00:00'],
  ['Jan 2023', '2023-01-01T00:00'],
];

describe('parseTime', () => {
  for (const [text, localTime, offset] of times)
    it(`reads ${text}`, () => {
      const time = parseTime(text) ?? assert.fail();
      assert.equal(new Date(time.localTime).toISOString().slice(0, 16), localTime);
      assert.equal(time.offset, offset === undefined ? undefined : offset * 3_600_000);
    });

  for (const text of [
    ...[
      '',
      'today',
      '12',
      '1.5',
      '2023',
      '2022-06-31 14:00',
      '2022-06/23 14:00',
      '2022-06-23 24:30',
      '2022-06-23 25:00',
    ],
    ...[
      '2022-06-23 13:00 PM',
      '2022-06-23 00:00 AM',
      '0022-06-23 14:00',
      '31/31/2022',
      '2023-01-31 14:30 XYZ',
      '2024-W54',
    ],
    ...['10.20.30.40', '2023-01-31 14:60', '2023-01-31T14:30:00Zulu', '99/99/9999 99:99', '31-31-2022'],
  ])
    it(`rejects ${JSON.stringify(text)}`, () => {
      assert.equal(parseTime(text, 'day first') ?? parseTime(text, 'month first'), undefined);
    });

  it('reads a date with the day or the month first, as requested', () => {
    const readLocalTime = (text: string, order: DateOrder) =>
      new Date(parseTime(text, order)?.localTime ?? NaN).toISOString().slice(0, 10);
    assert.deepEqual(
      [readLocalTime('01/02/2023', 'day first'), readLocalTime('01/02/2023', 'month first')],
      ['2023-02-01', '2023-01-02'],
    );
    assert.equal(parseTime('13/02/2023', 'month first'), undefined);
    assert.equal(readLocalTime('2023-02-01', 'month first'), '2023-02-01');
  });

  it('rounds down to milliseconds, and reports whether digits were cut', () => {
    for (const [text, ms, isCut] of [
      ['2023-01-31 14:30:00.123456', 123, true],
      ['2023-01-31 14:30:00,5Z', 500, false],
      ['1969-12-31T23:59:59.999999Z', 999, true],
      ['2023-01-31 14:30:00.120000000', 120, false],
    ] as const) {
      const time = parseTime(text) ?? assert.fail(text);
      assert.deepEqual(
        [time.localTime - Math.floor(time.localTime / 1000) * 1000, time.isTruncated],
        [ms, isCut],
        text,
      );
    }
  });

  it('reads formatted dates alike with its fast path and its grammar', () => {
    const instant = fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(instant, date => {
        const text = date.toISOString();
        assert.equal(parseTime(text)?.localTime, date.getTime());
        assert.equal(parseTime(text.slice(0, 19))?.localTime, Math.floor(date.getTime() / 1000) * 1000);
        assert.equal(parseTime(` ${text.slice(0, 19)}`)?.localTime, parseTime(text.slice(0, 19))?.localTime);
      }),
    );
  });
});

describe('parseTimeOfDay', () => {
  it('reads hours and minutes, and the start of a range', () => {
    const timesOfDay = ['14:30', '2:30 PM', '24:00', '00:00 - 01:00', '1430'].map(
      text => (parseTimeOfDay(text) ?? NaN) / 3_600_000,
    );
    assert.deepEqual(timesOfDay, [14.5, 14.5, 24, 0, 14.5]);
    assert.deepEqual(['25:00', '14:60', 'noon', ''].map(parseTimeOfDay), [undefined, undefined, undefined, undefined]);
  });
});
