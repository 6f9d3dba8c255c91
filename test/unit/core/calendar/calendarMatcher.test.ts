import assert from 'node:assert/strict';
import { Temporal } from 'temporal-polyfill';
import { parseCalendarParts, createCalendarMatcher } from '../../../../src/core/calendar/calendarMatcher.ts';
import type { Tariff } from '../../../../src/shared/resampling.ts';

const hourMs = 3_600_000;

function createMatcher(
  text: string,
  timeZone: string,
  tariffs?: readonly Tariff[],
): ((ms: number) => boolean) | undefined {
  const parts = parseCalendarParts(text);
  return parts && createCalendarMatcher(parts, timeZone, tariffs);
}

/** Counts the hours of 2023 that match, in a zone. */
function countHours(text: string, timeZone = 'UTC'): number | undefined {
  const matches = createMatcher(text, timeZone);
  const start = Temporal.PlainDate.from('2023-01-01').toZonedDateTime(timeZone).epochMilliseconds;
  return matches && Array.from({ length: 8760 }, (_, hour) => start + hour * hourMs).filter(matches).length;
}

describe('the matcher of a calendar filter', () => {
  it('matches hours of the day without the end, also over midnight', () => {
    assert.equal(countHours('06:00-18:00'), 12 * 365);
    assert.equal(countHours('06:00..18:00'), 12 * 365);
    assert.equal(countHours('6:00 to 18:00'), 12 * 365);
    assert.equal(countHours('22:00–06:00'), 8 * 365);
    assert.equal(countHours('22:00-00:00'), 2 * 365);
    assert.equal(countHours('22:00-24:00'), 2 * 365);
    assert.equal(countHours('00:00-24:00'), 8760);
    assert.equal(countHours('17:00'), 365);
    assert.equal(countHours('17:30'), 0);
    for (const text of ['18h00-20h00', '6 pm - 8 pm', '6pm-8pm', '18:00 tot 20h00', '6:00pm..8:00 pm'])
      assert.equal(countHours(text), countHours('18:00-20:00'), text);
    assert.equal(countHours('10pm-2am'), 4 * 365);
    assert.equal(countHours('12am-6am'), 6 * 365);
    assert.equal(countHours('6pm-12am'), 6 * 365);
    for (const text of [
      'between 18:00 and 20:00',
      'tussen 18h00 en 20h00',
      '6-8pm',
      '6 to 8 pm',
      'from 18:00 to 20:00',
    ])
      assert.equal(countHours(text), 2 * 365, text);
    assert.equal(countHours('6-9am'), 3 * 365);
    assert.equal(countHours('11-12pm'), undefined);
    for (const text of ['after 18:00', 'since 6pm', 'na 18h00']) assert.equal(countHours(text), 6 * 365, text);
    for (const text of ['before 6am', 'until 06:00', 'voor 6:00']) assert.equal(countHours(text), 6 * 365, text);
    assert.equal(countHours('Mondays after 18:00'), 52 * 6);
    for (const text of [
      '18h-20h',
      'after',
      'after Monday',
      'between 18:00',
      'after 24:00',
      'before 00:00',
      '11-1pm',
      '13pm',
      '25h00-26h00',
      '17h60',
      '6am-6am',
      '17:00:30',
    ])
      assert.equal(countHours(text), undefined, text);
  });

  it('matches the whole hour where minutes are omitted', () => {
    const toInstant = (clock: string): number => Date.parse(`2023-05-01T${clock}Z`);
    for (const [clock, isInRange] of Object.entries({ '05:59': false, '06:00': true, '06:30': true, '07:00': false }))
      assert.equal(createMatcher('6am', 'UTC')?.(toInstant(clock)), isInRange, clock);
    assert.equal(createMatcher('6:00am', 'UTC')?.(toInstant('06:30')), false);
  });

  it('matches single weekdays and ranges of them, also over Sunday', () => {
    assert.equal(countHours('Monday'), 52 * 24);
    assert.equal(countHours('sun'), 53 * 24);
    assert.equal(countHours('Mon-Fri'), 260 * 24);
    for (const text of ['Saturdays', 'Saterdae']) assert.equal(countHours(text), countHours('Saturday'), text);
    assert.equal(countHours('Mondays to Fridays'), 260 * 24);
    assert.equal(countHours('Saturdays 6am-9am'), 52 * 3);
    assert.equal(countHours('Sat - Mon'), (52 + 53 + 52) * 24);
    assert.equal(countHours('weekdays'), 260 * 24);
    assert.equal(countHours('weekend'), 105 * 24);
  });

  it('matches months and seasons of the southern hemisphere', () => {
    assert.equal(countHours('June'), 30 * 24);
    assert.equal(countHours('Jun-Aug'), 92 * 24);
    assert.equal(countHours('nov..feb'), (30 + 31 + 31 + 28) * 24);
    assert.equal(countHours('winter'), countHours('Jun-Aug'));
    assert.equal(countHours('summer'), countHours('Dec-Feb'));
    assert.equal(countHours('autumn'), countHours('Mar-May'));
    assert.equal(countHours('spring'), countHours('Sep-Nov'));
    for (const [quarter, span] of ['Jan-Mar', 'Apr-Jun', 'Jul-Sep', 'Oct-Dec'].entries())
      assert.equal(countHours(`Q${quarter + 1}`), countHours(span), span);
    assert.equal(countHours('q3 weekend'), countHours('Jul-Sep weekend'));
    for (const text of ['Q5', 'Q0', 'Q 1', 'Q', 'Q11']) assert.equal(countHours(text), undefined, text);
  });

  it('matches holidays by SAST in every zone', () => {
    for (const zone of ['UTC', 'Africa/Johannesburg', 'America/New_York'])
      assert.equal(createMatcher('holiday', zone)?.(Date.parse('2023-09-25T22:30+02:00')), true, zone);
    assert.equal(countHours('public'), undefined);
    // These are 15 days. New Year's Day and its Monday begin two hours before the year in UTC.
    for (const text of ['holidays', 'public holiday', 'Public Holidays', 'openbare vakansiedae'])
      assert.equal(countHours(text, 'Africa/Johannesburg'), 15 * 24, text);
    assert.equal(countHours('public peak'), undefined);
  });

  it('combines several parts with "and"', () => {
    assert.equal(countHours('Mon-Fri 17:00-20:00'), 260 * 3);
    assert.equal(countHours('17:00-20:00 weekdays in winter'), 66 * 3);
    assert.equal(countHours('Monday Tuesday'), 0);
  });

  it('accepts Afrikaans words', () => {
    assert.equal(countHours('Maandag'), countHours('Monday'));
    assert.equal(countHours('naweek'), countHours('weekend'));
    assert.equal(countHours('weeksdae somer'), countHours('weekdays summer'));
    assert.equal(countHours('vakansiedae', 'Africa/Johannesburg'), 15 * 24);
  });

  it('matches tariff periods by SAST in every zone, in English and Afrikaans', () => {
    const spellings = {
      peak: ['Peak', 'spits', 'piek'],
      standard: ['standaard'],
      'off-peak': ['off peak', 'offpeak', 'buitespits'],
    };
    for (const [word, synonyms] of Object.entries(spellings))
      for (const spelling of [word, ...synonyms])
        assert.equal(countHours(spelling, 'America/New_York'), countHours(word, 'America/New_York'), spelling);
    const [peak = NaN, standard = NaN, offPeak = NaN] = Object.keys(spellings).map(word => countHours(word));
    assert.equal(peak + standard + offPeak, 8760);
    assert.equal(countHours('peak weekend'), 0);
    assert.equal(countHours('off-peak Mon-Fri winter 02:00-03:00', 'Africa/Johannesburg'), 66);
    assert.equal(countHours('off'), undefined);
    assert.equal(countHours('off-standard'), undefined);
  });

  it('matches the periods of a custom tariff', () => {
    const day = { peak: ['10:30-11:00'] };
    const season = { weekday: day, saturday: day, sunday: day };
    const customTariff = { from: '2023-01-01', source: 'Own', highDemand: season, lowDemand: season };
    const matches = createMatcher('peak', 'UTC', [customTariff]);
    const instants = ['2023-05-03T10:30+02:00', '2023-05-03T11:00+02:00', '2022-05-03T10:30+02:00'];
    assert.deepEqual(
      instants.map(text => matches?.(Date.parse(text))),
      [true, false, false],
    );
  });

  it('uses the local time of the zone, also at clock changes', () => {
    const zone = 'Europe/Berlin';
    // 02:00 is skipped on 26 March and repeated on 29 October. The loop ends with the last hour of the year.
    assert.equal(countHours('02:00', zone), 365);
    assert.equal(countHours('03:00', zone), 365);
    const matches = createMatcher('02:00', zone);
    const repeated = ['2023-10-29T00:00Z', '2023-10-29T01:00Z', '2023-10-29T02:00Z'].map(Date.parse);
    assert.deepEqual(
      repeated.map(ms => matches?.(ms)),
      [true, true, false],
    );
  });

  it('agrees with Temporal at random instants', () => {
    let state = 7;
    const random = (limit: number): number => ((state = (state * 48_271) % 2_147_483_647) / 2_147_483_647) * limit;
    for (const zone of ['UTC', 'Africa/Johannesburg', 'Asia/Kathmandu', 'America/St_Johns', 'Europe/London']) {
      const filters = {
        hours: createMatcher('05:30-09:15', zone),
        days: createMatcher('Fri-Mon', zone),
        months: createMatcher('Oct-Mar', zone),
      };
      for (let times = 0; times < 400; times += 1) {
        const ms = Math.floor(random(1.7e12));
        const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
        const minute = local.hour * 60 + local.minute;
        const description = local.toString();
        assert.equal(filters.hours?.(ms), minute >= 330 && minute < 555, description);
        assert.equal(filters.days?.(ms), local.dayOfWeek >= 5 || local.dayOfWeek === 1, description);
        assert.equal(filters.months?.(ms), local.month >= 10 || local.month <= 3, description);
      }
    }
  });

  it('returns undefined for texts that are not calendar filters', () => {
    const otherTexts = [
      '',
      '2023',
      'May 2023',
      '2023-05-03 06:00',
      '06:00-06:00',
      '24:00',
      '24:00-06:00',
      '25:00',
      '6:5',
      '17:00-',
      '-17:00',
    ];
    const invalidTexts = [
      'Mon-06:00',
      'Jun-Fri',
      'Mon-',
      'constructor',
      'last 7 days',
      'weekend-Mon',
      '17',
      '17:00:00',
      '006:00',
      'null',
      '06:60',
    ];
    for (const text of [...otherTexts, ...invalidTexts, 'x'.repeat(10_000)])
      assert.equal(parseCalendarParts(text), undefined, text);
  });
});
