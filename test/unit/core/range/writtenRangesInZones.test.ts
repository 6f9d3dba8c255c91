import assert from 'node:assert/strict';
import { hour, formatSpan } from './spanText.ts';

/** This is a Wednesday. */
const now = '2023-10-18T11:25:30Z';

describe('a written range in a time zone', () => {
  const cases: readonly (readonly [zone: string, text: string, span: string])[] = [
    ['Africa/Johannesburg', 'May 2023', '2023-04-30T22:00Z 2023-05-31T22:00Z'],
    ['Africa/Johannesburg', '1 May 2023 14:00-17:00', '2023-05-01T12:00Z 2023-05-01T15:00Z'],
    ['Africa/Johannesburg', '1 May 2023 14:00-17:00Z', '2023-05-01T14:00Z 2023-05-01T17:00Z'],
    // A zone at one end applies to both ends.
    ['Africa/Johannesburg', '2023-05-01T14:00/2023-05-02T17:00Z', '2023-05-01T14:00Z 2023-05-02T17:00Z'],
    ['Africa/Johannesburg', '2023-05-01T14:00Z/2023-05-02T17:00', '2023-05-01T14:00Z 2023-05-02T17:00Z'],
    ['Europe/Berlin', '1 May 2023 14:00 to 2 May 2023 17:00 SAST', '2023-05-01T12:00Z 2023-05-02T15:00Z'],
    ['Europe/Berlin', '1 May 2023 22:00-02:00 SAST', '2023-05-01T20:00Z 2023-05-02T00:00Z'],
    ['Europe/Berlin', '29 Oct 2023 22:00-02:00', '2023-10-29T21:00Z 2023-10-30T01:00Z'],
    ['Africa/Johannesburg', 'yesterday 14:00..24:00', '2023-10-17T12:00Z 2023-10-17T22:00Z'],
    ['Africa/Johannesburg', 'Monday', '2023-10-15T22:00Z 2023-10-16T22:00Z'],
    ['Africa/Johannesburg', '2023-H1', '2022-12-31T22:00Z 2023-06-30T22:00Z'],
    ['Africa/Johannesburg', '2023-05-01/P1M', '2023-04-30T22:00Z 2023-05-31T22:00Z'],
    ['Asia/Kolkata', '2023W05', '2023-01-29T18:00Z 2023-02-05T19:00Z'],
    // Clocks go forward from 02:00 to 03:00. The day has 23 hours, and 02:30 means the time after the gap.
    ['Europe/Berlin', '26 March 2023', '2023-03-25T23:00Z 2023-03-26T22:00Z'],
    ['Europe/Berlin', '26 March 2023 02:30-04:00', '2023-03-26T01:00Z 2023-03-26T02:00Z'],
    ['Europe/Berlin', '2023-03-25T12:00/P1D', '2023-03-25T11:00Z 2023-03-26T10:00Z'],
    ['Europe/Berlin', '2023-03-25T12:00/PT24H', '2023-03-25T11:00Z 2023-03-26T11:00Z'],
    // Clocks go back from 03:00 to 02:00. The day has 25 hours, and 02:00 is the first of the two.
    ['Europe/Berlin', '29 Okt 2023', '2023-10-28T22:00Z 2023-10-29T23:00Z'],
    ['Europe/Berlin', '29 Oct 2023 02:00-03:00', '2023-10-29T00:00Z 2023-10-29T02:00Z'],
    ['Europe/Berlin', '29 Oct 2023 01:00-02:00', '2023-10-28T23:00Z 2023-10-29T00:00Z'],
    // Midnight does not exist.
    ['America/Sao_Paulo', '4 Nov 2018', '2018-11-04T03:00Z 2018-11-05T02:00Z'],
    ['America/Sao_Paulo', '3 Nov 2018 20:00-24:00', '2018-11-03T23:00Z 2018-11-04T03:00Z'],
  ];
  for (const [zone, text, span] of cases)
    it(`resolves in ${zone}: ${text}`, () => {
      assert.equal(formatSpan(text, now, zone), span);
    });

  it('aligns a written range to its interval', () => {
    assert.equal(formatSpan('1 May 2023 14:10-16:50', now), '2023-05-01T14:00Z 2023-05-01T17:00Z');
    assert.equal(formatSpan('2023-05-01T14:10/PT30M', now), '2023-05-01T14:00Z 2023-05-01T15:00Z');
    assert.equal(formatSpan('7d', now, 'UTC', 24 * hour), '2023-10-11T00:00Z 2023-10-18T00:00Z');
    assert.equal(formatSpan('now-36h..now-1d', now, 'UTC', 24 * hour), '2023-10-16T00:00Z 2023-10-17T00:00Z');
  });
});
