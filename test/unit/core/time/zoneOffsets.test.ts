import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { ZoneOffsets } from '../../../../src/core/time/zoneOffsets.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const hour = 3_600_000;
const from = Date.UTC(2010, 0, 1);
const to = Date.UTC(2024, 0, 1);
const zones = ['UTC', 'Africa/Johannesburg', 'Europe/Berlin', 'Australia/Lord_Howe', 'Africa/Casablanca'];
const offsets = new Map(zones.map(zone => [zone, new ZoneOffsets(zone)]));

describe('ZoneOffsets', () => {
  it('returns local times, and maps them back to every instant', () => {
    assert.equal(
      offsets.get('Europe/Berlin')?.getLocalTime(Date.UTC(2026, 5, 1, 10, 30)),
      Date.UTC(2026, 5, 1, 12, 30),
    );
    assert.equal(offsets.get('UTC')?.getLocalTime(-1), -1);
    const otherZones = ['Africa/Cairo', 'America/St_Johns', 'Pacific/Apia'].map(zone => new ZoneOffsets(zone));
    fc.assert(
      fc.property(
        fc.constantFrom(...otherZones, ...offsets.values()),
        fc.integer({ min: 0, max: 2e9 }),
        (zone, second) => {
          assert.ok(zone.findInstants(zone.getLocalTime(second * 1000)).includes(second * 1000));
        },
      ),
      { numRuns: scaleRunCount(200) },
    );
  });

  it('agrees with Temporal at every instant', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: from / hour, max: to / hour }), (zone, hours) => {
        const zonedTime = Temporal.Instant.fromEpochMilliseconds(hours * hour).toZonedDateTimeISO(zone);
        assert.equal(offsets.get(zone)?.at(hours * hour), zonedTime.offsetNanoseconds / 1e6);
      }),
      { numRuns: scaleRunCount(300) },
    );
  });

  it('finds clock changes that are few days apart', () => {
    const changes = { 'America/Recife': '2000-10-15', 'Africa/Tunis': '1943-04-25', 'Europe/Vienna': '1945-04-12' };
    for (const [zone, date] of Object.entries({ ...changes, 'Europe/Riga': '1944-10-13', 'Asia/Gaza': '2040-10-27' })) {
      const offsetsAroundChange = new ZoneOffsets(zone);
      for (let ms = Date.parse(date) - 480 * hour; ms < Date.parse(date) + 240 * hour; ms += hour) {
        const zonedTime = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
        assert.equal(offsetsAroundChange.at(ms), zonedTime.offsetNanoseconds / 1e6, zonedTime.toString());
      }
    }
  });

  it('finds both instants of a repeated local time, and no instant of a skipped time', () => {
    const berlin = new ZoneOffsets('Europe/Berlin');
    assert.deepEqual(berlin.findInstants(Date.UTC(2023, 2, 26, 2, 30)), []);
    const summer = Date.UTC(2023, 9, 29, 0, 30);
    const winter = Date.UTC(2023, 9, 29, 1, 30);
    assert.deepEqual(berlin.findInstants(Date.UTC(2023, 9, 29, 2, 30)), [summer, winter]);
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: from / hour + 48, max: to / hour - 48 }),
        (zone, hours) => {
          const zoneOffsets = offsets.get(zone);
          const [instant] = zoneOffsets?.findInstants(hours * hour) ?? [];
          const disambiguation = { disambiguation: 'earlier' } as const;
          const localTime = Temporal.Instant.fromEpochMilliseconds(hours * hour)
            .toZonedDateTimeISO('UTC')
            .toPlainDateTime();
          const expected = localTime.toZonedDateTime(zone, disambiguation);
          assert.equal(instant, expected.toPlainDateTime().equals(localTime) ? expected.epochMilliseconds : undefined);
        },
      ),
      { numRuns: scaleRunCount(300) },
    );
  });

  it('returns the clock change for a skipped local time, an hour or a whole day', () => {
    const change = Date.UTC(2023, 2, 26, 1);
    assert.equal(new ZoneOffsets('Europe/Berlin').firstInstantFrom(Date.UTC(2023, 2, 26, 2, 30)), change);
    // Samoa had no 30 December 2011.
    const apia = new ZoneOffsets('Pacific/Apia');
    assert.equal(apia.firstInstantFrom(Date.UTC(2011, 11, 30)), Date.UTC(2011, 11, 30, 10));
    assert.equal(apia.firstInstantFrom(Date.UTC(2011, 11, 30, 23, 59)), Date.UTC(2011, 11, 30, 10));
  });

  it('has an offset at the limits of Date and beyond', () => {
    const johannesburg = new ZoneOffsets('Africa/Johannesburg');
    for (const ms of [8.64e15, 9e15]) assert.equal(johannesburg.at(ms), 2 * hour);
  });
});
