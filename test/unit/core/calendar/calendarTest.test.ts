import assert from 'node:assert/strict';
import { Temporal } from 'temporal-polyfill';
import { calendarParts, calendarTest } from '../../../../src/core/calendar/calendarTest.ts';
import type { Tariff } from '../../../../src/shared/resampling.ts';

const hourMs = 3_600_000;

function testOf(text: string, timeZone: string, tariffs?: readonly Tariff[]): ((ms: number) => boolean) | undefined {
  const parts = calendarParts(text);
  return parts && calendarTest(parts, timeZone, tariffs);
}

/** How many hours of 2023 pass, in a zone. */
function hours(text: string, timeZone = 'UTC'): number | undefined {
  const test = testOf(text, timeZone);
  const start = Temporal.PlainDate.from('2023-01-01').toZonedDateTime(timeZone).epochMilliseconds;
  return test && Array.from({ length: 8760 }, (_, hour) => start + hour * hourMs).filter(test).length;
}

describe('calendarTest', () => {
  it('reads hours of the day, the end not included, over midnight too', () => {
    assert.equal(hours('06:00-18:00'), 12 * 365);
    assert.equal(hours('06:00..18:00'), 12 * 365);
    assert.equal(hours('6:00 to 18:00'), 12 * 365);
    assert.equal(hours('22:00–06:00'), 8 * 365);
    assert.equal(hours('22:00-00:00'), 2 * 365);
    assert.equal(hours('22:00-24:00'), 2 * 365);
    assert.equal(hours('00:00-24:00'), 8760);
    assert.equal(hours('17:00'), 365);
    assert.equal(hours('17:30'), 0);
    for (const text of ['18h00-20h00', '6 pm - 8 pm', '6pm-8pm', '18:00 tot 20h00', '6:00pm..8:00 pm'])
      assert.equal(hours(text), hours('18:00-20:00'), text);
    assert.equal(hours('10pm-2am'), 4 * 365);
    assert.equal(hours('12am-6am'), 6 * 365);
    assert.equal(hours('6pm-12am'), 6 * 365);
    for (const text of [
      'between 18:00 and 20:00',
      'tussen 18h00 en 20h00',
      '6-8pm',
      '6 to 8 pm',
      'from 18:00 to 20:00',
    ])
      assert.equal(hours(text), 2 * 365, text);
    assert.equal(hours('6-9am'), 3 * 365);
    assert.equal(hours('11-12pm'), undefined);
    for (const text of ['after 18:00', 'since 6pm', 'na 18h00']) assert.equal(hours(text), 6 * 365, text);
    for (const text of ['before 6am', 'until 06:00', 'voor 6:00']) assert.equal(hours(text), 6 * 365, text);
    assert.equal(hours('Mondays after 18:00'), 52 * 6);
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
      assert.equal(hours(text), undefined, text);
  });

  it('takes an hour without its minutes for the whole hour', () => {
    const half = (clock: string): number => Date.parse(`2023-05-01T${clock}Z`);
    for (const [clock, isIn] of Object.entries({ '05:59': false, '06:00': true, '06:30': true, '07:00': false }))
      assert.equal(testOf('6am', 'UTC')?.(half(clock)), isIn, clock);
    assert.equal(testOf('6:00am', 'UTC')?.(half('06:30')), false);
  });

  it('reads days of the week, alone, from one to another and over Sunday', () => {
    assert.equal(hours('Monday'), 52 * 24);
    assert.equal(hours('sun'), 53 * 24);
    assert.equal(hours('Mon-Fri'), 260 * 24);
    for (const text of ['Saturdays', 'Saterdae']) assert.equal(hours(text), hours('Saturday'), text);
    assert.equal(hours('Mondays to Fridays'), 260 * 24);
    assert.equal(hours('Saturdays 6am-9am'), 52 * 3);
    assert.equal(hours('Sat - Mon'), (52 + 53 + 52) * 24);
    assert.equal(hours('weekdays'), 260 * 24);
    assert.equal(hours('weekend'), 105 * 24);
  });

  it('reads months and seasons of the southern hemisphere', () => {
    assert.equal(hours('June'), 30 * 24);
    assert.equal(hours('Jun-Aug'), 92 * 24);
    assert.equal(hours('nov..feb'), (30 + 31 + 31 + 28) * 24);
    assert.equal(hours('winter'), hours('Jun-Aug'));
    assert.equal(hours('summer'), hours('Dec-Feb'));
    assert.equal(hours('autumn'), hours('Mar-May'));
    assert.equal(hours('spring'), hours('Sep-Nov'));
    for (const [at, span] of ['Jan-Mar', 'Apr-Jun', 'Jul-Sep', 'Oct-Dec'].entries())
      assert.equal(hours(`Q${at + 1}`), hours(span), span);
    assert.equal(hours('q3 weekend'), hours('Jul-Sep weekend'));
    for (const text of ['Q5', 'Q0', 'Q 1', 'Q', 'Q11']) assert.equal(hours(text), undefined, text);
  });

  it('reads holidays by SAST, whichever the zone', () => {
    for (const zone of ['UTC', 'Africa/Johannesburg', 'America/New_York'])
      assert.equal(testOf('holiday', zone)?.(Date.parse('2023-09-25T22:30+02:00')), true, zone);
    assert.equal(hours('public'), undefined);
    // 15 days, of which New Year's Day and its Monday begin two hours before the year in UTC.
    for (const text of ['holidays', 'public holiday', 'Public Holidays', 'openbare vakansiedae'])
      assert.equal(hours(text, 'Africa/Johannesburg'), 15 * 24, text);
    assert.equal(hours('public peak'), undefined);
  });

  it('reads several parts that all have to hold', () => {
    assert.equal(hours('Mon-Fri 17:00-20:00'), 260 * 3);
    assert.equal(hours('17:00-20:00 weekdays in winter'), 66 * 3);
    assert.equal(hours('Monday Tuesday'), 0);
  });

  it('reads the Afrikaans words', () => {
    assert.equal(hours('Maandag'), hours('Monday'));
    assert.equal(hours('naweek'), hours('weekend'));
    assert.equal(hours('weeksdae somer'), hours('weekdays summer'));
    assert.equal(hours('vakansiedae', 'Africa/Johannesburg'), 15 * 24);
  });

  it('reads tariff periods by SAST, whichever the zone, in English and Afrikaans', () => {
    const ways = {
      peak: ['Peak', 'spits', 'piek'],
      standard: ['standaard'],
      'off-peak': ['off peak', 'offpeak', 'buitespits'],
    };
    for (const [word, others] of Object.entries(ways))
      for (const other of [word, ...others])
        assert.equal(hours(other, 'America/New_York'), hours(word, 'America/New_York'), other);
    const [peak = NaN, standard = NaN, offPeak = NaN] = Object.keys(ways).map(word => hours(word));
    assert.equal(peak + standard + offPeak, 8760);
    assert.equal(hours('peak weekend'), 0);
    assert.equal(hours('off-peak Mon-Fri winter 02:00-03:00', 'Africa/Johannesburg'), 66);
    assert.equal(hours('off'), undefined);
    assert.equal(hours('off-standard'), undefined);
  });

  it('reads tariff periods of another tariff', () => {
    const day = { peak: ['10:30-11:00'] };
    const season = { weekday: day, saturday: day, sunday: day };
    const own = { from: '2023-01-01', source: 'Own', highDemand: season, lowDemand: season };
    const test = testOf('peak', 'UTC', [own]);
    const at = ['2023-05-03T10:30+02:00', '2023-05-03T11:00+02:00', '2022-05-03T10:30+02:00'];
    assert.deepEqual(
      at.map(text => test?.(Date.parse(text))),
      [true, false, false],
    );
  });

  it('goes by the clocks of the zone, also where they change', () => {
    const zone = 'Europe/Berlin';
    // 02:00 is skipped on 26 March and comes twice on 29 October; the loop covers the year to its last hour but none beyond.
    assert.equal(hours('02:00', zone), 365);
    assert.equal(hours('03:00', zone), 365);
    const test = testOf('02:00', zone);
    const repeated = ['2023-10-29T00:00Z', '2023-10-29T01:00Z', '2023-10-29T02:00Z'].map(Date.parse);
    assert.deepEqual(
      repeated.map(ms => test?.(ms)),
      [true, true, false],
    );
  });

  it('agrees with Temporal at random instants', () => {
    let seed = 7;
    const random = (below: number): number => ((seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647) * below;
    for (const zone of ['UTC', 'Africa/Johannesburg', 'Asia/Kathmandu', 'America/St_Johns', 'Europe/London']) {
      const tests = {
        hours: testOf('05:30-09:15', zone),
        days: testOf('Fri-Mon', zone),
        months: testOf('Oct-Mar', zone),
      };
      for (let times = 0; times < 400; times += 1) {
        const ms = Math.floor(random(1.7e12));
        const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
        const minute = local.hour * 60 + local.minute;
        const where = local.toString();
        assert.equal(tests.hours?.(ms), minute >= 330 && minute < 555, where);
        assert.equal(tests.days?.(ms), local.dayOfWeek >= 5 || local.dayOfWeek === 1, where);
        assert.equal(tests.months?.(ms), local.month >= 10 || local.month <= 3, where);
      }
    }
  });

  it('leaves everything else to others', () => {
    const others = [
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
    const more = [
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
    for (const text of [...others, ...more, 'x'.repeat(10_000)]) assert.equal(calendarParts(text), undefined, text);
  });
});
