import assert from 'node:assert/strict';
import type { TimeColumn } from '../../../../src/shared/frame.ts';
import { createTimeColumnFormat } from '../../../../src/presentation/columns/timeColumnFormat.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const utc = { timeZone: 'UTC', label: 'UTC' };
const sast = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };
const berlin = { timeZone: 'Europe/Berlin', label: 'Europe/Berlin' };
const midnight = Date.UTC(2026, 10, 14);

function createFormat(values: readonly number[], zone = utc, requestedMs?: number) {
  const column: TimeColumn = { kind: 'time', name: 'ts', path: ['ts'], values: Float64Array.from(values) };
  return createTimeColumnFormat(column, values.length, 'en', zone, requestedMs);
}

describe('time column format', () => {
  it('formats UTC days as UTC dates in every time zone, even a single day', () => {
    for (const zone of [utc, sast, { timeZone: 'America/New_York', label: 'New York' }]) {
      const { interval, format, formatEnd } = createFormat([midnight, midnight + dayMs], zone, dayMs);
      assert.deepEqual([interval, format(midnight), formatEnd(midnight + dayMs)], ['day', '14 Nov', '15 Nov 00:00']);
      const single = createFormat([midnight], zone, dayMs);
      assert.deepEqual([single.interval, single.format(midnight)], ['day', '14 Nov']);
    }
  });

  it('includes the year if another column has a different one', () => {
    const column: TimeColumn = {
      kind: 'time',
      name: 'ts',
      path: ['ts'],
      values: Float64Array.of(midnight, midnight + hourMs),
    };
    const write = (from: number) =>
      createTimeColumnFormat(column, 2, 'en', utc, hourMs, [from, midnight + hourMs]).format(midnight);
    assert.equal(write(midnight - 7 * dayMs), '14 Nov 00:00');
    assert.equal(write(midnight - 365 * dayMs), '14 Nov 2026 00:00');
  });

  it('shows when a day begins in the selected time zone', () => {
    assert.equal(createFormat([midnight, midnight + dayMs], sast, dayMs).formatFull(midnight), '14 Nov 2026 02:00');
  });

  it('does not treat days that begin at another hour as UTC days', () => {
    const evening = midnight - 2 * hourMs;
    const { interval, format } = createFormat([evening, evening + dayMs], sast, dayMs);
    assert.deepEqual([interval, format(evening)], ['other', '14 Nov 00:00']);
  });

  it('does not treat a single midnight hour as a day', () => {
    const { interval, format } = createFormat([midnight], sast, hourMs);
    assert.deepEqual([interval, format(midnight)], ['hour', '14 Nov 02:00']);
    assert.equal(createFormat([midnight]).interval, 'other');
  });

  it('uses the distance between rows if they are closer than requested', () => {
    const { interval, intervalMs } = createFormat([midnight, midnight + hourMs], utc, dayMs);
    assert.deepEqual([interval, intervalMs], ['hour', hourMs]);
  });

  it('distinguishes the repeated hour, also at the end of an interval', () => {
    const back = Date.UTC(2026, 9, 25, 1);
    const { format, formatEnd, formatFull, samples } = createFormat([back - 2 * hourMs, back], berlin, hourMs);
    assert.equal(format(back), '25 Oct 02:00 CET');
    assert.equal(formatEnd(back - hourMs), '25 Oct 02:00 CEST');
    assert.equal(formatFull(back - hourMs), '25 Oct 2026 02:00 CEST');
    assert.ok(samples.every(text => text.length >= '25 Oct 02:00 CEST'.length));
  });

  it('returns no text for a column without instants, and none for the end', () => {
    const empty = createFormat([]);
    assert.deepEqual([empty.samples, empty.endSamples, empty.intervalMs], [[], [], undefined]);
  });
});
