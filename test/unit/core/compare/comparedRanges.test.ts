import assert from 'node:assert/strict';
import fc from 'fast-check';
import { listComparedRanges } from '../../../../src/core/compare/comparedRanges.ts';
import { day, hour, minute, resolveText, formatShort } from '../range/spanText.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const now = Date.parse('2024-06-15T11:28Z');

/** Lists the kind, alignment and text of the offered ranges. */
function listOffers(text: string, timeZone = 'UTC', intervalMs = hour): string[] {
  const span = resolveText(text, { now, timeZone, intervalMs });
  assert.ok(span.ok);
  return listComparedRanges(span.value.start, span.value.end, { intervalMs, timeZone, now }).map(
    ({ kind, align, range }) => `${kind} ${align} ${range}`,
  );
}

describe('comparedRanges', () => {
  it('offers calendar periods for whole months or years', () => {
    assert.deepEqual(listOffers('2023-05'), [
      'previousPeriod position 2023-04',
      'previousPeriod hourOfWeek 2023-03-27..2023-04-26',
      'lastYear position 2022-05',
      'lastYear hourOfWeek 2022-05-02..2022-06-01',
    ]);
    // The previous year equals the same period last year, so it is only offered once.
    assert.deepEqual(
      listOffers('2023').map(offer => offer.split(' ').slice(0, 2).join(' ')),
      ['previousPeriod position', 'previousPeriod hourOfWeek', 'lastYear hourOfWeek'],
    );
  });

  it('offers whole days of the time zone for a range of days, across clock changes', () => {
    assert.deepEqual(listOffers('2023-03-20..2023-03-26', 'Europe/Berlin'), [
      'previousPeriod position 2023-03-13..2023-03-19',
      'lastYear position 2022-03-20..2022-03-26',
      'lastYear hourOfWeek 2022-03-21..2022-03-27',
    ]);
  });

  it('uses 28 February in years without a 29 February', () => {
    assert.equal(listOffers('2024-02-29')[2], 'lastYear position 2023-02-28');
    assert.equal(listOffers('2024-02-28')[2], 'lastYear position 2023-02-28');
    assert.equal(listOffers('2024-02')[2], 'lastYear position 2023-02');
    assert.equal(listOffers('2024-02-25..2024-03-02')[1], 'lastYear position 2023-02-25..2023-03-03');
  });

  it('offers periods of equal length for all other ranges', () => {
    assert.deepEqual(listOffers('2024-06-14T09:00Z..2024-06-15T11:00Z'), [
      'previousPeriod position 2024-06-13T07:00Z..2024-06-14T09:00Z',
      'previousPeriod hourOfWeek 2024-06-07T09:00Z..2024-06-08T11:00Z',
      'lastYear position 2023-06-14T09:00Z..2023-06-15T11:00Z',
      'lastYear hourOfWeek 2023-06-16T09:00Z..2023-06-17T11:00Z',
    ]);
  });

  it('uses whole UTC days for daily intervals', () => {
    const start = Date.parse('2023-05-01T00:00Z');
    const end = Date.parse('2023-06-01T00:00Z');
    const [previous] = listComparedRanges(start, end, { intervalMs: day, timeZone: 'Africa/Johannesburg', now });
    assert.equal(previous?.range, '2023-04-01T00:00Z..2023-05-01T00:00Z');
    // 31 March 2024 has 23 hours in London, so a range that begins with it is not April.
    assert.equal(
      listOffers('2024-03-31..2024-04-30', 'Europe/London', day)[0],
      'previousPeriod position 2024-02-29..2024-03-30',
    );
  });

  it('offers no range that has not begun', () => {
    const start = now + 10 * day;
    assert.deepEqual(
      listComparedRanges(start, start + hour, { intervalMs: hour, timeZone: 'UTC', now }).map(
        ({ kind, align }) => `${kind} ${align}`,
      ),
      ['lastYear position', 'lastYear hourOfWeek'],
    );
  });

  it('writes each offered range as a text that resolves to its instants, earlier than the base and on whole intervals', () => {
    const zones = fc.constantFrom('UTC', 'Africa/Johannesburg', 'Europe/Berlin', 'Asia/Kathmandu', 'America/Havana');
    const intervals = fc.constantFrom(15 * minute, hour, day);
    const days = fc.integer({ min: Date.UTC(2012, 0, 1) / day, max: Date.UTC(2023, 0, 1) / day });
    const dates = days.map(n => formatShort(n * day).slice(0, 10));
    const texts = fc.oneof(
      dates,
      dates.map(text => text.slice(0, 7)),
      dates.map(text => text.slice(0, 4)),
      fc.tuple(dates, dates).map(pair => pair.sort().join('..')),
      fc
        .tuple(days, fc.integer({ min: 1, max: 3000 }))
        .map(([n, hourOfDay]) => `${formatShort(n * day)}..${formatShort(n * day + hourOfDay * hour)}`),
    );
    fc.assert(
      fc.property(texts, zones, intervals, (text, timeZone, intervalMs) => {
        const context = { now, timeZone, intervalMs: intervalMs };
        const base = resolveText(text, context);
        assert.ok(base.ok);
        const { start, end } = base.value;
        for (const offer of listComparedRanges(start, end, { intervalMs, timeZone, now })) {
          assert.deepEqual(resolveText(offer.range, context), {
            ok: true,
            value: { start: offer.start, end: offer.end },
          });
          assert.ok(offer.start < start);
          assert.equal(offer.start % intervalMs, 0);
          if (offer.kind === 'previousPeriod') assert.ok(offer.end < start + 2 * intervalMs);
        }
      }),
      { numRuns: scaleRunCount(300) },
    );
  });
});
