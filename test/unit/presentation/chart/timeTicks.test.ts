import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ZoneOffsets } from '../../../../src/core/time/zoneOffsets.ts';
import { createTimeTicks } from '../../../../src/presentation/chart/timeTicks.ts';
import { dayMs, hourMs } from './chartWorld.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const utc = new ZoneOffsets('UTC');
const berlin = new ZoneOffsets('Europe/Berlin');
const cairo = new ZoneOffsets('Africa/Cairo');
/** 25 October 2026, 00:00 in Berlin: the day of 25 hours. */
const autumn = Date.UTC(2026, 9, 24, 22);
/** 29 March 2026, 00:00 in Berlin: the day of 23 hours. */
const spring = Date.UTC(2026, 2, 28, 23);
const formatTicks = (ticks: ReturnType<typeof createTimeTicks>): string[] =>
  ticks.map(({ label, below }) => (below ? `${label} ${below}` : label));

describe('the ticks of the time axis', () => {
  it('places ticks at local midnights across a 25-hour day', () => {
    const ticks = createTimeTicks({ start: autumn - dayMs, end: autumn + 3 * dayMs }, berlin, 6, 'en');
    assert.deepEqual(formatTicks(ticks), ['Sat 24 Oct 2026', 'Sun 25 Oct', 'Mon 26 Oct', 'Tue 27 Oct']);
    const distances = ticks.slice(1).map(({ instant }, index) => (instant - (ticks[index]?.instant ?? 0)) / hourMs);
    assert.deepEqual(distances, [24, 25, 24]);
  });

  it('places ticks at local midnights across a 23-hour day', () => {
    const ticks = createTimeTicks({ start: spring, end: spring + 3 * dayMs }, berlin, 4, 'en');
    assert.deepEqual(
      ticks.slice(1).map(({ instant }, index) => (instant - (ticks[index]?.instant ?? 0)) / hourMs),
      [23, 24, 24],
    );
  });

  it('marks the repeated hour twice on an hourly axis, and the skipped one never', () => {
    const labels = (start: number, maxTicks: number): string[] =>
      createTimeTicks({ start, end: start + 5 * hourMs }, berlin, maxTicks, 'en').map(({ label }) => label);
    assert.deepEqual(labels(autumn, 6), ['00:00', '01:00', '02:00 CEST', '02:00 CET', '03:00', '04:00']);
    assert.deepEqual(labels(spring, 6), ['00:00', '01:00', '03:00', '04:00', '05:00', '06:00']);
    assert.deepEqual(labels(autumn, 3), ['00:00', '02:00 CEST', '04:00']);
    assert.deepEqual(labels(spring, 3), ['00:00', '04:00', '06:00']);
  });

  it('starts a day at its first instant when midnight is skipped', () => {
    // 24 April 2026 begins at 01:00 in Cairo.
    const leap = Date.UTC(2026, 3, 23, 22);
    assert.equal(cairo.getLocalTime(leap), Date.UTC(2026, 3, 24, 1));
    const ticks = createTimeTicks({ start: leap - dayMs, end: leap + dayMs }, cairo, 4, 'en');
    assert.ok(
      ticks.some(({ instant }) => instant === leap),
      JSON.stringify(ticks),
    );
  });

  it('labels the day under its first hour, and the year under months', () => {
    const hours = createTimeTicks({ start: autumn - 6 * hourMs, end: autumn + 7 * hourMs }, berlin, 4, 'en');
    assert.deepEqual(formatTicks(hours), ['18:00 Sat 24 Oct 2026', '00:00 Sun 25 Oct', '06:00']);
    const months = createTimeTicks({ start: Date.UTC(2026, 10, 5), end: Date.UTC(2027, 2, 5) }, utc, 5, 'en');
    assert.deepEqual(formatTicks(months), ['Dec 2026', 'Jan 2027', 'Feb', 'Mar']);
    const years = createTimeTicks({ start: 0, end: 50 * 365 * dayMs }, utc, 6, 'en');
    assert.deepEqual(formatTicks(years), ['1970', '1980', '1990', '2000', '2010']);
  });

  it('places ticks at every second Monday when a month has little room, for any window', () => {
    const may = { start: Date.UTC(2023, 4, 1), end: Date.UTC(2023, 5, 1) };
    assert.deepEqual(formatTicks(createTimeTicks(may, utc, 3.9, 'en')), [
      'Mon 01 May 2023',
      'Mon 15 May',
      'Mon 29 May',
    ]);
    const later = { start: Date.UTC(2023, 4, 4), end: Date.UTC(2023, 5, 4) };
    assert.deepEqual(formatTicks(createTimeTicks(later, utc, 3.9, 'en')), ['Mon 15 May 2023', 'Mon 29 May']);
    const early = { start: Date.UTC(1969, 11, 1), end: Date.UTC(1970, 0, 10) };
    assert.deepEqual(formatTicks(createTimeTicks(early, utc, 3.9, 'en')), [
      'Mon 08 Dec 1969',
      'Mon 22 Dec',
      'Mon 05 Jan 1970',
    ]);
  });

  it('places ticks no finer than the data', () => {
    const ticks = createTimeTicks({ start: 0, end: 2 * dayMs }, utc, 20, 'en', dayMs);
    assert.deepEqual(
      ticks.map(({ instant }) => instant / dayMs),
      [0, 1, 2],
    );
  });

  it('returns ticks in order, inside the window and near the requested count', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(utc, berlin, cairo),
        fc.integer({ min: 0, max: 2e9 }),
        fc.integer({ min: 300, max: 3e8 }),
        fc.integer({ min: 1, max: 15 }),
        (zone, second, length, maxTicks) => {
          const window = { start: second * 1000, end: (second + length) * 1000 };
          const instants = createTimeTicks(window, zone, maxTicks, 'en').map(({ instant }) => instant);
          assert.deepEqual(
            instants,
            [...new Set(instants)].sort((a, b) => a - b),
          );
          assert.ok(instants.every(instant => instant >= window.start && instant <= window.end));
          const isNear = instants.length >= Math.floor(maxTicks / 4) && instants.length <= maxTicks * 1.2 + 2;
          assert.ok(isNear, `${instants.length} for ${maxTicks}`);
        },
      ),
      { numRuns: scaleRunCount(150) },
    );
  });
});
