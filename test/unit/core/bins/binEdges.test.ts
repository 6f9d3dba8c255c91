import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { findBin, computeBinEdges, createRowEndLookup } from '../../../../src/core/bins/binEdges.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const dayMs = 86_400_000;
const zones = [
  ...[
    'UTC',
    'Africa/Johannesburg',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'Europe/Berlin',
    'America/New_York',
    'Pacific/Apia',
  ],
  ...[
    'Australia/Lord_Howe',
    'America/St_Johns',
    'Pacific/Chatham',
    'America/Santiago',
    'America/Havana',
    'Asia/Beirut',
  ],
];

describe('computeBinEdges', () => {
  it('returns the beginnings of the days that a range touches, and the end of the last one', () => {
    const start = fc.integer({ min: Date.parse('1995-01-01') / 60_000, max: Date.parse('2030-01-01') / 60_000 });
    fc.assert(
      fc.property(
        start,
        fc.integer({ min: 1, max: 400 * 1440 }),
        fc.constantFrom(...zones),
        (from, minutes, timeZone) => {
          const span = { start: from * 60_000, end: (from + minutes) * 60_000 };
          const expected: number[] = [];
          let day = Temporal.Instant.fromEpochMilliseconds(span.start).toZonedDateTimeISO(timeZone).startOfDay();
          for (; day.epochMilliseconds < span.end; day = day.add({ days: 1 }).startOfDay())
            if (expected.at(-1) !== day.epochMilliseconds) expected.push(day.epochMilliseconds);
          assert.deepEqual([...computeBinEdges(span, 'day', timeZone)], [...expected, day.epochMilliseconds]);
        },
      ),
      { numRuns: scaleRunCount(400) },
    );
  });

  it('returns days of 23 and 25 hours at clock changes, and omits a date that the zone skipped', () => {
    const listDayLengths = (start: string, end: string, timeZone: string): number[] => {
      const edges = computeBinEdges({ start: Date.parse(start), end: Date.parse(end) }, 'day', timeZone);
      return [...edges].slice(1).map((edge, index) => (edge - (edges[index] ?? 0)) / 3_600_000);
    };
    assert.deepEqual(listDayLengths('2023-03-25T12:00Z', '2023-03-27T12:00Z', 'Europe/Berlin'), [24, 23, 24]);
    assert.deepEqual(listDayLengths('2023-10-28T12:00Z', '2023-10-29T12:00Z', 'Europe/Berlin'), [24, 25]);
    assert.deepEqual(listDayLengths('2011-12-30T08:00Z', '2011-12-31T08:00Z', 'Pacific/Apia'), [24, 24]);
    const start = Date.parse('2023-05-01T12:00Z');
    const end = Date.parse('2023-05-03');
    assert.equal(
      createRowEndLookup({ start, end }, { bins: { size: 'day', timeZone: 'Asia/Kolkata' } })?.(start),
      Date.parse('2023-05-01T18:30Z'),
    );
  });

  it('assigns each instant to exactly one bin', () => {
    const edges = computeBinEdges({ start: 0, end: 3 * dayMs }, 'day', 'UTC');
    assert.deepEqual(
      [-1, 0, dayMs - 1, dayMs, 3 * dayMs - 1, 3 * dayMs, NaN].map(ms => findBin(edges, ms)),
      [-1, 0, 0, 1, 2, -1, -1],
    );
  });

  it('returns the days of a century', () => {
    assert.equal(
      computeBinEdges({ start: Date.parse('1950-01-01'), end: Date.parse('2050-01-01') }, 'day', 'Europe/Berlin')
        .length,
      36_527,
    );
  });
});
