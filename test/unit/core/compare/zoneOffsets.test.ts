import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { ZoneOffsets } from '../../../../src/core/compare/periods.ts';

const hour = 3_600_000;
const [from, to] = [Date.UTC(2010, 0, 1), Date.UTC(2024, 0, 1)];
const zones = ['UTC', 'Africa/Johannesburg', 'Europe/Berlin', 'Australia/Lord_Howe', 'Africa/Casablanca'];
const offsets = new Map(zones.map(zone => [zone, new ZoneOffsets(zone, from, to)]));

describe('ZoneOffsets', () => {
  it('agrees with Temporal at every instant', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: from / hour, max: to / hour }), (zone, at) => {
        const moment = Temporal.Instant.fromEpochMilliseconds(at * hour).toZonedDateTimeISO(zone);
        assert.equal(offsets.get(zone)?.at(at * hour), moment.offsetNanoseconds / 1e6);
      }),
      { numRuns: 300 },
    );
  });

  it('finds the earlier instant of a wall-clock time, and none where the clock skips it', () => {
    const berlin = offsets.get('Europe/Berlin');
    assert.equal(berlin?.instantOf(Date.UTC(2023, 2, 26, 2, 30)), undefined);
    assert.equal(berlin?.instantOf(Date.UTC(2023, 9, 29, 2, 30)), Date.UTC(2023, 9, 29, 0, 30));
    assert.equal(berlin.laterInstantOf(Date.UTC(2023, 9, 29, 2, 30)), Date.UTC(2023, 9, 29, 1, 30));
    assert.equal(berlin.isRepeat(Date.UTC(2023, 9, 29, 0, 30)), false);
    assert.equal(berlin.isRepeat(Date.UTC(2023, 9, 29, 1, 30)), true);
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: from / hour + 48, max: to / hour - 48 }), (zone, at) => {
        const zoneOffsets = offsets.get(zone);
        const instant = zoneOffsets?.instantOf(at * hour);
        const disambiguation = { disambiguation: 'earlier' } as const;
        const wall = Temporal.Instant.fromEpochMilliseconds(at * hour)
          .toZonedDateTimeISO('UTC')
          .toPlainDateTime();
        const expected = wall.toZonedDateTime(zone, disambiguation);
        assert.equal(instant, expected.toPlainDateTime().equals(wall) ? expected.epochMilliseconds : undefined);
      }),
      { numRuns: 300 },
    );
  });
});
